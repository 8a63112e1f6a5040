// SPDX-License-Identifier: Apache-2.0
import Foundation
import Navigation
import Routing
import TestSupport
import Testing

@Suite("A new route where one was left")
struct RerouterTests {
  /// Two parallel ways from A to C, of which the one by E is longer.
  private static let drawing = AsciiMap(
    """
    A-------B-------C
            |       |
            |       |
            D-------E
            |
            |
            F
    """,
    ways: [
      .init("ABC", tags: ["highway": "path", "name": "Höhenweg"]),
      .init("BD", tags: ["highway": "path", "name": "Stichweg"]),
      .init("DE", tags: ["highway": "path", "name": "Talweg"]),
      .init("EC", tags: ["highway": "path", "name": "Querweg"]), .init("DF"),
    ])

  private func walked(
    _ map: NavigatedMap, _ route: PlannedRoute, _ letters: String,
    _ configure: (inout NavigationConfig) -> Void = { _ in }
  ) async throws -> (engine: NavigationEngine, log: NavigationLog) {
    var config = NavigationConfig()
    configure(&config)
    let engine = NavigationEngine(planner: map.planner, config: config)
    engine.startNavigation(route: route)
    return (engine, await engine.follow(try map.walk(letters)))
  }

  @Test("whoever goes on along another way is led on from there, under the same name")
  func onAnotherWay() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        """
        A-------B-------C
                D-------E
        """, ways: [.init("ABC"), .init("BD"), .init("DE"), .init("EC")]))
    let route = try map.route("A", "C")
    #expect(try map.letters(of: route) == "ABC")
    // Beyond D the way by E is the shorter one.
    let (engine, log) = try await walked(map, route, "ABDEC") {
      $0.rerouting.offRouteSeconds = 90
    }
    #expect(log.kinds.contains(.offRoute))
    guard case .found(let other) = log.reroutes.first else {
      Issue.record("\(log.reroutes)")
      return
    }
    #expect(log.reroutes.count == 1)
    #expect(other.name == route.name)
    #expect(other.mode == route.mode)
    #expect(other.profile == route.profile)
    #expect(other.id != route.id)
    #expect(try map.letters(of: other) == "EC")
    #expect(other.turnInstructions.map(\.direction) == [.start, .arrive])
    #expect(try haversineDistance(other.endCoordinate, map.point("C")) < 1)
    // The alarm came within a minute of B, 640 s after the start.
    let time = try #require(log.rerouteTimes.first)
    #expect(time > 640 + 90 && time < 640 + 150, "\(time)")
    #expect(engine.navigationState == .arrived)
    #expect(engine.currentRoute == other)
  }

  @Test("whoever comes back in time is not given another route")
  func backInTime() async throws {
    let map = try NavigatedMap(Self.drawing)
    var config = NavigationConfig()
    config.rerouting.offRouteSeconds = 70
    let engine = NavigationEngine(planner: map.planner, config: config)
    engine.startNavigation(route: try map.route("A", "C"))
    var line = [try map.point("A"), try map.point("B"), try map.point("B", north: -60)]
    line += [try map.point("B"), try map.point("C")]
    let log = await engine.follow(fixes(along: line))
    #expect(log.kinds.contains(.offRoute) && log.kinds.contains(.backOnRoute))
    #expect(log.reroutes.isEmpty)
    #expect(engine.navigationState == .arrived)
  }

  @Test("a walker who comes back while the search runs keeps the route")
  func backMeanwhile() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    let engine = NavigationEngine(planner: map.planner)
    engine.startNavigation(route: route)
    var isDue = false
    let fixesAway = fixes(
      along: [try map.point("A"), try map.point("B"), try map.point("D")])
    var last = 0.0
    for fix in fixesAway where !isDue {
      isDue = engine.updateProgress(location: fix).isRerouteDue
      last = fix.timestamp.timeIntervalSince(start)
    }
    #expect(isDue)
    // The request is there, but nobody asked for the result before the walker was back.
    let back = fixes(
      along: [try map.point("B", north: -120), try map.point("B"), try map.point("B", east: 200)],
      from: last + 2)
    for fix in back { engine.updateProgress(location: fix) }
    #expect(!engine.guidance.isOffRoute)
    #expect(await engine.reroute() == nil)
    #expect(engine.currentRoute == route)
  }

  @Test("a new route that leads straight back says so")
  func turningBack() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    // A dead end: from F all ways lead back.
    let (_, log) = try await walked(map, route, "ABDF") { $0.rerouting.offRouteSeconds = 200 }
    let other = try #require(log.reroutes.first?.route)
    #expect(
      other.turnInstructions.first?.description.hasPrefix("Turn back and head north") == true,
      "\(other.turnInstructions)")
  }

  @Test("via points that were passed are left out, and the others are kept")
  func viaPoints() async throws {
    let map = try NavigatedMap(Self.drawing)
    // By F and E: at B down to F, back to D, and on.
    let route = try map.route("A", "C", via: "FE")
    #expect(try map.letters(of: route) == "ABDFDEC")
    // Straight on at B, without having been in F.
    let (_, log) = try await walked(map, route, "ABC")
    let other = try #require(log.reroutes.first?.route)
    #expect(other.viaPoints == route.viaPoints)
    // By F, and then back to B and on to C without E.
    let (_, later) = try await walked(map, route, "ABDFDBC")
    let last = try #require(later.reroutes.first?.route)
    #expect(last.viaPoints == [route.viaPoints[1]])
    var old = route
    old.viaDistances = nil
    let (_, same) = try await walked(map, old, "ABDFDBC")
    #expect(same.reroutes.first?.route?.viaPoints == [route.viaPoints[1]])
  }

  @Test("a route through absurdly many via points is led to its end")
  func tooManyViaPoints() async throws {
    let map = try NavigatedMap(Self.drawing)
    var route = try map.route("A", "C", via: "E")
    route.viaPoints = Array(repeating: route.viaPoints[0], count: Rerouter.mostViaPoints + 1)
    route.viaDistances = nil
    let (_, log) = try await walked(map, route, "ABDF")
    #expect(log.reroutes.first?.route?.viaPoints == [])
  }

  @Test("far from all ways a larger radius is tried")
  func largerRadius() throws {
    let map = try NavigatedMap(Self.drawing)
    let request = RerouteRequest(
      original: try map.route("A", "C"), destination: try map.point("C"), via: [],
      start: try map.point("C", east: 800), course: nil, time: start)
    guard case .foundWithRadius(let route, let radius) = request.result(map.planner) else {
      Issue.record("\(request.result(map.planner))")
      return
    }
    #expect(radius == 1000)
    #expect(try haversineDistance(route.endCoordinate, map.point("C")) < 1)
  }

  @Test("where no route leads to the destination, one leads to the nearest place, and says how far")
  func nearestReachable() throws {
    let map = try NavigatedMap(
      AsciiMap("A---B-----------C---D", ways: [.init("AB"), .init("CD")]))
    let request = RerouteRequest(
      original: try map.route("C", "D"), destination: try map.point("D"),
      via: [try map.point("C")], start: try map.point("A"), course: nil, time: start)
    var config = ReroutingConfig()
    config.radiiMetres = [500]
    guard
      case .toNearestReachable(let route, let place, let metres) = request.result(
        map.planner, config: config)
    else {
      Issue.record("\(request.result(map.planner, config: config))")
      return
    }
    #expect(try haversineDistance(place, map.point("B")) < 1)
    #expect(abs(metres - 1600) < 2)
    #expect(route.endCoordinate == place)
    #expect(route.viaPoints.isEmpty)
  }

  @Test("where there is nothing, the reason is given")
  func nothing() throws {
    let map = try NavigatedMap(Self.drawing)
    let request = RerouteRequest(
      original: try map.route("A", "C"), destination: try map.point("C"), via: [],
      start: try map.point("A", north: 40_000), course: nil, time: start)
    guard case .none(let reason) = request.result(map.planner) else {
      Issue.record("found something")
      return
    }
    #expect(reason.hasPrefix("No open path or road lies within 500 m"))
    map.store.close()
    #expect(request.result(map.planner) == .none(reason: "The routing database is not open."))
    var config = ReroutingConfig()
    config.radiiMetres = []
    #expect(request.result(map.planner, config: config).route == nil)
  }

  @Test("another route follows only after the least time between two")
  func flapping() async throws {
    let map = try NavigatedMap(Self.drawing)
    let engine = NavigationEngine(planner: ToldPlanner.failing(.databaseNotOpen))
    engine.startNavigation(route: try map.route("A", "C"))
    let log = await engine.follow(try map.walk("ABDF"))
    #expect(log.reroutes.count > 1)
    let pauses = zip(log.rerouteTimes, log.rerouteTimes.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 >= ReroutingConfig().minimumIntervalSeconds }, "\(pauses)")
    #expect(log.reroutes.allSatisfy { $0.route == nil })
  }

  @Test("an inaccurate fix is no start for a route")
  func inaccurate() async throws {
    let map = try NavigatedMap(Self.drawing)
    let engine = NavigationEngine(planner: map.planner)
    engine.startNavigation(route: try map.route("A", "C"))
    let walk = try map.walk("ABDF").map { fix in
      var fix = fix
      fix.horizontalAccuracy = 70
      return fix
    }
    let log = await engine.follow(walk)
    #expect(log.reroutes.isEmpty)
  }

  @Test("after several routes the destination is still the first one's")
  func destination() async throws {
    let map = try NavigatedMap(Self.drawing)
    let route = try map.route("A", "C")
    let (engine, log) = try await walked(map, route, "ABDFDBA")
    #expect(log.reroutes.count >= 1)
    for result in log.reroutes {
      #expect(result.route?.endCoordinate == route.endCoordinate)
    }
    #expect(engine.currentRoute?.name == route.name)
  }
}
