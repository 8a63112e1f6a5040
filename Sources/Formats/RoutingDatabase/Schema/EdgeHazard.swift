// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import CairnSQLiteKit

/// A stretch of an edge with a hazard that is not one of its way: a node on it, or an area that it
/// leads through. A row of `routing_hazards`.
package struct EdgeHazard: Hashable, Comparable, Sendable {
  /// Decimetres in a metre, the unit of the table.
  package static let unitsPerMetre = 10.0

  /// The id of the edge.
  package var edge: Int64
  /// Its start, in decimetres from the start of the row's edge.
  package var start: Int64
  /// Its end, in decimetres; for a node, the same as its start.
  package var end: Int64
  /// The type of the object: 0 node, 1 way, 2 relation.
  package var type: Int64
  /// The object's OpenStreetMap id.
  package var id: Int64
  /// The object's tags: a set of `routing_tags`.
  package var tagSet: Int64

  /// Makes a row of its columns.
  package init(edge: Int64, start: Int64, end: Int64, type: Int64, id: Int64, tagSet: Int64) {
    (self.edge, self.start, self.end) = (edge, start, end)
    (self.type, self.id, self.tagSet) = (type, id, tagSet)
  }

  /// Reads a row of the columns in their order.
  package init(_ row: SQLiteStatement) {
    self.init(
      edge: row.integer(0), start: row.integer(1), end: row.integer(2), type: row.integer(3),
      id: row.integer(4), tagSet: row.integer(5))
  }

  /// The order of the table.
  package static func < (left: Self, right: Self) -> Bool {
    (left.edge, left.start, left.end, left.type, left.id)
      < (right.edge, right.start, right.end, right.type, right.id)
  }

  /// The columns in their order.
  package static let columns = [
    "edge", "start_decimetres", "end_decimetres", "osm_type", "osm_id", "tagset",
  ]

  /// The object's name, such as `node/101`.
  package var object: String {
    let types = ["node", "way", "relation"]
    let name = types.indices.contains(Int(truncatingIfNeeded: type)) ? types[Int(type)] : "object"
    return "\(name)/\(id)"
  }
}

/// The inputs for the warnings of some edges.
package struct WarningSources: Sendable {
  /// The tag set of each edge's way, or of the barrier that it stands for; nil where the database does
  /// not have it.
  package internal(set) var tagSets: [Int64?] = []
  /// The slope of each edge's steepest stretch in percent, negative downhill; 0 if unknown.
  package internal(set) var slopes: [Double] = []
  /// The hazards on all of the edges other than those of their ways, in any order.
  package internal(set) var hazards: [EdgeHazard] = []
}

extension OpenDatabase {
  /// The number of edges in one query.
  static let edgesPerHazardQuery = 32
  /// The number of hazards up to which their edges are kept in memory.
  private static let mostKnownHazards = 1 << 12

  /// The edges among some that may have hazards.
  fileprivate func edgesWithHazards(among edges: [Int64]) throws(CairnError) -> [Int64] {
    guard knowsHazards else { return [] }
    if knownHazardEdges == nil {
      let row = try connection.prepare(
        "SELECT edge FROM routing_hazards ORDER BY edge LIMIT \(Self.mostKnownHazards + 1)")
      var found: [Int64] = []
      while try row.step() { found.append(row.integer(0)) }
      knownHazardEdges = .some(found.count > Self.mostKnownHazards ? nil : found)
    }
    guard let known = knownHazardEdges ?? nil else { return edges }
    return edges.filter { known.binarySearch($0) != nil }
  }

  /// Adds the hazards on the first ``edgesPerHazardQuery`` of some edges.
  fileprivate func readHazards(_ edges: ArraySlice<Int64>, into hazards: inout [EdgeHazard])
    throws(CairnError)
  {
    let row = try statement(.init(task: .hazards)) {
      let parameters = (1...Self.edgesPerHazardQuery).map { "?\($0)" }.joined(separator: ",")
      let columns = EdgeHazard.columns.joined(separator: ",")
      return "SELECT \(columns) FROM routing_hazards WHERE edge IN (\(parameters))"
    }
    for index in 0..<Self.edgesPerHazardQuery {
      // No edge has the id 0.
      let edge = edges.startIndex + index
      try row.bind(Int32(index + 1), edge < edges.endIndex ? edges[edge] : 0)
    }
    while try row.step() { hazards.append(EdgeHazard(row)) }
  }
}

extension RoutingStore {
  /// The inputs for the warnings of some edges, read at once.
  ///
  /// - Parameter edges: Their ids, and whether each represents a barrier.
  package func warningSources(ofEdges edges: [(id: Int64, isBarrier: Bool)]) throws(RoutingError)
    -> WarningSources
  {
    if let joined { return try joined.warningSources(ofEdges: edges) }
    return try read { database throws(CairnError) in
      var sources = WarningSources()
      sources.tagSets.reserveCapacity(edges.count)
      sources.slopes.reserveCapacity(edges.count)
      for edge in edges {
        sources.tagSets.append(
          edge.isBarrier
            ? try database.barrierTagSet(ofEdge: edge.id) : try database.tagSet(ofEdge: edge.id))
        sources.slopes.append(try database.slope(ofEdge: edge.id) ?? 0)
      }
      let candidates = try database.edgesWithHazards(among: edges.map(\.id))
      for start in stride(from: 0, to: candidates.count, by: OpenDatabase.edgesPerHazardQuery) {
        try database.readHazards(candidates[start...], into: &sources.hazards)
      }
      return sources
    }
  }

  /// Calls `body` with every row of `routing_hazards`, in their order. It must not use the store.
  package func forEachHazard(_ body: (EdgeHazard) throws(RoutingError) -> Void)
    throws(RoutingError)
  {
    if let joined { return try joined.forEachHazard(body) }
    try scan { database throws(RoutingError) in
      guard database.knowsHazards else { return }
      let columns = EdgeHazard.columns.joined(separator: ", ")
      try database.forEachRow("SELECT \(columns) FROM routing_hazards ORDER BY 1, 2, 3, 4, 5") {
        _, row throws(RoutingError) in
        try body(EdgeHazard(row))
      }
    }
  }

  /// The tags of a set; empty where the database does not have it.
  package func tags(ofSet set: Int64) throws(RoutingError) -> [String: String] {
    if let joined { return try joined.tags(ofSet: set) }
    return try read { database throws(CairnError) in
      guard database.tagLayout != .none else { return [:] }
      let row = try database.statement("SELECT key, value FROM routing_tags WHERE tagset = ?1")
      try row.bind(1, set)
      var tags: [String: String] = [:]
      while try row.step() {
        if let key = row.text(0), let value = row.text(1) { tags[key] = value }
      }
      return tags
    }
  }
}
