// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// The pieces of edges between stops and nodes, by cost and by one measure.
struct StopPieces: Sendable {
  let graph: ProfileGraph
  let measure: RouteMeasure
  let mode: RoutingMode

  /// The node at an end of a stop's edge, and the cost and the value of the piece to it, or from
  /// it.
  struct End {
    var node: Int32
    /// With the penalty of the stop's candidate.
    var cost: Double
    var value: Double
    /// How far the candidate lies from the stop's point.
    var metres: Double

    var ofSearch: SearchSpace.End { SearchSpace.End(node: node, cost: cost) }
  }

  /// The cost and the value of staying on the edge of both stops.
  struct Direct {
    /// With the penalties of both candidates.
    var cost: Double
    var value: Double
    /// How far the start's candidate lies from its point.
    var startMetres: Double
  }

  /// The ends of the edges of all candidates, reachable from the stop, or, for a goal, those from
  /// which it is reachable.
  func ends(of stop: RouteStop, isGoal: Bool) throws(RoutingError) -> [End] {
    var ends: [End] = []
    for (index, candidate) in stop.candidates.enumerated() {
      for var end in try self.ends(of: candidate.point, isGoal: isGoal) {
        end.cost += stop.penalty(index)
        ends.append(end)
      }
    }
    return ends
  }

  /// A stop at a node has only that node.
  private func ends(of stop: EdgePoint, isGoal: Bool) throws(RoutingError) -> [End] {
    guard let edge = graph.network.index(ofEdge: stop.edge) else { return [] }
    let (from, to) = (graph.network.edges[edge].from, graph.network.edges[edge].to)
    let metres = stop.distanceMetres
    if stop.node != nil {
      return [End(node: stop.share <= 0 ? from : to, cost: 0, value: 0, metres: metres)]
    }
    let spreads = try spreads(stop)
    return [(from, 0.0), (to, 1.0)].compactMap { node, end in
      let part = part(
        of: edge, from: isGoal ? end : stop.share, to: isGoal ? stop.share : end, spreads)
      return part.map { End(node: node, cost: $0.cost, value: $0.value, metres: metres) }
    }
  }

  /// The cheapest way of staying on an edge that both stops lie on; nil if there is none.
  func direct(from start: RouteStop, to goal: RouteStop) throws(RoutingError) -> Direct? {
    var best: Direct?
    for (one, from) in start.candidates.enumerated() {
      for (other, to) in goal.candidates.enumerated() where from.point.edge == to.point.edge {
        guard let part = try part(from: from.point, to: to.point) else { continue }
        let cost = part.cost + start.penalty(one) + goal.penalty(other)
        guard cost < best?.cost ?? .infinity else { continue }
        best = Direct(cost: cost, value: part.value, startMetres: from.point.distanceMetres)
      }
    }
    return best
  }

  /// The cost and the value of going along the edge of two stops; nil if it is closed.
  private func part(from start: EdgePoint, to goal: EdgePoint) throws(RoutingError) -> (
    cost: Double, value: Double
  )? {
    guard let edge = graph.network.index(ofEdge: start.edge) else { return nil }
    guard goal.share != start.share else { return (0, 0) }
    return part(of: edge, from: start.share, to: goal.share, try spreads(start))
  }

  /// The accumulation of cost and value along the edge of a stop.
  private func spreads(_ stop: EdgePoint) throws(RoutingError) -> (
    costs: EdgeSpread, values: EdgeSpread
  ) {
    let costs = try graph.costSpread(ofEdge: stop.edge)
    switch measure {
    case .cost: return (costs, costs)
    case .seconds: return (costs, try graph.timeSpread(ofEdge: stop.edge, mode: mode))
    case .metres: return (costs, .even)
    }
  }

  /// The cost and the value of going from one position on an edge to another, both as shares of its
  /// length in the direction of the row; nil if it is closed.
  private func part(
    of edge: Int, from start: Double, to end: Double,
    _ spreads: (costs: EdgeSpread, values: EdgeSpread)
  ) -> (cost: Double, value: Double)? {
    let isReversed = end < start
    let cost = isReversed ? graph.reverseCosts[edge] : graph.costs[edge]
    guard cost.isFinite else { return nil }
    return (
      cost * spreads.costs.share(from: start, to: end),
      value(of: edge, isReversed: isReversed) * spreads.values.share(from: start, to: end)
    )
  }

  /// The value of an edge in one direction, by its index.
  func value(of edge: Int, isReversed: Bool) -> Double {
    switch measure {
    case .cost: isReversed ? graph.reverseCosts[edge] : graph.costs[edge]
    case .seconds: graph.seconds(edge, isReversed: isReversed, mode: mode)
    case .metres: graph.network.edges[edge].distance
    }
  }

  /// The value of an edge in one direction, by its id.
  func value(ofEdge id: Int64, isReversed: Bool) -> Double {
    graph.network.index(ofEdge: id).map { value(of: $0, isReversed: isReversed) } ?? 0
  }
}
