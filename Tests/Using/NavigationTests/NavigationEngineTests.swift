// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("The navigation engine")
struct NavigationEngineTests {
  private let map: NavigatedMap

  init() throws {
    map = try NavigatedMap(
      AsciiMap(
        """
        A---B---C
            |
            D
        """,
        ways: [
          .init("ABC", tags: ["highway": "path", "name": "Talweg"]),
          .init("BD", tags: ["highway": "path", "name": "Höhenweg"]),
        ]))
  }

  private func engine(_ planner: (any RoutePlanning)? = nil) -> NavigationEngine {
    NavigationEngine(planner: planner ?? map.planner)
  }

  private func destination(_ letter: Character) throws -> NavigationDestination {
    NavigationDestination(try map.map.coordinate(letter), name: "\(letter)")
  }

  @Test("without a database a planned route is followed, told and left, and none is calculated")
  func withoutDatabase() async throws {
    let planned = try map.route("A", "D")
    let route = try PlannedRoute(json: planned.json())
    let engine = NavigationEngine()
    try engine.startNavigation(route: route)
    let log = await engine.follow(try map.walk("ABD"))
    #expect(log.states == [.navigating(mode: .visual), .arrived])
    #expect(log.entries.map(\.cue) == [.approaching, .right, .approaching, .arrived])

    let end = try destination("C")
    let origin = try map.map.coordinate("A")
    let fallback = DirectLine(from: origin, to: end.coordinate)
    await #expect(
      throws: NavigationError.routingUnavailable(.databaseNotOpen, fallback: fallback)
    ) {
      try await engine.calculate(to: end, from: origin, at: start)
    }
    #expect(engine.navigationState == .idle)

    // Who walks on to C has left the route, is told so, and no new one is due.
    try engine.startNavigation(route: route)
    var kinds: [GuidanceEvent.Kind] = []
    for fix in try map.walk("ABC") {
      let update = engine.updateProgress(location: fix)
      kinds += update.events.map(\.kind)
      #expect(!update.isRerouteDue)
    }
    #expect(kinds.contains(.offRoute))
    #expect(await engine.reroute() == nil)
    #expect(engine.rerouteNow() == nil)
    #expect(engine.navigationState == .navigating(mode: .visual))
  }

  @Test("a route is calculated from the last fix, followed, and ends with the arrival")
  func wholeWalk() async throws {
    let engine = engine()
    #expect(engine.navigationState == .idle)
    engine.updateProgress(location: fix(try map.map.coordinate("A"), at: -10))
    let route = try await engine.calculate(to: destination("D"), at: start - 5).route
    #expect(engine.navigationState == .idle)
    #expect(engine.currentRoute == nil)
    #expect(route.name == "D")
    #expect(route.createdAt == start - 5)
    #expect(route.profile == "hiking")
    #expect(try map.letters(of: route) == "ABD")
    #expect(route.steps.map(\.maneuverType) == [.start, .right, .arrive])
    engine.mode = .haptic
    #expect(try engine.startNavigation(route: route) == .navigating(mode: .haptic))
    #expect(engine.currentRoute == route)
    let log = await engine.follow(try map.walk("ABD"))
    #expect(log.states == [.navigating(mode: .haptic), .arrived])
    #expect(log.entries.map(\.cue) == [.approaching, .right, .approaching, .arrived])
    #expect(log.entries[1].text == "Turn right onto Höhenweg")
    #expect(log.reroutes.isEmpty)
    #expect(engine.navigationState == .arrived)
    #expect(engine.currentRoute == route)
    engine.stopNavigation()
    #expect(engine.navigationState == .idle)
    #expect(engine.currentRoute == nil)
  }

  @Test("the current step is the next one, with the distance to it")
  func currentStep() async throws {
    let engine = engine()
    #expect(engine.currentStep == nil)
    try engine.startNavigation(route: map.route("A", "D"))
    for fix in try map.walk("AB").prefix(101) { engine.updateProgress(location: fix) }
    let step = try #require(engine.currentStep)
    #expect(step.maneuverType == .right)
    #expect(step.instruction == "Turn right onto Höhenweg")
    // 400 m in all, 250 m walked.
    #expect(abs(step.distance - 150) < 10)
    #expect(try haversineDistance(step.coordinate, map.map.coordinate("B")) < 1)
  }

  @Test(
    "without a position a route is refused with the reason, and calculated from a start by hand")
  func noPosition() async throws {
    let engine = engine()
    let end = try destination("C")
    await #expect(throws: NavigationError.noPosition(.notYetKnown)) {
      try await engine.calculateRoute(to: end)
    }
    #expect(
      engine.reportPositionProblem(.permissionDenied, at: start).position
        == PositionEvent(kind: .lost(.permissionDenied), time: start, last: nil))
    await #expect(throws: NavigationError.noPosition(.permissionDenied)) {
      try await engine.calculateRoute(to: end)
    }
    #expect(engine.position(at: start) == .unknown(.permissionDenied))
    #expect(engine.directLine(to: end.coordinate) == nil)
    #expect(engine.navigationState == .idle)
    let found = try await engine.calculate(to: end, from: map.map.coordinate("A"), at: start)
    #expect(found.adjustments.isEmpty)
    #expect(try map.letters(of: found.route) == "ABC")
    for problem in PositionProblem.allCases {
      let error = NavigationError.noPosition(problem)
      #expect(error.errorDescription != nil && error.recoverySuggestion != nil)
    }
  }

  @Test("places and fixes that are not on Earth are refused and ignored")
  func invalid() async throws {
    let engine = engine()
    let nowhere = Coordinate(latitude: 91, longitude: .nan)
    let home = try map.map.coordinate("A")
    await #expect(throws: (any Error).self) { try await engine.calculateRoute(to: nowhere) }
    await #expect(throws: (any Error).self) {
      try await engine.calculate(to: .init(home), from: nowhere)
    }
    engine.updateProgress(location: fix(nowhere, at: 0))
    #expect(engine.position(at: start) == .unknown(.notYetKnown))
    var empty = try map.route("A", "B")
    empty.coordinates = [nowhere]
    #expect(throws: NavigationError.unusableRoute) { try engine.startNavigation(route: empty) }
    #expect(engine.navigationState == .idle)
  }

  @Test("whoever is under way must stop before another route is calculated or followed")
  func busy() async throws {
    let engine = engine()
    let route = try map.route("A", "D")
    try engine.startNavigation(route: route)
    let end = try destination("C")
    await #expect(throws: NavigationError.illegal(.calculate, in: .navigating(mode: .visual))) {
      try await engine.calculate(to: end, from: end.coordinate)
    }
    let other = try map.route("A", "C")
    #expect(
      throws: NavigationError.illegal(.start(.visual), in: .navigating(mode: .visual))
    ) { try engine.startNavigation(route: other) }
    #expect(engine.currentRoute == route)
  }

  @Test("a calculation that is stopped is cancelled, and may not be begun twice")
  func cancelled() async throws {
    let home = try map.map.coordinate("A")
    let seen = StateList()
    // While the route is calculated, the user stops.
    let planner = StoppingPlanner { engine in
      seen.states.withLock { $0.append(engine.navigationState) }
      let started = try? engine.startNavigation(
        route: PlannedRoute(
          name: "", mode: .hiking, startCoordinate: home, endCoordinate: home,
          coordinates: [home], turnInstructions: [], totalDistance: 0, estimatedDuration: 0,
          elevationGain: 0, elevationLoss: 0))
      seen.states.withLock { $0.append(started ?? .calculating) }
      engine.stopNavigation()
    }
    let engine = NavigationEngine(planner: planner)
    planner.engine.withLock { $0 = engine }
    await #expect(throws: NavigationError.cancelled) {
      try await engine.calculate(to: .init(home), from: home)
    }
    #expect(seen.states.withLock { $0 } == [.calculating, .calculating])
    #expect(engine.navigationState == .idle)
  }

  @Test("where routing is unavailable, the straight line is what is left")
  func unavailable() async throws {
    map.store.close()
    let engine = engine()
    engine.updateProgress(location: fix(try map.map.coordinate("A"), at: 0))
    let end = try destination("C")
    do {
      _ = try await engine.calculate(to: end, at: start)
      Issue.record("found a route")
    } catch NavigationError.routingUnavailable(let error, let fallback) {
      #expect(error == .databaseNotOpen)
      #expect(abs(fallback.distanceMetres - 800) < 1)
      #expect(abs(fallback.bearing - 90) < 1)
      #expect(
        fallback.text
          == "The destination lies 800 m to the east in a straight line; no way there is known.")
      #expect(engine.directLine(to: end.coordinate) == fallback)
    }
    #expect(engine.navigationState == .idle)
  }

  @Test("the mode may change on the way, and with it what is felt")
  func modes() async throws {
    let player = CountingPlayer()
    let service = HapticNavigationService(player: player)
    let engine = NavigationEngine(planner: map.planner, haptics: service)
    try engine.startNavigation(route: map.route("A", "D"))
    #expect(!service.isHapticModeEnabled)
    engine.mode = .haptic
    #expect(engine.navigationState == .navigating(mode: .haptic))
    #expect(service.isHapticModeEnabled)
    let walk = try map.walk("ABD")
    _ = await engine.follow(Array(walk.prefix(200)))
    #expect(player.count.withLock { $0 } == service.counts.played)
    #expect(service.counts.played >= 2)
    engine.mode = .visual
    #expect(engine.navigationState == .navigating(mode: .visual))
    _ = await engine.follow(Array(walk.dropFirst(200)))
    #expect(service.counts.silent >= 1)
    #expect(player.count.withLock { $0 } == service.counts.played)
  }

  @Test("haptics that fail do not end navigation, and each cue is still told in words")
  func brokenHaptics() async throws {
    let player = CountingPlayer(isBroken: true)
    let texts = TextCounter()
    let service = HapticNavigationService(player: player) { texts.add($0.text) }
    let engine = NavigationEngine(planner: map.planner, haptics: service)
    engine.mode = .haptic
    try engine.startNavigation(route: map.route("A", "D"))
    let log = await engine.follow(try map.walk("ABD"))
    #expect(engine.navigationState == .arrived)
    #expect(service.counts.failed == log.entries.count)
    #expect(texts.texts.withLock { $0 } == log.entries.map(\.text))
  }
}

/// States, in order.
private final class StateList: Sendable {
  let states = Mutex<[NavigationState]>([])
}

/// What was told in words.
private final class TextCounter: Sendable {
  let texts = Mutex<[String]>([])
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// A player that counts, or fails.
private final class CountingPlayer: HapticPlayer {
  struct Broken: Error {}
  let count = Mutex(0)
  let isBroken: Bool
  let supportsHaptics = true

  init(isBroken: Bool = false) { self.isBroken = isBroken }

  func prepare() throws {}
  func play(_ pattern: HapticPattern) throws {
    if isBroken { throw Broken() }
    count.withLock { $0 += 1 }
  }
  func stop() {}
}

/// A planner during whose work something happens to the engine.
private final class StoppingPlanner: RoutePlanning {
  let engine = Mutex<NavigationEngine?>(nil)
  private let happens: @Sendable (NavigationEngine) -> Void

  init(_ happens: @escaping @Sendable (NavigationEngine) -> Void) { self.happens = happens }

  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute {
    if let engine = engine.withLock({ $0 }) { happens(engine) }
    return try ToldPlanner.straight.plan(request)
  }
  func profileNames() throws(RoutingError) -> [String] { [] }
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate { request.start }
  func covers(_ place: Coordinate) -> Bool? { nil }
}
