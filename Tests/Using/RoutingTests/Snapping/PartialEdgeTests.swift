// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("A part of an edge")
struct PartialEdgeTests {
  /// 400 m that climb 40 m in their first half and fall 20 m in the second.
  private let map = AsciiMap(
    "A-b-C", ways: [.init("AbC")], elevations: ["A": 1000, "b": 1040, "C": 1020])

  @Test("a part of an edge has its own climb and descent, and what they cost and take")
  func shares() throws {
    let routed = try RoutedMap(map)
    let whole = try #require(try routed.route("A", "C").edges.first)
    #expect(whole.part == nil)
    let start = try routed.point("A", east: 100)
    let route = try routed.engine.findRoute(from: start, to: routed.point("C"))
    let edge = try #require(route.edges.first)
    let part = try #require(edge.part)
    #expect(abs(part.start - 0.25) < 1e-3 && part.end == 1)
    #expect(part.wholeDistance == whole.distance)
    #expect(part.wholeElevationGain == whole.elevationGain)
    #expect(abs(edge.distance - part.share * whole.distance) < 1e-9)
    // The grade of the whole edge, 5 %, halves the cost of descent.
    let cost = edge.distance * 1.3 + edge.elevationGain * 7.92 + edge.elevationLoss * 7.92 / 2
    #expect(abs(edge.cost - cost) < 1e-6)
    #expect(edge.cost == part.shares.cost * whole.cost)
    #expect(edge.reverseCost == part.reverseShares.cost * whole.reverseCost)
    #expect(edge.duration == whole.duration.map { $0 * part.shares.time })
    #expect(edge.reverseDuration == whole.reverseDuration.map { $0 * part.reverseShares.time })
    // The second half of the climb is left, and all of the descent.
    #expect(abs(edge.elevationGain - whole.elevationGain / 2) < 0.3)
    #expect(abs(edge.elevationLoss - whole.elevationLoss) < 1e-6)
    #expect(abs(try #require(route.nodes.first?.elevation) - 1020) < 0.3)
    #expect(route.totalCost == edge.cost && route.elevationGain == edge.elevationGain)
  }

  @Test("two parts of an edge add up to the whole")
  func sum() throws {
    let routed = try RoutedMap(map)
    let whole = try routed.route("A", "C")
    let middle = try routed.point("A", east: 130)
    let cut = try routed.engine.findRoute(
      from: routed.point("A"), to: routed.point("C"), via: [middle])
    #expect(cut.letters == "A.C")
    for (one, other) in [
      (cut.totalCost, whole.totalCost), (cut.totalDistance, whole.totalDistance),
      (cut.estimatedDuration, whole.estimatedDuration), (cut.elevationGain, whole.elevationGain),
      (cut.elevationLoss, whole.elevationLoss),
    ] { #expect(abs(one - other) <= 1e-9 * other) }
    #expect(cut.coordinates.count == whole.coordinates.count + 1)
  }

  @Test("a part against its edge has the reverse costs, with climb and descent swapped")
  func reversed() throws {
    let routed = try RoutedMap(map)
    let (a, inside) = (try routed.point("A"), try routed.point("A", east: 100))
    let up = try #require(try routed.engine.findRoute(from: a, to: inside).edges.first)
    let down = try #require(try routed.engine.findRoute(from: inside, to: a).edges.first)
    #expect(down.isReversed && !up.isReversed)
    #expect(abs(up.elevationGain - down.elevationLoss) < 1e-9)
    #expect(up.elevationLoss == 0 && down.elevationGain == 0)
    #expect(abs(up.cost - down.reverseCost) < 1e-9 && abs(up.reverseCost - down.cost) < 1e-9)
    #expect(down.cost < up.cost)
    #expect(abs(try #require(down.part).start - 0.75) < 1e-3)
    let again = up.reversed()
    #expect(abs(try #require(again.part).start - 0.75) < 1e-3)
    #expect(again.elevationLoss == up.elevationGain)
  }

  @Test("a part of unknown elevation climbs in proportion")
  func unknown() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        "INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.01, 10, 840)",
        """
        INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, elevation_loss,
          highway_type, cost, reverse_cost) VALUES (1, 2, 1112, 60, 20, 'path', 1600, 1300)
        """,
      ])
    let store = RoutingStore(path: path)
    try store.open()
    let route = try BothEngines(store).findRoute(
      from: Coordinate(latitude: 47.0025, longitude: 10),
      to: Coordinate(latitude: 47.01, longitude: 10))
    #expect(abs(route.elevationGain - 45) < 1e-6 && abs(route.elevationLoss - 15) < 1e-6)
    #expect(abs(route.totalCost - 1200) < 1e-6)
    #expect(abs(try #require(route.nodes.first?.elevation) - 810) < 1e-6)
    #expect(abs(route.estimatedDuration - (0.75 * 1112 + 45 * 7.92) * 3.6 / 5) < 1e-6)
  }

  @Test("a part of an edge has its part of the elevation profile")
  func profile() throws {
    let routed = try RoutedMap(map)
    let route = try routed.engine.findRoute(
      from: routed.point("A", east: 100), to: routed.point("A", east: 350))
    for engine in [routed.engine.paged, routed.engine.memory] {
      let points = try engine.elevationProfile(of: route).points
      #expect(points.first?.distanceMetres == 0)
      #expect(abs(try #require(points.last).distanceMetres - route.totalDistance) < 1e-6)
      #expect(abs(try #require(points.first?.elevationMetres) - 1020) < 0.3)
      #expect(abs(try #require(points.compactMap(\.elevationMetres).max()) - 1040) < 2)
      #expect(abs(try #require(points.last?.elevationMetres) - 1025) < 0.3)
    }
  }
}

@Suite("Preferences")
struct PreferenceTests {
  /// From A to C directly, or around by D and E, which is 1.5 times as far.
  private func nodes(
    _ direct: [String: String], _ around: [String: String], waymarked: Bool = false,
    elevations: [Character: Float] = [:], mode: RoutingMode = .hiking,
    _ set: (inout RoutingPreferences) -> Void
  ) throws -> String {
    var map = AsciiMap(
      """
      A----B----C
      |         |
      D---------E
      """,
      ways: [
        .init("AB", tags: direct), .init("BC", tags: direct), .init("AD", tags: around),
        .init("DE", tags: around), .init("EC", tags: around),
      ], elevations: elevations)
    if waymarked {
      map.routes = [
        .init(network: "rwn", ways: [102, 103, 104]),
        .init(network: "rcn", kind: "bicycle", ways: [102, 103, 104]),
      ]
    }
    var preferences = RoutingPreferences()
    let routed = try RoutedMap(map)
    #expect(try routed.nodes("A", "C", mode: mode, preferences: preferences) == "ABC")
    set(&preferences)
    return try routed.nodes("A", "C", mode: mode, preferences: preferences)
  }

  private let path = ["highway": "path", "surface": "ground"]

  @Test("a route avoids steps where asked to")
  func steps() throws {
    #expect(try nodes(["highway": "steps"], path) { $0.avoidsSteps = true } == "ADEC")
  }

  @Test("a route avoids ways above the maximum grade, but not those at it")
  func grade() throws {
    let t2 = path.merging(["sac_scale": "mountain_hiking"]) { $1 }
    #expect(try nodes(t2, path) { $0.maximumSACGrade = .t1 } == "ADEC")
    #expect(try nodes(t2, path) { $0.maximumSACGrade = .t2 } == "ABC")
    #expect(try nodes(t2, path) { $0.maximumSACGrade = .t6 } == "ABC")
  }

  @Test("a route prefers waymarked routes, for cyclists those of cyclists")
  func waymarked() throws {
    for mode in RoutingMode.allCases {
      let found = try nodes(
        ["highway": "track", "surface": "asphalt"], ["highway": "track", "surface": "asphalt"],
        waymarked: true, mode: mode
      ) { $0.preferredRoutes = mode }
      #expect(found == "ADEC", "\(mode)")
    }
  }

  @Test("a route prefers paved ways where asked to")
  func paved() throws {
    let road = ["highway": "residential"]
    #expect(
      try nodes(["highway": "track", "surface": "compacted"], road) { $0.prefersPaved = true }
        == "ADEC")
  }

  @Test("a route avoids ways that are too steep, up and down")
  func slope() throws {
    let up: [Character: Float] = ["A": 0, "B": 12, "C": 0, "D": 0, "E": 0]
    #expect(try nodes(path, path, elevations: up) { $0.maximumSlopePercent = 1 } == "ADEC")
    #expect(try nodes(path, path, elevations: up) { $0.maximumSlopePercent = 30 } == "ABC")
  }

  @Test("an avoided way is used at its stored cost where there is no other way")
  func onlyWay() throws {
    let routed = try RoutedMap(AsciiMap("A-B", ways: [.init("AB", tags: ["highway": "steps"])]))
    var preferences = RoutingPreferences()
    preferences.avoidsSteps = true
    let route = try routed.route("A", "B", preferences: preferences)
    #expect(try route == routed.route("A", "B"))
  }

  @Test("no preference makes an edge cheaper")
  func factors() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let traits = EdgeTraits(bits: UInt32.random(in: 0...UInt32.max, using: &random))
      var preferences = RoutingPreferences()
      preferences.avoidsSteps = Bool.random(using: &random)
      preferences.prefersPaved = Bool.random(using: &random)
      preferences.maximumSACGrade = SACScale.allCases.randomElement(using: &random)
      preferences.preferredRoutes = RoutingMode.allCases.randomElement(using: &random)
      preferences.maximumSlopePercent =
        [nil, -5, 0, 12.5, .infinity, .nan].randomElement(
          using: &random) ?? nil
      let factor = preferences.factor(traits)
      #expect(factor >= 1 && factor.isFinite)
    }
  }

  @Test("traits keep the values that are set")
  func traits() {
    var traits = EdgeTraits()
    traits.sacScale = .t5
    traits.slopePercent = -17.2
    traits.isSteps = true
    traits.isCyclingRoute = true
    #expect(traits.sacScale == .t5 && traits.slopePercent == 18 && traits.isSteps)
    #expect(traits.isCyclingRoute && !traits.isHikingRoute && !traits.isPaved)
    traits.sacScale = nil
    traits.isSteps = false
    traits.slopePercent = 1e300
    #expect(traits.sacScale == nil && !traits.isSteps && traits.slopePercent == 255)
    #expect(EdgeTraits(bits: traits.bits) == traits)
  }
}
