// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnTagRules

/// Platforms, piers, lifts and lock gates that connect ways, and the edges of holes in areas to walk
/// on.
///
/// Most of them only stand next to a road, or around a fountain that no path leads to. So connectors
/// that share nodes are treated together, and kept if they meet other ways at two nodes or more, the
/// edges of holes at one.
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
  private var neededJoins: [UInt8] = []
  /// Whether a node is also one of another way.
  private var joined: NodeSelection

  /// Prepares for nodes with indices below `nodeCount`.
  init(nodeCount: Int) {
    nodes = NodeSelection(count: nodeCount)
    joined = NodeSelection(count: nodeCount)
  }

  /// Adds a connector by its nodes, and at how many of them it has to meet other ways.
  mutating func add(connector: some Sequence<UInt32>, neededJoins: UInt8) {
    self.neededJoins.append(neededJoins)
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
    return groups.indices.map { joins[group(of: $0)] >= neededJoins[$0] }
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
  /// At how many nodes each way has to meet others: two for ``TagSelection/connectorHighways``, one for
  /// the edges of holes; empty if none has to.
  func neededJoins(_ pool: TextPool, holes: SortedIDs) -> [UInt8] {
    let values = TagSelection.connectorHighways.compactMap(pool.find)
    guard let highway = pool.find("highway"), !values.isEmpty || !holes.ids.isEmpty
    else { return [] }
    return (0..<count).map { way in
      let value = tags(of: way).last { $0.key == highway }?.value
      if let value, values.contains(value) { return 2 }
      return !holes.ids.isEmpty && holes.contains(ids[way]) ? 1 : 0
    }
  }
}
