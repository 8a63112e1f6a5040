// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Validation

/// Routing databases, alone and joined with another one.
let databaseTargets: [FuzzTarget] = [
  FuzzTarget("database", seeds: { [try GridDatabase.bytes()] }) { bytes in
    try withFile(bytes, named: "map.routing.db") { path in
      try route(on: RoutingStore(path: path))
      try expectTypedError {
        var validator = try DatabaseValidator(path)
        validator.baseline = DriftBaseline(path)
        return try validator.run()
      }
      try expectTypedError { try DatabaseStatistics(path) }
    }
  },
  // A row of a graph without its checksum, which would keep most inputs from the rest.
  FuzzTarget("graph", seeds: { GraphLine.shared.rows.map { Array($0.dropLast(4)) } }) { bytes in
    var row = Array(bytes)
    withUnsafeBytes(of: CRC32.checksum(row).littleEndian) { row.append(contentsOf: $0) }
    try row.withUnsafeBytes { row in
      for directory in [GraphDirectory(row), GraphLine.shared.directory].compactMap({ $0 }) {
        for number in directory.blocks.indices.prefix(3) {
          guard let block = GraphBlock(row, number: number, directory) else { continue }
          let nodes = 0..<directory.nodeCount
          let isSound =
            block.edges.allSatisfy {
              block.nodes.contains(Int($0.from)) && nodes.contains(Int($0.to))
            }
            && block.incoming.allSatisfy {
              nodes.contains(Int($0.from)) && block.nodes.contains(Int($0.to))
                && $0.edge < directory.edgeCount
            }
          try expect(isSound, "an edge leads out of the graph")
        }
      }
    }
  },
  // As a region beside the grid, which has the same nodes and ways, and as the first of both.
  FuzzTarget("joined", seeds: { [try GridDatabase.bytes()] }) { bytes in
    let grid = try GridDatabase.shared.get()
    try withFile(bytes, named: "map.routing.db") { path in
      try grid.bytes.withUnsafeBytes { other in
        try withFile(other, named: "grid.routing.db") { other in
          let joined = RoutingStore(joining: [path, other].map { RoutingStore(path: $0) })
          try route(on: joined)
          try route(on: RoutingStore(joiningWhenReached: [other, path]))
        }
      }
    }
  },
]

/// A way of 150 edges as a graph of two blocks.
private struct GraphLine: Sendable {
  static let shared = GraphLine()

  let rows: [[UInt8]]
  let directory: GraphDirectory?

  private init() {
    let nodes = (0...150).map { index in
      GraphBlockRows.Node(
        id: Int64(index) << 20 + 7,
        position: FixedCoordinate(
          latitude: 470_000_000 + Int32(index) * 9000, longitude: 100_000_000),
        elevation: Float(800 + index))
    }
    let order = PlaceOrder(nodeCount: nodes.count, edgeCount: 150) {
      nodes[$0].position
    } from: {
      $0
    }
    let graph = GraphBlockRows(
      order, node: { nodes[$0] },
      edges: order.edges.map { .init(from: $0, to: $0 + 1, metres: 100) }
    ) { _, _ in }
    rows = (0..<graph.count).map { graph.bytes(ofRow: $0) }
    directory = rows[0].withUnsafeBytes { GraphDirectory($0) }
  }
}

/// Asks a database for all that an app asks for.
private func route(on store: RoutingStore) throws {
  try expectRoutingError {
    try store.open()
    defer { store.close() }
    _ = try store.metadata()
    try expectRoutingError {
      let audited = try RegionAudit(store).summary.kilometres.total
      try expect(audited >= 0 && audited.isFinite, "an audit of \(audited) km")
    }
    let nodes = try store.getNodesInBoundingBox(.world, limit: 100)
    guard let start = nodes.first?.coordinate, let end = nodes.last?.coordinate else { return }
    var preferences = RoutingPreferences()
    preferences.avoidsSteps = true
    preferences.maximumSlopePercent = 20
    var engines = [RoutingEngine(store: store)]
    try expectRoutingError { engines.append(try RoutingEngine.inMemory(store)) }
    try expectRoutingError {
      let graph = try ProfileGraph(RoadNetwork(reading: store), profile: nil, reading: store)
      for measure in RouteMeasure.allCases {
        let matrix = try RouteMatrix(graph, to: nodes.prefix(5).map(\.coordinate), measure: measure)
        _ = try matrix.cells(from: end)
      }
    }
    for engine in engines {
      try expectRoutingError {
        let route = try engine.findRoute(from: start, to: end, mode: .hiking)
        try expect(!route.nodes.isEmpty, "a route without nodes")
        _ = try engine.elevationProfile(of: route)
      }
      try expectRoutingError {
        try engine.findRoute(from: end, to: start, mode: .cycling, preferences: preferences)
      }
      for day in ["2026-12-24", "2026-12-24T08:00"] {
        try expectRoutingError { try engine.findRoute(from: start, to: end, on: TravelDay(day)) }
      }
      try expectRoutingError {
        IsochroneArea(try engine.isochrones(from: start, limitsSeconds: [60, 1800]))
      }
      try expectRoutingError { try engine.findAlternatives(from: start, to: end, count: 2) }
      try expectRoutingError { try engine.roundTrips(from: start, lengthMetres: 1000) }
    }
  }
}

/// Runs a search, which may throw a routing error with a text and no other error.
func expectRoutingError(_ body: () throws -> some Any) throws {
  do { _ = try body() } catch let failure as FuzzFailure { throw failure } catch {
    guard let error = error as? RoutingError else { throw FuzzFailure("untyped error: \(error)") }
    try expect(!error.description.isEmpty, "an error without a text")
  }
}
