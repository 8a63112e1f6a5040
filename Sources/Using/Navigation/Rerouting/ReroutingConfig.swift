// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The conditions for calculating a new route, and the effort spent on it.
public struct ReroutingConfig: Hashable, Sendable {
  /// How much longer than turning back going on may take: the smaller of two limits.
  public struct AheadLimit: Hashable, Sendable {
    /// As a share of the time for turning back.
    public var share: Double
    /// In seconds.
    public var seconds: Double

    /// Makes a limit.
    public init(share: Double, seconds: Double) { (self.share, self.seconds) = (share, seconds) }
  }

  /// The time off the route before a new one is calculated, in seconds. In half a minute a walker
  /// covers some 35 m: enough to look at a view, step aside or notice a mistake and return without
  /// a new route, and not far if they go on.
  public var offRouteSeconds = 30.0
  /// The least time between two searches, in seconds, so that a new route can be walked before the
  /// next one comes. It doubles with each search, up to ``longestIntervalSeconds``, until a route
  /// is followed, so that a walker who goes elsewhere is not rerouted every minute.
  public var minimumIntervalSeconds = 60.0
  /// See ``minimumIntervalSeconds``.
  public var longestIntervalSeconds = 1800.0
  /// The distance along a route after which it counts as followed, in metres.
  public var followedMetres = 100.0
  /// The limit within which going on along the current way is preferred to turning back.
  public var aheadPreferred = AheadLimit(share: 0.1, seconds: 180)
  /// The limit for going on if the walker was already told to turn back and did not.
  public var aheadLongest = AheadLimit(share: 2, seconds: 3600)
  /// If the direct way to the destination from where the route was left is shorter than this share
  /// of the rest, in metres and in time, the route is followed for its own sake, such as a round
  /// trip, and the new one leads to the rest of it.
  public var directShare = 0.95
  /// The worst accuracy of a fix that may start a route, in metres.
  public var worstAccuracyMetres = 50.0
  /// The distances allowed from walker and destination to a passable edge, in metres, tried in
  /// order.
  public var radiiMetres = [RoutingCostConfig.nearestNodeSearchRadiusMetres, 1000, 2500]
  /// A via point counts as passed if the walker came this close to it along the route, or left the
  /// route this close before it, in metres.
  public var viaPassedMetres = 30.0

  /// The default values.
  public init() {}
}

/// The result of a search for a new route.
public enum RerouteResult: Hashable, Sendable {
  /// A route to the destination.
  case found(PlannedRoute)
  /// A route to the destination, an end of which is up to this many metres from the way.
  case foundWithRadius(PlannedRoute, radiusMetres: Double)
  /// A route to the rest of the chosen one, which is followed for its own sake: from `atMetres` on,
  /// it is the chosen route from `fromMetres` on.
  case toRest(PlannedRoute, atMetres: Double, fromMetres: Double)
  /// No route leads to the destination. This one leads to the reachable place nearest to it.
  case toNearestReachable(PlannedRoute, place: Coordinate, metresFromDestination: Double)
  /// The only sensible route leads back, which the walker was already told and ignored. It is not
  /// followed, so that they are not told again.
  case leadsBack(PlannedRoute)
  /// No route was found, for this reason.
  case none(reason: String)

  /// The new route to follow, if any.
  public var route: PlannedRoute? {
    switch self {
    case .found(let route), .foundWithRadius(let route, _), .toRest(let route, _, _),
      .toNearestReachable(let route, _, _):
      route
    case .leadsBack, .none: nil
    }
  }
}

/// The input of a search for a new route.
public struct RerouteRequest: Hashable, Sendable {
  /// The chosen route, or the last one that led elsewhere than to the rest of it.
  public var original: PlannedRoute
  /// The destination of the first route, before any new ones.
  public var destination: Coordinate
  /// Its via points that are not passed yet.
  public var via: [Coordinate]
  /// The walker's position.
  public var start: Coordinate
  /// The walker's course, in degrees clockwise from north; nil if unknown.
  public var course: Double?
  /// The time of the fix.
  public var time: Date
  /// Metres along the original up to which it was followed; 0 if it was never reached.
  public var leftMetres = 0.0
  /// Whether the original was itself a new route to the destination, without a rest worth keeping.
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
