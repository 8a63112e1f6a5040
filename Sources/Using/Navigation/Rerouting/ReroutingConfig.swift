// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// When a route is calculated anew, and how hard that is tried.
public struct ReroutingConfig: Hashable, Sendable {
  /// How long one must be off the route, in seconds. Half a minute is some 35 m on foot: whoever
  /// looks at a view, steps aside or notices the mistake has returned by then and is not given another
  /// route, and whoever goes on is not yet far.
  public var offRouteSeconds = 30.0
  /// The least time between two routes, in seconds, so that they do not follow each other faster than
  /// one can walk them.
  public var minimumIntervalSeconds = 60.0
  /// A fix with a greater accuracy is no start for a route, in metres.
  public var worstAccuracyMetres = 50.0
  /// How far from a passable edge one and the destination may be, in metres: tried in this order.
  public var radiiMetres = [RoutingCostConfig.nearestNodeSearchRadiusMetres, 1000, 2500]
  /// A via point counts as passed where one came this close to it along the route, or left the route
  /// that close before it, in metres.
  public var viaPassedMetres = 30.0

  /// The default values.
  public init() {}
}

/// What became of a search for a new route.
public enum RerouteResult: Hashable, Sendable {
  /// A route to the destination.
  case found(PlannedRoute)
  /// A route to the destination, an end of which is up to so many metres from the way.
  case foundWithRadius(PlannedRoute, radiusMetres: Double)
  /// No route leads to the destination. This one leads to the place nearest to it that can be
  /// reached.
  case toNearestReachable(PlannedRoute, place: Coordinate, metresFromDestination: Double)
  /// There is none; why.
  case none(reason: String)

  /// The new route, if there is one.
  public var route: PlannedRoute? {
    switch self {
    case .found(let route), .foundWithRadius(let route, _), .toNearestReachable(let route, _, _):
      route
    case .none: nil
    }
  }
}

/// All that a new route depends on.
public struct RerouteRequest: Hashable, Sendable {
  /// The route that was left.
  public var original: PlannedRoute
  /// Where the first route led, before any of these.
  public var destination: Coordinate
  /// Its via points that are not passed yet.
  public var via: [Coordinate]
  /// Where the walker is.
  public var start: Coordinate
  /// The direction that the walker goes in, in degrees clockwise from north; nil if unknown.
  public var course: Double?
  /// The time of the fix.
  public var time: Date

  /// Makes a request.
  public init(
    original: PlannedRoute, destination: Coordinate, via: [Coordinate], start: Coordinate,
    course: Double? = nil, time: Date
  ) {
    self.original = original
    self.destination = destination
    self.via = via
    self.start = start
    self.course = course
    self.time = time
  }
}
