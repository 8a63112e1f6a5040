// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting

/// The network for matching: all edges, in both directions, with those closed by the profile
/// marked.
struct MatchingNetwork: Sendable {
  let roads: RoadNetwork
  let lines: EdgeLines
  let links: NodeLinks
  /// Whether an edge is closed in both directions.
  let isClosed: [Bool]

  init(_ graph: ProfileGraph) {
    roads = graph.network
    lines = EdgeLines(roads)
    links = NodeLinks(roads, lines)
    isClosed = zip(graph.costs, graph.reverseCosts).map { $0.isInfinite && $1.isInfinite }
  }

  /// The node at the end of an edge in one direction.
  @inline(__always)
  func head(_ edge: Int32, isReversed: Bool) -> Int32 {
    isReversed ? roads.edges[Int(edge)].from : roads.edges[Int(edge)].to
  }
}
