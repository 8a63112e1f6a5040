// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks

/// Follows a walker along a planned route and reports what to announce.
///
/// A value type: an app keeps it in its observable object and passes it each fix of the receiver.
public struct RouteGuidance: Sendable {
  /// The distances at which it speaks.
  public let config: RouteGuidanceConfig
  /// The route being followed; nil before ``start(route:)`` and after ``stop()``.
  public private(set) var activeRoute: PlannedRoute?
  private var followed: FollowedRoute?

  /// Makes a guidance without a route.
  public init(config: RouteGuidanceConfig = .init()) { self.config = config }

  /// Begins to follow a route from anywhere, discarding the state of any other.
  ///
  /// A route without a valid point cannot be followed: ``isNavigating`` is false afterwards.
  public mutating func start(route: PlannedRoute) {
    followed = FollowedRoute(route, config)
    activeRoute = followed == nil ? nil : route
  }

  /// Forgets the route.
  public mutating func stop() { self = RouteGuidance(config: config) }

  /// Takes a fix and returns the resulting events, in the order of announcement.
  ///
  /// Ignores fixes that are invalid, too inaccurate, not later than the previous one or impossibly
  /// far from it, until several of them agree with each other.
  @discardableResult
  public mutating func updateLocation(_ fix: LocationFix) -> [GuidanceEvent] {
    followed?.take(fix) ?? []
  }

  /// Whether a route is followed.
  public var isNavigating: Bool { followed != nil }
  /// Whether several fixes agree that the route was left and not yet reached again.
  public var isOffRoute: Bool { followed?.judge.isOff ?? false }
  /// Whether the end of the route was reached.
  public var hasArrived: Bool { followed?.hasArrived ?? false }
  /// Whether the route is being walked backwards. Nothing is announced meanwhile.
  public var isReversed: Bool { followed?.isReversed ?? false }
  /// The walker's position on the route; off it, the nearest position around where it was left. Nil
  /// before the first fix.
  public var position: RoutePosition? {
    guard let followed, let current = followed.tracker.current else { return nil }
    return followed.line.routePosition(current.position)
  }
  /// The share of the route's length already covered, 0…1; off the route, up to where it was left.
  public var progress: Double {
    guard let followed else { return 0 }
    if followed.hasArrived { return 1 }
    let length = followed.line.length
    return length > 0 ? min(max((followed.metres ?? 0) / length, 0), 1) : 0
  }
  /// Metres along the route to its end, from the walker or from where the route was left; 0 without
  /// a route.
  public var remainingDistance: Double {
    guard let followed else { return 0 }
    return max(followed.line.length - (followed.metres ?? 0), 0)
  }
  /// Metres to climb to the end; nil unless the elevation is known all the way.
  public var remainingAscent: Double? {
    followed.flatMap { $0.effort.ascent(from: $0.metres ?? 0) }
  }
  /// Seconds to the end at the planned pace; nil without a route or if it states no duration.
  ///
  /// The route's `estimatedDuration` is distributed over its length, and over its climb where
  /// known, by Naismith's rule. The walker's pace does not change it.
  public var remainingTime: Double? { followed.flatMap { $0.effort.seconds(from: $0.metres ?? 0) } }
  /// The index of the next instruction; at first, that of the start. Nil after the last one.
  public var currentInstructionIndex: Int? {
    followed.flatMap { $0.hasArrived ? nil : $0.turns.instruction(at: $0.metres) }
  }
  /// Metres along the route to the next turn or the arrival; nil after the last one.
  public var distanceToNextTurn: Double? {
    guard let followed, !followed.hasArrived, followed.turns.next < followed.turns.turns.count
    else { return nil }
    return max(followed.turns.turns[followed.turns.next].metres - (followed.metres ?? 0), 0)
  }
  /// Metres along the route to where it was left, while off it; 0 if the walker was never on it.
  public var distanceWhereLeft: Double? {
    followed.flatMap { $0.judge.isOff ? $0.metresWhereLeft : nil }
  }

  /// The point of the route nearest to another, the first of several, regardless of the walker. Nil
  /// without a route or for an invalid point. For a point more than a kilometre from the route,
  /// takes time proportional to its length.
  public func closestPointOnRoute(to point: Coordinate) -> RoutePosition? {
    guard let followed, let nearest = followed.line.closest(to: point) else { return nil }
    return followed.line.routePosition(nearest)
  }

  /// The number of route segments compared with the last fix.
  package var examinedSegments: Int { followed?.tracker.examined ?? 0 }
}
