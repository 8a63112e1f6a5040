// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTravelModels
import TestSupport
import Testing

/// 700 m from A to C that are flat in their first half and climb 70 m in the second.
private let map = AsciiMap(
  "A------b------C", cellMetres: 50, ways: [.init("AbC")],
  elevations: ["A": 1000, "b": 1000, "C": 1070])

@Suite("The time of part of an edge")
struct PartTimeTests {
  private static let profiles = ["hiking", "shortest", "hiking-fast", "mountain-hiking"]

  private static let rules: [TimeModel] = [.equivalentDistance, .naismith, .sacDescent]

  private let routed: RoutedMap

  init() throws {
    let folder = try TemporaryFolder()
    // Nothing but the model decides about their times.
    let files = try Self.rules.map { rule in
      try folder.write(
        """
        cairn-profile: 1
        name: by-\(rule.rawValue)
        based-on: none
        climb-factor: 7.92
        time-model: \(rule.rawValue)
        """, to: "\(rule.rawValue).yaml")
    }
    routed = try RoutedMap(map, profiles: Self.profiles + files)
  }

  private func route(
    _ from: Double, _ to: Double, via: [Double] = [], _ profile: String
  ) throws -> ComputedRoute {
    try routed.engine.findRoute(
      from: routed.point("A", east: from), to: routed.point("A", east: to),
      via: via.map { try routed.point("A", east: $0) }, profile: profile)
  }

  @Test(
    "a route over either half of an edge takes what the model says for that half",
    arguments: rules)
  func halves(model: TimeModel) throws {
    let parameters = TimeModel.Parameters(climbFactor: 7.92, speedKilometresPerHour: 5)
    for (from, to, up, down) in [
      (0.0, 350.0, 0.0, 0.0), (350, 0, 0, 0), (350, 700, 70, 0), (700, 350, 0, 70),
      (525, 700, 35, 0), (175, 525, 35, 0),
    ] {
      let expected = model.seconds(length: abs(to - from), up: up, down: down, parameters)
      let found = try route(from, to, "by-\(model.rawValue)").estimatedDuration
      #expect(abs(found - expected) < 0.01 * expected, "\(from) to \(to): \(found), \(expected)")
    }
  }

  @Test(
    "a route takes as long as its legs with a via point inside an edge", arguments: Self.profiles)
  func legs(profile: String) throws {
    for via in [90.0, 350, 610] {
      for (from, to) in [(0.0, 700.0), (700, 0), (30, 655)] {
        let whole = try route(from, to, profile)
        let cut = try route(from, to, via: [via], profile)
        #expect(abs(cut.estimatedDuration - whole.estimatedDuration) < 1e-6)
        #expect(abs(cut.totalCost - whole.totalCost) < 1e-6)
        let legs = try [route(from, via, profile), route(via, to, profile)]
        let sum = legs.reduce(0) { $0 + $1.estimatedDuration }
        #expect(abs(sum - whole.estimatedDuration) < 1e-6)
      }
    }
  }

  @Test(
    "an isochrone ends where a route takes as long as its limit",
    arguments: [(0.0, 200.0), (0, 400), (700, 100), (350, 150), (350, 500), (600, 300)])
  func isochrone(start: Double, limit: Double) throws {
    for profile in Self.profiles {
      let from = try routed.point("A", east: start)
      let isochrone = try #require(
        try routed.engine.agreed {
          try $0.isochrones(from: from, limitsSeconds: [limit], profile: profile).first
        })
      let stretch = try #require(isochrone.stretches.first)
      for (share, end) in [
        (stretch.start, stretch.coordinates.first), (stretch.end, stretch.coordinates.last),
      ] where share > 0 && share < 1 && abs(share - start / 700) > 1e-3 {
        let route = try routed.engine.findRoute(
          from: from, to: try #require(end), profile: profile)
        #expect(abs(route.estimatedDuration - limit) < 0.05, "\(profile) at \(share)")
      }
    }
  }

  @Test("a matrix has the times and costs that routes have", arguments: Self.profiles)
  func matrix(profile: String) throws {
    let points = try [0.0, 90, 350, 480, 655, 700].map { try routed.point("A", east: $0) }
    let network = try RoadNetwork(reading: routed.store)
    let graph = try ProfileGraph(network, profile: profile, reading: routed.store)
    let times = try RouteMatrix(graph, to: points, measure: .seconds)
    let costs = try RouteMatrix(graph, to: points, measure: .cost)
    for from in points {
      let (seconds, cost) = (try times.row(from: from), try costs.row(from: from))
      for (index, to) in points.enumerated() {
        let route = try routed.engine.findRoute(from: from, to: to, profile: profile)
        #expect(abs(try #require(seconds[index]) - route.estimatedDuration) < 1e-6)
        #expect(abs(try #require(cost[index]) - route.totalCost) < 1e-6)
      }
    }
  }

  @Test(
    "a damaged elevation profile at an end of a matrix is an error", arguments: [90.0, 700])
  func damagedMatrix(end: Double) throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder)
    try changeDatabase(path, ["UPDATE routing_elevation SET profile = x'07'"])
    let store = RoutingStore(path: path)
    try store.open()
    let graph = try ProfileGraph(
      try RoadNetwork(reading: store), profile: "hiking", reading: store)
    let (inside, node) = (try routed.point("A", east: 350), try routed.point("A", east: end))
    for measure in [RouteMeasure.seconds, .cost] {
      func isDamage(_ body: () throws(RoutingError) -> some Any) -> Bool {
        do throws(RoutingError) { _ = try body() } catch {
          if case .databaseCorrupted = error { return true }
        }
        return false
      }
      #expect(
        isDamage { () throws(RoutingError) in
          try RouteMatrix(graph, to: [inside, node], measure: measure)
        })
      guard end == 700 else { continue }
      let matrix = try RouteMatrix(graph, to: [node], measure: measure)
      #expect(isDamage { () throws(RoutingError) in try matrix.row(from: inside) })
      #expect(try matrix.row(from: node) == [0])
    }
  }

  @Test("a route that starts below the climb of its edge does not take the climb for half passed")
  func choice() throws {
    // From the middle of the edge AC, G is reached over A with less cost: both ways climb 70 m, but
    // by C it is 350 m further.
    let ring = AsciiMap(
      """
      A------b------C




        G
      """, cellMetres: 50, ways: [.init("AbC"), .init("AG"), .init("CG")],
      elevations: ["A": 1000, "b": 1000, "C": 1070, "G": 1070])
    let routed = try RoutedMap(ring)
    let route = try routed.engine.findRoute(
      from: routed.point("b"), to: routed.point("G"), mode: .hiking)
    #expect(route.letters == ".AG")
  }

  @Test(
    "without a usable definition of the profile, time and cost are in proportion to the length",
    arguments: [
      "''", "'{'", "'[]'", "'null'", "x'ff00'", "'{\"based-on\":\"hiking\"}'",
      "'{\"based-on\":\"none\",\"time-model\":7}'",
      "'{\"based-on\":\"none\",\"time-model\":\"by-guess\"}'",
      "'{\"based-on\":\"none\",\"speed-kmh\":0}'",
      "'{\"based-on\":\"none\",\"climb-factor\":-1}'",
      "'{\"based-on\":\"none\",\"climb-factor\":1e999}'",
      "'{\"based-on\":\"none\",\"descent\":{\"below-10\":\"x\"}}'",
      "replace(hex(zeroblob(20000)), '0', '[')",
      "'{\"based-on\":\"none\",\"description\":\"' || hex(zeroblob(1000000)) || '\"}'",
    ])
  func unknown(definition: String) throws {
    let folder = try TemporaryFolder()
    let path = try map.routingDatabase(in: folder, profiles: ["hiking"])
    try changeDatabase(path, ["UPDATE routing_profiles SET definition = \(definition)"])
    let store = RoutingStore(path: path)
    try store.open()
    let engines = try BothEngines(store)
    let part = try engines.findRoute(
      from: routed.point("A"), to: routed.point("A", east: 350), profile: "hiking")
    let whole = try engines.findRoute(
      from: routed.point("A"), to: routed.point("C"), profile: "hiking")
    #expect(abs(part.estimatedDuration / whole.estimatedDuration - 0.5) < 1e-3)
    #expect(abs(part.totalCost / whole.totalCost - 0.5) < 1e-3)
  }

  @Test("a position and what has accumulated up to it are inverse to each other")
  func inverse() {
    let flats = Accumulation(weights: [0, 3, 0, 0, 1, 2, 0])
    var last = -1.0
    for step in 0...100 {
      let amount = Double(step) / 100
      let share = flats.share(at: amount)
      #expect(abs(flats.amount(at: share) - amount) < 1e-12)
      #expect(share >= last && (0...1).contains(share))
      last = share
    }
    #expect(flats.amount(at: 0) == 0 && flats.amount(at: 1) == 1)
    for weights in [[], [1.0], [0, 0], [1, .infinity], [1, .nan], [2, -1]] {
      #expect(Accumulation(weights: weights) == .even)
    }
  }
}
