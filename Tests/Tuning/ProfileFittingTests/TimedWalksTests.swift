// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CostModel
import ProfileTrials
import TestSupport
import Testing

@testable import ProfileFitting
@testable import TuningSuites

@Suite("Walks as profiles time them")
struct TimedWalksTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    "A----B----C----D",
    cellMetres: 200,
    ways: [
      .init("AB", tags: ["highway": "path", "sac_scale": "demanding_mountain_hiking"]),
      .init("BC", tags: ["route": "ferry", "duration": "00:30"]),
      .init("CD", tags: ["highway": "steps"]),
    ], elevations: ["A": 500, "B": 640, "C": 640, "D": 600])
  private let location = Location(file: "suite.yaml", .line(3, column: 5))

  init() throws { folder = try TemporaryFolder() }

  private func suite(_ from: Character, _ to: Character) throws -> TuningSuite {
    var suite = TuningSuite()
    let database = try map.routingDatabase(in: folder, profiles: ["hiking", "trail-hiking"])
    suite.datasets = [.init(id: "map", database: database, location: location)]
    suite.referenceTimes = [
      .init(
        name: "walk", dataset: 0,
        course: .route(
          .init(
            dataset: 0, points: [try map.coordinate(from), try map.coordinate(to)],
            location: location)),
        seconds: 3600, location: location)
    ]
    return suite
  }

  @Test(
    "a route takes as long as the engine says, slow ways, ferries and rules for totals included",
    arguments: ["trail-hiking", "hiking-fast", "family"])
  func route(name: String) throws {
    var profile = try #require(CostProfile.builtIn.first { $0.name == name })
    profile.maximumSACScale = nil
    profile.maximumGradePercent = nil
    let suite = try suite("A", "D")
    for isForTotals in [false, true] {
      if isForTotals { profile.timeModel = .din33466 }
      var walks = TimedWalks()
      try walks.add(suite, by: profile)
      let store = RoutingStore(path: suite.datasets[0].database)
      try store.open()
      defer { store.close() }
      let prices = try #require(
        try TrialPrices(try RoadNetwork(reading: store), reading: store))
      let route = try RoutingEngine(graphs: [try prices.graph(of: profile)]).findRoute(
        from: map.coordinate("A"), to: map.coordinate("D"), profile: profile.name)
      let seconds = try #require(walks.seconds(profile).first)
      #expect(abs(seconds / route.estimatedDuration - 1) < 0.002, "\(seconds)")
      #expect(walks.walks.first?.dataset == "map" && walks.omissions.isEmpty)
    }
  }

  @Test("a slowdown of a grade that a walk has matters to it")
  func slowdown() throws {
    var walks = TimedWalks()
    try walks.add(try suite("A", "B"), by: .hiking)
    var slower = CostProfile.hiking
    slower.slowdown.sacScale["demanding_mountain_hiking"] = 10
    let (usual, slow) = (walks.seconds(.hiking)[0], walks.seconds(slower)[0])
    #expect(slow > 3 * usual)
  }

  @Test("a walk without a route is named and left out")
  func noRoute() throws {
    var profile = CostProfile.hiking
    profile.highways["steps"] = CostProfile.impassable
    var walks = TimedWalks()
    try walks.add(try suite("A", "D"), by: profile)
    #expect(walks.walks.isEmpty || walks.walks[0].distanceMetres < 3000)
    profile.highways["ferry"] = CostProfile.impassable
    walks = TimedWalks()
    var far = try suite("A", "D")
    far.referenceTimes[0].course = .route(
      .init(
        dataset: 0, points: [.init(latitude: 1, longitude: 1), try map.coordinate("A")],
        location: location))
    try walks.add(far, by: profile)
    #expect(walks.walks.isEmpty && walks.omissions.map(\.name) == ["walk"])
  }

  @Test("walks without length or time, or with numbers that are none, are left out")
  func hostile() {
    var walks = TimedWalks()
    for (distance, seconds) in [(0.0, 100.0), (100, 0), (.nan, 10), (100, .infinity), (-5, 10)] {
      walks.add(
        TimedWalk(
          name: "x", seconds: seconds, stretches: [.init(distance: distance, up: 0, down: 0)]))
    }
    walks.add(TimedWalk(name: "x", seconds: 1, stretches: []))
    #expect(walks.walks.isEmpty && walks.omissions.count == 6)
  }

  @Test(
    "recorded walks are timed by their own elevations; those without times are named",
    .enabled(if: sharedData("gpx/Mojstrovka.gpx") != nil, "needs ../shared/data"))
  func tracks() throws {
    var walks = TimedWalks()
    for name in ["Mojstrovka", "cerknicko-jezero", "andorra-map-matching"] {
      try walks.add(tracksOf: try #require(sharedData("gpx/\(name).gpx")))
    }
    #expect(!walks.walks.isEmpty)
    for (walk, seconds) in zip(walks.walks, walks.seconds(.trailHiking)) {
      #expect((0.2...5).contains(seconds / walk.seconds), "\(walk.name): \(seconds)")
    }
    let report = ProfileFit(
      walks, .trailHiking, [try ProfileNumber("time-factor", option: "--parameters")]
    ).run().report
    #expect(!report.verdict.isImprovement)
  }
}
