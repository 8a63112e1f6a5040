// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// The arcs of a hierarchy and the pieces of edges at stops, by one measure.
struct LinkWeights: Sendable {
  /// The value of each arc that leads up.
  let leaving: [Double]
  /// The value of each arc that comes down.
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
      // A shortcut is made of those before it.
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

  /// The ends of a stop's edge that can be reached from the stop, or for a goal those from which it
  /// can be reached; a stop at a node has that node alone.
  func ends(of stop: EdgePoint, isGoal: Bool) -> [End] {
    guard let edge = graph.network.index(ofEdge: stop.edge) else { return [] }
    let (from, to) = (graph.network.edges[edge].from, graph.network.edges[edge].to)
    if stop.node != nil { return [End(node: stop.share <= 0 ? from : to, cost: 0, value: 0)] }
    // Towards the start of the row one travels against it, but to a goal from there along it.
    return [
      end(from, edge, share: stop.share, isReversed: !isGoal),
      end(to, edge, share: 1 - stop.share, isReversed: isGoal),
    ].compactMap { $0 }
  }

  private func end(_ node: Int32, _ edge: Int, share: Double, isReversed: Bool) -> End? {
    let part = self.part(of: edge, share: share, isReversed: isReversed)
    return part.map { End(node: node, cost: $0.cost, value: $0.value) }
  }

  /// The cost and the value of a part of an edge; nil where it is closed.
  private func part(of edge: Int, share: Double, isReversed: Bool) -> (cost: Double, value: Double)?
  {
    let cost = share * (isReversed ? graph.reverseCosts[edge] : graph.costs[edge])
    guard cost.isFinite else { return nil }
    return (cost, share * graph.value(measure, of: edge, isReversed: isReversed, mode: mode))
  }

  /// The cost and the value of staying on the edge that both stops lie on; nil where there is none.
  func direct(from start: EdgePoint, to goal: EdgePoint) -> (cost: Double, value: Double)? {
    guard start.edge == goal.edge, let edge = graph.network.index(ofEdge: start.edge) else {
      return nil
    }
    let share = goal.share - start.share
    guard share != 0 else { return (0, 0) }
    return part(of: edge, share: abs(share), isReversed: share < 0)
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
