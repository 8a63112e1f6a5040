// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// When a route is calculated anew, and how hard that is tried.
public struct ReroutingConfig: Hashable, Sendable {
  /// How much longer than turning back going on may take: the lesser of both.
  public struct AheadLimit: Hashable, Sendable {
    /// As a share of what turning back takes.
    public var share: Double
    /// In seconds.
    public var seconds: Double

    /// Makes a limit.
    public init(share: Double, seconds: Double) { (self.share, self.seconds) = (share, seconds) }
  }

  /// How long one must be off the route, in seconds. Half a minute is some 35 m on foot: whoever
  /// looks at a view, steps aside or notices the mistake has returned by then and is not given another
  /// route, and whoever goes on is not yet far.
  public var offRouteSeconds = 30.0
  /// The least time between two searches, in seconds, so that routes do not follow each other faster than
  /// one can walk them. It doubles with each search, up to ``longestIntervalSeconds``, until a route is
  /// followed: who goes elsewhere is not asked every minute to come along.
  public var minimumIntervalSeconds = 60.0
  /// See ``minimumIntervalSeconds``.
  public var longestIntervalSeconds = 1800.0
  /// A route is followed where one has come this far along it, in metres.
  public var followedMetres = 100.0
  /// Going on along the way that one is on is preferred to turning back within this.
  public var aheadPreferred = AheadLimit(share: 0.1, seconds: 180)
  /// Where one was told to turn back already, and did not, one is led on within this.
  public var aheadLongest = AheadLimit(share: 2, seconds: 3600)
  /// Where the way to the destination, from where the route was left, is shorter than this share of what is
  /// left of it, in metres and in time, the route is there for its own sake, as a round trip is, and the
  /// new one leads to the rest of it.
  public var directShare = 0.95
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
  /// A route to the rest of the one that was chosen, which is there for its own sake: from `atMetres` along
  /// the new one on it is the chosen one from `fromMetres` on.
  case toRest(PlannedRoute, atMetres: Double, fromMetres: Double)
  /// No route leads to the destination. This one leads to the place nearest to it that can be
  /// reached.
  case toNearestReachable(PlannedRoute, place: Coordinate, metresFromDestination: Double)
  /// This one is the only sensible one, and leads back, which the walker was told already and did not do.
  /// It is not followed, so that nobody is told again.
  case leadsBack(PlannedRoute)
  /// There is none; why.
  case none(reason: String)

  /// The new route to follow, if there is one.
  public var route: PlannedRoute? {
    switch self {
    case .found(let route), .foundWithRadius(let route, _), .toRest(let route, _, _),
      .toNearestReachable(let route, _, _):
      route
    case .leadsBack, .none: nil
    }
  }
}

/// All that a new route depends on.
public struct RerouteRequest: Hashable, Sendable {
  /// The route that was chosen, or the last one that led elsewhere than to the rest of it.
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
  /// Metres from the start of the original up to which it was followed; 0 where it never was reached.
  public var leftMetres = 0.0
  /// Whether the original was itself a new route to the destination, which has no rest worth keeping.
  public var isForDestinationAlone = false
  /// Whether the walker was told to turn back since a route was followed last.
  public var isWayBackOffered = false

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
