// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase
import Synchronization

/// A graph with the memory for searching it. For one thread at a time, which ``WorkerPool``
/// ensures; so it may pass from one thread to another.
final class SearchWorker<View: RoutingView>: @unchecked Sendable {
  let view: View
  private let hierarchy: ContractionHierarchy?
  private var space = SearchSpace()
  private var hierarchySearch = HierarchySearch()

  /// - Parameter hierarchy: The hierarchy of the same graph, if there is one.
  init(_ view: View, hierarchy: ContractionHierarchy? = nil) {
    self.view = view
    self.hierarchy = hierarchy
  }

  /// Finds a route through points, each within a radius of an edge.
  func findRoute(
    _ points: [Coordinate], radiusMetres: Double, rules: SearchRules, mode: RoutingMode
  ) throws(RoutingError) -> ComputedRoute {
    var stops: [EdgePoint] = []
    for point in points {
      let nearest = try view.nearestPointOnEdge(to: point, radiusMetres: radiusMetres)
      guard let nearest else { throw .noNearbyNode(point, radiusMetres: radiusMetres) }
      stops.append(nearest)
    }
    let via = Array(points.dropFirst().dropLast())
    try view.begin()
    var route = try RouteAssembler(view, at: stops[0], mode: mode)
    var viaNodes: [Int] = []
    for leg in 1..<stops.count {
      do throws(RoutingError) {
        try addLeg(from: stops[leg - 1], to: stops[leg], rules, to: &route)
      } catch .noRouteFound where leg <= via.count {
        throw .viaPointNotReachable(index: leg - 1)
      }
      if leg <= via.count { viaNodes.append(route.nodes.count - 1) }
      try view.begin()
    }
    return ComputedRoute(
      nodes: route.nodes, edges: route.edges, viaPoints: via, viaNodes: viaNodes, mode: mode)
  }

  private func addLeg(
    from start: EdgePoint, to goal: EdgePoint, _ rules: SearchRules,
    to route: inout RouteAssembler<View>
  ) throws(RoutingError) {
    let ways = try ends(start, isGoal: false, rules)
    let targets = try ends(goal, isGoal: true, rules)
    let direct = try directCost(from: start, to: goal, rules)
    let query = SearchSpace.Query(
      starts: ways.map { SearchSpace.End(node: $0.index, cost: $0.cost) },
      goals: targets.map { SearchSpace.End(node: $0.index, cost: $0.cost) },
      target: SpherePoint(goal.coordinate), limit: direct, bound: view.bound)
    switch try run(query, rules) {
    case .path(let path):
      let (first, last) = (ways[path.start], targets[path.goal])
      try route.add(partOf: start, toNode: first.id, share: first.share)
      try route.add(path.steps)
      try route.add(partOf: goal.edge, from: last.share, to: goal)
    case .nothing(let explored, let closest):
      guard direct.isFinite else {
        throw .noRouteFound(
          exploredNodes: explored,
          closestApproachMetres: explored > 0
            ? closest : haversineDistance(start.coordinate, goal.coordinate))
      }
      try route.add(partOf: start.edge, from: start.share, to: goal)
    }
  }

  private func run(_ query: SearchSpace.Query, _ rules: SearchRules) throws(RoutingError)
    -> SearchSpace.Outcome
  {
    // A hierarchy is valid only for unchanged costs. Where it finds no path, the plain search finds
    // how close to the destination the reachable nodes come.
    if rules.isPlain, let hierarchy, let path = hierarchySearch.run(hierarchy, query) {
      return .path(path)
    }
    return try space.run(view, query, rules)
  }

  /// An end of the edge that a stop lies on, and the cost between the two.
  private struct End {
    var index: Int32
    var id: Int64
    var share: Double
    var cost: Double
  }

  /// The ends of a stop's edge that can be reached from the stop, or for a goal those from which it
  /// can be reached; a stop at a node has only that node. An avoided edge may be used here: the
  /// traveller is on it already.
  private func ends(_ stop: EdgePoint, isGoal: Bool, _ rules: SearchRules) throws(RoutingError)
    -> [End]
  {
    if let node = stop.node {
      return [
        End(index: try view.index(ofNode: node), id: node, share: stop.share, cost: 0)
      ]
    }
    let factor =
      try rules.isPlain ? 1 : rules.factor(view.traits(ofEdge: stop.edge), edge: stop.edge)
    let spread = try view.costSpread(ofEdge: stop.edge)
    let toStart = factor * stop.cost(isGoal ? (0, stop.share) : (stop.share, 0), spread)
    let toEnd = factor * stop.cost(isGoal ? (1, stop.share) : (stop.share, 1), spread)
    var ends: [End] = []
    for (node, share, cost) in [(stop.fromNode, 0.0, toStart), (stop.toNode, 1.0, toEnd)]
    where cost.isFinite {
      ends.append(End(index: try view.index(ofNode: node), id: node, share: share, cost: cost))
    }
    return ends
  }

  /// The cost of staying on an edge that both stops lie on; infinite where that is impossible.
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
}

/// Idle workers, so that a search can reuse the memory and the pages of an earlier one.
final class WorkerPool<View: RoutingView>: Sendable {
  /// The kind of search that a worker can do.
  struct Key: Hashable {
    var profile: String?
    var withTraits: Bool
  }

  private let idle = Mutex<[Key: [SearchWorker<View>]]>([:])
  /// The most idle workers of one kind that are kept.
  private static var mostIdle: Int { 64 }

  /// Calls `body` with an idle worker or a new one.
  func use<Result>(
    _ key: Key, make: () -> SearchWorker<View>,
    _ body: (SearchWorker<View>) throws(RoutingError) -> Result
  ) throws(RoutingError) -> Result {
    let worker = idle.withLock { $0[key]?.popLast() } ?? make()
    defer {
      idle.withLock {
        if ($0[key]?.count ?? 0) < Self.mostIdle { $0[key, default: []].append(worker) }
      }
    }
    return try body(worker)
  }
}
