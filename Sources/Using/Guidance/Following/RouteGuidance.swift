// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks

/// Follows somebody along a planned route and says when there is something to tell.
///
/// A value: an app keeps it in its observable object and gives it each fix of its receiver.
public struct RouteGuidance: Sendable {
  /// The distances at which it speaks.
  public let config: RouteGuidanceConfig
  /// The route that is followed; nil before ``start(route:)`` and after ``stop()``.
  public private(set) var activeRoute: PlannedRoute?
  private var followed: FollowedRoute?

  /// Makes a guidance without a route.
  public init(config: RouteGuidanceConfig = .init()) { self.config = config }

  /// Begins to follow a route from anywhere; what was known of another one is forgotten.
  ///
  /// A route without a single valid point cannot be followed: ``isNavigating`` is false afterwards.
  public mutating func start(route: PlannedRoute) {
    followed = FollowedRoute(route, config)
    activeRoute = followed == nil ? nil : route
  }

  /// Forgets the route.
  public mutating func stop() { self = RouteGuidance(config: config) }

  /// Takes a fix, and returns what it gives occasion to say, in the order to say it in.
  ///
  /// Fixes that are invalid, too inaccurate, not later than the one before or impossibly far from it
  /// are ignored, until several of them agree with each other.
  @discardableResult
  public mutating func updateLocation(_ fix: LocationFix) -> [GuidanceEvent] {
    followed?.take(fix) ?? []
  }

  /// Whether a route is followed.
  public var isNavigating: Bool { followed != nil }
  /// Whether several fixes agreed that the route was left, and none since that it was reached again.
  public var isOffRoute: Bool { followed?.judge.isOff ?? false }
  /// Whether the end of the route was reached.
  public var hasArrived: Bool { followed?.hasArrived ?? false }
  /// Whether the route is being walked backwards; nothing is announced meanwhile.
  public var isReversed: Bool { followed?.isReversed ?? false }
  /// Where on the route one is; off it, the position of the route that one is nearest to around where it
  /// was left. Nil before the first fix.
  public var position: RoutePosition? {
    guard let followed, let current = followed.tracker.current else { return nil }
    return followed.line.routePosition(current.position)
  }
  /// The share of the route's length that lies behind, 0…1; off the route, up to where it was left.
  public var progress: Double {
    guard let followed else { return 0 }
    if followed.hasArrived { return 1 }
    let length = followed.line.length
    return length > 0 ? min(max((followed.metres ?? 0) / length, 0), 1) : 0
  }
  /// Metres to the end along the route, from where one is on it or left it; 0 without a route.
  public var remainingDistance: Double {
    guard let followed else { return 0 }
    return max(followed.line.length - (followed.metres ?? 0), 0)
  }
  /// Metres to climb to the end; nil where the elevation is not known all the way there.
  public var remainingAscent: Double? {
    followed.flatMap { $0.effort.ascent(from: $0.metres ?? 0) }
  }
  /// Seconds to the end, as the route was planned; nil without a route or where it does not say.
  ///
  /// The route's `estimatedDuration` is shared out over its length, and over its climb where that is
  /// known, as Naismith's rule does. The pace of the walker does not change it.
  public var remainingTime: Double? { followed.flatMap { $0.effort.seconds(from: $0.metres ?? 0) } }
  /// The index of the instruction to follow next; at the beginning that to start. Nil after the last
  /// one.
  public var currentInstructionIndex: Int? {
    followed.flatMap { $0.hasArrived ? nil : $0.turns.instruction(at: $0.metres) }
  }
  /// Metres along the route to the next turn or the arrival; nil after the last one.
  public var distanceToNextTurn: Double? {
    guard let followed, !followed.hasArrived, followed.turns.next < followed.turns.turns.count
    else { return nil }
    return max(followed.turns.turns[followed.turns.next].metres - (followed.metres ?? 0), 0)
  }
  /// Metres along the route to where it was left, while off it; 0 if one was never on it.
  public var distanceWhereLeft: Double? {
    followed.flatMap { $0.judge.isOff ? $0.metresWhereLeft : nil }
  }

  /// The point of the route that is nearest to another, the first one of several, wherever the walker
  /// is; nil without a route and for an invalid one. Takes time with the length of the route where
  /// that one is more than a kilometre from it.
  public func closestPointOnRoute(to point: Coordinate) -> RoutePosition? {
    guard let followed, let nearest = followed.line.closest(to: point) else { return nil }
    return followed.line.routePosition(nearest)
  }

  /// How many segments of the route the last fix was compared with.
  package var examinedSegments: Int { followed?.tracker.examined ?? 0 }
}
