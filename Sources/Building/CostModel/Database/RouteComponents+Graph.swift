// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import TrailData

extension RouteComponents {
  /// Finds the components of a graph by the costs of a profile.
  ///
  /// - Parameter folding: Which nodes are merged; edges that it leaves out must be closed.
  init(
    _ graph: GraphFile, _ costs: EdgeCosts, _ folding: BarrierFolding = BarrierFolding(),
    islandMetres: Double
  ) {
    self.init(
      nodes: graph.nodeIDs.count, edges: costs.cost.count, islandMetres: islandMetres
    ) { edge in
      Edge(
        from: folding.node(graph.from[edge]), to: folding.node(graph.to[edge]),
        metres: graph.distances[edge], isPassableAhead: costs.cost[edge] < .infinity,
        isPassableBack: costs.reverseCost[edge] < .infinity)
    }
  }
}

extension EdgeCosts {
  /// Whether an edge is passable in any direction.
  func isPassable(_ edge: Int) -> Bool {
    cost[edge] < .infinity || reverseCost[edge] < .infinity
  }
}
