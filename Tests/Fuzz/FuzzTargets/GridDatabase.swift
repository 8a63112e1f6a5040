// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSQLiteKit

/// A database of a grid of paths with whole costs, and the graph of it.
struct GridDatabase: Sendable {
  static let shared = Result { try GridDatabase() }

  private static let side = 6
  /// The file.
  let bytes: [UInt8]
  let graph: ProfileGraph

  private init() throws {
    bytes = try Self.bytes()
    var read: ProfileGraph?
    try bytes.withUnsafeBytes { bytes in
      try withFile(bytes, named: "grid.routing.db") { path in
        let store = RoutingStore(path: path)
        try store.open()
        defer { store.close() }
        read = try ProfileGraph(try RoadNetwork(reading: store), profile: nil, reading: store)
      }
    }
    guard let read else { throw FuzzFailure("the grid was not read") }
    graph = read
  }

  private static func coordinate(row: Int, column: Int) -> Coordinate {
    Coordinate(latitude: 47 + Double(row) * 1e-3, longitude: 10 + Double(column) * 1.5e-3)
  }

  /// The bytes of the database.
  static func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try withFile(UnsafeRawBufferPointer(start: nil, count: 0), named: "new.db") { path in
      let connection = try SQLiteConnection(path, .build)
      for statement in RoutingSchema.coreTables + rows() { try connection.execute(statement) }
      connection.close()
      bytes = try bytesOfFile(path)
    }
    return bytes
  }

  private static func rows() -> [String] {
    var statements: [String] = []
    for node in 0..<side * side {
      let (row, column) = (node / side, node % side)
      let point = coordinate(row: row, column: column)
      statements.append(
        "INSERT INTO routing_nodes VALUES (\(node + 1), \(point.latitude), \(point.longitude), "
          + "\(800 + node))")
      for other in [column + 1 < side ? node + 1 : nil, row + 1 < side ? node + side : nil] {
        guard let other else { continue }
        let cost = 112 + 7 * ((node * 13 + other) % 9)
        // Each row and each column is a way.
        let way = other == node + 1 ? row + 1 : side + column + 1
        statements.append(
          """
          INSERT INTO routing_edges(
            from_node, to_node, distance, highway_type, osm_way_id, cost, reverse_cost)
          VALUES (\(node + 1), \(other + 1), 112, 'path', \(way), \(cost), \(cost + 50))
          """)
      }
    }
    return statements
  }
}
