// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnNavigation
import CairnRouting
import Foundation
import TestSupport

/// When all walks begin.
let start = Date(timeIntervalSince1970: 1_780_000_000)

/// A drawn map as an open database, to plan routes in and to walk on.
struct NavigatedMap {
  let map: AsciiMap
  let store: RoutingStore
  let planner: RoutePlanner
  private let folder: TemporaryFolder

  init(_ map: AsciiMap, profiles: [String] = ["hiking", "cycling"]) throws {
    self.map = map
    folder = try TemporaryFolder()
    store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: profiles))
    try store.open()
    planner = RoutePlanner(store: store)
  }

  /// A request between two letters.
  func request(_ from: Character, _ to: Character, via: String = "") throws -> PlanRequest {
    var request = PlanRequest(
      from: try map.coordinate(from), to: try map.coordinate(to), name: "\(from)–\(to)",
      createdAt: start)
    request.via = try via.map { try map.coordinate($0) }
    return request
  }

  /// A route between two letters.
  func route(_ from: Character, _ to: Character, via: String = "") throws -> PlannedRoute {
    try planner.plan(try request(from, to, via: via))
  }

  /// A point some metres east and north of a letter.
  func point(_ letter: Character, east: Double = 0, north: Double = 0) throws -> Coordinate {
    moved(try map.coordinate(letter), east: east, north: north)
  }

  /// The fixes of a walk from letter to letter in straight lines, one each two seconds at 1.25 m/s.
  ///
  /// - Parameter time: Seconds after ``start`` of the first one.
  func walk(_ letters: String, from time: Double = 0) throws -> [LocationFix] {
    fixes(along: try letters.map { try map.coordinate($0) }, from: time)
  }

  /// Which letters lie on the line of a route, in the order of travel.
  func letters(of route: PlannedRoute) throws -> String {
    var letters = ""
    for point in route.coordinates {
      let near = try map.letters.filter { try haversineDistance(map.coordinate($0), point) < 1 }
      for letter in near where letters.last != letter { letters.append(letter) }
    }
    return letters
  }
}

/// A point some metres east and north of another one.
func moved(_ point: Coordinate, east: Double, north: Double) -> Coordinate {
  let metresPerDegree = earthRadiusMetres * .pi / 180
  return Coordinate(
    latitude: point.latitude + north / metresPerDegree,
    longitude: point.longitude
      + east / metresPerDegree / longitudeShrinking(atLatitude: point.latitude))
}

/// A fix at a place.
func fix(_ place: Coordinate, at seconds: Double, accuracy: Double? = 5) -> LocationFix {
  LocationFix(
    latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: accuracy,
    timestamp: start + seconds)
}

/// The fixes of a walk along a line, one each two seconds at 1.25 m/s, with no errors.
func fixes(along line: [Coordinate], from time: Double = 0) -> [LocationFix] {
  var result: [LocationFix] = []
  var seconds = time
  for (one, next) in zip(line, line.dropFirst()) {
    let steps = max(1, Int((haversineDistance(one, next) / 2.5).rounded()))
    for step in 0..<steps {
      result.append(fix(interpolated(one, next, Double(step) / Double(steps)), at: seconds))
      seconds += 2
    }
  }
  if let last = line.last { result.append(fix(last, at: seconds)) }
  return result
}

/// What an engine said on a walk.
struct NavigationLog {
  var kinds: [GuidanceEvent.Kind] = []
  var entries: [HapticTimeline.Entry] = []
  var reroutes: [RerouteResult] = []
  var rerouteTimes: [Double] = []
  var states: [NavigationState] = []
}

extension NavigationEngine {
  /// Takes the fixes of a walk as an app does: with a timer for cues, and a new route where one is
  /// due.
  func follow(_ fixes: [LocationFix]) async -> NavigationLog {
    var log = NavigationLog()
    for fix in fixes {
      while let next = nextCueTime, next <= fix.timestamp {
        log.entries += playDueCue(at: next).entries
      }
      let update = updateProgress(location: fix)
      log.kinds += update.events.map(\.kind)
      log.entries += update.cues.entries
      if log.states.last != update.state { log.states.append(update.state) }
      guard update.isRerouteDue, let result = await reroute() else { continue }
      log.reroutes.append(result)
      log.rerouteTimes.append(fix.timestamp.timeIntervalSince(start))
    }
    while let next = nextCueTime { log.entries += playDueCue(at: next).entries }
    return log
  }
}

/// A planner that does what it is told.
struct ToldPlanner: RoutePlanning {
  var plans: @Sendable (PlanRequest) throws(RoutingError) -> PlannedRoute

  func plan(_ request: PlanRequest) throws(RoutingError) -> PlannedRoute { try plans(request) }
  func profileNames() throws(RoutingError) -> [String] { [] }
  func nearestReachable(_ request: PlanRequest) throws(RoutingError) -> Coordinate {
    throw .noNearbyNode(request.start, radiusMetres: request.radiusMetres)
  }
  func covers(_ place: Coordinate) -> Bool? { nil }

  /// One that plans straight lines.
  static let straight = ToldPlanner { request in
    PlannedRoute(
      line: ([request.start] + request.via + [request.destination]).map { .init(coordinate: $0) },
      name: request.name, mode: request.mode, id: UUID(), createdAt: request.createdAt)
      ?? PlannedRoute(
        name: "", mode: .hiking, startCoordinate: request.start, endCoordinate: request.start,
        coordinates: [], turnInstructions: [], totalDistance: 0, estimatedDuration: 0,
        elevationGain: 0, elevationLoss: 0)
  }

  /// One that fails.
  static func failing(_ error: RoutingError) -> ToldPlanner {
    ToldPlanner { _ throws(RoutingError) in throw error }
  }
}
