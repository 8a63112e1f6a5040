// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// The edges at each node, whoever may use them: compressed sparse rows.
struct NodeLinks: Sendable {
  /// An edge seen from one of its ends.
  struct Link: Sendable {
    var edge: Int32
    /// The node at the other end.
    var node: Int32
    /// The length in metres.
    var metres: Float
  }

  private let starts: [Int32]
  private let links: [Link]

  init(_ network: RoadNetwork, _ lines: EdgeLines) {
    var starts = [Int32](repeating: 0, count: network.nodeIDs.count + 1)
    for edge in network.edges {
      starts[Int(edge.from) + 1] += 1
      starts[Int(edge.to) + 1] += 1
    }
    for node in starts.indices.dropFirst() { starts[node] += starts[node - 1] }
    var next = starts
    var links = [Link](
      repeating: Link(edge: 0, node: 0, metres: 0), count: 2 * network.edges.count)
    for (index, edge) in network.edges.enumerated() {
      let metres = lines.length(Int32(index))
      for (node, other) in [(edge.from, edge.to), (edge.to, edge.from)] {
        links[Int(next[Int(node)])] = Link(edge: Int32(index), node: other, metres: metres)
        next[Int(node)] += 1
      }
    }
    (self.starts, self.links) = (starts, links)
  }

  var nodeCount: Int { starts.count - 1 }

  @inline(__always)
  func at(_ node: Int32) -> ArraySlice<Link> {
    links[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }
}
