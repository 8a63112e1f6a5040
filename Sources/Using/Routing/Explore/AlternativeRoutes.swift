// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

extension RoutingEngine {
  /// What a route must keep to, to be worth showing beside better ones.
  public enum AlternativeLimits {
    /// How much dearer than the best route it may be: preferences count.
    public static let costFactor = 1.4
    /// How much of the shorter of two routes may also be in the other one, by length.
    public static let sharedShare = 0.6
    /// How much dearer a detour from the best route may be than what it avoids.
    static let detourFactor = 2.0
    /// A detour from the best route of less than this share of its cost is no choice to offer.
    static let leastDetourShare = 0.1
    /// How much dearer the middle half of a detour may be than the cheapest way between its ends.
    static let stretchFactor = 1.25
    /// What the cost of an edge is multiplied by each time that it was part of a route, and at most.
    static let penalty = 1.4
    static let greatestPenalty = 10.0
    /// How many routes are looked at for each that is wanted.
    static let attempts = 8
  }

  /// Finds the best route and others that are not much dearer and lead elsewhere, at most 60 % of
  /// their length along any better one and at most 40 % dearer than the best.
  ///
  /// They come from the penalty method (R. Bader, J. Dees, R. Geisberger, P. Sanders, “Alternative
  /// Route Graphs in Road Networks”, TAPAS 2011): the edges of each route that was found are made
  /// dearer, and the search is repeated. Of what comes out, detours that are too small to be a choice
  /// or lead far around are put back to the best route, and what remains must be sensible in itself:
  /// it visits no node twice, leads along the best route only in its direction, and its detours are
  /// nearly cheapest ways (bounded stretch, after I. Abraham, D. Delling, A. Goldberg, R. Werneck,
  /// “Alternative Routes in Road Networks”, SEA 2010).
  ///
  /// - Parameters:
  ///   - count: How many routes are wanted, the best one included.
  ///   - profile: A profile that the database has; nil for the one that serves the mode.
  /// - Returns: The best route first, then the others from the cheapest on: as many as there are, at
  ///   most `count`. Always the same for the same database and question.
  ///
  /// Throws what ``findRoute(from:to:via:mode:preferences:)`` throws.
  public func findAlternatives(
    from start: Coordinate, to end: Coordinate, count: Int, profile: String? = nil,
    mode: RoutingMode = .hiking, preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> [ComputedRoute] {
    let task = AlternativeTask(
      start: start, end: end, count: count, radiusMetres: nearestNodeSearchRadiusMetres,
      mode: mode, preferences: preferences)
    return try perform(task, profile: profile, mode: mode)
  }
}

/// A search for routes that differ.
private struct AlternativeTask: SearchTask {
  typealias Limits = RoutingEngine.AlternativeLimits

  var start: Coordinate
  var end: Coordinate
  var count: Int
  var radiusMetres: Double
  var mode: RoutingMode
  var preferences: RoutingPreferences

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [ComputedRoute] {
    let worker = SearchWorker(view)
    let plain = SearchRules(
      preferences: preferences, forbidsSteps: view.profile == nil && mode == .cycling)
    func find(_ from: Coordinate, _ to: Coordinate, _ rules: SearchRules) throws(RoutingError)
      -> WeighedRoute
    {
      let route = try worker.findRoute(
        [from, to], radiusMetres: radiusMetres, rules: rules, mode: mode)
      return try WeighedRoute(route, plain, view)
    }
    let best = try find(start, end, plain)
    guard best.cost > 0, count > 1 else { return [best.route] }
    var found = [best]
    var rules = plain
    penalise(best, &rules)
    for _ in 0..<Limits.attempts * min(count, 10) where found.count < count {
      let route = try find(start, end, rules)
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
        let direct = try find(
          nodes[middle.lowerBound].coordinate, nodes[middle.upperBound].coordinate, plain)
        isSensible = candidate.cost(middle) <= direct.cost * Limits.stretchFactor
      }
      if isSensible { found.append(candidate) }
    }
    let others = found.dropFirst().sorted { $0.cost < $1.cost }
    return [best.route] + others.map(\.route)
  }

  private func penalise(_ route: WeighedRoute, _ rules: inout SearchRules) {
    for edge in route.route.edges {
      let factor = rules.edgeFactors[edge.id] ?? 1
      rules.edgeFactors[edge.id] = min(factor * Limits.penalty, Limits.greatestPenalty)
    }
  }
}
