// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The components of a graph: within one, a profile leads from every node to every other one.
///
/// A node that no passable edge touches belongs to none. One that can be left but not reached
/// again, such as the end of a one-way street at the region's border, is a component of its own.
package struct RouteComponents: Equatable, Sendable {
  /// One component.
  package struct Component: Equatable, Sendable {
    /// Its nodes.
    package var nodes = 0
    /// The passable edges between two of them.
    package var edges = 0
    /// The length of these edges in metres.
    package var metres = 0.0
    /// Whether it is an island: not the first component, and shorter than the threshold.
    package var isIsland = false
  }

  /// The default length in metres below which a component is an island.
  package static let defaultIslandMetres = 10_000.0

  /// The components: longest first, then those with most nodes, then by their first node.
  package private(set) var components: [Component] = []
  /// The nodes that belong to islands, ascending, as indices in the graph.
  package private(set) var islandNodes: [UInt32] = []
  /// The component of each of ``islandNodes``, as an index into ``components``.
  package private(set) var islandComponents: [UInt32] = []
  /// The length of all edges that are passable in some direction, in metres.
  package private(set) var passableMetres = 0.0

  /// Finds the components of a graph by the costs of a profile.
  ///
  /// - Parameter folding: Which nodes are merged; edges that it leaves out must be closed.
  init(
    _ graph: GraphFile, _ costs: EdgeCosts, _ folding: BarrierFolding = BarrierFolding(),
    islandMetres: Double
  ) {
    var parts = GraphParts(nodeCount: graph.nodeIDs.count)
    for edge in costs.cost.indices where costs.isPassable(edge) {
      let (from, to) = (folding.node(graph.from[edge]), folding.node(graph.to[edge]))
      parts.join(
        from, to, forward: costs.cost[edge] < .infinity,
        backward: costs.reverseCost[edge] < .infinity)
    }
    let count = parts.finish()
    var found = [Component](repeating: Component(), count: count)
    for edge in costs.cost.indices where costs.isPassable(edge) {
      let (from, to) = (folding.node(graph.from[edge]), folding.node(graph.to[edge]))
      let metres = graph.distances[edge]
      passableMetres += metres
      guard let part = parts.part(of: from), part == parts.part(of: to) else { continue }
      found[part].edges += 1
      found[part].metres += metres
    }
    var firstNodes = [Int](repeating: .max, count: count)
    for node in graph.nodeIDs.indices {
      guard let part = parts.part(of: UInt32(node)) else { continue }
      found[part].nodes += 1
      firstNodes[part] = min(firstNodes[part], node)
    }
    sort(found, firstNodes, parts, islandMetres: islandMetres)
  }

  private mutating func sort(
    _ found: [Component], _ firstNodes: [Int], _ parts: GraphParts, islandMetres: Double
  ) {
    let order = found.indices.sorted { left, right in
      let (one, other) = (found[left], found[right])
      if one.metres != other.metres { return one.metres > other.metres }
      return one.nodes != other.nodes
        ? one.nodes > other.nodes : firstNodes[left] < firstNodes[right]
    }
    var indices = [UInt32](repeating: .max, count: found.count)
    for (index, part) in order.enumerated() {
      indices[part] = UInt32(index)
      var component = found[part]
      component.isIsland = index > 0 && component.metres < islandMetres
      components.append(component)
    }
    for node in 0..<UInt32(parts.nodeCount) {
      guard let part = parts.part(of: node), components[Int(indices[part])].isIsland else {
        continue
      }
      islandNodes.append(node)
      islandComponents.append(indices[part])
    }
  }
}

extension EdgeCosts {
  /// Whether an edge is passable in any direction.
  func isPassable(_ edge: Int) -> Bool {
    cost[edge] < .infinity || reverseCost[edge] < .infinity
  }
}
