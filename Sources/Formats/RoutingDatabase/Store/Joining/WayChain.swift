// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// The edges of a way in one database, in the order along it.
struct WayChain: Sendable {
  /// The greatest number of edges to read: OpenStreetMap's ways have at most 2 000 nodes.
  static let mostEdges = 4000

  var way: Int64
  var edges: [WayEdge]

  /// The OpenStreetMap id of a node, counted from 0 to the number of edges.
  func node(_ index: Int) -> Int64 {
    RoutingNode.openStreetMapID(
      index < edges.count ? edges[index].fromNode : edges[index - 1].toNode)
  }

  /// Whether the edge before a node ends there.
  func isConnected(_ index: Int) -> Bool {
    index == 0 || RoutingNode.openStreetMapID(edges[index - 1].toNode) == node(index)
  }
}

extension OpenDatabase {
  /// The edges of an edge's way; nil for an edge without a way, or an endless way.
  func chain(around edge: Int64) throws(CairnError) -> WayChain? {
    guard let (way, first) = try wayEdge(edge), let way else { return nil }
    guard let listed = try edges(ofWay: way) else {
      return try neighbours(of: first, ofWay: way)
    }
    guard listed.count < WayChain.mostEdges else { return nil }
    var edges: [WayEdge] = []
    for id in listed {
      guard let (_, edge) = try wayEdge(id) else {
        throw damage("edge \(id) of way \(way) is missing")
      }
      edges.append(edge)
    }
    return WayChain(way: way, edges: edges)
  }

  /// The same in a database whose edges are in the order of ways.
  private func neighbours(of first: WayEdge, ofWay way: Int64) throws(CairnError) -> WayChain? {
    var edges = [first]
    for step: Int64 in [-1, 1] {
      var id = first.id + step
      while let (other, next) = try wayEdge(id), other == way {
        guard edges.count < WayChain.mostEdges else { return nil }
        edges.append(next)
        id += step
      }
    }
    return WayChain(way: way, edges: edges.sorted { $0.id < $1.id })
  }

  /// An edge of a way that begins or ends at a node; nil if there is none.
  func edge(ofWay way: Int64, at node: Int64) throws(CairnError) -> Int64? {
    for column in ["from_node", "to_node"] {
      let row = try statement(
        "SELECT id FROM routing_edges WHERE \(column) = ? AND +osm_way_id = ? LIMIT 1")
      try row.bind(1, node)
      try row.bind(2, way)
      if try row.step() { return row.integer(0) }
    }
    return nil
  }

  /// The least and the greatest id of an edge; nil if there is none.
  func edgeIDs() throws(CairnError) -> ClosedRange<Int64>? {
    // Both in one query would read every row.
    let row = try statement(
      "SELECT (SELECT min(id) FROM routing_edges), (SELECT max(id) FROM routing_edges)")
    guard try row.step(), !row.isNull(0), row.integer(0) <= row.integer(1) else { return nil }
    return row.integer(0)...row.integer(1)
  }
}

extension RoutingStore {
  func chain(around edge: Int64) throws(RoutingError) -> WayChain? {
    try read { database throws(CairnError) in try database.chain(around: edge) }
  }

  func edge(ofWay way: Int64, at node: Int64) throws(RoutingError) -> Int64? {
    try read { database throws(CairnError) in try database.edge(ofWay: way, at: node) }
  }

  func edgeIDs() throws(RoutingError) -> ClosedRange<Int64>? {
    try read { database throws(CairnError) in try database.edgeIDs() }
  }
}
