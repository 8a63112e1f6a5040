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
  private let corners: [Coordinate]
  private let hierarchyFile: [UInt8]

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
    hierarchyFile = HierarchyFile([try ContractionHierarchy.contracting(graph)]).encoded()
    let last = Self.side - 1
    corners = [(0, 0), (0, last), (last, 0), (last, last)].map {
      Self.coordinate(row: $0, column: $1)
    }
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

  private static let headerBytes = 32
  private static let graphDigestBytes = 8

  /// The hierarchy of the grid as a whole file, and without what ``file(around:)`` supplies.
  var hierarchySeeds: [[UInt8]] {
    [hierarchyFile, Array(hierarchyFile.dropFirst(Self.headerBytes + Self.graphDigestBytes))]
  }

  /// A file of one hierarchy with the right digests around the rest of its section.
  func file(around rest: UnsafeRawBufferPointer) -> [UInt8] {
    let graphDigest = hierarchyFile.dropFirst(Self.headerBytes).prefix(Self.graphDigestBytes)
    let section = Array(graphDigest) + rest
    var digest = WordDigest()
    section.withUnsafeBytes { digest.add($0) }
    let size = UInt64(Self.headerBytes + section.count)
    return hierarchyFile[..<16] + littleEndian(size) + littleEndian(digest.value) + section
  }

  private func littleEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  /// Reads hierarchies and routes through them: a route has a true cost, at least the least one.
  func route(throughHierarchies bytes: UnsafeRawBufferPointer) throws {
    try expectRoutingError {
      guard let hierarchy = try HierarchyFile(reading: bytes).hierarchy(of: graph) else { return }
      let plain = RoutingEngine(graphs: [graph])
      let prepared = RoutingEngine(graphs: [graph], hierarchies: [hierarchy])
      for end in corners.dropFirst() {
        let least = try plain.findRoute(from: corners[0], to: end).edges.reduce(0) { $0 + $1.cost }
        let cost = try prepared.findRoute(from: corners[0], to: end).edges
          .reduce(0) { $0 + $1.cost }
        try expect(cost >= least - 1e-6, "a route for \(cost), the cheapest costs \(least)")
      }
      for measure in RouteMeasure.allCases {
        let matrix = try RouteMatrix(hierarchy, to: corners, measure: measure)
        for corner in corners { _ = try matrix.row(from: corner) }
      }
    }
  }
}
