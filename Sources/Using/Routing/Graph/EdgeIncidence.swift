// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnRoutingDatabase

/// Which edges of a network there are at each node, whatever they cost, and which nodes are copies of each
/// other.
final class EdgeIncidence: Sendable {
  /// For each node the index of its first edge in ``members``, and at the end their number.
  private let starts: [Int32]
  private let members: [Int32]
  /// The ids of the nodes at barriers that have copies, by those of OpenStreetMap; ascending.
  private let nodesOfBarriers: [Int64: [Int64]]

  /// - Parameter nodes: The ids of the nodes, ascending.
  init(_ nodes: [Int64], _ edges: [RoadNetwork.Edge]) {
    var starts = [Int32](repeating: 0, count: nodes.count + 1)
    for edge in edges {
      starts[Int(edge.from) + 1] += 1
      if edge.to != edge.from { starts[Int(edge.to) + 1] += 1 }
    }
    for node in nodes.indices { starts[node + 1] += starts[node] }
    var members = [Int32](repeating: 0, count: Int(starts[nodes.count]))
    var next = starts
    func add(_ edge: Int, at node: Int32) {
      members[Int(next[Int(node)])] = Int32(truncatingIfNeeded: edge)
      next[Int(node)] += 1
    }
    for (index, edge) in edges.enumerated() {
      add(index, at: edge.from)
      if edge.to != edge.from { add(index, at: edge.to) }
    }
    (self.starts, self.members) = (starts, members)
    var copies: [Int64: [Int64]] = [:]
    // Copies have greater ids than all nodes of OpenStreetMap.
    let first = nodes.partitioningIndex { $0 > RoutingNode.openStreetMapID($0) && $0 > 0 }
    for node in nodes[first...] {
      let original = RoutingNode.openStreetMapID(node)
      if copies[original] == nil, nodes.binarySearch(original) != nil {
        copies[original] = [original]
      }
      copies[original, default: []].append(node)
    }
    nodesOfBarriers = copies
  }

  /// The indices of the edges at a node by its index, each once, ascending.
  func edges(at node: Int32) -> some Sequence<Int> {
    members[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])].lazy.map { Int($0) }
  }

  /// The nodes that stand for the same node of OpenStreetMap, itself included, ascending; empty if there
  /// is only one.
  func copies(ofNode id: Int64) -> [Int64] {
    nodesOfBarriers[RoutingNode.openStreetMapID(id)] ?? []
  }
}
