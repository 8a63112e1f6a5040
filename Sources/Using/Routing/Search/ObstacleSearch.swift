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
    var obstacle: RouteObstacle?
  }

  /// The best path to a node that is known so far.
  private struct Label {
    var metres = 0.0
    var parent: Int32 = -1
    var obstacle: RouteObstacle?
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
      labels[Int(index)] = Label(metres: metres, parent: parent, obstacle: step.obstacle)
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
          if let obstacle = labels[Int(next)].obstacle, found.last != obstacle {
            found.append(obstacle)
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

  private func closure(of edge: RoutingEdge) throws(RoutingError) -> RouteObstacle {
    guard let hazard = try hazard(closing: edge) else { return .closedWay(edge.osmWayID, mode) }
    return .dangerousWay(edge.osmWayID, mode, hazard: hazard)
  }

  /// The hazard that closes an edge, such as `no bridge any more (bridge=collapsed)`.
  private func hazard(closing edge: RoutingEdge) throws(RoutingError) -> String? {
    try view.hazards(ofEdges: [edge], mode: mode).first?.hazards.closing.map {
      "\($0.text) (\($0.tag))"
    }
  }

  private func steps(from node: Int64, _ isBackward: Bool) throws(RoutingError) -> [Step] {
    var steps: [Step] = []
    var barriers: Set<Int64> = []
    var timedBarriers: [Int64: String] = [:]
    let edges = try view.allEdges(at: node).sorted {
      ($0.id, $0.isReversed ? 1 : 0) < ($1.id, $1.isReversed ? 1 : 0)
    }
    for edge in edges {
      let back = edge.isOneway && !edge.isReversed ? .infinity : edge.reverseCost
      let (cost, other) = isBackward ? (back, edge.cost) : (edge.cost, back)
      if edge.isBarrier {
        // A closed one is found among the copies.
        if cost.isFinite, !refused.contains(edge.id) {
          barriers.insert(edge.toNode)
          steps.append(Step(node: edge.toNode, metres: 0))
        } else {
          timedBarriers[edge.toNode] = try hazard(closing: edge)
        }
        continue
      }
      var obstacle: RouteObstacle?
      if refused.contains(edge.id) {
        obstacle = try closure(of: edge)
      } else if !cost.isFinite {
        obstacle = other.isFinite ? .otherDirection(edge.osmWayID, mode) : try closure(of: edge)
      }
      let metres = edge.distance + (obstacle == nil ? 0 : Self.obstacleMetres)
      steps.append(Step(node: edge.toNode, metres: metres, obstacle: obstacle))
    }
    for copy in try view.copies(ofNode: node) where !barriers.contains(copy) {
      let kind = try view.barrierKind(ofNode: node)
      let place = RoutingNode.openStreetMapID(node)
      let obstacle: RouteObstacle =
        if let hazard = timedBarriers[copy] {
          .timedBarrier(kind: kind, node: place, hazard: hazard)
        } else { .barrier(kind: kind, node: place) }
      steps.append(Step(node: copy, metres: Self.obstacleMetres, obstacle: obstacle))
    }
    return steps
  }
}
