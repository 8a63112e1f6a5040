// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import RoutingDatabase
import SQLiteKit

/// The numbers of a database that the rules are about, read in one pass over each table.
///
/// What ought to be a number and is none, or is one that no place or edge can have, is NaN here, so
/// that it is found by the rule that is about it and disturbs no other.
struct DatabaseContent {
  /// What is kept of an edge.
  struct Edge {
    var id: Int64
    /// The nodes at its ends, as places in ``nodeIDs``.
    var from: Int
    var to: Int
    /// Metres.
    var distance: Double
    var gain: Double
    var loss: Double
    var cost: Double
    var reverseCost: Double
    /// What `is_oneway` says; nil where it is no whole number.
    var onewayMark: Int64?
    var geometry: Geometry

    /// Whether it can be travelled in any direction.
    var isPassable: Bool { cost.isFinite || reverseCost.isFinite }
  }

  /// The points between the ends of an edge.
  enum Geometry {
    /// The blob is no list of points.
    case malformed
    case empty
    case points(within: BoundingBox)
  }

  /// The largest length that is believed, in metres.
  private static let greatestLength = 1e9
  /// The largest elevation, on either side of the sea's level, that is believed.
  private static let greatestElevation = 20_000.0

  private(set) var nodeIDs: [Int64] = []
  /// Where the nodes are, NaN where that is nowhere.
  private(set) var positions: [Coordinate] = []
  /// Metres, NaN where unknown.
  private(set) var elevations: [Double] = []
  /// Nodes that lie nowhere or at no height.
  private(set) var misplacedNodes = Breaches()
  /// How many rows the table of edges has.
  private(set) var edgeCount = 0
  /// The edges whose nodes are there.
  private(set) var edges: [Edge] = []
  private(set) var metadata: [String: String] = [:]

  init(_ connection: SQLiteConnection) throws(CairnError) {
    try readNodes(connection)
    try readEdges(connection)
    let statement = try connection.prepare("SELECT key, value FROM routing_metadata")
    while try statement.step() { metadata[statement.text(0) ?? ""] = statement.text(1) ?? "" }
  }

  private mutating func readNodes(_ connection: SQLiteConnection) throws(CairnError) {
    let row = try connection.prepare(
      "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id")
    while try row.step() {
      let position = Coordinate(latitude: Self.number(row, 1), longitude: Self.number(row, 2))
      let elevation = Self.number(row, 3)
      let isElevation = row.isNull(3) || abs(elevation) <= Self.greatestElevation
      if !position.isValid || !isElevation {
        let place = [1, 2, 3].map { row.text($0) ?? "nothing" }.joined(separator: ", ")
        misplacedNodes.add("node \(row.integer(0)): \(place)")
      }
      nodeIDs.append(row.integer(0))
      positions.append(
        position.isValid ? position : Coordinate(latitude: .nan, longitude: .nan))
      elevations.append(isElevation ? elevation : .nan)
    }
  }

  private mutating func readEdges(_ connection: SQLiteConnection) throws(CairnError) {
    let row = try connection.prepare(
      """
      SELECT id, from_node, to_node, distance, elevation_gain, elevation_loss, cost,
        reverse_cost, is_oneway, geometry, typeof(is_oneway) FROM routing_edges ORDER BY id
      """)
    while try row.step() {
      edgeCount += 1
      // Edges without their nodes are the business of the rule on foreign keys.
      guard let from = place(of: row.integer(1)), let to = place(of: row.integer(2))
      else { continue }
      edges.append(
        Edge(
          id: row.integer(0), from: from, to: to, distance: Self.length(row, 3),
          gain: row.isNull(4) ? 0 : Self.length(row, 4),
          loss: row.isNull(5) ? 0 : Self.length(row, 5), cost: Self.number(row, 6),
          reverseCost: Self.number(row, 7),
          onewayMark: row.text(10) == "integer" ? row.integer(8) : nil,
          geometry: try Self.geometry(row, 9)))
    }
  }

  private static func number(_ row: SQLiteStatement, _ column: Int32) -> Double {
    row.isNumber(column) ? row.number(column) : .nan
  }

  private static func length(_ row: SQLiteStatement, _ column: Int32) -> Double {
    let length = number(row, column)
    return (0...greatestLength).contains(length) ? length : .nan
  }

  private static func geometry(_ row: SQLiteStatement, _ column: Int32) throws(CairnError)
    -> Geometry
  {
    let points = try row.withBlob(column) { EdgeGeometry.unpack($0) }
    guard let points else { return .malformed }
    return BoundingBox(around: points).map { .points(within: $0) } ?? .empty
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

  /// The length of all edges in metres.
  var totalMetres: Double {
    edges.reduce(0) { $1.distance.isNaN ? $0 : $0 + $1.distance }
  }

  /// The box around all nodes and points that lie somewhere.
  var boundingBox: BoundingBox? {
    var box = BoundingBox(around: positions.lazy.filter(\.isValid))
    for case .points(let inner) in edges.lazy.map(\.geometry) {
      box = box?.extended(to: Coordinate(latitude: inner.south, longitude: inner.west))
        .extended(to: Coordinate(latitude: inner.north, longitude: inner.east))
    }
    return box
  }
}
