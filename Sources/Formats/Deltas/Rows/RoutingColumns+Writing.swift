// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

// Columns in the order of ways as a database: the same bytes as written by the cost stage.
extension RoutingColumns {
  /// Writes the database. Throws the errors of `write`, and 70 if rows are out of order.
  func write(_ write: DatabasePages.Write) throws(CairnError) {
    let order = placeOrder()
    let edges = order.edges
    var writer = RoutingDatabaseWriter()
    writer.addNodes(count: nodes.count) { rows, part throws(CairnError) in
      for row in rows { try addNode(row, to: &part) }
    }
    writer.addEdges(count: ways.count) { rows, part throws(CairnError) in
      for row in rows { try addEdge(Int(edges[row]), row: row, to: &part) }
    }
    writer.addMetadata(metadata)
    writer.addProfiles(profiles)
    writer.addCosts(profileCount: profiles.count, edgeCount: ways.count) {
      profile, rows, part throws(CairnError) in
      let block = rows.lowerBound / RoutingSchema.edgesPerBlock
      try addCosts(profile, edges[rows], block: block, to: &part)
    }
    writer.addElevations(edgeCount: ways.count) { rows, part throws(CairnError) in
      try addElevations(edges[rows], block: rows.lowerBound / ElevationBlock.edges, to: &part)
    }
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
    writer.addEdgeTags(edgeCount: ways.count) { rows, part throws(CairnError) in
      try part.addTagSets(
        block: rows.lowerBound / RoutingSchema.edgesPerBlock,
        ways: edges[rows].map { Int(tagSets[Int($0)]) },
        barriers: edges[rows].map { Int(barriers[Int($0)]) })
    }
    var rows = [UInt32](repeating: 0, count: ways.count)
    for (row, edge) in edges.enumerated() {
      rows[Int(edge)] = UInt32(truncatingIfNeeded: row + 1)
    }
    let hazards = self.hazards(byRows: rows)
    writer.addHazards(count: hazards.count) { rows, part throws(CairnError) in
      for hazard in hazards[rows] { try part.addHazard(hazard) }
    }
    writer.addRules(rules)
    writer.addGraph(graphBlocks(order))
    writer.addWays(
      WayBlockRows(edgeCount: ways.count, way: { ways[$0] }, edge: { Int64(rows[$0]) }))
    addIndexes(to: &writer, edges)
    writer.addViews()
    try DatabasePages(writer.content).writeAll(write)
  }

  /// The edges by place, as indices in the columns. Forged rows may lead from nodes that do not exist.
  private func placeOrder() -> PlaceOrder {
    PlaceOrder(nodeCount: nodes.count, edgeCount: ways.count) {
      position(ofRow: $0)
    } from: { edge in
      index(ofNode: from[edge]) ?? 0
    }
  }

  private func position(ofRow node: Int) -> FixedCoordinate {
    FixedCoordinate(Coordinate(latitude: latitudes[node], longitude: longitudes[node]))
      ?? FixedCoordinate(latitude: 0, longitude: 0)
  }

  private func graphBlocks(_ order: PlaceOrder) -> GraphBlockRows {
    func node(_ id: Int64) -> UInt32 { UInt32(truncatingIfNeeded: index(ofNode: id) ?? 0) }
    return GraphBlockRows(
      order,
      node: { [self] node in
        .init(
          id: nodes[node], position: position(ofRow: node), elevation: Float(elevations[node]))
      },
      edges: order.edges.map { edge in
        let edge = Int(edge)
        return .init(from: node(from[edge]), to: node(to[edge]), metres: distances[edge])
      }
    ) { box, edge in
      box.extend(bits: points[pointEnds.range(Int(order.edges[edge]))])
    }
  }

  /// The hazards in the order of the table; those on impossible edges are left out, and the digest shows
  /// that the file is another.
  private func hazards(byRows rows: [UInt32]) -> [EdgeHazard] {
    hazards.compactMap { hazard in
      let edge = Int(clamping: hazard.edge &- 1)
      guard rows.indices.contains(edge) else { return nil }
      var hazard = hazard
      hazard.edge = Int64(rows[edge])
      return hazard
    }.sorted()
  }

  private func addNode(_ row: Int, to part: inout TreePart) throws(CairnError) {
    part.record.addNull()
    part.record.add(latitudes[row])
    part.record.add(longitudes[row])
    // NaN becomes NULL.
    part.record.add(elevations[row])
    try part.endRow(nodes[row])
  }

  private func addEdge(_ edge: Int, row: Int, to part: inout TreePart) throws(CairnError) {
    part.record.addNull()
    part.record.add(from[edge])
    part.record.add(to[edge])
    part.record.add(distances[edge])
    part.record.add(gains[edge])
    part.record.add(losses[edge])
    for column in texts {
      if column.lengths[edge] < 0 {
        part.record.addNull()
      } else {
        column.bytes.withUnsafeBytes {
          part.record.addText(UnsafeRawBufferPointer(rebasing: $0[column.range(edge)]))
        }
      }
    }
    part.record.add(ways[edge])
    part.record.add(costs[edge])
    part.record.add(reverseCosts[edge])
    part.record.add(Int64(oneways[edge]))
    let range = pointEnds.range(edge)
    if range.isEmpty { part.record.addNull() } else { part.record.add(words: points[range]) }
    try part.endRow(Int64(row + 1))
  }

  private func addCosts(
    _ profile: Int, _ edges: ArraySlice<UInt32>, block: Int, to part: inout TreePart
  ) throws(CairnError) {
    part.record.addNull()
    if profile == 0 {
      part.record.addNull()
    } else {
      part.record.add(words: edges.lazy.map { blocks[profile - 1][Int($0)] })
    }
    part.record.add(words: edges.lazy.map { blocks[profiles.count - 1 + profile][Int($0)] })
    try part.endRow(Int64(profile + 1) << 32 | Int64(block))
  }

  private func addElevations(
    _ edges: ArraySlice<UInt32>, block: Int, to part: inout TreePart
  ) throws(CairnError) {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    for edge in edges {
      bytes += profileBytes[profileEnds.range(Int(edge))]
      ends.append(bytes.count)
    }
    if bytes.isEmpty { return }
    part.record.addNull()
    part.record.addBytes(
      ElevationBlock.packSlopes(
        edges.map { slopes[Int($0)] == .min ? nil : Double(slopes[Int($0)]) / 100 }))
    part.record.addBytes(PackedNumbers.pack(ends))
    part.record.addBytes(bytes)
    try part.endRow(Int64(block))
  }

  private func addIndexes(to writer: inout RoutingDatabaseWriter, _ edges: [UInt32]) {
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
      let order = Self.order(edges.count) {
        (column[Int(edges[$0])], $0) < (column[Int(edges[$1])], $1)
      }
      return { rows, part throws(CairnError) in
        for row in order[rows] {
          try part.addEdgeEntry(node: column[Int(edges[Int(row)])], edge: Int(row) + 1)
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
  fileprivate mutating func add(words: some Collection<UInt64>) {
    addBlob(upTo: 8 * words.count) { buffer in
      for (index, word) in words.enumerated() {
        buffer.storeBytes(of: word.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
      }
      return 8 * words.count
    }
  }
}
