// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// The arcs of a hierarchy and the pieces of edges at stops, by one measure.
struct LinkWeights: Sendable {
  /// The value of each arc that leads up.
  let leaving: [Double]
  /// The value of each downward arc.
  let arriving: [Double]
  private let graph: ProfileGraph
  private let measure: RouteMeasure
  private let mode: RoutingMode

  init(_ hierarchy: ContractionHierarchy, _ measure: RouteMeasure, mode: RoutingMode) {
    let graph = hierarchy.graph
    (self.graph, self.measure, self.mode) = (graph, measure, mode)
    guard measure != .cost else {
      leaving = hierarchy.leaving.arcs.map(\.cost)
      arriving = hierarchy.arriving.arcs.map(\.cost)
      return
    }
    var shortcuts: [Double] = []
    shortcuts.reserveCapacity(hierarchy.shortcuts.count)
    func value(_ link: ContractionHierarchy.Link) -> Double {
      // A shortcut is made of earlier ones.
      if let shortcut = link.shortcut { return shortcuts[shortcut] }
      return graph.value(measure, of: link.edge, isReversed: link.isReversed, mode: mode)
    }
    for shortcut in hierarchy.shortcuts {
      shortcuts.append(value(shortcut.first) + value(shortcut.second))
    }
    leaving = hierarchy.leaving.arcs.map { value($0.link) }
    arriving = hierarchy.arriving.arcs.map { value($0.link) }
  }

  /// The node at an end of a stop's edge, and the cost and the value of the piece to it, or from
  /// it.
  struct End {
    var node: Int32
    var cost: Double
    var value: Double
  }

  /// The ends of a stop's edge reachable from the stop, or, for a goal, those from which it is
  /// reachable; a stop at a node has only that node.
  func ends(of stop: EdgePoint, isGoal: Bool) throws(RoutingError) -> [End] {
    guard let edge = graph.network.index(ofEdge: stop.edge) else { return [] }
    let (from, to) = (graph.network.edges[edge].from, graph.network.edges[edge].to)
    if stop.node != nil { return [End(node: stop.share <= 0 ? from : to, cost: 0, value: 0)] }
    let spreads = try spreads(stop)
    return [(from, 0.0), (to, 1.0)].compactMap { node, end in
      let part = part(
        of: edge, from: isGoal ? end : stop.share, to: isGoal ? stop.share : end, spreads)
      return part.map { End(node: node, cost: $0.cost, value: $0.value) }
    }
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
    let value = graph.value(measure, of: edge, isReversed: isReversed, mode: mode)
    return (
      cost * spreads.costs.share(from: start, to: end),
      value * spreads.values.share(from: start, to: end)
    )
  }

  /// The cost and the value of staying on the edge of both stops; nil if there is none.
  func direct(from start: EdgePoint, to goal: EdgePoint) throws(RoutingError) -> (
    cost: Double, value: Double
  )? {
    guard start.edge == goal.edge, let edge = graph.network.index(ofEdge: start.edge) else {
      return nil
    }
    guard goal.share != start.share else { return (0, 0) }
    return part(
      of: edge, from: start.share, to: goal.share, try spreads(start))
  }
}

extension ProfileGraph {
  /// The value of an edge in one direction.
  fileprivate func value(
    _ measure: RouteMeasure, of index: Int, isReversed: Bool, mode: RoutingMode
  ) -> Double {
    switch measure {
    case .cost: isReversed ? reverseCosts[index] : costs[index]
    case .seconds: seconds(index, isReversed: isReversed, mode: mode)
    case .metres: network.edges[index].distance
    }
  }
}
