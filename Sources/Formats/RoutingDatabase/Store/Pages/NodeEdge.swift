// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// An edge at a node in the direction away from it, for a search that also goes over closed edges.
package struct NodeEdge: Sendable {
  /// Its id.
  package var id: Int64
  /// Whether that is the direction against the row.
  package var isReversed: Bool
  /// The node that it leads to.
  package var toNode: Int64
  /// Its length in metres.
  package var distance: Double
  /// The cost in this direction; infinite if it is impassable.
  package var cost: Double
  /// The cost in the other direction; infinite if that is impassable.
  package var reverseCost: Double
  /// The OpenStreetMap id of its way.
  package var osmWayID: Int64?
  /// Whether it represents a barrier.
  package var isBarrier: Bool

  /// Describes an edge in the direction of its row by the costs of both directions.
  package init(
    id: Int64, toNode: Int64, distance: Double, costs: (ahead: Double, back: Double),
    osmWayID: Int64?, isBarrier: Bool
  ) {
    (self.id, isReversed, self.toNode, self.distance) = (id, false, toNode, distance)
    (cost, reverseCost) = costs
    (self.osmWayID, self.isBarrier) = (osmWayID, isBarrier)
  }

  /// The same edge in the other direction, to the node that it leads from.
  package func reversed(toNode node: Int64) -> NodeEdge {
    var edge = self
    (edge.isReversed, edge.toNode) = (!isReversed, node)
    (edge.cost, edge.reverseCost) = (reverseCost, cost)
    return edge
  }

  /// One of ``RoutingStore/allEdges(at:profile:)``.
  fileprivate init(_ edge: RoutingEdge) {
    (id, isReversed, toNode) = (edge.id, edge.isReversed, edge.toNode)
    (distance, cost) = (edge.distance, edge.cost)
    reverseCost = edge.isOneway && !edge.isReversed ? .infinity : edge.reverseCost
    (osmWayID, isBarrier) = (edge.osmWayID, edge.isBarrier)
  }
}

extension RoutingStore {
  /// The edges of ``allEdges(at:profile:)``, in the same order.
  package func nodeEdges(at node: Int64, profile: String?) throws(RoutingError) -> [NodeEdge] {
    if joined == nil {
      let edges = try read(profile: profile) { database throws(CairnError) in
        try database.nodeEdgesOfPages(at: node, try database.source(ofProfile: profile))
      }
      if let edges { return edges }
    }
    return try allEdges(at: node, profile: profile).map { NodeEdge($0) }
  }
}

extension OpenDatabase {
  /// The edges at a node, read from pages; nil if SQLite has to read them.
  fileprivate func nodeEdgesOfPages(at node: Int64, _ source: CostSource) throws(CairnError)
    -> [NodeEdge]?
  {
    guard let pages else { return nil }
    var edges: [NodeEdge] = []
    for isReversed in [false, true] {
      guard let rows = pages.edges(at: node, isReversed: isReversed) else { return nil }
      for row in rows {
        guard let costs = try costs(source, ofEdge: row.id, row.costs) else { continue }
        let edge = NodeEdge(
          id: row.id, toNode: row.toNode, distance: row.distance,
          costs: (costs.ahead, costs.isOneway ? .infinity : costs.back), osmWayID: row.osmWayID,
          isBarrier: row.distance == 0 && row.fromNode != row.toNode)
        edges.append(isReversed ? edge.reversed(toNode: row.fromNode) : edge)
      }
    }
    return edges
  }
}
