// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import TrailData

@testable import CostModel

extension DatabaseBuilder {
  /// Writes the database through SQLite, row by row: the judge of the one that is written as pages.
  func writeWithSQLite(to path: String) throws {
    let connection = try SQLiteConnection(path, .build)
    defer { connection.close() }
    try connection.execute("PRAGMA application_id=\(RoutingSchema.applicationID)")
    try connection.execute("PRAGMA user_version=\(RoutingSchema.version)")
    try connection.execute("BEGIN")
    for sql in RoutingSchema.coreTables + RoutingSchema.extensionTables {
      try connection.execute(sql)
    }
    let all = DatabaseRows(graph, costs, components, folding)
    let edges = all.edges.map { Int($0) }
    try insertNodes(connection)
    try insertEdges(connection, edges)
    try insertProfiles(connection, edges)
    try insertTags(connection, edges)
    let rows = Dictionary(uniqueKeysWithValues: zip(edges, edges.indices))
    for index in 0..<graph.hazards.count {
      let hazard = graph.hazards[index]
      guard let row = rows[Int(hazard.edge)] else { continue }
      try connection.insert(
        "routing_hazards",
        [
          .integer(Int64(row + 1)), .integer(Int64(hazard.start)), .integer(Int64(hazard.end)),
          .integer(Int64(hazard.type.rawValue)), .integer(hazard.id),
          .integer(Int64(hazard.tagSet + 1)),
        ])
    }
    for rule in rules(all.edges) {
      try connection.insert(
        "routing_rules",
        [
          .integer(rule.id), .blob(PackedNumbers.pack(rule.edges)), .blob(rule.classes),
          .blob(rule.prices),
        ])
    }
    let graphBlocks = all.graphBlocks()
    for row in 0..<graphBlocks.count {
      try connection.insert(
        "routing_graph_blocks",
        [.integer(GraphDirectory.row + Int64(row)), .blob(graphBlocks.bytes(ofRow: row))])
    }
    for row in all.ways().rows {
      try connection.insert("routing_way_blocks", [.integer(row.way), .blob(row.edges)])
    }
    for entry in try metadata(profiles[0], costs[0], all.climbCosts(threads: 1)) {
      try connection.insert("routing_metadata", [.text(entry.key), .text(entry.value)])
    }
    for sql in [RoutingSchema.nodeIndex] + RoutingSchema.edgeIndexes { try connection.execute(sql) }
    for view in RoutingSchema.extensionViews { try connection.execute(view.sql) }
    try connection.execute("COMMIT")
  }

  private func insertNodes(_ connection: SQLiteConnection) throws {
    for node in graph.nodeIDs.indices where !folding.mergedNodes.contains(UInt32(node)) {
      let position = FixedCoordinate(
        latitude: graph.latitudes[node], longitude: graph.longitudes[node]
      ).degrees
      let elevation = graph.elevations[node]
      try connection.insert(
        "routing_nodes",
        [
          .integer(graph.nodeIDs[node]), .real(position.latitude), .real(position.longitude),
          elevation.isNaN ? .null : .real(Double(elevation)),
        ])
    }
  }

  private func insertEdges(_ connection: SQLiteConnection, _ edges: [Int]) throws {
    for (row, edge) in edges.enumerated() {
      let way = Int(graph.ways[edge])
      let tags = graph.wayTags(ofTagSet: Int(graph.wayTagSets[way]))
      let name = graph.wayNames[way]
      func text(_ key: String) -> SQLiteValue { tags[key].map { .text($0) } ?? .null }
      let points = graph.points(ofEdge: edge).map {
        FixedCoordinate(
          latitude: graph.pointLatitudes[$0], longitude: graph.pointLongitudes[$0]
        ).degrees
      }
      try connection.insert(
        "routing_edges",
        [
          .integer(Int64(row + 1)), .integer(graph.nodeIDs[Int(folding.node(graph.from[edge]))]),
          .integer(graph.nodeIDs[Int(folding.node(graph.to[edge]))]), .real(graph.distances[edge]),
          .real(graph.gains[edge]), .real(graph.losses[edge]), text("surface"),
          tags["route"] == "ferry" ? .text("ferry") : text("highway"), text("sac_scale"),
          text("trail_visibility"),
          name == GraphFile.noText ? .null : .text(graph.strings[Int(name)]),
          .integer(graph.wayIDs[way]), .real(costs[0].cost[edge]),
          .real(costs[0].reverseCost[edge]), .integer(costs[0].isOneway[edge] ? 1 : 0),
          points.isEmpty ? .null : .blob(EdgeGeometry.pack(points)),
        ])
    }
    try forEachBlock(edges, of: ElevationBlock.edges) { block, edges in
      let blobs = edges.map { edge -> [UInt8] in
        let heights = graph.elevationProfile(ofEdge: edge).map { graph.elevationProfiles[$0] }
        return graph.slopes[edge].isNaN ? [] : EdgeElevation.pack(heights) ?? []
      }
      if blobs.allSatisfy(\.isEmpty) { return }
      var end = 0
      let ends = blobs.map { blob -> Int in
        end += blob.count
        return end
      }
      let slopes = edges.map { graph.slopes[$0].isNaN ? nil : graph.slopes[$0] }
      try connection.insert(
        "routing_elevation_blocks",
        [
          .integer(block), .blob(ElevationBlock.packSlopes(slopes)),
          .blob(PackedNumbers.pack(ends)), .blob(Array(blobs.joined())),
        ])
    }
  }

  /// Calls `body` with the number of each block and its edges.
  private func forEachBlock(
    _ edges: [Int], of size: Int, _ body: (Int64, ArraySlice<Int>) throws -> Void
  ) throws {
    for first in stride(from: 0, to: edges.count, by: size) {
      try body(Int64(first / size), edges[first..<min(first + size, edges.count)])
    }
  }

  private func insertProfiles(_ connection: SQLiteConnection, _ edges: [Int]) throws {
    for (index, profile) in profiles.enumerated() {
      let (id, costs, parts) = (Int64(index + 1), costs[index], components[index])
      try connection.insert(
        "routing_profiles",
        [
          .integer(id), .text(profile.name), .text(try profile.fingerprint()),
          .text(try profile.canonicalText()), .real(costs.minimumCostPerMetre),
        ])
      try forEachBlock(edges, of: RoutingSchema.edgesPerBlock) { block, edges in
        func blob(_ numbers: [Float]) -> SQLiteValue {
          .blob(numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { [UInt8]($0) } })
        }
        let prices = edges.flatMap {
          [costs.cost[$0], costs.reverseCost[$0]].map { CostBlock.rounded(cost: $0) }
        }
        let seconds = edges.flatMap {
          [costs.duration[$0], costs.reverseDuration[$0]].map { CostBlock.rounded(seconds: $0) }
        }
        try connection.insert(
          "routing_cost_blocks",
          [.integer(id << 32 | block), id == 1 ? .null : blob(prices), blob(seconds)])
      }
      for (index, part) in parts.components.enumerated() {
        try connection.insert(
          "routing_components",
          [
            .integer(id), .integer(Int64(index + 1)), .integer(Int64(part.nodes)),
            .integer(Int64(part.edges)), .real(part.metres), .integer(part.isIsland ? 1 : 0),
          ])
      }
      for (node, part) in zip(parts.islandNodes, parts.islandComponents) {
        try connection.insert(
          "routing_islands",
          [.integer(id), .integer(graph.nodeIDs[Int(node)]), .integer(Int64(part + 1))])
      }
    }
  }

  private func insertTags(_ connection: SQLiteConnection, _ edges: [Int]) throws {
    for set in 0..<graph.tagSets.count {
      for (key, value) in graph.wayTags(ofTagSet: set) {
        try connection.insert(
          "routing_tags", [.integer(Int64(set + 1)), .text(key), .text(value)])
      }
    }
    let barriers = Dictionary(
      uniqueKeysWithValues: zip(graph.barrierEdges.map(Int.init), graph.barrierTagSets))
    try forEachBlock(edges, of: RoutingSchema.edgesPerBlock) { block, edges in
      let sets = edges.map { Int(graph.wayTagSets[Int(graph.ways[$0])]) + 1 }
      let stops = edges.map { barriers[$0].map { Int($0) + 1 } ?? 0 }
      try connection.insert(
        "routing_tagset_blocks",
        [
          .integer(block), .blob(PackedNumbers.pack(sets)),
          stops.contains { $0 > 0 } ? .blob(PackedNumbers.pack(stops)) : .null,
        ])
    }
  }
}

private enum SQLiteValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteConnection {
  /// Inserts a row with a value for each column.
  fileprivate func insert(_ table: String, _ values: [SQLiteValue]) throws(CairnError) {
    let places = Array(repeating: "?", count: values.count).joined(separator: ",")
    let statement = try prepare("INSERT INTO \(table) VALUES (\(places))")
    for (index, value) in values.enumerated() {
      let parameter = Int32(index + 1)
      switch value {
      case .null: try statement.bindNull(parameter)
      case .integer(let value): try statement.bind(parameter, value)
      case .real(let value): try statement.bind(parameter, value)
      case .text(let value): try statement.bind(parameter, value)
      case .blob(let bytes):
        try bytes.withUnsafeBufferPointer { bytes throws(CairnError) in
          try statement.bindBlob(parameter, UnsafeRawBufferPointer(bytes))
        }
      }
    }
    try statement.step()
  }
}
