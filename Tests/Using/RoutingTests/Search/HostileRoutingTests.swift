// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import Foundation
import TestSupport
import Testing

@Suite("Routes on a broken database")
struct HostileRoutingTests {
  private let map = AsciiMap(
    """
    A-b-B---C
    |       |
    D---E---F---G
    """,
    ways: [
      .init("AbB", tags: ["highway": "path", "surface": "gravel"]),
      .init("BC", tags: ["highway": "steps"]), .init("AD"), .init("DEF"),
      .init("CF", tags: ["highway": "path", "sac_scale": "alpine_hiking"]), .init("FG"),
    ], nodeTags: ["E": ["barrier": "gate"]],
    elevations: ["A": 500, "b": 520, "B": 510, "C": 530, "D": 500, "E": 505, "F": 520, "G": 500])

  /// Requests routes in every way. Each answer must be a route whose totals add up, or an error
  /// that blames the database or the way, not the caller.
  private func expectAnswers(_ path: String) throws {
    var preferences = RoutingPreferences()
    preferences.avoidsSteps = true
    preferences.maximumSlopePercent = 5
    preferences.preferredRoutes = .hiking
    let start = try map.coordinate("A")
    var besideE = try map.coordinate("E")
    besideE.longitude += 1e-3
    let goals = [besideE, try map.coordinate("G")]
    let store = RoutingStore(path: path)
    guard expectAnswer({ () throws(RoutingError) in try store.open() }) != nil else { return }
    var engines = [RoutingEngine(store: store)]
    engines += expectAnswer { () throws(RoutingError) in [try RoutingEngine.inMemory(store)] } ?? []
    for engine in engines {
      for preferences in [RoutingPreferences(), preferences] {
        for goal in goals {
          let route = expectAnswer { () throws(RoutingError) in
            try engine.findRoute(from: start, to: goal, preferences: preferences)
          }
          guard let route else { continue }
          expectConsistent(route)
          expectAnswer { () throws(RoutingError) in try engine.elevationProfile(of: route) }
        }
      }
      expectExploration(engine, from: start, to: besideE, preferences)
    }
  }

  /// Requests everything that takes more than one search.
  private func expectExploration(
    _ engine: RoutingEngine, from start: Coordinate, to end: Coordinate,
    _ preferences: RoutingPreferences
  ) {
    let reached = expectAnswer { () throws(RoutingError) in
      try engine.isochrones(from: start, limitsSeconds: [60, 600, .infinity])
    }
    if let reached {
      #expect(reached.count == 3)
      _ = IsochroneArea(reached)
    }
    let routes = expectAnswer { () throws(RoutingError) in
      try engine.findAlternatives(from: start, to: end, count: 3, preferences: preferences)
    }
    for route in routes ?? [] { expectConsistent(route) }
    expectAnswer { () throws(RoutingError) in
      try engine.roundTrips(from: start, lengthMetres: 1500)
    }
  }

  /// The answer, or nil after an error that a broken database may cause.
  @discardableResult
  private func expectAnswer<Answer>(_ ask: () throws(RoutingError) -> Answer) -> Answer? {
    do throws(RoutingError) { return try ask() } catch {
      switch error {
      case .databaseNotOpen, .databaseLocked, .databasesDoNotFit,
        .viaPointNotReachable, .rulesNotAvailable, .cancelled:
        Issue.record("not an error of a broken database: \(error)")
      case .databaseUnreadable(let reason), .databaseUnusable(let reason),
        .databaseCorrupted(let reason):
        #expect(!reason.isEmpty)
      case .profileNotAvailable, .noNearbyNode, .noRouteFound, .noRoundTripFound: break
      }
      return nil
    }
  }

  private func expectConsistent(_ route: ComputedRoute) {
    #expect(route.nodes.count == route.edges.count + 1)
    for total in [route.totalDistance, route.totalCost, route.estimatedDuration] {
      #expect(total >= 0 && total.isFinite)
    }
    #expect(route.coordinates.allSatisfy { $0.latitude.isFinite && $0.longitude.isFinite })
  }

  @Test("a database with random bytes changed gives routes or routing errors")
  func changedBytes() throws {
    let folder = try TemporaryFolder()
    let whole = try bytesOfFile(try map.routingDatabase(in: folder))
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: 100..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try expectAnswers(try folder.write(bytes, to: "changed.db"))
    }
  }

  @Test("a database truncated anywhere gives routes or routing errors")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    let whole = try bytesOfFile(try map.routingDatabase(in: folder))
    for count in stride(from: 0, to: whole.count, by: 1024) {
      try expectAnswers(try folder.write(Array(whole.prefix(count + 100)), to: "cut.db"))
    }
  }

  @Test(
    "a database with hostile rows gives routes or routing errors",
    arguments: [
      "UPDATE routing_edges SET to_node = 4711 WHERE id = 1",
      "UPDATE routing_edges SET from_node = to_node",
      "UPDATE routing_nodes SET longitude = -longitude WHERE id = 1",
      "UPDATE routing_nodes SET latitude = 90, longitude = 180 WHERE id % 2 = 0",
      "UPDATE routing_edges SET distance = 0", "UPDATE routing_edges SET distance = 1e9",
      "UPDATE routing_costs SET cost = 1e18, reverse_cost = 1e-300",
      "UPDATE routing_costs SET duration = 'soon'",
      "UPDATE routing_costs SET duration = 0, reverse_duration = 0",
      "UPDATE routing_costs SET duration = -5", "UPDATE routing_costs SET duration = 9e999",
      "UPDATE routing_costs SET duration = 1e9, reverse_duration = 1e-300",
      "UPDATE routing_nodes SET longitude = longitude * 17.99 WHERE id % 2 = 0",
      "DELETE FROM routing_costs WHERE edge = 2",
      "UPDATE routing_edges SET geometry = zeroblob(800000)",
      "UPDATE routing_edges SET id = 9223372036854775807 WHERE id = 1",
      "UPDATE routing_edges SET id = -9223372036854775808 WHERE id = 1",
      "UPDATE routing_nodes SET id = -9223372036854775808 WHERE id = 1",
      "DELETE FROM routing_edges", "DELETE FROM routing_nodes",
      "UPDATE routing_elevation SET profile = x'01'",
      "UPDATE routing_elevation SET max_slope = 'x'",
      "UPDATE routing_nodes SET elevation = NULL WHERE id = 2",
      "UPDATE routing_islands SET node = 1", "DROP TABLE routing_edge_tags",
      "UPDATE routing_edge_tags SET tagset = 9223372036854775807",
      "UPDATE routing_cost_blocks SET costs = zeroblob(12)",
      "UPDATE routing_cost_blocks SET costs = 'text'", "DELETE FROM routing_cost_blocks",
      "UPDATE routing_cost_blocks SET costs = NULL",
      "UPDATE routing_cost_blocks SET costs = CAST(replace(hex(durations), '0', 'F') AS BLOB)",
      "UPDATE routing_cost_blocks SET durations = x''",
      "UPDATE routing_cost_blocks SET durations = substr(durations, 5)",
      "UPDATE routing_cost_blocks SET durations = zeroblob(9000)",
      "UPDATE routing_cost_blocks SET id = -id", "UPDATE routing_profiles SET id = -id",
      "UPDATE routing_profiles SET id = id << 31", "UPDATE routing_profiles SET id = id << 62",
      "UPDATE routing_cost_blocks SET id = id + 9223372028264841215 WHERE id >> 32 = 2",
      "UPDATE routing_elevation_blocks SET ends = x'0200000500'",
      "UPDATE routing_elevation_blocks SET ends = x'04FFFFFFFFFFFFFFFF'",
      "UPDATE routing_elevation_blocks SET slopes = x'03'",
      "UPDATE routing_elevation_blocks SET block = 9223372036854775807",
      "UPDATE routing_tagset_blocks SET tagsets = x'04'",
      "UPDATE routing_tagset_blocks SET block = -1",
    ])
  func rows(change: String) throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    try changeDatabase(path, [change])
    try expectAnswers(path)
  }

  @Test("a missing node is reported as damage, from pages and from memory")
  func missingNode() throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    try changeDatabase(path, ["DELETE FROM routing_nodes WHERE id = 3"])
    let store = RoutingStore(path: path)
    try store.open()
    func isDamage(_ body: () throws -> some Any) -> Bool {
      do { _ = try body() } catch RoutingError.databaseCorrupted { return true } catch {}
      return false
    }
    #expect(isDamage { try RoutingEngine.inMemory(store) })
    #expect(
      isDamage {
        try RoutingEngine(store: store).findRoute(
          from: map.coordinate("A"), to: map.coordinate("G"))
      })
  }

  @Test("a database replaced while it is open is read as it was, until it is opened again")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    let store = RoutingStore(path: path)
    try store.open()
    let engine = RoutingEngine(store: store)
    let (start, end) = (try map.coordinate("A"), try map.coordinate("C"))
    let before = try engine.findRoute(from: start, to: end)
    let other = try AsciiMap(
      "A-b-B---C\n|       |\nD---E---F---G", ways: [.init("AD"), .init("DEF"), .init("CF")]
    ).routingDatabase(in: folder, name: "other.db")
    try #require(rename(other, path) == 0)
    #expect(try engine.findRoute(from: start, to: end) == before)
    store.close()
    #expect(throws: RoutingError.databaseNotOpen) { try engine.findRoute(from: start, to: end) }
    try store.open()
    #expect(try engine.findRoute(from: start, to: end) != before)
  }

  @Test("a database overwritten in place while it is open gives a route or a routing error")
  func overwritten() throws {
    let folder = try TemporaryFolder()
    let whole = try bytesOfFile(try map.routingDatabase(in: folder))
    let (start, end) = (try map.coordinate("A"), try map.coordinate("G"))
    for seed in 0..<40 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let path = try folder.write(whole, to: "open.db")
      let store = RoutingStore(path: path)
      try store.open()
      if Bool.random(using: &random) {
        _ = try RoutingEngine(store: store).findRoute(from: start, to: end)
      }
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      let kept = UInt64.random(in: 0...UInt64(whole.count), using: &random)
      try file.truncate(atOffset: kept)
      if Bool.random(using: &random) {
        try file.seek(toOffset: kept / 2)
        try file.write(
          contentsOf: (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      try file.close()
      let engine = RoutingEngine(store: store)
      do { _ = try engine.findRoute(from: start, to: end) } catch {
        #expect(!"\(error)".isEmpty)
      }
      do { _ = try RoutingEngine.inMemory(store) } catch { #expect(!"\(error)".isEmpty) }
    }
  }
}
