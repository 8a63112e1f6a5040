// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules

/// Platforms, piers, lifts and lock gates that connect ways.
///
/// Most of them only stand next to a road. So connectors that share nodes are treated together, and
/// kept if they meet other ways at two nodes or more.
struct Connectors {
  /// A node of a connector.
  private struct Use: Comparable {
    var node: UInt32
    /// The connector, counted from 0.
    var connector: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.node, left.connector) < (right.node, right.connector)
    }
  }

  private var uses: [Use] = []
  private var nodes: NodeSelection
  private var groups: [Int] = []
  /// Whether a node is also one of another way.
  private var joined: NodeSelection

  /// Prepares for nodes with indices below `nodeCount`.
  init(nodeCount: Int) {
    nodes = NodeSelection(count: nodeCount)
    joined = NodeSelection(count: nodeCount)
  }

  /// Adds a connector by its nodes.
  mutating func add(connector: some Sequence<UInt32>) {
    for node in connector {
      uses.append(Use(node: node, connector: groups.count))
      nodes.insert(node)
    }
    groups.append(groups.count)
  }

  /// Adds another way by its nodes, after all connectors.
  mutating func add(way: some Sequence<UInt32>) {
    for node in way where nodes.contains(node) { joined.insert(node) }
  }

  /// Whether to keep each connector, in the order in which they were added.
  consuming func kept() -> [Bool] {
    uses.sort()
    for index in uses.indices.dropFirst() where uses[index].node == uses[index - 1].node {
      groups[group(of: uses[index].connector)] = group(of: uses[index - 1].connector)
    }
    var joins = [Int](repeating: 0, count: groups.count)
    var last: UInt32?
    for use in uses where use.node != last {
      last = use.node
      if joined.contains(use.node) { joins[group(of: use.connector)] += 1 }
    }
    return groups.indices.map { joins[group(of: $0)] >= 2 }
  }

  /// The connector that represents all those that share nodes with a given one.
  private mutating func group(of connector: Int) -> Int {
    var connector = connector
    while groups[connector] != connector {
      // Halve the way, so that it stays short.
      groups[connector] = groups[groups[connector]]
      connector = groups[connector]
    }
    return connector
  }
}

extension CandidateWays {
  /// Whether each way is one of ``TagSelection/connectorHighways``; empty if none is.
  func connectors(_ pool: TextPool) -> [Bool] {
    let values = TagSelection.connectorHighways.compactMap(pool.find)
    guard let highway = pool.find("highway"), !values.isEmpty else { return [] }
    return (0..<count).map { way in
      tags(of: way).last { $0.key == highway }.map { values.contains($0.value) } ?? false
    }
  }
}
