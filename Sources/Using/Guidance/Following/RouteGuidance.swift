// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Tracks

/// Follows somebody along a planned route and says when there is something to tell.
///
/// A value: an app keeps it in its observable object and gives it each fix of its receiver.
public struct RouteGuidance: Sendable {
  /// The distances at which it speaks.
  public let config: RouteGuidanceConfig
  /// The route that is followed; nil before ``start(route:)`` and after ``stop()``.
  public private(set) var activeRoute: PlannedRoute?
  /// Whether several fixes agreed that the route was left, and none since that it was reached again.
  public private(set) var isOffRoute = false
  /// Whether the end of the route was reached.
  public private(set) var hasArrived = false
  /// Whether the route is being walked backwards.
  public private(set) var isReversed = false
  /// Where on the route one is; nil before the first fix near it.
  public private(set) var position: RoutePosition?

  /// Makes a guidance without a route.
  public init(config: RouteGuidanceConfig = .init()) { self.config = config }

  /// Begins to follow a route from anywhere; what was known of another one is forgotten.
  public mutating func start(route: PlannedRoute) {
    stop()
    activeRoute = route
  }

  /// Forgets the route.
  public mutating func stop() { self = RouteGuidance(config: config) }

  /// Takes a fix, and returns what it gives occasion to say, in the order to say it in.
  @discardableResult
  public mutating func updateLocation(_ fix: LocationFix) -> [GuidanceEvent] { [] }

  /// Whether a route is followed.
  public var isNavigating: Bool { activeRoute != nil }
  /// The share of the route's length that lies behind, 0…1.
  public var progress: Double { 0 }
  /// Metres to the end along the route.
  public var remainingDistance: Double { activeRoute?.totalDistance ?? 0 }
  /// Metres to climb to the end; nil where unknown.
  public var remainingAscent: Double? { nil }
  /// Seconds to the end; nil where unknown.
  public var remainingTime: Double? { nil }
  /// The index of the next instruction that is not passed yet; nil behind the last one.
  public var currentInstructionIndex: Int? { nil }
  /// Metres along the route to that instruction.
  public var distanceToNextTurn: Double? { nil }
  /// Metres along the route to where it was left, while off it.
  public var distanceWhereLeft: Double? { nil }

  /// The point of the route that is nearest to a place, the first one of several; nil without a route.
  public func closestPointOnRoute(to place: Coordinate) -> RoutePosition? { nil }
}
