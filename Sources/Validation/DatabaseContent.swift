// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit

/// The numbers of a database that the rules are about, read in one pass over each table.
struct DatabaseContent {
  /// What is kept of an edge.
  struct Edge {
    var id: Int64
    var from: Int
    var to: Int
    var distance: Double
    var gain: Double
    var loss: Double
    var cost: Double
    var reverseCost: Double
    var onewayMark: Int64
    /// Whether both costs and the distance are numbers and not NULL or text.
    var isNumeric: Bool
    /// The points of the geometry, or nil if the blob is no list of points.
    var points: BoundingBoxOfPoints?
  }

  /// The box around the points of a geometry; empty where it has none.
  struct BoundingBoxOfPoints {
    var box: BoundingBox?
  }

  private(set) var nodeIDs: [Int64] = []
  private(set) var positions: [Coordinate] = []
  /// Metres, NaN where unknown.
  private(set) var elevations: [Double] = []
  private(set) var edges: [Edge] = []
  private(set) var metadata: [String: String] = [:]

  init(_ connection: SQLiteConnection) throws(CairnError) {
    try readNodes(connection)
    try readEdges(connection)
    let statement = try connection.prepare("SELECT key, value FROM routing_metadata")
    while try statement.step() { metadata[statement.text(0) ?? ""] = statement.text(1) ?? "" }
  }

  private mutating func readNodes(_ connection: SQLiteConnection) throws(CairnError) {
    let statement = try connection.prepare(
      "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id")
    while try statement.step() {
      nodeIDs.append(statement.integer(0))
      positions.append(
        Coordinate(latitude: statement.number(1), longitude: statement.number(2)))
      elevations.append(statement.isNumber(3) ? statement.number(3) : .nan)
    }
  }

  private mutating func readEdges(_ connection: SQLiteConnection) throws(CairnError) {
    let statement = try connection.prepare(
      """
      SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, cost,
        reverse_cost, is_oneway, geometry FROM routing_edges ORDER BY id
      """)
    while try statement.step() {
      // Edges without their nodes are the business of the rule on foreign keys.
      guard let from = place(of: statement.integer(1)), let to = place(of: statement.integer(2))
      else { continue }
      let points = try statement.withBlob(9) { EdgeGeometry.unpack($0) }
      edges.append(
        Edge(
          id: statement.integer(0), from: from, to: to, distance: statement.number(3),
          gain: statement.number(4), loss: statement.number(5), cost: statement.number(6),
          reverseCost: statement.number(7), onewayMark: statement.integer(8),
          isNumeric: [3, 4, 5, 6, 7].allSatisfy { statement.isNumber($0) },
          points: points.map { BoundingBoxOfPoints(box: BoundingBox(around: $0)) }))
    }
  }

  private func place(of id: Int64) -> Int? {
    var low = 0
    var high = nodeIDs.count
    while low < high {
      let middle = (low + high) / 2
      if nodeIDs[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < nodeIDs.count && nodeIDs[low] == id ? low : nil
  }
}
