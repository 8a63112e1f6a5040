// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// A* straight on the database, with the nodes that it has seen kept in memory.
struct AStarSearch {
  let store: RoutingStore
  let profile: String?
  let allowsSteps: Bool
  /// Edges that must not be used.
  let avoidedEdges: Set<Int64>
  let minimumCostPerMetre: Double
  private var nodes: [Int64: RoutingNode] = [:]

  init(
    store: RoutingStore, profile: String?, allowsSteps: Bool, avoidedEdges: Set<Int64> = [],
    minimumCostPerMetre: Double
  ) {
    self.store = store
    self.profile = profile
    self.allowsSteps = allowsSteps
    self.avoidedEdges = avoidedEdges
    self.minimumCostPerMetre = minimumCostPerMetre
  }

  /// An edge in the direction of travel and the node that it leads to.
  struct Step {
    var edge: RoutingEdge
    var node: RoutingNode
  }

  /// A node of the open set. Ties are broken by id, so that the order is the same everywhere.
  private struct Candidate: Comparable {
    var estimate: Double
    var node: Int64
    var cost: Double

    static func < (left: Candidate, right: Candidate) -> Bool {
      (left.estimate, left.node) < (right.estimate, right.node)
    }
  }

  private struct Arrival {
    var cost: Double
    var from: Int64
    var edge: SearchEdge?
    var isSettled = false
  }

  /// The cheapest chain of edges between two nodes; empty where they are the same.
  mutating func path(from start: RoutingNode, to goal: RoutingNode) throws(RoutingError) -> [Step] {
    nodes[start.id] = start
    nodes[goal.id] = goal
    var arrivals = [start.id: Arrival(cost: 0, from: start.id, edge: nil)]
    var open = BinaryMinHeap<Candidate>()
    var closest = Double.infinity
    var settledCount = 0
    open.insert(Candidate(estimate: 0, node: start.id, cost: 0))
    while let candidate = open.popMinimum() {
      guard let arrival = arrivals[candidate.node], !arrival.isSettled,
        arrival.cost == candidate.cost
      else { continue }
      arrivals[candidate.node]?.isSettled = true
      settledCount += 1
      if candidate.node == goal.id { return try steps(to: goal.id, arrivals) }
      closest = min(closest, try distance(candidate.node, to: goal))
      for edge in try store.searchEdges(from: candidate.node, profile: profile) {
        if edge.isSteps && !allowsSteps { continue }
        if !avoidedEdges.isEmpty, avoidedEdges.contains(edge.id) { continue }
        let cost = candidate.cost + edge.cost
        // A settled node is done: with a true bound nothing better can come, and with a false one
        // going back could take for ever.
        if let known = arrivals[edge.node], known.isSettled || known.cost <= cost { continue }
        arrivals[edge.node] = Arrival(cost: cost, from: candidate.node, edge: edge)
        let rest = try distance(edge.node, to: goal) * minimumCostPerMetre
        open.insert(Candidate(estimate: cost + rest, node: edge.node, cost: cost))
      }
    }
    throw .noRouteFound(exploredNodes: settledCount, closestApproachMetres: closest)
  }

  private mutating func node(_ id: Int64) throws(RoutingError) -> RoutingNode {
    if let known = nodes[id] { return known }
    guard let node = try store.getNode(id) else {
      throw .databaseCorrupted("an edge leads to node \(id), which is missing")
    }
    nodes[id] = node
    return node
  }

  private mutating func distance(_ id: Int64, to goal: RoutingNode) throws(RoutingError) -> Double {
    haversineDistance(try node(id).coordinate, goal.coordinate)
  }

  private mutating func steps(to goal: Int64, _ arrivals: [Int64: Arrival]) throws(RoutingError)
    -> [Step]
  {
    var steps: [Step] = []
    var place = goal
    while let arrival = arrivals[place], let edge = arrival.edge {
      guard let row = try store.getEdge(edge.id, profile: profile) else {
        throw .databaseCorrupted("edge \(edge.id) is missing")
      }
      steps.append(Step(edge: edge.isReversed ? row.reversed() : row, node: try node(place)))
      place = arrival.from
    }
    return steps.reversed()
  }
}
