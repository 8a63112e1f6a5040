// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A node at which a leg of a found route begins or ends in the network.
struct RouteEnd {
  /// The part of an edge between a node and a stop.
  struct Passage {
    /// The row of the edge.
    var row: RoutingEdge
    /// Whether one goes against the direction of the row.
    var isReversed: Bool
    /// The share of the edge, 0…1.
    var share: Double
  }

  var node: Int64
  /// What lies between it and the stop; nil if it is the stop.
  var passage: Passage?
}

extension RoutingView {
  /// The nodes around a stop of a route, given by its index: the stop itself, or those at the ends of
  /// the edge that it lies on.
  func ends(of route: ComputedRoute, at stop: Int, isStart: Bool) throws(RoutingError) -> [RouteEnd]
  {
    let node = route.nodes[stop]
    guard node.id == RoutingNode.insideEdge else { return [RouteEnd(node: node.id)] }
    let edge = route.edges[isStart ? stop : stop - 1]
    let along = isStart ? edge.part?.start ?? 0 : edge.part?.end ?? 1
    let share = edge.isReversed ? 1 - along : along
    let row = try self.edge(edge.id)
    // From the stop to the end of the row one goes ahead, and to the stop from there back.
    return [
      RouteEnd(
        node: row.toNode, passage: .init(row: row, isReversed: !isStart, share: 1 - share)),
      RouteEnd(node: row.fromNode, passage: .init(row: row, isReversed: isStart, share: share)),
    ]
  }
}

extension ComputedRoute {
  /// The indices of the edges of each leg from one stop to the next; its stops are the nodes with the
  /// indices of its bounds. Empty legs are left out.
  var legs: [Range<Int>] {
    let stops = [0] + viaNodes + [nodes.count - 1]
    return zip(stops, stops.dropFirst()).compactMap { $0 < $1 ? $0..<$1 : nil }
  }

  /// No way through its stops is shorter; infinite for a route without edges.
  var straightMetres: Double {
    guard nodes.count > 1 else { return .infinity }
    return legs.reduce(0) {
      $0 + haversineDistance(nodes[$1.lowerBound].coordinate, nodes[$1.upperBound].coordinate)
    }
  }
}
