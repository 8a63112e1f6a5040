// SPDX-License-Identifier: Apache-2.0
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
