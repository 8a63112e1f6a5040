// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport
import Testing

@Suite("Calculating a route where the first attempt fails")
struct RouteCalculatorTests {
  private func calculate(
    _ map: NavigatedMap, from start: Coordinate, to end: Coordinate,
    _ configure: (inout NavigationConfig) -> Void = { _ in }
  ) async throws(NavigationError) -> RouteCalculation {
    var config = NavigationConfig()
    configure(&config)
    return try await NavigationEngine(planner: map.planner, config: config)
      .calculate(to: .init(end), from: start, at: Date(timeIntervalSince1970: 0))
  }

  /// What is suggested where there is no route.
  private func suggestions(
    _ map: NavigatedMap, from start: Coordinate, to end: Coordinate,
    _ configure: (inout NavigationConfig) -> Void = { _ in }
  ) async throws -> [RouteSuggestion] {
    do {
      let found = try await calculate(map, from: start, to: end, configure)
      throw TestFailure("found a route to \(found.route.endCoordinate)")
    } catch NavigationError.noRoute(_, let suggestions) {
      return suggestions
    }
  }

  @Test("a destination behind a wall has no route; close behind it, the arrival says so")
  func wall() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        "A---W---B", cellMetres: 100, ways: [.init("AW"), .init("WB")],
        nodeTags: ["W": ["barrier": "wall"]]))
    let near = try await calculate(map, from: map.point("A"), to: map.point("W", east: 80))
    #expect(abs(near.route.totalDistance - 400) < 1)
    #expect(
      near.route.turnInstructions.last?.description
        == "Arrive 80 m from the destination; the way nearest to it is cut off")
    do {
      _ = try await calculate(map, from: map.point("A"), to: map.point("B"))
      Issue.record("there is a route")
    } catch NavigationError.noRoute(let reason, let suggestions) {
      let node = try #require(AsciiMap.nodeID("W"))
      #expect(reason.failureReason?.contains("In between: a wall, node \(node).") == true)
      #expect(suggestions.first?.text == "A route leads to a place 400 m from the destination.")
    }
  }

  private static let path = AsciiMap("A---B", ways: [.init("AB")])

  @Test("a destination 800 m from the way is reached with a larger radius, and that is said")
  func largerRadius() async throws {
    let map = try NavigatedMap(Self.path)
    let found = try await calculate(
      map, from: map.point("A"), to: map.point("B", north: 800))
    #expect(found.adjustments == [.largerRadius(metres: 1000)])
    #expect(try haversineDistance(found.route.endCoordinate, map.point("B")) < 1)
  }

  @Test("further away, the nearest place and the radius that would do are suggested")
  func farAway() async throws {
    let map = try NavigatedMap(Self.path)
    let end = try map.point("B", north: 2000)
    let suggestions = try await suggestions(map, from: map.point("A"), to: end)
    guard case .nearestReachable(let place, let away) = suggestions.first(where: \.isPlace) else {
      Issue.record("\(suggestions)")
      return
    }
    #expect(try haversineDistance(place, map.point("B")) < 1)
    #expect(abs(away - 2000) < 2)
    #expect(suggestions.contains(.largerRadius(metres: 2500)))
    let text = suggestions.first(where: \.isPlace)?.text
    #expect(text == "A route leads to a place 2.00 km from the destination.")
  }

  @Test("of two networks, the place of one's own that is nearest to the destination is suggested")
  func otherNetwork() async throws {
    let map = try NavigatedMap(
      AsciiMap("A---B---------C---D", ways: [.init("AB"), .init("CD")]))
    let suggestions = try await suggestions(map, from: map.point("A"), to: map.point("D"))
    guard case .nearestReachable(let place, _) = suggestions.first else {
      Issue.record("\(suggestions)")
      return
    }
    #expect(try haversineDistance(place, map.point("B")) < 1)
  }

  @Test("a profile that has a route is suggested, and one that the database lacks is replaced")
  func profiles() async throws {
    let map = try NavigatedMap(
      AsciiMap(
        "A---B-----------C",
        ways: [.init("AB"), .init("BC", tags: ["highway": "path", "bicycle": "no"])]))
    let (start, end) = (try map.point("A"), try map.point("C"))
    let suggestions = try await suggestions(map, from: start, to: end) { $0.mode = .cycling }
    #expect(suggestions.contains(.otherProfile("hiking")), "\(suggestions)")
    let found = try await calculate(map, from: start, to: end) { $0.profile = "family" }
    #expect(found.adjustments == [.otherProfile("hiking")])
    #expect(found.route.profile == "hiking")
  }

  @Test("preferences that forbid the only way are relaxed, and that is said")
  func strict() async throws {
    let map = try NavigatedMap(
      AsciiMap("A---B---C", ways: [.init("AB"), .init("BC", tags: ["highway": "steps"])]))
    let found = try await calculate(map, from: map.point("A"), to: map.point("C")) {
      $0.preferences.avoidsSteps = true
      $0.preferences.isStrict = true
    }
    #expect(found.adjustments == [.withoutStrictPreferences])
  }

  @Test("a place outside of the database needs another region")
  func outside() async throws {
    let map = try NavigatedMap(Self.path)
    let end = try map.point("B", north: 40_000)
    let engine = NavigationEngine(planner: BoxedPlanner(planner: map.planner))
    do {
      _ = try await engine.calculate(to: .init(end), from: map.point("A"))
      Issue.record("found a route")
    } catch let error as NavigationError {
      guard case .noRoute(_, let suggestions) = error else { throw error }
      #expect(suggestions.first == .missingData(around: end), "\(suggestions)")
      #expect(error.recoverySuggestion?.contains("download the region") == true)
    }
  }

  @Test("a database that could not be read once is read again")
  func readAgain() async throws {
    let planner = FailingOnce()
    let home = Coordinate(latitude: 47, longitude: 10)
    let found = try await NavigationEngine(planner: planner).calculate(
      to: .init(moved(home, east: 0, north: 500)), from: home)
    #expect(found.adjustments == [.readAgain])
  }

  @Test("equal requests give equal routes, with equal ids of version 8")
  func ids() throws {
    let map = try NavigatedMap(Self.path)
    let route = try map.route("A", "B")
    #expect(try map.route("A", "B") == route)
    #expect(try map.route("B", "A").id != route.id)
    let text = Array(route.id.uuidString)
    #expect(text[14] == "8")
    #expect("89AB".contains(text[19]))
  }
}

extension RouteSuggestion {
  fileprivate var isPlace: Bool {
    if case .nearestReachable = self { true } else { false }
  }
}

/// A planner whose data ends some kilometres north of the map.
private struct BoxedPlanner: RoutePlanning {
  var planner: RoutePlanner

  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute {
    try planner.plan(request)
  }
  func profileNames() throws(RoutingError) -> [String] { try planner.profileNames() }
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate {
    try planner.nearestReachable(request)
  }
  func covers(_ place: Coordinate) -> Bool? { place.latitude < 47.1 }
}

/// A planner whose first plan fails for want of a file.
private final class FailingOnce: RoutePlanning {
  private let hasFailed = Mutex(false)

  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute {
    let isFirst = hasFailed.withLock { failed in
      defer { failed = true }
      return !failed
    }
    if isFirst { throw .databaseUnreadable("busy") }
    return try ToldPlanner.straight.plan(request)
  }
  func profileNames() throws(RoutingError) -> [String] { [] }
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate { request.start }
  func covers(_ place: Coordinate) -> Bool? { nil }
}
