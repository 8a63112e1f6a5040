// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// A route between two points with its costs under some preferences, for comparing it with others
/// between the same points.
struct WeighedRoute {
  private typealias Limits = RoutingEngine.AlternativeLimits

  let route: ComputedRoute
  /// The costs up to each node.
  private let costs: [Double]

  /// Weighs a route.
  init<View: RoutingView>(_ route: ComputedRoute, _ rules: SearchRules, _ view: View)
    throws(RoutingError)
  {
    var costs = [0.0]
    for edge in route.edges {
      let factor = try rules.isPlain ? 1 : rules.factor(view.traits(ofEdge: edge.id))
      // A start may lie on an edge that must not be used.
      costs.append(costs[costs.count - 1] + (factor.isFinite ? edge.cost * factor : edge.cost))
    }
    self.init(route: route, costs: costs)
  }

  private init(route: ComputedRoute, costs: [Double]) {
    self.route = route
    self.costs = costs
  }

  /// The cost of the whole route.
  var cost: Double { costs[costs.count - 1] }

  /// The cost between two nodes, given by their indices.
  func cost(_ nodes: Range<Int>) -> Double { costs[nodes.upperBound] - costs[nodes.lowerBound] }

  /// Whether it visits no node twice.
  var isSimple: Bool {
    let inner = route.nodes.filter { $0.id != RoutingNode.insideEdge }
    return Set(inner.map(\.id)).count == inner.count
  }

  /// The share, 0…1 of its length, of the shorter of two routes that is in the other one, too.
  func sharedShare(with other: WeighedRoute) -> Double {
    var lengths: [Int64: Double] = [:]
    for edge in other.route.edges { lengths[edge.id, default: 0] += edge.distance }
    let shared = route.edges.reduce(0) { $0 + min($1.distance, lengths[$1.id] ?? 0) }
    let shorter = min(route.totalDistance, other.route.totalDistance)
    return shorter > 0 ? shared / shorter : 1
  }

  /// The middle half of a stretch, by its cost, between two of its nodes.
  func middle(of nodes: Range<Int>) -> Range<Int> {
    let (start, whole) = (costs[nodes.lowerBound], cost(nodes))
    var (from, to) = (nodes.lowerBound, nodes.upperBound)
    while from < to, costs[from] < start + whole / 4 { from += 1 }
    while to > from, costs[to] > start + whole * 3 / 4 { to -= 1 }
    return from..<to
  }

  /// The same route with insignificant or overlong detours replaced by the best route, and the
  /// remaining detours as ranges of its nodes. Nil if it does not follow the best route only in its
  /// direction.
  func folded(onto best: WeighedRoute, _ mode: RoutingMode) -> (WeighedRoute, [Range<Int>])? {
    var bestIndices: [Int64: Int] = [:]
    for (index, node) in best.route.nodes.enumerated() where node.id != RoutingNode.insideEdge {
      bestIndices[node.id] = index
    }
    let (last, bestLast) = (route.nodes.count - 1, best.route.nodes.count - 1)
    var folded = WeighedParts(at: route.nodes[0])
    var detours: [Range<Int>] = []
    var (here, bestHere) = (0, 0)
    for next in 1..<max(route.nodes.count, 1) {
      let known = next == last ? bestLast : bestIndices[route.nodes[next].id]
      guard let bestNext = known else { continue }
      guard bestNext > bestHere else { return nil }
      let isSame =
        next == here + 1 && bestNext == bestHere + 1
        && route.edges[here].id == best.route.edges[bestHere].id
      let detour = cost(here..<next)
      let avoided = best.cost(bestHere..<bestNext)
      if isSame || detour < Limits.leastDetourShare * best.cost
        || detour > Limits.detourFactor * avoided
      {
        folded.add(best, bestHere..<bestNext)
      } else {
        let start = folded.nodes.count - 1
        folded.add(self, here..<next)
        detours.append(start..<folded.nodes.count - 1)
      }
      (here, bestHere) = (next, bestNext)
    }
    let result = ComputedRoute(
      nodes: folded.nodes, edges: folded.edges, viaPoints: [], viaNodes: [], mode: mode)
    return (WeighedRoute(route: result, costs: folded.costs), detours)
  }

  /// Parts of routes that follow each other.
  private struct WeighedParts {
    var nodes: [RoutingNode]
    var edges: [RoutingEdge] = []
    var costs = [0.0]

    init(at start: RoutingNode) { nodes = [start] }

    mutating func add(_ route: WeighedRoute, _ range: Range<Int>) {
      let before = costs[costs.count - 1] - route.costs[range.lowerBound]
      nodes += route.route.nodes[range.lowerBound + 1...range.upperBound]
      edges += route.route.edges[range]
      costs += route.costs[range.lowerBound + 1...range.upperBound].map { before + $0 }
    }
  }
}
