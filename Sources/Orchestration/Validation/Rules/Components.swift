// SPDX-License-Identifier: Apache-2.0

/// The components of a graph, found by union–find.
struct Components {
  private var parents: [Int32]

  init(nodeCount: Int) { parents = (0..<nodeCount).map { Int32(truncatingIfNeeded: $0) } }

  /// The node that represents the component of a node.
  mutating func find(_ node: Int) -> Int {
    var node = node
    while Int(parents[node]) != node {
      parents[node] = parents[Int(parents[node])]
      node = Int(parents[node])
    }
    return node
  }

  /// Joins the components of two nodes.
  mutating func join(_ first: Int, _ second: Int) {
    let one = find(first)
    let other = find(second)
    if one != other { parents[max(one, other)] = Int32(truncatingIfNeeded: min(one, other)) }
  }
}
