// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import Formatting
import SQLiteKit

/// The tables `routing_components` and `routing_islands`.
struct IslandRows {
  /// A part of a profile's network.
  struct Part {
    var component: Int64
    var nodes: Int64
    var edges: Int64
    /// Metres.
    var distance: Double
    var isIsland: Bool
    // What the other tables have of it.
    var foundNodes: Int64 = 0
    var foundEdges: Int64 = 0
    var foundMetres = 0.0
  }

  private struct Node {
    var profile: Int64
    var place: Int32
    var component: Int64
  }

  private var parts: [(profile: Int64, part: Part)] = []
  private var nodes: [Node] = []

  /// Reads the tables; adds breaches of `foreign-keys`.
  init(_ connection: SQLiteConnection, _ rows: NodeRows, _ findings: inout Findings)
    throws(CairnError)
  {
    let part = try connection.prepare(
      """
      SELECT profile, component, nodes, edges, distance, is_island FROM routing_components
      ORDER BY profile, component
      """)
    while try part.step() {
      parts.append(
        (
          part.integer(0),
          Part(
            component: part.integer(1), nodes: part.integer(2), edges: part.integer(3),
            distance: number(part, 4), isIsland: part.integer(5) != 0)
        ))
    }
    let node = try connection.prepare(
      "SELECT profile, node, component FROM routing_islands ORDER BY profile, node")
    while try node.step() {
      guard let place = rows.place(of: node.integer(1)) else {
        findings.add(.foreignKeys, "routing_islands names node \(node.integer(1))")
        continue
      }
      nodes.append(
        Node(
          profile: node.integer(0), place: Int32(truncatingIfNeeded: place),
          component: node.integer(2)))
    }
  }

  /// The profiles that rows are about.
  var profiles: Set<Int64> { Set(parts.map(\.profile)).union(nodes.map(\.profile)) }

  /// The parts of a profile by number, and the nodes of its islands with the places of their parts.
  func parts(ofProfile id: Int64) -> (parts: [Part], islands: [(node: Int32, part: Int32)]) {
    var found = parts.filter { $0.profile == id }.map(\.part)
    let numbers = found.map(\.component)
    var islands: [(node: Int32, part: Int32)] = []
    for node in nodes where node.profile == id {
      let part = numbers.binarySearch(node.component)
      if let part { found[part].foundNodes += 1 }
      islands.append((node.place, part.map { Int32(truncatingIfNeeded: $0) } ?? -2))
    }
    return (found, islands)
  }
}

/// The rule about the parts of one profile's network: what leads there and back lies within one
/// part, and what is said of the islands is what there is.
struct IslandRules {
  /// Stands for a node that is on no island.
  private static let mainland: Int32 = -1

  private let name: String
  private var parts: [IslandRows.Part]
  private let islands: [(node: Int32, part: Int32)]
  /// The part of each node that is on an island.
  private var partOfNode: [Int32]

  init(_ name: String, _ rows: IslandRows, profile: Int64, nodeCount: Int) {
    self.name = name
    (parts, islands) = rows.parts(ofProfile: profile)
    partOfNode = [Int32](repeating: Self.mainland, count: nodeCount)
    for island in islands { partOfNode[Int(island.node)] = island.part }
  }

  /// Looks at an edge with its costs.
  @inline(__always)
  mutating func add(
    _ edges: EdgeRows, _ edge: Int, cost: Double, reverseCost: Double, _ findings: inout Findings
  ) {
    let (from, to) = (Int(edges.from[edge]), Int(edges.to[edge]))
    guard from >= 0, to >= 0, cost.isFinite || reverseCost.isFinite else { return }
    let (one, other) = (partOfNode[from], partOfNode[to])
    if one == other {
      guard one >= 0 else { return }
      parts[Int(one)].foundEdges += 1
      parts[Int(one)].foundMetres += edges.distances[edge]
    } else if cost.isFinite, reverseCost.isFinite {
      findings.add(
        .islands,
        "\(name): edge \(edges.ids[edge]) leads there and back between two parts")
    }
  }

  /// Compares the parts with what was found, once all edges were looked at.
  ///
  /// - Parameter threshold: The metres below which a part is an island; nil where nobody says.
  func finish(threshold: Double?, _ findings: inout Findings) {
    if islands.contains(where: { $0.part < 0 }) {
      findings.add(.islands, "\(name): a node belongs to a part that is not there")
    }
    var previous = Double.infinity
    for (place, part) in parts.enumerated() {
      let title = "\(name), part \(part.component)"
      if part.distance > previous {
        findings.add(.islands, "\(title) is longer than the one before")
      }
      previous = part.distance
      let nodes = part.isIsland ? part.nodes : 0
      if part.foundNodes != nodes {
        findings.add(.islands, "\(title) has \(part.foundNodes) nodes listed and not \(nodes)")
      } else if part.isIsland,
        part.foundEdges != part.edges || !(abs(part.foundMetres - part.distance) <= 0.01)
      {
        findings.add(
          .islands,
          "\(title) has \(part.foundEdges) edges of \(preciseMetres(part.foundMetres)), not \(part.edges) "
            + "of \(preciseMetres(part.distance))")
      }
      if let threshold, part.isIsland != (place > 0 && part.distance < threshold) {
        findings.add(
          .islands,
          "\(title) of \(preciseMetres(part.distance)) is \(part.isIsland ? "an" : "no") island")
      }
    }
  }
}
