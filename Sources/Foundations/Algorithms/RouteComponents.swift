// SPDX-License-Identifier: Apache-2.0
/// The components of a graph: within one, a profile can go from every node to every other.
///
/// A node without passable edges belongs to none. One that can be left but not reached again, such
/// as the end of a one-way street at the region's border, is a component of its own.
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

  /// The components: longest first, then by the most nodes, then by their first node.
  package private(set) var components: [Component] = []
  /// The nodes that belong to islands, ascending, as indices in the graph.
  package private(set) var islandNodes: [UInt32] = []
  /// The component of each of ``islandNodes``, as an index into ``components``.
  package private(set) var islandComponents: [UInt32] = []
  /// The length of all edges that are passable in some direction, in metres.
  package private(set) var passableMetres = 0.0

  /// The values of an edge that determine components.
  package struct Edge {
    /// The nodes at its ends.
    package var from: UInt32
    package var to: UInt32
    /// Its length.
    package var metres: Double
    /// Whether it leads from `from` to `to`.
    package var isPassableAhead: Bool
    /// Whether it leads from `to` to `from`.
    package var isPassableBack: Bool

    /// Names the values.
    package init(
      from: UInt32, to: UInt32, metres: Double, isPassableAhead: Bool, isPassableBack: Bool
    ) {
      (self.from, self.to, self.metres) = (from, to, metres)
      (self.isPassableAhead, self.isPassableBack) = (isPassableAhead, isPassableBack)
    }

    var isPassable: Bool { isPassableAhead || isPassableBack }
  }

  /// Finds the components of any graph, given its numbers of nodes and edges.
  @inline(__always)
  package init(nodes: Int, edges: Int, islandMetres: Double, _ edge: (Int) -> Edge) {
    var parts = GraphParts(nodeCount: nodes)
    for index in 0..<edges {
      let edge = edge(index)
      guard edge.isPassable else { continue }
      parts.join(
        edge.from, edge.to, forward: edge.isPassableAhead, backward: edge.isPassableBack)
    }
    let count = parts.finish()
    var found = [Component](repeating: Component(), count: count)
    for index in 0..<edges {
      let edge = edge(index)
      guard edge.isPassable else { continue }
      passableMetres += edge.metres
      guard let part = parts.part(of: edge.from), part == parts.part(of: edge.to) else {
        continue
      }
      found[part].edges += 1
      found[part].metres += edge.metres
    }
    var firstNodes = [Int](repeating: .max, count: count)
    for node in 0..<nodes {
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
