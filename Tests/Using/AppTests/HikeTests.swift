// SPDX-License-Identifier: Apache-2.0
import AppTestSupport
import CairnLocationProviders
import CairnNavigation
import CairnWaypoints
import Foundation
import Testing

/// A hike on a database that has only the core tables, which needs nothing of Cairn's tools to make: what
/// a Mac can run of the libraries.
@Suite("A hike, as an app makes it")
struct HikeTests {
  private let folder: TemporaryFolder
  private let store: RoutingStore
  /// The metres of a step to the east and to the south.
  private static let cell = 400.0
  private let start = Date(timeIntervalSince1970: 1_780_000_000)

  /// Four paths around a square, and one that leads away from its south-eastern corner:
  /// ```
  /// 1---2
  /// |   |
  /// 3---4---5
  /// ```
  init() throws {
    folder = try TemporaryFolder()
    let nodes = [1: (0, 0), 2: (1, 0), 3: (0, 1), 4: (1, 1), 5: (2, 1)]
    var statements = nodes.map { id, place in
      let point = Self.point(Double(place.0), Double(place.1))
      return "INSERT INTO routing_nodes VALUES(\(id), \(point.latitude), \(point.longitude), 900)"
    }
    // The way over the north is a little shorter.
    for (from, to, cost) in [(1, 2, 400), (2, 4, 400), (1, 3, 410), (3, 4, 410), (4, 5, 400)] {
      statements.append(
        """
        INSERT INTO routing_edges(from_node, to_node, distance, highway_type, cost, reverse_cost)
        VALUES(\(from), \(to), 400, 'path', \(cost), \(cost))
        """)
    }
    store = RoutingStore(
      url: URL(fileURLWithPath: try plainDatabase(in: folder, filledBy: statements)))
    try store.open()
  }

  private static func point(_ east: Double, _ south: Double) -> Coordinate {
    let degrees = cell / (6_371_000 * .pi / 180)
    return Coordinate(
      latitude: 47 - south * degrees, longitude: 10 + east * degrees / cos(47 * .pi / 180))
  }

  /// Fixes along straight lines, one each two seconds at 1.25 m/s.
  private func walk(_ corners: [(Double, Double)]) -> [LocationFix] {
    var fixes: [LocationFix] = []
    for (from, to) in zip(corners, corners.dropFirst()) {
      for step in 0..<160 {
        let share = Double(step) / 160
        fixes.append(
          LocationFix(
            coordinate: Self.point(
              from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share),
            altitude: 900, horizontalAccuracy: 5, timestamp: start + 2 * Double(fixes.count)))
      }
    }
    return fixes
  }

  @Test("it is planned, followed to the end, recorded, measured and kept")
  func wholeHike() async throws {
    let engine = NavigationEngine(planner: RoutePlanner(store: store))
    let recorder = RouteRecorder(journal: URL(fileURLWithPath: folder.file("hike.journal")))
    let fixes = walk([(0, 0), (1, 0), (1, 1), (2, 1), (2.1, 1)])
    engine.updateProgress(location: fixes[0])
    let route = try await engine.calculate(
      to: NavigationDestination(Self.point(2, 1), name: "The hut"), at: start
    ).route
    #expect(abs(route.totalDistance - 1200) < 2)
    #expect(route.steps.map(\.maneuverType).first == .start)
    #expect(route.steps.map(\.maneuverType).last == .arrive)

    try recorder.startRouteCollectionIfNeeded()
    try engine.startNavigation(route: route)
    for fix in fixes {
      try recorder.didUpdateLocations([fix])
      engine.updateProgress(location: fix)
    }
    #expect(engine.navigationState == .arrived)
    let recorded = try recorder.finishRouteCollection()
    #expect(try RecordedRoute(journal: URL(fileURLWithPath: recorder.journal)) == recorded)
    #expect(recorded.fixes.count == fixes.count)
    #expect(abs(TrackReport(recorded).total.distanceMetres - 1240) < 20)

    let kept = PlannedRouteStore(folder: URL(fileURLWithPath: folder.file("routes")))
    try kept.save(route)
    #expect(try kept.loadAll().isEmpty)
    #expect(kept.routes == [route])
  }

  @Test("whoever leaves the route is led on from there")
  func reroute() async throws {
    let engine = NavigationEngine(planner: RoutePlanner(store: store))
    let route = try await engine.calculate(
      to: NavigationDestination(Self.point(2, 1)), from: Self.point(0, 0), at: start
    ).route
    try engine.startNavigation(route: route)
    var isDue = false
    for fix in walk([(0, 0), (0, 1)]) where !isDue {
      isDue = engine.updateProgress(location: fix).isRerouteDue
    }
    #expect(isDue)
    let other = try #require(await engine.reroute()?.route)
    #expect(other != route)
    #expect(engine.currentRoute == other)
  }

  @Test("a waypoint is there when its store is opened again")
  func waypoints() throws {
    let url = URL(fileURLWithPath: folder.file("waypoints.db"))
    let spring = Waypoint(
      id: UUID(), latitude: 47, longitude: 10, timestamp: start, label: "Spring",
      category: .waterSource)
    let waypoints = WaypointStore(url: url)
    try waypoints.open()
    try waypoints.insert(spring)
    waypoints.close()
    let again = WaypointStore(url: url)
    try again.open()
    #expect(try again.fetch(id: spring.id)?.label == "Spring")
  }

  @Test("a replay takes the place of a receiver")
  func replay() async throws {
    let fixes = Array(walk([(0, 0), (1, 0)]).prefix(5))
    let provider = ReplayProvider(TrackReplay(fixes), clock: ContinuousClock(), speedUp: 1e6)
    let stream = provider.fixes()
    provider.startLocationUpdates()
    var seen: [LocationFix] = []
    for await fix in stream { seen.append(fix) }
    #expect(seen == fixes)
    #expect(provider.currentLocation == fixes.last)
    var late = 0
    for await _ in provider.fixes() { late += 1 }
    #expect(late == 0)
  }
}
