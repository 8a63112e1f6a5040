// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit

/// The rows of `routing_edges` as columns, read in one pass; rules that concern a single edge are
/// checked on the way.
struct EdgeRows {
  /// The largest plausible length, in metres.
  static let greatestLength = 1e9
  /// Stands for an end that is no node of the database.
  static let nowhere: Int32 = -1

  /// The values of one row.
  struct Edge {
    var id: Int64
    var from: Int32
    var to: Int32
    var distance: Double
    var gain: Double
    var loss: Double
    var cost: Double
    var reverseCost: Double
    var way: Int64
    /// The value of `is_oneway`; nil if it is not an integer.
    var onewayMark: Int64?
    /// See ``EdgeRows/lines``.
    var line: UInt64 = 0
  }

  /// Ascending.
  private(set) var ids: [Int64] = []
  /// The nodes at the ends, as indices into ``NodeRows``, or ``nowhere``.
  private(set) var from: [Int32] = []
  private(set) var to: [Int32] = []
  /// Metres; NaN if invalid, or not the length of the edge.
  private(set) var distances: [Double] = []
  private(set) var gains: [Double] = []
  private(set) var losses: [Double] = []
  /// NaN if the value is not a number.
  private(set) var costs: [Double] = []
  private(set) var reverseCosts: [Double] = []
  /// 0 if unknown.
  private(set) var ways: [Int64] = []
  /// Texts as indices into ``words``.
  private(set) var surfaces: [Int32] = []
  private(set) var highways: [Int32] = []
  private(set) var sacScales: [Int32] = []
  private(set) var visibilities: [Int32] = []
  private(set) var words = WordIndex()
  /// A hash of the ends and the points of each edge, independent of their order; 0 if there is no
  /// line to compare.
  private(set) var lines: [UInt64] = []
  /// The bounding box of all points between ends.
  private(set) var pointBox: BoundingBox?

  /// Reads the table.
  ///
  /// - Parameters:
  ///   - isHiking: Whether the edges have the costs of the hiking profile.
  ///   - graph: Gets the lines; nil if the database has no blocks.
  init(
    _ connection: SQLiteConnection, _ nodes: NodeRows, isHiking: Bool,
    graph: inout GraphBlockRules?, _ budget: inout ReadBudget, _ findings: inout Findings
  ) throws(CairnError) {
    var rules = EdgeRules(nodes, isHiking: isHiking)
    reserve(try connection.integer("SELECT max(id) FROM routing_edges"), budget)
    var last = Self.nowhere
    try connection.scan(
      [
        "id", "from_node", "to_node", "distance", "elevation_gain", "elevation_loss", "surface",
        "highway_type", "sac_scale", "trail_visibility", "osm_way_id", "cost", "reverse_cost",
        "is_oneway", "geometry",
      ], from: "routing_edges", orderedBy: "id"
    ) { row throws(CairnError) in
      try budget.spend(ReadBudget.edgeBytes)
      var edge = Edge(
        id: row.integer(0), from: Self.node(row, 1, nodes, last, &findings), to: Self.nowhere,
        distance: Self.length(row, 3), gain: row.isNull(4) ? 0 : Self.length(row, 4),
        loss: row.isNull(5) ? 0 : Self.length(row, 5), cost: row.number(11),
        reverseCost: row.number(12), way: row.integer(10),
        onewayMark: row.isInteger(13) ? row.integer(13) : nil)
      edge.to = Self.node(row, 2, nodes, last, &findings)
      last = edge.to
      surfaces.append(try words.number(row, 6, last: surfaces.last, &budget))
      highways.append(try words.number(row, 7, last: highways.last, &budget))
      sacScales.append(try words.number(row, 8, last: sacScales.last, &budget))
      visibilities.append(try words.number(row, 9, last: visibilities.last, &budget))
      let geometry = row.blob(14)
      if let line = rules.check(&edge, geometry: geometry, &findings) {
        edge.line = DuplicateEdges.line(edge, points: line.fingerprint)
        graph?.check(edge, within: line.box)
      }
      append(edge)
    }
    pointBox = rules.pointBox
  }

  /// Makes space for all edges, since growing would copy each row once. Edges are normally numbered
  /// from 1.
  private mutating func reserve(_ lastID: Int64?, _ budget: ReadBudget) {
    let count = Int(min(max(0, lastID ?? 0), Int64(budget.rows(of: ReadBudget.edgeBytes))))
    ids.reserveCapacity(count)
    from.reserveCapacity(count)
    to.reserveCapacity(count)
    distances.reserveCapacity(count)
    gains.reserveCapacity(count)
    losses.reserveCapacity(count)
    costs.reserveCapacity(count)
    reverseCosts.reserveCapacity(count)
    ways.reserveCapacity(count)
    surfaces.reserveCapacity(count)
    highways.reserveCapacity(count)
    sacScales.reserveCapacity(count)
    visibilities.reserveCapacity(count)
    lines.reserveCapacity(count)
  }

  private mutating func append(_ edge: Edge) {
    ids.append(edge.id)
    from.append(edge.from)
    to.append(edge.to)
    distances.append(edge.distance)
    gains.append(edge.gain)
    losses.append(edge.loss)
    costs.append(edge.cost)
    reverseCosts.append(edge.reverseCost)
    ways.append(edge.way)
    lines.append(edge.line)
  }

  /// The index of the node in a column; `last` is the most likely one.
  private static func node(
    _ row: SQLiteRow, _ column: Int, _ nodes: NodeRows, _ last: Int32,
    _ findings: inout Findings
  ) -> Int32 {
    let id = row.integer(column)
    // The edges of a way follow each other.
    if last >= 0, nodes.ids[Int(last)] == id, row.isInteger(column) { return last }
    guard row.isInteger(column), let index = nodes.index(of: id) else {
      let name = column == 1 ? "begins" : "ends"
      findings.add(
        .foreignKeys, "edge \(row.integer(0)) \(name) at node \(row.text(column) ?? "NULL")")
      return nowhere
    }
    return Int32(truncatingIfNeeded: index)
  }

  private static func length(_ row: SQLiteRow, _ column: Int) -> Double {
    let length = row.number(column)
    return length >= 0 && length <= greatestLength ? length : .nan
  }

  /// The index of an edge, or nil if it does not exist.
  func index(of id: Int64) -> Int? {
    // Edges are normally numbered from 1.
    if id > 0, id <= ids.count, ids[Int(id) - 1] == id { return Int(id) - 1 }
    return ids.binarySearch(id)
  }

  /// Whether an edge is passable in at least one direction.
  func isPassable(_ edge: Int) -> Bool { costs[edge].isFinite || reverseCosts[edge].isFinite }

  /// The length of all edges in metres.
  var totalMetres: Double { distances.reduce(0) { $1.isNaN ? $0 : $0 + $1 } }
}
