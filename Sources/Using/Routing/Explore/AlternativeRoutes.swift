// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

extension RoutingEngine {
  /// The limits of an alternative worth showing.
  public enum AlternativeLimits {
    /// Its greatest cost as a multiple of the best route's, including preferences.
    public static let costFactor = 1.4
    /// The greatest share, 0…1, of the shorter of two routes that may be in the other, by length.
    public static let sharedShare = 0.6
    /// The greatest cost of a detour as a multiple of the piece of the best route that it avoids.
    static let detourFactor = 2.0
    /// A detour that avoids less than this share of the best route's cost is not worth offering.
    static let leastDetourShare = 0.1
    /// The greatest cost of the middle half of a detour, as a multiple of the cheapest path between
    /// its ends.
    static let stretchFactor = 1.25
    /// The factor on the cost of an edge for each route that used it, and the greatest factor.
    static let penalty = 1.4
    static let greatestPenalty = 10.0
    /// The greatest number of searches per requested route.
    static let attempts = 8
  }

  /// Finds the best route and alternatives: routes that share at most 60 % of their length with any
  /// better one and cost at most 40 % more than the best.
  ///
  /// They come from the penalty method (R. Bader, J. Dees, R. Geisberger, P. Sanders, “Alternative
  /// Route Graphs in Road Networks”, TAPAS 2011): the edges of each route found are made more
  /// expensive, and the search is repeated. In each result, detours that are insignificant or too
  /// long are replaced by the best route. The rest must be sensible in itself: it visits no node
  /// twice, follows the best route only in its direction, and its detours are nearly cheapest paths
  /// (bounded stretch, after I. Abraham, D. Delling, A. Goldberg, R. Werneck, “Alternative Routes
  /// in Road Networks”, SEA 2010).
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The end.
  ///   - count: The greatest number of routes, including the best one.
  ///   - profile: A profile in the database; nil for the mode's.
  ///   - mode: On foot or by bicycle: chooses the profile if none is named, and how ways are timed.
  ///   - preferences: The preferences on top of the stored costs.
  /// - Returns: The best route first, then the alternatives by their cost: at most `count`, and
  ///   always the same for the same database and request.
  ///
  /// Throws the errors of ``findRoute(from:to:via:mode:preferences:on:)``.
  public func findAlternatives(
    from start: Coordinate, to end: Coordinate, count: Int, profile: String? = nil,
    mode: RoutingMode = .hiking, preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> [ComputedRoute] {
    let task = AlternativeTask(
      start: start, end: end, fixes: fixes, count: count,
      radiusMetres: nearestNodeSearchRadiusMetres, mode: mode, preferences: preferences)
    return try perform(task, profile: profile, mode: mode)
  }
}

/// A search for alternatives.
private struct AlternativeTask: SearchTask {
  typealias Limits = RoutingEngine.AlternativeLimits

  var start: Coordinate
  var end: Coordinate
  var fixes: Set<Int>
  var count: Int
  var radiusMetres: Double
  var mode: RoutingMode
  var preferences: RoutingPreferences

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [ComputedRoute] {
    var routes = try routes(view)
    for index in routes.indices { routes[index] = try view.finished(routes[index], mode: mode) }
    return routes
  }

  private func routes<View: RoutingView>(_ view: View) throws(RoutingError) -> [ComputedRoute] {
    let worker = SearchWorker(view)
    let plain = SearchRules(
      preferences: preferences, forbidsSteps: view.profile == nil && mode == .cycling)
    func find(_ stops: [RouteStop], _ rules: SearchRules) throws(RoutingError)
      -> (route: WeighedRoute, stops: [EdgePoint])
    {
      let found = try worker.findRoute(
        through: stops, radiusMetres: radiusMetres, rules: rules, mode: mode)
      return (try WeighedRoute(found.route, plain, view), found.stops)
    }
    let (best, ends) = try find(
      try view.stops(at: [start, end], fixes: fixes, radiusMetres: radiusMetres), plain)
    // All alternatives have the ends of the best route.
    let stops = ends.map { RouteStop(fixed: $0) }
    guard best.cost > 0, count > 1 else { return [best.route] }
    var found = [best]
    var rules = plain
    penalise(best, &rules)
    for _ in 0..<Limits.attempts * min(count, 10) where found.count < count {
      let route = try find(stops, rules).route
      penalise(route, &rules)
      guard let (candidate, detours) = route.folded(onto: best, mode),
        candidate.cost <= best.cost * Limits.costFactor, candidate.isSimple,
        found.allSatisfy({ candidate.sharedShare(with: $0) <= Limits.sharedShare })
      else { continue }
      var isSensible = true
      for detour in detours where isSensible {
        let middle = candidate.middle(of: detour)
        guard !middle.isEmpty else { continue }
        let nodes = candidate.route.nodes
        let ends = [nodes[middle.lowerBound].coordinate, nodes[middle.upperBound].coordinate]
        let direct = try find(
          try view.stops(at: ends, fixes: [0, 1], radiusMetres: radiusMetres), plain)
        isSensible = candidate.cost(middle) <= direct.route.cost * Limits.stretchFactor
      }
      if isSensible { found.append(candidate) }
    }
    let others = found.dropFirst().sorted { $0.cost < $1.cost }
    return [best.route]
      + others.map {
        var route = $0.route
        route.cutOffStops = best.route.cutOffStops
        route.lastResortStops = best.route.lastResortStops
        return route
      }
  }

  private func penalise(_ route: WeighedRoute, _ rules: inout SearchRules) {
    for edge in route.route.edges {
      let factor = rules.edgeFactors[edge.id] ?? 1
      rules.edgeFactors[edge.id] = min(factor * Limits.penalty, Limits.greatestPenalty)
    }
  }
}
