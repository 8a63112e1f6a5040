// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The connectivity of the graph by the costs of `routing_edges`.
struct NetworkRules {
  /// The number of components connected by passable edges.
  private(set) var components = 0
  /// The share of the passable kilometres in the largest of them, 0…1.
  private(set) var largestShare = 0.0
  /// A node of the second largest of them; nil if there is at most one.
  private(set) var secondNode: Int64?

  /// Joins the ends of all passable edges; adds breaches of `unused-nodes`.
  init(_ nodes: NodeRows, _ edges: EdgeRows, _ findings: inout Findings) {
    var union = DisjointSets(count: nodes.ids.count)
    var isUsed = [Bool](repeating: false, count: nodes.ids.count)
    func isConnecting(_ edge: Int) -> Bool {
      edges.from[edge] >= 0 && edges.to[edge] >= 0 && edges.isPassable(edge)
        && !edges.distances[edge].isNaN
    }
    for edge in edges.ids.indices {
      if edges.from[edge] >= 0 { isUsed[Int(edges.from[edge])] = true }
      if edges.to[edge] >= 0 { isUsed[Int(edges.to[edge])] = true }
      if isConnecting(edge) { union.join(Int(edges.from[edge]), Int(edges.to[edge])) }
    }
    var lengths = [Double](repeating: 0, count: nodes.ids.count)
    for edge in edges.ids.indices where isConnecting(edge) {
      lengths[union.find(Int(edges.from[edge]))] += edges.distances[edge]
    }
    let total = lengths.reduce(0, +)
    components = lengths.count { $0 > 0 }
    largestShare = total > 0 ? (lengths.max() ?? 0) / total : 0
    let largest = lengths.indices.max { lengths[$0] < lengths[$1] }
    let second = lengths.indices.filter { $0 != largest && lengths[$0] > 0 }
      .max { lengths[$0] < lengths[$1] }
    secondNode = second.map { nodes.ids[$0] }
    for node in isUsed.indices where !isUsed[node] {
      findings.add(.unusedNodes, "node \(nodes.ids[node]): no edge begins or ends there")
    }
  }
}
