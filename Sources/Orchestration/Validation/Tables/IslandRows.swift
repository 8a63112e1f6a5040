// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnFormatting
import CairnSQLiteKit

/// The tables `routing_components` and `routing_islands`.
struct IslandRows {
  /// A component of a profile's network.
  struct Component {
    var id: Int64
    var nodes: Int64
    var edges: Int64
    /// Metres.
    var distance: Double
    var isIsland: Bool
    // Its content in the other tables.
    var foundNodes: Int64 = 0
    var foundEdges: Int64 = 0
    var foundMetres = 0.0
  }

  private struct Node {
    var profile: Int64
    var index: Int32
    var component: Int64
  }

  private var components: [(profile: Int64, component: Component)] = []
  private var nodes: [Node] = []

  /// Reads the tables; adds breaches of `foreign-keys`.
  init(
    _ connection: SQLiteConnection, _ rows: NodeRows, _ budget: inout ReadBudget,
    _ findings: inout Findings
  ) throws(CairnError) {
    let component = try connection.prepare(
      """
      SELECT profile, component, nodes, edges, distance, is_island FROM routing_components
      ORDER BY profile, component
      """)
    while try component.step() {
      try budget.spend(ReadBudget.componentBytes)
      components.append(
        (
          component.integer(0),
          Component(
            id: component.integer(1), nodes: component.integer(2), edges: component.integer(3),
            distance: number(component, 4), isIsland: component.integer(5) != 0)
        ))
    }
    let node = try connection.prepare(
      "SELECT profile, node, component FROM routing_islands ORDER BY profile, node")
    while try node.step() {
      try budget.spend(ReadBudget.islandBytes)
      guard let index = rows.index(of: node.integer(1)) else {
        findings.add(.foreignKeys, "routing_islands refers to node \(node.integer(1))")
        continue
      }
      nodes.append(
        Node(
          profile: node.integer(0), index: Int32(truncatingIfNeeded: index),
          component: node.integer(2)))
    }
  }

  /// The profiles in the rows.
  var profiles: Set<Int64> { Set(components.map(\.profile)).union(nodes.map(\.profile)) }

  /// The components of a profile by id, and the nodes of its islands with the indices of their
  /// components; −2 for a component that does not exist.
  func components(ofProfile id: Int64) -> (
    components: [Component], islands: [(node: Int32, component: Int32)]
  ) {
    var found = components.filter { $0.profile == id }.map(\.component)
    let ids = found.map(\.id)
    var islands: [(node: Int32, component: Int32)] = []
    for node in nodes where node.profile == id {
      let index = ids.binarySearch(node.component)
      if let index { found[index].foundNodes += 1 }
      islands.append((node.index, index.map { Int32(truncatingIfNeeded: $0) } ?? -2))
    }
    return (found, islands)
  }
}

/// The rule about the components of one profile's network: an edge passable in both directions lies
/// within one component, and the tables describe the islands correctly.
struct IslandRules {
  /// Stands for a node that is not on an island.
  private static let mainland: Int32 = -1

  private let name: String
  private var components: [IslandRows.Component]
  private let islands: [(node: Int32, component: Int32)]
  /// The component of each node on an island.
  private var componentOfNode: [Int32]

  init(_ name: String, _ rows: IslandRows, profile: Int64, nodeCount: Int) {
    self.name = name
    (components, islands) = rows.components(ofProfile: profile)
    componentOfNode = [Int32](repeating: Self.mainland, count: nodeCount)
    for island in islands { componentOfNode[Int(island.node)] = island.component }
  }

  /// Checks an edge with its costs.
  @inline(__always)
  mutating func add(
    _ edges: EdgeRows, _ edge: Int, cost: Double, reverseCost: Double, _ findings: inout Findings
  ) {
    let (from, to) = (Int(edges.from[edge]), Int(edges.to[edge]))
    guard from >= 0, to >= 0, cost.isFinite || reverseCost.isFinite else { return }
    let (one, other) = (componentOfNode[from], componentOfNode[to])
    if one == other {
      guard one >= 0 else { return }
      components[Int(one)].foundEdges += 1
      components[Int(one)].foundMetres += edges.distances[edge]
    } else if cost.isFinite, reverseCost.isFinite {
      findings.add(
        .islands,
        "\(name): edge \(edges.ids[edge]) connects two components in both directions")
    }
  }

  /// Compares the components with the counts, after all edges were added.
  ///
  /// - Parameter threshold: The length in metres below which a component is an island; nil if
  ///   unknown.
  func finish(threshold: Double?, _ findings: inout Findings) {
    if islands.contains(where: { $0.component < 0 }) {
      findings.add(.islands, "\(name): a node belongs to a component that does not exist")
    }
    var previous = Double.infinity
    for (index, part) in components.enumerated() {
      let title = "\(name), component \(part.id)"
      if part.distance > previous {
        findings.add(.islands, "\(title) is longer than the previous one")
      }
      previous = part.distance
      let nodes = part.isIsland ? part.nodes : 0
      if part.foundNodes != nodes {
        findings.add(.islands, "\(title) lists \(part.foundNodes) nodes, not \(nodes)")
      } else if part.isIsland,
        part.foundEdges != part.edges || !(abs(part.foundMetres - part.distance) <= 0.01)
      {
        findings.add(
          .islands,
          "\(title) has \(part.foundEdges) edges of \(preciseMetres(part.foundMetres)), not \(part.edges) "
            + "of \(preciseMetres(part.distance))")
      }
      if let threshold, part.isIsland != (index > 0 && part.distance < threshold) {
        findings.add(
          .islands,
          "\(title) of \(preciseMetres(part.distance)) is \(part.isIsland ? "" : "not ")an island")
      }
    }
  }
}
