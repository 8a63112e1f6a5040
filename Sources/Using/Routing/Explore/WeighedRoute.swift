// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// A route between two points with the costs that preferences make of it, for comparing it with
/// others between the same points.
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
      // A start may lie on an edge that is not to be used.
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

  /// The cost between two places among the nodes.
  func cost(_ places: Range<Int>) -> Double { costs[places.upperBound] - costs[places.lowerBound] }

  /// Whether it visits no node twice.
  var isSimple: Bool {
    let inner = route.nodes.filter { $0.id != RoutingNode.insideEdge }
    return Set(inner.map(\.id)).count == inner.count
  }

  /// How much of the shorter of two routes is in the other one as well, 0…1 of its length.
  func sharedShare(with other: WeighedRoute) -> Double {
    var lengths: [Int64: Double] = [:]
    for edge in other.route.edges { lengths[edge.id, default: 0] += edge.distance }
    let shared = route.edges.reduce(0) { $0 + min($1.distance, lengths[$1.id] ?? 0) }
    let shorter = min(route.totalDistance, other.route.totalDistance)
    return shorter > 0 ? shared / shorter : 1
  }

  /// The middle half of a stretch, by its cost, between two of its nodes.
  func middle(of places: Range<Int>) -> Range<Int> {
    let (start, whole) = (costs[places.lowerBound], cost(places))
    var (from, to) = (places.lowerBound, places.upperBound)
    while from < to, costs[from] < start + whole / 4 { from += 1 }
    while to > from, costs[to] > start + whole * 3 / 4 { to -= 1 }
    return from..<to
  }

  /// The same route with those detours from the best one put back to it that are too small or too
  /// long, and where the others lie among its nodes. Nil if it does not follow the direction of the
  /// best one.
  func folded(onto best: WeighedRoute, _ mode: RoutingMode) -> (WeighedRoute, [Range<Int>])? {
    var places: [Int64: Int] = [:]
    for (place, node) in best.route.nodes.enumerated() where node.id != RoutingNode.insideEdge {
      places[node.id] = place
    }
    let (last, bestLast) = (route.nodes.count - 1, best.route.nodes.count - 1)
    var folded = WeighedParts(at: route.nodes[0])
    var detours: [Range<Int>] = []
    var (here, bestHere) = (0, 0)
    for next in 1..<max(route.nodes.count, 1) {
      let known = next == last ? bestLast : places[route.nodes[next].id]
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

    mutating func add(_ route: WeighedRoute, _ places: Range<Int>) {
      let before = costs[costs.count - 1] - route.costs[places.lowerBound]
      nodes += route.route.nodes[places.lowerBound + 1...places.upperBound]
      edges += route.route.edges[places]
      costs += route.costs[places.lowerBound + 1...places.upperBound].map { before + $0 }
    }
  }
}
