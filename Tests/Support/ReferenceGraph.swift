// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

/// The costs between points of a database by plain Dijkstra over all of its edges: slow, and
/// plainly right.
package struct ReferenceGraph {
  private var indices: [Int64: Int] = [:]
  private var arcs: [[(node: Int, cost: Double)]] = []
  private var factors: [Int64: Double] = [:]
  private var spreads: [Int64: EdgeSpread] = [:]

  /// Reads all edges with the costs of a profile.
  ///
  /// - Parameter factor: What the cost of an edge is multiplied by.
  package init(
    _ store: RoutingStore, profile: String?, factor: (EdgeTraits) -> Double = { _ in 1 }
  ) throws {
    let definition = try store.profiles().first { $0.name == profile }?.definition
    let formula = definition.map { ProfileFormula(definition: $0) } ?? .unknown
    for edge in try store.getEdgesInBoundingBox(.world, profile: profile) {
      spreads[edge.id] = formula.costSpread(edge, try store.elevationProfile(ofEdge: edge.id))
      let weight = factor(try store.traits(ofEdge: edge.id))
      factors[edge.id] = weight
      let (from, to) = (number(edge.fromNode), number(edge.toNode))
      if edge.cost.isFinite { arcs[from].append((to, edge.cost * weight)) }
      let isOneway = profile == nil && edge.isOneway
      if edge.reverseCost.isFinite, !isOneway {
        arcs[to].append((from, edge.reverseCost * weight))
      }
    }
  }

  private mutating func number(_ id: Int64) -> Int {
    if let known = indices[id] { return known }
    indices[id] = arcs.count
    arcs.append([])
    return arcs.count - 1
  }

  /// The least cost between two snapped points; nil if there is no route.
  package func cost(from start: EdgePoint, to goal: EdgePoint) -> Double? {
    let startFactor = factors[start.edge] ?? 1
    let goalFactor = factors[goal.edge] ?? 1
    var best = Double.infinity
    if start.edge == goal.edge {
      best = startFactor * part(of: start, from: start.share, to: goal.share)
    }
    var costs = [Double](repeating: .infinity, count: arcs.count)
    var queue: [(cost: Double, node: Int)] = []
    func reach(_ node: Int?, _ cost: Double) {
      guard let node, cost < costs[node] else { return }
      costs[node] = cost
      push(&queue, (cost, node))
    }
    // At a node one is there for nothing, whichever way the edge leads.
    let back = startFactor * part(of: start, from: start.share, to: 0)
    let ahead = startFactor * part(of: start, from: start.share, to: 1)
    if start.share < 1 { reach(indices[start.fromNode], back) }
    if start.share > 0 { reach(indices[start.toNode], ahead) }
    while let (cost, node) = pop(&queue) {
      guard cost == costs[node] else { continue }
      for arc in arcs[node] { reach(arc.node, cost + arc.cost) }
    }
    func arrive(_ id: Int64, _ rest: Double) {
      if let node = indices[id] { best = min(best, costs[node] + rest) }
    }
    if goal.share < 1 {
      arrive(goal.fromNode, goalFactor * part(of: goal, from: 0, to: goal.share))
    }
    if goal.share > 0 {
      arrive(goal.toNode, goalFactor * part(of: goal, from: 1, to: goal.share))
    }
    return best.isFinite ? best : nil
  }

  /// The cost of a part of an edge.
  private func part(of stop: EdgePoint, from start: Double, to end: Double) -> Double {
    guard start != end else { return 0 }
    let share = (spreads[stop.edge] ?? .even).share(from: start, to: end)
    return (end > start ? stop.cost : stop.reverseCost) * share
  }

  private func push(_ queue: inout [(cost: Double, node: Int)], _ entry: (cost: Double, node: Int))
  {
    queue.append(entry)
    var index = queue.count - 1
    while index > 0, queue[index].cost < queue[(index - 1) / 2].cost {
      queue.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private func pop(_ queue: inout [(cost: Double, node: Int)]) -> (cost: Double, node: Int)? {
    guard !queue.isEmpty else { return nil }
    queue.swapAt(0, queue.count - 1)
    let least = queue.removeLast()
    var index = 0
    while 2 * index + 1 < queue.count {
      var child = 2 * index + 1
      if child + 1 < queue.count, queue[child + 1].cost < queue[child].cost { child += 1 }
      guard queue[child].cost < queue[index].cost else { break }
      queue.swapAt(child, index)
      index = child
    }
    return least
  }
}
