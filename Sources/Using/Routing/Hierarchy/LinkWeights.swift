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

  /// A stop of a matrix, and how cost and value accumulate along its edge.
  struct Stop {
    var point: EdgePoint
    var edge: Int
    var costs: EdgeSpread
    var values: EdgeSpread
  }

  /// Prepares a stop; nil if its edge is not one of the graph's. Where an elevation profile is
  /// damaged, parts of edges are in proportion to the length.
  func stop(at point: EdgePoint) -> Stop? {
    guard let edge = graph.network.index(ofEdge: point.edge) else { return nil }
    var stop = Stop(point: point, edge: edge, costs: .even, values: .even)
    if point.node == nil {
      stop.costs = (try? graph.costSpread(ofEdge: point.edge, mode: mode)) ?? .even
      switch measure {
      case .cost: stop.values = stop.costs
      case .seconds: stop.values = (try? graph.timeSpread(ofEdge: point.edge, mode: mode)) ?? .even
      case .metres: break
      }
    }
    return stop
  }

  /// The ends of a stop's edge that can be reached from the stop, or for a goal those from which it
  /// can be reached; a stop at a node has that node alone.
  func ends(of stop: Stop, isGoal: Bool) -> [End] {
    let edge = graph.network.edges[stop.edge]
    let share = stop.point.share
    if stop.point.node != nil {
      return [End(node: share <= 0 ? edge.from : edge.to, cost: 0, value: 0)]
    }
    return [(edge.from, 0.0), (edge.to, 1.0)].compactMap { node, end in
      let part =
        isGoal ? part(of: stop, from: end, to: share) : part(of: stop, from: share, to: end)
      return part.map { End(node: node, cost: $0.cost, value: $0.value) }
    }
  }

  /// The cost and the value of going from one position on the edge of a stop to another, both as
  /// shares of its length in the direction of the row; nil where it is closed.
  private func part(of stop: Stop, from start: Double, to end: Double)
    -> (cost: Double, value: Double)?
  {
    let isReversed = end < start
    let cost = isReversed ? graph.reverseCosts[stop.edge] : graph.costs[stop.edge]
    guard cost.isFinite else { return nil }
    let value = graph.value(measure, of: stop.edge, isReversed: isReversed, mode: mode)
    return (
      cost * stop.costs.share(from: start, to: end),
      value * stop.values.share(from: start, to: end)
    )
  }

  /// The cost and the value of staying on the edge that both stops lie on; nil where there is none.
  func direct(from start: Stop, to goal: Stop) -> (cost: Double, value: Double)? {
    guard start.edge == goal.edge else { return nil }
    guard start.point.share != goal.point.share else { return (0, 0) }
    // A stop at a node has no spreads.
    let stop = start.point.node == nil ? start : goal
    return part(of: stop, from: start.point.share, to: goal.point.share)
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
