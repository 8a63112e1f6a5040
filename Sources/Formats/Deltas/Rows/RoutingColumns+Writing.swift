// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

// Columns as a database: the same bytes as written by the cost stage.
extension RoutingColumns {
  /// Writes the database. Throws the errors of `write`, and 70 if rows are out of order.
  func write(_ write: DatabasePages.Write) throws(CairnError) {
    var writer = RoutingDatabaseWriter(version: schemaVersion)
    writer.addNodes(count: nodes.count) { rows, part throws(CairnError) in
      for row in rows { try addNode(row, to: &part) }
    }
    writer.addEdges(count: ways.count) { rows, part throws(CairnError) in
      for row in rows { try addEdge(row, to: &part) }
    }
    writer.addMetadata(metadata)
    writer.addProfiles(profiles)
    writer.addCosts(profileCount: profiles.count, edgeCount: ways.count, addCosts)
    writer.addElevations(edgeCount: ways.count, addElevations)
    writer.addComponents(components)
    writer.addIslands(profileCount: profiles.count) { rows, part throws(CairnError) in
      for profile in rows {
        for island in islands[profile] {
          try part.addIslandNode(
            profile: profile + 1, node: island.node,
            component: Int(truncatingIfNeeded: island.component))
        }
      }
    }
    writer.addTags(setCount: tags.count) { rows, part throws(CairnError) in
      for set in rows {
        for tag in tags[set] { try part.addTag(set: set + 1, key: tag.key, value: tag.value) }
      }
    }
    writer.addEdgeTags(edgeCount: ways.count) { edges, part throws(CairnError) in
      part.record.addNull()
      part.record.addBytes(PackedNumbers.pack(tagSets[edges].map { Int($0) }))
      if barriers[edges].allSatisfy({ $0 == 0 }) {
        part.record.addNull()
      } else {
        part.record.addBytes(PackedNumbers.pack(barriers[edges].map { Int($0) }))
      }
      try part.endRow(Int64(edges.lowerBound / RoutingSchema.edgesPerBlock))
    }
    if schemaVersion > RoutingSchema.versionWithoutRules {
      writer.addHazards(count: hazards.count) { rows, part throws(CairnError) in
        for hazard in hazards[rows] { try part.addHazard(hazard) }
      }
      writer.addRules(rules)
    }
    if schemaVersion > RoutingSchema.versionWithoutLongEdges {
      writer.addLongEdges(longEdges())
    }
    addIndexes(to: &writer)
    writer.addViews()
    try DatabasePages(writer.content).writeAll(write)
  }

  private func addNode(_ row: Int, to part: inout TreePart) throws(CairnError) {
    part.record.addNull()
    part.record.add(latitudes[row])
    part.record.add(longitudes[row])
    // NaN becomes NULL.
    part.record.add(elevations[row])
    try part.endRow(nodes[row])
  }

  private func addEdge(_ row: Int, to part: inout TreePart) throws(CairnError) {
    part.record.addNull()
    part.record.add(from[row])
    part.record.add(to[row])
    part.record.add(distances[row])
    part.record.add(gains[row])
    part.record.add(losses[row])
    for column in texts {
      if column.lengths[row] < 0 {
        part.record.addNull()
      } else {
        column.bytes.withUnsafeBytes {
          part.record.addText(UnsafeRawBufferPointer(rebasing: $0[column.range(row)]))
        }
      }
    }
    part.record.add(ways[row])
    part.record.add(costs[row])
    part.record.add(reverseCosts[row])
    part.record.add(Int64(oneways[row]))
    let (first, end) = (row == 0 ? 0 : Int(pointEnds[row - 1]), Int(pointEnds[row]))
    if first == end {
      part.record.addNull()
    } else {
      part.record.add(words: points[first..<end])
    }
    try part.endRow(Int64(row + 1))
  }

  private func addCosts(_ profile: Int, _ edges: Range<Int>, to part: inout TreePart)
    throws(CairnError)
  {
    part.record.addNull()
    if profile == 0 {
      part.record.addNull()
    } else {
      part.record.add(words: blocks[profile - 1][edges])
    }
    part.record.add(words: blocks[profiles.count - 1 + profile][edges])
    try part.endRow(
      Int64(profile + 1) << 32 | Int64(edges.lowerBound / RoutingSchema.edgesPerBlock))
  }

  private func addElevations(_ edges: Range<Int>, to part: inout TreePart) throws(CairnError) {
    guard let last = edges.last else { return }
    let start = edges.lowerBound == 0 ? 0 : Int(profileEnds[edges.lowerBound - 1])
    let end = Int(profileEnds[last])
    guard end > start else { return }
    part.record.addNull()
    part.record.addBytes(
      ElevationBlock.packSlopes(slopes[edges].map { $0 == .min ? nil : Double($0) / 100 }))
    part.record.addBytes(PackedNumbers.pack(profileEnds[edges].map { Int($0) - start }))
    profileBytes.withUnsafeBytes {
      part.record.addBlob(UnsafeRawBufferPointer(rebasing: $0[start..<end]))
    }
    try part.endRow(Int64(edges.lowerBound / ElevationBlock.edges))
  }

  /// The cells of the long edges. Forged rows may have invalid coordinates, or more cells than the
  /// file has space for: some are left out then, and the digest shows that the file is another.
  private func longEdges() -> LongEdgeRows {
    var rows = LongEdgeRows()
    for edge in ways.indices where distances[edge] > LongEdges.metres {
      guard rows.count < greatestSize / 4, let row = UInt32(exactly: edge + 1) else { break }
      guard let start = coordinate(ofNode: from[edge]), let end = coordinate(ofNode: to[edge])
      else { continue }
      let bytes = (edge == 0 ? 0 : 8 * Int(pointEnds[edge - 1]))..<8 * Int(pointEnds[edge])
      points.withUnsafeBytes {
        _ = rows.add(
          edge: row, from: start, to: end, geometry: UnsafeRawBufferPointer(rebasing: $0[bytes]))
      }
    }
    return rows
  }

  private func addIndexes(to writer: inout RoutingDatabaseWriter) {
    let byPosition = Self.order(nodes.count) {
      (latitudes[$0], longitudes[$0], nodes[$0]) < (latitudes[$1], longitudes[$1], nodes[$1])
    }
    writer.addNodeIndex(count: nodes.count) { rows, part throws(CairnError) in
      for row in rows {
        let node = Int(byPosition[row])
        part.record.add(latitudes[node])
        part.record.add(longitudes[node])
        part.record.add(nodes[node])
        try part.endRow()
      }
    }
    func entries(_ column: [Int64]) -> RoutingDatabaseWriter.Rows {
      let order = Self.order(column.count) { (column[$0], $0) < (column[$1], $1) }
      return { rows, part throws(CairnError) in
        for row in rows {
          let edge = Int(order[row])
          try part.addEdgeEntry(node: column[edge], edge: edge + 1)
        }
      }
    }
    writer.addEdgeIndexes(count: ways.count, from: entries(from), to: entries(to))
  }

  /// The indices of rows in some order; a delta is of a file of less than 2 GiB.
  private static func order(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int32] {
    var order = [Int32](unsafeUninitializedCapacity: count) { buffer, filled in
      for index in 0..<count { buffer[index] = Int32(truncatingIfNeeded: index) }
      filled = count
    }
    order.sort { precedes(Int($0), Int($1)) }
    return order
  }
}

extension SQLiteRecord {
  fileprivate mutating func addBytes(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { addBlob($0) }
  }

  /// Adds a blob of numbers of eight bytes each.
  fileprivate mutating func add(words: ArraySlice<UInt64>) {
    addBlob(upTo: 8 * words.count) { buffer in
      for (index, word) in words.enumerated() {
        buffer.storeBytes(of: word.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
      }
      return 8 * words.count
    }
  }
}
