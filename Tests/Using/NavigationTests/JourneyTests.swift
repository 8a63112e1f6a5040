// SPDX-License-Identifier: Apache-2.0
import CairnLocationProviders
import CairnNavigation
import CairnRouting
import CommandLineKit
import CostModel
import Elevation
import Foundation
import OSMInput
import PlaceIndex
import RoutingGraph
import TestSupport
import Testing

/// The sample data, from the map to both databases.
private struct SampleRegion {
  let store: RoutingStore
  let places: SearchService
  private let folder: TemporaryFolder

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    func run(_ stage: any StageCommand.Type, _ input: String, _ output: String, _ more: String...)
      throws
    {
      try runStage(stage, ["--input", input, "--output", folder.file(output)] + more)
    }
    let data = packageRoot + "/sample-data"
    try run(DecodePBFCommand.self, data + "/valley.osm.pbf", "v.trails")
    try run(
      SampleElevationCommand.self, folder.file("v.trails"), "v.elevated", "--hgt", data + "/hgt")
    let files = ElevatedFiles(in: folder, name: "v")
    try run(IndexPlacesCommand.self, files.elevated, "v.places.db", "--trails", files.trails)
    try run(BuildGraphCommand.self, files.elevated, "v.graph", "--trails", files.trails)
    try run(
      ComputeCostsCommand.self, folder.file("v.graph"), "v.routing.db", "--profile", "hiking")
    store = RoutingStore(path: folder.file("v.routing.db"))
    try store.open()
    places = try SearchService(path: folder.file("v.places.db"))
  }
}

@Suite("A journey from search to arrival")
struct JourneyTests {
  /// The bus stop in Unterarven.
  private static let busStop = Coordinate(latitude: 47.02484, longitude: 10.04752)

  @Test("a hut is searched for, a route calculated, walked with a shaky receiver, and felt")
  func toTheHut() async throws {
    let region = try SampleRegion()
    let hut = try #require(try region.places.searchLocations(query: "krahenhutte").first)
    #expect(hut.title == "Krähenhütte")
    let engine = NavigationEngine(planner: RoutePlanner(store: region.store))
    engine.updateProgress(location: fix(Self.busStop, at: -60))
    let route = try await engine.calculate(to: NavigationDestination(hut), at: start - 50).route
    #expect(route.name == "Krähenhütte")
    #expect(haversineDistance(route.endCoordinate, hut.coordinate) < 500)
    engine.mode = .haptic
    #expect(try engine.startNavigation(route: route) == .navigating(mode: .haptic))
    var simulator = try #require(WalkSimulator(route))
    simulator.start = start
    let log = await engine.follow(simulator.walk(seed: 1).map(\.fix))
    #expect(engine.navigationState == .arrived)
    #expect(!log.kinds.contains(.offRoute))
    #expect(log.reroutes.isEmpty)
    #expect(log.entries.last?.cue == .arrived)
    // Each turn was felt once, in order.
    let turns = route.turnInstructions.indices.filter {
      HapticCue(route.turnInstructions[$0].direction) != nil
    }
    let felt = log.entries.filter { $0.instruction != nil && $0.cue != .approaching }
    #expect(felt.compactMap(\.instruction) == Array(turns))
    #expect(!turns.isEmpty)
  }

  @Test("a wrong turn on the way leads to a new route, and that to the hut")
  func wrongTurn() async throws {
    let region = try SampleRegion()
    let hut = try #require(try region.places.searchLocations(query: "krahenhutte").first)
    let engine = NavigationEngine(planner: RoutePlanner(store: region.store))
    engine.updateProgress(location: fix(Self.busStop, at: -60))
    let route = try await engine.calculate(to: NavigationDestination(hut), at: start - 50).route
    try engine.startNavigation(route: route)
    // Straight on for 300 m where the first turn is left out.
    var simulator = try #require(WalkSimulator(route))
    simulator.start = start
    let turn = try #require(
      route.turnInstructions.first { $0.direction != .start && $0.direction != .straight })
    let away = moved(turn.coordinate, east: -300, north: -150)
    simulator.wrongTurns = [
      .init(distance: turn.cumulativeDistance, line: [turn.coordinate, away], comesBack: false)
    ]
    let log = await engine.follow(simulator.walk(seed: 2).map(\.fix))
    #expect(log.kinds.contains(.offRoute))
    let other = try #require(log.reroutes.first?.route)
    #expect(other.name == route.name)
    #expect(other.endCoordinate == route.endCoordinate)
    // From there as the new route says.
    engine.stopNavigation()
    try engine.startNavigation(route: other)
    var rest = try #require(WalkSimulator(other))
    rest.start = start + 100_000
    _ = await engine.follow(rest.walk(seed: 3).map(\.fix))
    #expect(engine.navigationState == .arrived)
  }
}
