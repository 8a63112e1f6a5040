// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Finds out what stands between two parts of a network: a search that goes through closed ways and
/// barriers, too, where it must. It looks at the surroundings of one point only.
struct ObstacleSearch<View: RoutingView> {
  /// More nodes than this are not looked at.
  private static var mostNodes: Int { 2000 }
  /// What passing an obstacle costs, in metres: no way round is longer that one would call near.
  private static var obstacleMetres: Double { 1000 }

  let view: View
  let mode: RoutingMode
  /// Edges that are open at some time, and were not when one came to them.
  var refused: Set<Int64> = []

  /// A step from one node to another one.
  private struct Step {
    var node: Int64
    var metres: Double
    var hindrance: Hindrance?
  }

  /// What stands on a step. Only that on the way which is found is named.
  private enum Hindrance {
    case closed(NodeEdge)
    case otherDirection(way: Int64?)
    /// A barrier at a node, with the edge through it if there is one.
    case barrier(node: Int64, edge: NodeEdge?)
  }

  /// The best path to a node that is known so far.
  private struct Label {
    var metres = 0.0
    var parent: Int32 = -1
    var hindrance: Hindrance?
    var isSettled = false
  }

  /// The obstacles on the way between an edge and the nearest node with a property, in the direction
  /// of travel; nil where there is none near.
  ///
  /// - Parameter isBackward: Whether one travels from there to the edge.
  func obstacles(
    around point: EdgePoint, isBackward: Bool,
    until isFound: (Int64) throws(RoutingError) -> Bool
  ) throws(RoutingError) -> [RouteObstacle]? {
    var ids: [Int64] = []
    var labels: [Label] = []
    var indices: [Int64: Int32] = [:]
    var open = NodeQueue()
    func reach(_ step: Step, from parent: Int32, at metres: Double) {
      let index = indices[step.node] ?? Int32(ids.count)
      if index == ids.count {
        indices[step.node] = index
        ids.append(step.node)
        labels.append(Label(metres: .infinity))
      }
      guard metres < labels[Int(index)].metres else { return }
      labels[Int(index)] = Label(metres: metres, parent: parent, hindrance: step.hindrance)
      open.insert(metres, index)
    }
    for node in ends(of: point, isBackward) { reach(Step(node: node, metres: 0), from: -1, at: 0) }
    var settled = 0
    while let (metres, index) = open.popMinimum(), settled < Self.mostNodes {
      if labels[Int(index)].isSettled { continue }
      labels[Int(index)].isSettled = true
      try Cancellation.check(settled: settled)
      settled += 1
      if try isFound(ids[Int(index)]) {
        var found: [RouteObstacle] = []
        var next = index
        while next >= 0 {
          if let hindrance = labels[Int(next)].hindrance {
            let obstacle = try obstacle(hindrance)
            if found.last != obstacle { found.append(obstacle) }
          }
          next = labels[Int(next)].parent
        }
        return isBackward ? found : found.reversed()
      }
      for step in try steps(from: ids[Int(index)], isBackward) {
        reach(step, from: index, at: metres + step.metres)
      }
    }
    return nil
  }

  /// The nodes by which one comes from an edge to a point on it or, backward, from the point.
  private func ends(of point: EdgePoint, _ isBackward: Bool) -> [Int64] {
    if let node = point.node { return [node] }
    let (toFrom, toTo) =
      isBackward ? (point.cost, point.reverseCost) : (point.reverseCost, point.cost)
    return (toFrom.isFinite ? [point.fromNode] : []) + (toTo.isFinite ? [point.toNode] : [])
  }

  private func obstacle(_ hindrance: Hindrance) throws(RoutingError) -> RouteObstacle {
    switch hindrance {
    case .closed(let edge):
      guard let hazard = try hazard(closing: edge) else { return .closedWay(edge.osmWayID, mode) }
      return .dangerousWay(edge.osmWayID, mode, hazard: hazard)
    case .otherDirection(let way): return .otherDirection(way, mode)
    case .barrier(let node, let edge):
      let kind = try view.barrierKind(ofNode: node)
      let place = RoutingNode.openStreetMapID(node)
      guard let edge, let hazard = try hazard(closing: edge) else {
        return .barrier(kind: kind, node: place)
      }
      return .timedBarrier(kind: kind, node: place, hazard: hazard)
    }
  }

  /// The hazard that closes an edge, such as `no bridge any more (bridge=collapsed)`.
  private func hazard(closing edge: NodeEdge) throws(RoutingError) -> String? {
    let row = try view.edge(edge.id)
    return try view.hazards(ofEdges: [row], mode: mode).first?.hazards.closing.map {
      "\($0.text) (\($0.tag))"
    }
  }

  private func steps(from node: Int64, _ isBackward: Bool) throws(RoutingError) -> [Step] {
    var steps: [Step] = []
    var barriers: Set<Int64> = []
    var closedBarriers: [Int64: NodeEdge] = [:]
    let edges = try view.nodeEdges(at: node).sorted {
      ($0.id, $0.isReversed ? 1 : 0) < ($1.id, $1.isReversed ? 1 : 0)
    }
    for edge in edges {
      let (cost, other) =
        isBackward ? (edge.reverseCost, edge.cost) : (edge.cost, edge.reverseCost)
      if edge.isBarrier {
        // A closed one is found among the copies.
        if cost.isFinite, !refused.contains(edge.id) {
          barriers.insert(edge.toNode)
          steps.append(Step(node: edge.toNode, metres: 0))
        } else {
          closedBarriers[edge.toNode] = edge
        }
        continue
      }
      var hindrance: Hindrance?
      if refused.contains(edge.id) || cost.isInfinite && other.isInfinite {
        hindrance = .closed(edge)
      } else if cost.isInfinite {
        hindrance = .otherDirection(way: edge.osmWayID)
      }
      let metres = edge.distance + (hindrance == nil ? 0 : Self.obstacleMetres)
      steps.append(Step(node: edge.toNode, metres: metres, hindrance: hindrance))
    }
    for copy in try view.copies(ofNode: node) where !barriers.contains(copy) {
      steps.append(
        Step(
          node: copy, metres: Self.obstacleMetres,
          hindrance: .barrier(node: node, edge: closedBarriers[copy])))
    }
    return steps
  }
}
