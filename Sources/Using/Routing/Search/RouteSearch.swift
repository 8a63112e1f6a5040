// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A graph with the memory for searching it. Used by one thread at a time, which ``WorkerPool``
/// ensures, so it may pass between threads.
final class SearchWorker<View: RoutingView>: @unchecked Sendable {
  let view: View
  private var space = SearchSpace()
  private var timedSearch = TimedSearch()

  init(_ view: View) { self.view = view }

  /// Whether the last search came to a node.
  private func isReached(_ id: Int64) throws(RoutingError) -> Bool {
    let node = try view.index(ofNode: id)
    return view.timed == nil ? space.isReached(node) : timedSearch.isReached(node)
  }

  /// The number of times that the search is repeated with a further edge at a stop.
  private static var mostRepetitions: Int { 3 }

  /// Finds a route through points, each within a radius of an edge; `fixes` are the indices of those
  /// that nobody chose.
  func findRoute(
    _ points: [Coordinate], fixes: Set<Int>, radiusMetres: Double, rules: SearchRules,
    mode: RoutingMode
  ) throws(RoutingError) -> ComputedRoute {
    let stops = try view.stops(at: points, fixes: fixes, radiusMetres: radiusMetres)
    return try findRoute(through: stops, radiusMetres: radiusMetres, rules: rules, mode: mode).route
  }

  /// Finds a route through stops. If their candidates have no route, it retries from the nearest
  /// edge that leads elsewhere, or to the nearest reachable one; see ``SnapChoice/otherWayMetres``.
  func findRoute(
    through stops: [RouteStop], radiusMetres: Double, rules: SearchRules, mode: RoutingMode
  ) throws(RoutingError) -> RouteThroughStops {
    var stops = stops
    var cutOff: [ComputedRoute.CutOffStop] = []
    if !rules.avoidedEdges.isEmpty {
      // A route that avoids edges has the same ends.
      var plain = rules
      plain.avoidedEdges = []
      let found = try findRoute(
        through: stops, radiusMetres: radiusMetres, rules: plain, mode: mode)
      stops = found.stops.map { RouteStop(fixed: $0) }
      cutOff = found.route.cutOffStops
    }
    var failure: MissingLeg?
    for repetition in 0...Self.mostRepetitions {
      switch try chain(stops, rules, mode) {
      case .success(var found):
        found.route.cutOffStops += cutOff
        return found
      case .failure(let missing):
        var first = failure ?? missing
        failure = first
        // A strict request is not evaded by moving its points.
        if !rules.preferences.isStrict, repetition < Self.mostRepetitions,
          try move(&stops, around: missing.leg, radiusMetres: radiusMetres)
        {
          continue
        }
        // The memory of the search is that of the last leg tried.
        if missing.leg == first.leg, rules.isPlain {
          first.obstacles = try obstacles(from: stops[first.leg - 1], to: stops[first.leg], mode)
        }
        throw first.error(lastLeg: stops.count - 1)
      }
    }
    throw .noRouteFound(exploredNodes: 0, closestApproachMetres: 0)
  }

  /// The obstacles between two stops, after a search that found no way between them; empty if
  /// unknown.
  private func obstacles(from start: RouteStop, to goal: RouteStop, _ mode: RoutingMode)
    throws(RoutingError) -> [RouteObstacle]
  {
    let search = ObstacleSearch(
      view: view, mode: mode, refused: view.timed == nil ? [] : timedSearch.refused)
    let behind = try search.obstacles(around: goal.candidates[0].point, isBackward: true) {
      node throws(RoutingError) in
      try isReached(node)
    }
    if let behind { return behind }
    let island = goal.candidates[0].island
    guard try view.knowsIslands(), island != start.candidates[0].island else { return [] }
    return try search.obstacles(around: start.candidates[0].point, isBackward: false) {
      node throws(RoutingError) in
      if try isReached(node) { return false }
      return try view.island(ofNode: node) == island
    } ?? []
  }

  /// Adds a candidate to the end of a leg without a route, or else to its start; returns false if
  /// there is none. The last search was for this leg.
  private func move(_ stops: inout [RouteStop], around leg: Int, radiusMetres: Double)
    throws(RoutingError) -> Bool
  {
    func reach(_ stop: Int) -> Double {
      stops[stop].reach(
        [stop - 1, stop + 1].filter(stops.indices.contains).map { stops[$0].coordinate })
    }
    func near(_ stop: Int) throws(RoutingError) -> [SnapCandidate] {
      guard stops[stop].mayMove else { return [] }
      let reach = reach(stop)
      let radius = min(radiusMetres, SnapChoice.otherWayMetres)
      return try view.pointsOnEdges(
        near: stops[stop].coordinate, stops[stop].origin, radiusMetres: radius
      ).filter { $0.point.distanceMetres < reach }
    }
    for candidate in try near(leg) {
      let point = candidate.point
      let ends = [(point.fromNode, point.cost), (point.toNode, point.reverseCost)]
      for (node, cost) in ends where cost.isFinite {
        guard try isReached(node) else { continue }
        stops[leg].add(candidate)
        return true
      }
    }
    let islands = stops[leg].islands
    for candidate in try near(leg - 1) {
      // Another island than that of the destination leads nowhere.
      if let island = candidate.island, !islands.contains(island) { continue }
      let point = candidate.point
      let ends = [(point.toNode, point.cost), (point.fromNode, point.reverseCost)]
      for (node, cost) in ends where cost.isFinite {
        if try isReached(node) { continue }
        stops[leg - 1].add(candidate)
        return true
      }
    }
    return false
  }

  /// Finds the best route through the stops, whichever of their candidates it takes.
  private func chain(_ stops: [RouteStop], _ rules: SearchRules, _ mode: RoutingMode)
    throws(RoutingError) -> Result<RouteThroughStops, MissingLeg>
  {
    try view.begin()
    var route: RouteAssembler<View>?
    var chosen: [EdgePoint] = []
    var cutOff: [ComputedRoute.CutOffStop] = []
    var viaNodes: [Int] = []
    /// The legs to each candidate of the stops since the last decided one.
    var pending: [[RouteLeg]] = []
    var starts = anchors(of: stops[0])
    for stop in 1..<stops.count {
      let isLast = stop == stops.count - 1
      let legs: [RouteLeg]
      let (before, after) = (stops[stop - 1], stops[stop])
      switch try self.legs(from: starts, before, to: after, isLast: isLast, rules, mode) {
      case .success(let found): legs = found
      case .failure(var missing):
        missing.leg = stop
        return .failure(missing)
      }
      pending.append(legs)
      guard isLast || legs.count == 1 else {
        let least = legs.reduce(.infinity) { min($0, $1.cost) }
        starts = legs.map {
          LegAnchor(
            index: $0.goal.index, point: $0.goal.point, cost: $0.cost - least,
            seconds: $0.goal.seconds)
        }
        continue
      }
      for leg in Self.decided(pending, by: legs[0]) {
        if chosen.isEmpty {
          route = try RouteAssembler(view, at: leg.start.point, mode: mode)
          chosen = [leg.start.point]
          cutOff += stops[0].cutOff(leg.start.point, 0)
        }
        try add(leg, to: &route)
        cutOff += stops[chosen.count].cutOff(leg.goal.point, chosen.count)
        chosen.append(leg.goal.point)
        if chosen.count < stops.count { viaNodes.append((route?.nodes.count ?? 1) - 1) }
      }
      pending = []
      var start = legs[0].goal
      start.cost = 0
      starts = [start]
      try view.begin()
    }
    let via = stops.dropFirst().dropLast().map(\.coordinate)
    var computed = ComputedRoute(
      nodes: route?.nodes ?? [],
      edges: view.timed?.prices(of: route?.edges ?? [], mode)
        ?? route?.edges ?? [], viaPoints: via, viaNodes: viaNodes, mode: mode)
    computed.cutOffStops = cutOff
    computed.lastResortStops = chosen.enumerated().compactMap { .init(index: $0, $1) }
    computed.day = view.day
    return .success(RouteThroughStops(route: computed, stops: chosen))
  }

  /// The legs that lead to the last one.
  private static func decided(_ pending: [[RouteLeg]], by last: RouteLeg) -> [RouteLeg] {
    var decided = [last]
    for earlier in pending.dropLast().reversed() {
      if let leg = earlier.first(where: { $0.goal.index == decided[0].start.index }) {
        decided.insert(leg, at: 0)
      }
    }
    return decided
  }

  private func anchors(of stop: RouteStop) -> [LegAnchor] {
    stop.candidates.indices.map {
      LegAnchor(index: $0, point: stop.candidates[$0].point, cost: stop.penalty($0))
    }
  }

  /// The best leg to the last stop, or to each candidate of a via point; at least one.
  private func legs(
    from starts: [LegAnchor], _ before: RouteStop, to stop: RouteStop, isLast: Bool,
    _ rules: SearchRules, _ mode: RoutingMode
  ) throws(RoutingError) -> Result<[RouteLeg], MissingLeg> {
    let goals = anchors(of: stop)
    if isLast || goals.count == 1 {
      return try leg(from: starts, to: goals, stop.coordinate, rules, mode).map { [$0] }
    }
    let shared = before.islands
    func isCertain(_ goal: LegAnchor) -> Bool {
      stop.candidates[goal.index].island.map(shared.contains) ?? true
    }
    var legs: [RouteLeg] = []
    var failure: MissingLeg?
    for goal in goals.filter(isCertain) + goals.filter({ !isCertain($0) }) {
      // A route hardly ever passes an island between two points of the network, and finding out
      // takes a search of everything reachable.
      if !legs.isEmpty, !isCertain(goal) { break }
      switch try leg(from: starts, to: [goal], stop.coordinate, rules, mode) {
      case .success(let leg): legs.append(leg)
      case .failure(let missing): failure = failure ?? missing
      }
    }
    if legs.isEmpty, let failure { return .failure(failure) }
    return .success(legs)
  }

  /// The best leg from any of the starts to any of the goals.
  private func leg(
    from starts: [LegAnchor], to goals: [LegAnchor], _ target: Coordinate, _ rules: SearchRules,
    _ mode: RoutingMode
  ) throws(RoutingError) -> Result<RouteLeg, MissingLeg> {
    var ways: [(anchor: LegAnchor, end: EdgeEnd)] = []
    var targets = ways
    for start in starts {
      for end in try ends(start.point, isGoal: false, rules) {
        ways.append((start, try timed(end, from: start, mode)))
      }
    }
    for goal in goals {
      for end in try ends(goal.point, isGoal: true, rules) { targets.append((goal, end)) }
    }
    var direct: RouteLeg?
    for start in starts {
      for goal in goals {
        let here = try timed(from: start, to: goal, mode)
        let cost =
          try directCost(from: start.point, to: goal.point, rules) * here.factor + start.cost
          + goal.cost
        guard cost < direct?.cost ?? .infinity else { continue }
        var goal = goal
        goal.seconds = here.seconds
        direct = RouteLeg(start: start, goal: goal, cost: cost)
      }
    }
    let goal = goals.count == 1 ? goals[0].point.coordinate : target
    let query = SearchSpace.Query(
      starts: ways.map {
        SearchSpace.End(
          node: $0.end.index, cost: $0.anchor.cost + $0.end.cost, seconds: $0.end.seconds)
      },
      goals: targets.map {
        SearchSpace.End(
          node: $0.end.index, cost: $0.anchor.cost + $0.end.cost, passage: $0.end.passage)
      },
      target: SpherePoint(goal), limit: direct?.cost ?? .infinity, bound: view.bound)
    switch try run(query, rules, mode) {
    case .path(let path):
      let way = ways[path.start]
      var target = targets[path.goal]
      target.anchor.seconds = try arrival(target.anchor, target.end, at: path.seconds, mode)
      return .success(
        RouteLeg(
          start: way.anchor, goal: target.anchor, cost: path.cost,
          path: (way.end, path.steps, target.end)))
    case .nothing(let explored, let closest):
      if let direct { return .success(direct) }
      return .failure(
        MissingLeg(
          leg: 0, exploredNodes: explored,
          closestApproachMetres: explored > 0
            ? closest : haversineDistance(starts[0].point.coordinate, goal)))
    }
  }

  private func add(_ leg: RouteLeg, to route: inout RouteAssembler<View>?) throws(RoutingError) {
    let (start, goal) = (leg.start.point, leg.goal.point)
    guard let (first, steps, last) = leg.path else {
      try route?.add(partOf: start.edge, from: start.share, to: goal)
      return
    }
    try route?.add(partOf: start, toNode: first.id, share: first.share)
    try route?.add(steps)
    try route?.add(partOf: goal.edge, from: last.share, to: goal)
  }

  private func run(_ query: SearchSpace.Query, _ rules: SearchRules, _ mode: RoutingMode)
    throws(RoutingError) -> SearchSpace.Outcome
  {
    if let timed = view.timed {
      return try timedSearch.run(view, query, rules, timed, mode: mode)
    }
    return try space.run(view, query, rules)
  }

  /// The ends of a stop's edge reachable from the stop, or, for a goal, those from which it is
  /// reachable; a stop at a node has only that node. An avoided edge may be used here: the
  /// traveller is on it already.
  private func ends(_ stop: EdgePoint, isGoal: Bool, _ rules: SearchRules) throws(RoutingError)
    -> [EdgeEnd]
  {
    if let node = stop.node {
      return [
        EdgeEnd(index: try view.index(ofNode: node), id: node, share: stop.share, cost: 0)
      ]
    }
    let factor =
      try rules.isPlain ? 1 : rules.factor(view.traits(ofEdge: stop.edge), edge: stop.edge)
    let spread = try view.costSpread(ofEdge: stop.edge)
    let toStart = factor * stop.cost(isGoal ? (0, stop.share) : (stop.share, 0), spread)
    let toEnd = factor * stop.cost(isGoal ? (1, stop.share) : (stop.share, 1), spread)
    var ends: [EdgeEnd] = []
    for (node, share, cost) in [(stop.fromNode, 0.0, toStart), (stop.toNode, 1.0, toEnd)]
    where cost.isFinite {
      var end = EdgeEnd(index: try view.index(ofNode: node), id: node, share: share, cost: cost)
      if isGoal { end.passage = (stop.edge, share == 1) }
      ends.append(end)
    }
    return ends
  }

  /// The cost of staying on the edge of both stops; infinite if that is impossible.
  private func directCost(from start: EdgePoint, to goal: EdgePoint, _ rules: SearchRules)
    throws(RoutingError) -> Double
  {
    guard start.edge == goal.edge, start.node == nil || goal.node == nil else { return .infinity }
    let share = goal.share - start.share
    guard share != 0 else { return 0 }
    guard !rules.avoidedEdges.contains(start.edge) else { return .infinity }
    let factor =
      try rules.isPlain
      ? 1 : rules.factor(view.traits(ofEdge: start.edge), edge: start.edge)
    let spread = try view.costSpread(ofEdge: start.edge)
    return factor * start.cost((start.share, goal.share), spread)
  }

  // MARK: Times of arrival

  /// The time for going from one position on an edge to another, starting some seconds after the
  /// departure, and its factor over the least cost; infinite if it is closed.
  private func timed(
    onEdge edge: Int64, from start: Double, to end: Double, at seconds: Double, _ mode: RoutingMode
  ) throws(RoutingError) -> (seconds: Double, factor: Double) {
    guard let timed = view.timed, start != end else { return (0, 1) }
    let factors = timed.factors(ofEdge: edge, isReversed: end < start, at: seconds)
    let times = try view.travelTimes(ofEdge: edge, mode: mode)
    let share = try view.timeSpread(ofEdge: edge, mode: mode).share(from: start, to: end)
    let whole = end < start ? times.back : times.ahead
    return (factors.time.isFinite ? whole * share * factors.time : 0, factors.cost)
  }

  /// An end of a start's edge with its time and its cost at that time.
  private func timed(_ end: EdgeEnd, from start: LegAnchor, _ mode: RoutingMode)
    throws(RoutingError)
    -> EdgeEnd
  {
    guard view.timed != nil else { return end }
    let part = try timed(
      onEdge: start.point.edge, from: start.point.share, to: end.share, at: start.seconds, mode)
    var end = end
    end.seconds = start.seconds + part.seconds
    end.cost = end.cost == 0 ? 0 : end.cost * part.factor
    return end
  }

  /// The time of arrival on the edge of both, and its factor over the least cost.
  private func timed(from start: LegAnchor, to goal: LegAnchor, _ mode: RoutingMode)
    throws(RoutingError) -> (seconds: Double, factor: Double)
  {
    guard view.timed != nil, start.point.edge == goal.point.edge else { return (start.seconds, 1) }
    let part = try timed(
      onEdge: start.point.edge, from: start.point.share, to: goal.point.share, at: start.seconds,
      mode)
    return (start.seconds + part.seconds, part.factor)
  }

  /// The time of arrival at a goal reached by an end of its edge at a time.
  private func arrival(_ goal: LegAnchor, _ end: EdgeEnd, at seconds: Double, _ mode: RoutingMode)
    throws(RoutingError) -> Double
  {
    seconds
      + (try timed(
        onEdge: goal.point.edge, from: end.share, to: goal.point.share, at: seconds, mode
      ).seconds)
  }
}

// The following are not within the generic type, whose metadata each of them would need.

/// A route and the points on edges at which it begins, passes and ends.
struct RouteThroughStops {
  var route: ComputedRoute
  var stops: [EdgePoint]
}

/// A leg between two stops without a route.
private struct MissingLeg: Error {
  /// The index of the stop that it leads to.
  var leg: Int
  var exploredNodes: Int
  var closestApproachMetres: Double
  var obstacles: [RouteObstacle] = []

  func error(lastLeg: Int) -> RoutingError {
    guard leg == lastLeg else {
      return .viaPointNotReachable(index: leg - 1, obstacles: obstacles)
    }
    return .noRouteFound(
      exploredNodes: exploredNodes, closestApproachMetres: closestApproachMetres,
      obstacles: obstacles)
  }
}

/// A candidate of a stop, by its index, and the cost before or after it.
private struct LegAnchor {
  var index: Int
  var point: EdgePoint
  var cost: Double
  /// Seconds since the departure, if time counts.
  var seconds = 0.0
}

/// The best way from the candidates of one stop to those of the next.
private struct RouteLeg {
  var start: LegAnchor
  var goal: LegAnchor
  /// With the costs of both anchors.
  var cost: Double
  /// The edges between the stops' own ones; nil if the route stays on the edge of both.
  var path: (first: EdgeEnd, steps: [SearchSpace.Step], last: EdgeEnd)?
}

/// An end of a stop's edge, and the cost between the two.
private struct EdgeEnd {
  var index: Int32
  var id: Int64
  var share: Double
  var cost: Double
  /// Seconds since the departure at a start's end, if time counts.
  var seconds = 0.0
  /// The edge between a goal's end and its stop, with its direction.
  var passage: (edge: Int64, isReversed: Bool)?
}
