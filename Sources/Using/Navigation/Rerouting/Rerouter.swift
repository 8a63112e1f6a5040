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
  /// How far the route was followed before it was left.
  private var followedMetres = 0.0
  /// Where the walker came from, some metres back, and where that led.
  private var trail: Coordinate?
  private var course: Double?

  /// Two positions this far apart show a direction of movement, in metres.
  private static let courseMetres = 15.0

  /// Makes one that watches nothing.
  public init(config: ReroutingConfig = .init()) { self.config = config }

  /// Begins to watch a route that somebody chose. Its end is the destination of all routes to come.
  public mutating func start(route: PlannedRoute) {
    self = Rerouter(config: config)
    destination = route.endCoordinate
  }

  /// Looks at a guidance after it took a fix. Returns what a new route depends on, if one is due.
  public mutating func observe(_ guidance: RouteGuidance, _ fix: LocationFix) -> RerouteRequest? {
    follow(fix)
    guard let route = guidance.activeRoute, let destination, guidance.isOffRoute else {
      leftAt = nil
      if let position = guidance.position { followedMetres = position.distanceAlongRoute }
      return nil
    }
    if leftAt == nil {
      leftAt = fix.timestamp
      if let metres = guidance.distanceWhereLeft { followedMetres = metres }
    }
    guard isDue(fix) else { return nil }
    return RerouteRequest(
      original: route, destination: destination,
      via: route.viaPoints(after: followedMetres + config.viaPassedMetres),
      start: fix.coordinate, course: course, time: fix.timestamp)
  }

  /// Notes that a new route was searched for at a time.
  ///
  /// - Parameter isTaken: Whether it was found and is followed from now on.
  public mutating func finish(at time: Date, isTaken: Bool) {
    lastAttempt = time
    guard isTaken else { return }
    count += 1
    leftAt = nil
    followedMetres = 0
  }

  private func isDue(_ fix: LocationFix) -> Bool {
    guard let leftAt, fix.horizontalAccuracy ?? 0 <= config.worstAccuracyMetres else {
      return false
    }
    guard fix.timestamp.timeIntervalSince(leftAt) >= config.offRouteSeconds else { return false }
    guard let lastAttempt else { return true }
    return fix.timestamp.timeIntervalSince(lastAttempt) >= config.minimumIntervalSeconds
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
