// SPDX-License-Identifier: Apache-2.0

/// The parts of a graph that hang together, found by union and find.
struct Components {
  private var parents: [Int]

  init(nodeCount: Int) { parents = Array(0..<nodeCount) }

  /// The node that stands for a node's part.
  mutating func find(_ node: Int) -> Int {
    var node = node
    while parents[node] != node {
      parents[node] = parents[parents[node]]
      node = parents[node]
    }
    return node
  }

  /// Joins the parts of two nodes.
  mutating func join(_ first: Int, _ second: Int) {
    let one = find(first)
    let other = find(second)
    if one != other { parents[max(one, other)] = min(one, other) }
  }
}
