// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// An edge of a way, in the direction of its row.
package struct WayEdge: Equatable, Sendable {
  /// The id.
  package var id: Int64
  /// The node that it leads from.
  package var fromNode: Int64
  /// The node that it leads to.
  package var toNode: Int64
  /// Metres.
  package var distance: Double
}

extension RoutingStore {
  /// The edges of ways by their OpenStreetMap ids, in the order in which they are cut from each way; no
  /// entry for a way that the database does not have.
  package func edges(ofWays ways: Set<Int64>) throws(RoutingError) -> [Int64: [WayEdge]] {
    var found: [Int64: [WayEdge]] = [:]
    guard joined == nil else {
      try forEachEdge { edge in
        guard let way = edge.osmWayID, ways.contains(way) else { return }
        found[way, default: []].append(
          WayEdge(
            id: edge.id, fromNode: edge.fromNode, toNode: edge.toNode, distance: edge.distance))
      }
      return found
    }
    return try read { database throws(CairnError) in
      var found: [Int64: [WayEdge]] = [:]
      for way in ways {
        let edges = try database.edges(ofWay: way)
        if !edges.isEmpty { found[way] = edges }
      }
      return found
    }
  }
}

extension OpenDatabase {
  /// The edges of a way, which are in the order of ways: found by halving.
  fileprivate func edges(ofWay way: Int64) throws(CairnError) -> [WayEdge] {
    let query = try statement(
      """
      SELECT id, osm_way_id, from_node, to_node, distance FROM routing_edges
      WHERE id >= ? ORDER BY id LIMIT ?
      """)
    func begin(_ id: Int64, limit: Int64) throws(CairnError) {
      query.reset()
      try query.bind(1, id)
      try query.bind(2, limit)
    }
    var (low, high) = (Int64(1), try edgeCount() + 1)
    while low < high {
      let middle = low + (high - low) / 2
      try begin(middle, limit: 1)
      let isBefore = try query.step() && !query.isNull(1) && query.integer(1) < way
      if isBefore { low = middle + 1 } else { high = middle }
    }
    var edges: [WayEdge] = []
    try begin(low, limit: -1)
    while try query.step(), query.integer(1) == way, !query.isNull(1) {
      edges.append(
        WayEdge(
          id: query.integer(0), fromNode: query.integer(2), toNode: query.integer(3),
          distance: try quantity(query, 4)))
    }
    query.reset()
    return edges
  }

  /// The greatest id of an edge.
  private func edgeCount() throws(CairnError) -> Int64 {
    let query = try statement("SELECT max(id) FROM routing_edges")
    return try query.step() ? max(0, min(query.integer(0), .max - 1)) : 0
  }
}
