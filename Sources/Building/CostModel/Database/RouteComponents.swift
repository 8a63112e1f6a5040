// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The parts of a graph within which a profile leads from everywhere to everywhere.
///
/// A node that no passable edge touches belongs to none. One that can be left but not come back
/// to, such as the end of a one-way street at the region's border, is a part of its own.
package struct RouteComponents: Equatable, Sendable {
  /// One part.
  package struct Component: Equatable, Sendable {
    /// Its nodes.
    package var nodes = 0
    /// The passable edges between two of them.
    package var edges = 0
    /// The length of these edges in metres.
    package var metres = 0.0
    /// Whether it is an island: not the largest part, and shorter than the threshold.
    package var isIsland = false
  }

  /// The length below which a part is an island, in metres, by default.
  package static let defaultIslandMetres = 10_000.0

  /// The parts: longest first, then those with most nodes, then by their first node.
  package private(set) var components: [Component] = []
  /// The nodes that belong to islands, ascending, as places in the graph.
  package private(set) var islandNodes: [UInt32] = []
  /// The part of each of ``islandNodes``, as a place in ``components``.
  package private(set) var islandComponents: [UInt32] = []
  /// The length of all edges that are passable in some direction, in metres.
  package private(set) var passableMetres = 0.0

  /// Finds the parts of a graph by the costs of a profile.
  package init(_ graph: GraphFile, _ costs: EdgeCosts, islandMetres: Double) {
    let parts = StronglyConnected(Self.arcs(graph, costs))
    var found = [Component](repeating: Component(), count: parts.count)
    var isTouched = [Bool](repeating: false, count: graph.nodeIDs.count)
    for edge in costs.cost.indices where costs.isPassable(edge) {
      let (from, to) = (Int(graph.from[edge]), Int(graph.to[edge]))
      isTouched[from] = true
      isTouched[to] = true
      passableMetres += graph.distances[edge]
      let part = Int(parts.components[from])
      guard part == Int(parts.components[to]) else { continue }
      found[part].edges += 1
      found[part].metres += graph.distances[edge]
    }
    var firstNodes = [Int](repeating: .max, count: parts.count)
    for node in isTouched.indices where isTouched[node] {
      let part = Int(parts.components[node])
      found[part].nodes += 1
      firstNodes[part] = min(firstNodes[part], node)
    }
    rank(found, firstNodes, parts, islandMetres: islandMetres, isTouched)
  }

  private static func arcs(_ graph: GraphFile, _ costs: EdgeCosts) -> ArcLists {
    ArcLists(nodeCount: graph.nodeIDs.count) { add in
      for edge in costs.cost.indices {
        if costs.cost[edge] < .infinity { add(graph.from[edge], graph.to[edge]) }
        if costs.reverseCost[edge] < .infinity { add(graph.to[edge], graph.from[edge]) }
      }
    }
  }

  private mutating func rank(
    _ found: [Component], _ firstNodes: [Int], _ parts: StronglyConnected, islandMetres: Double,
    _ isTouched: [Bool]
  ) {
    let order = found.indices.filter { found[$0].nodes > 0 }.sorted { left, right in
      let (one, other) = (found[left], found[right])
      if one.metres != other.metres { return one.metres > other.metres }
      return one.nodes != other.nodes
        ? one.nodes > other.nodes : firstNodes[left] < firstNodes[right]
    }
    var ranks = [UInt32](repeating: .max, count: found.count)
    for (rank, part) in order.enumerated() {
      ranks[part] = UInt32(rank)
      var component = found[part]
      component.isIsland = rank > 0 && component.metres < islandMetres
      components.append(component)
    }
    for node in isTouched.indices where isTouched[node] {
      let rank = ranks[Int(parts.components[node])]
      guard components[Int(rank)].isIsland else { continue }
      islandNodes.append(UInt32(node))
      islandComponents.append(rank)
    }
  }
}

extension EdgeCosts {
  /// Whether an edge is passable in any direction.
  func isPassable(_ edge: Int) -> Bool {
    cost[edge] < .infinity || reverseCost[edge] < .infinity
  }
}
