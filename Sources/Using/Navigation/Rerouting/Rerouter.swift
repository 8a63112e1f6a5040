// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Watches whether somebody stays off a route, and says when a new one is due.
///
/// A value without a clock: times are those of fixes. The search itself takes longer than a fix may,
/// and is apart from it: ``RerouteRequest/result(_:config:)``.
public struct Rerouter: Sendable {
  /// When a route is calculated anew.
  public let config: ReroutingConfig
  /// How many new routes were taken over.
  public private(set) var count = 0
  private var destination: Coordinate?
  private var leftAt: Date?
  private var lastAttempt: Date?
  /// How many searches there were since a route was followed.
  private var attempts = 0
  private var isWayBackOffered = false
  /// Where one came to the route, in metres along it; nil off it.
  private var reachedMetres: Double?
  /// Metres from the start to each via point of the route that is followed.
  private var viaDistances: [Double] = []
  /// The via points by which one came: whoever goes back afterwards need not go there again.
  private var passedVia: Set<Int> = []
  /// How far the route was followed before it was left.
  private var followedMetres = 0.0
  /// Where the walker came from, some metres back, and where that led.
  private var trail: Coordinate?
  private var course: Double?

  /// A route through more via points than this was not planned by a person; it is led to its end.
  public static let mostViaPoints = 200
  /// Two positions this far apart show a direction of movement, in metres.
  private static let courseMetres = 15.0

  /// Makes one that watches nothing.
  public init(config: ReroutingConfig = .init()) { self.config = config }

  /// Begins to watch a route that somebody chose. Its end is the destination of all routes to come.
  public mutating func start(route: PlannedRoute) {
    self = Rerouter(config: config)
    destination = route.endCoordinate
    viaDistances = Self.viaDistances(of: route)
  }

  /// Looks at a guidance after it took a fix. Returns what a new route depends on, if one is due.
  public mutating func observe(_ guidance: RouteGuidance, _ fix: LocationFix) -> RerouteRequest? {
    follow(fix)
    guard let route = guidance.activeRoute, let destination, guidance.isOffRoute else {
      leftAt = nil
      if let position = guidance.position { pass(position.distanceAlongRoute) }
      return nil
    }
    if leftAt == nil {
      leftAt = fix.timestamp
      reachedMetres = nil
      if let metres = guidance.distanceWhereLeft { followedMetres = metres }
    }
    guard isDue(fix) else { return nil }
    var request = RerouteRequest(
      original: route, destination: destination,
      via: zip(route.viaPoints, viaDistances).enumerated()
        .filter { isAhead($0.offset) }.map { $0.element.0 },
      start: fix.coordinate, course: course, time: fix.timestamp)
    request.leftMetres = followedMetres
    request.isWayBackOffered = isWayBackOffered
    return request
  }

  /// Notes that a new route was searched for.
  ///
  /// - Parameter route: The one that was found and is followed from now on; nil if there is none.
  public mutating func finish(_ request: RerouteRequest, taking route: PlannedRoute?) {
    lastAttempt = request.time
    attempts += 1
    guard let route else { return }
    if request.leadsBack(route) { isWayBackOffered = true }
    reachedMetres = nil
    count += 1
    leftAt = nil
    followedMetres = 0
    passedVia = []
    viaDistances = Self.viaDistances(of: route)
  }

  private static func viaDistances(of route: PlannedRoute) -> [Double] {
    route.viaPoints.count <= mostViaPoints ? route.knownViaDistances : []
  }

  private mutating func pass(_ metres: Double) {
    followedMetres = metres
    let reached = reachedMetres ?? metres
    reachedMetres = reached
    if metres - reached >= config.followedMetres { (attempts, isWayBackOffered) = (0, false) }
    for (index, via) in viaDistances.enumerated()
    where abs(via - metres) <= config.viaPassedMetres {
      passedVia.insert(index)
    }
  }

  /// Whether a via point is still to be passed.
  private func isAhead(_ index: Int) -> Bool {
    !passedVia.contains(index)
      && viaDistances[index] > followedMetres + config.viaPassedMetres
  }

  private func isDue(_ fix: LocationFix) -> Bool {
    guard let leftAt, fix.horizontalAccuracy ?? 0 <= config.worstAccuracyMetres else {
      return false
    }
    guard fix.timestamp.timeIntervalSince(leftAt) >= config.offRouteSeconds else { return false }
    guard let lastAttempt else { return true }
    let doubled = config.minimumIntervalSeconds * Double(1 << min(max(attempts - 1, 0), 20))
    let interval = min(doubled, max(config.longestIntervalSeconds, config.minimumIntervalSeconds))
    return fix.timestamp.timeIntervalSince(lastAttempt) >= interval
  }

  private mutating func follow(_ fix: LocationFix) {
    guard let start = trail else {
      trail = fix.coordinate
      return
    }
    guard haversineDistance(start, fix.coordinate) >= Self.courseMetres else { return }
    course = BearingCalculator.bearing(from: start, to: fix.coordinate)
    trail = fix.coordinate
  }
}
