// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

/// A stretch of an edge with a hazard that is not one of its way: a node on it, or an area that it
/// leads through. A row of `routing_hazards`.
package struct EdgeHazard: Hashable, Sendable {
  /// Decimetres in a metre, the unit of the table.
  package static let unitsPerMetre = 10.0

  /// The id of the edge.
  package var edge: Int64
  /// Where it begins, in decimetres from the start of the row's edge.
  package var start: Int64
  /// Where it ends, in decimetres; that of a node is where it begins.
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

extension RoutingStore {
  /// The hazards on an edge besides those of its way, in their order along it; none in databases
  /// that do not have the table.
  package func hazards(ofEdge id: Int64) throws(RoutingError) -> [EdgeHazard] {
    try read { database throws(CairnError) in
      guard database.knowsHazards else { return [] }
      let row = try database.statement(
        "SELECT \(EdgeHazard.columns.joined(separator: ", ")) FROM routing_hazards WHERE edge = ?1")
      try row.bind(1, id)
      var found: [EdgeHazard] = []
      while try row.step() { found.append(EdgeHazard(row)) }
      return found
    }
  }

  /// Calls `body` with every row of `routing_hazards`, in their order. It must not use the store.
  package func forEachHazard(_ body: (EdgeHazard) throws(RoutingError) -> Void)
    throws(RoutingError)
  {
    try scan { database throws(RoutingError) in
      guard database.knowsHazards else { return }
      let columns = EdgeHazard.columns.joined(separator: ", ")
      try database.forEachRow("SELECT \(columns) FROM routing_hazards ORDER BY 1, 2, 3, 4, 5") {
        _, row throws(RoutingError) in
        try body(EdgeHazard(row))
      }
    }
  }

  /// The tag set of an edge's way; nil where the database does not have it.
  package func tagSet(ofEdge id: Int64) throws(RoutingError) -> Int64? {
    try read { database throws(CairnError) in try database.tagSet(ofEdge: id) }
  }

  /// The slope of an edge's steepest stretch in percent, negative where it descends; 0 where it is
  /// unknown.
  package func slopePercent(ofEdge id: Int64) throws(RoutingError) -> Double {
    try read { database throws(CairnError) in try database.slope(ofEdge: id) ?? 0 }
  }

  /// The tags of a set; empty where the database does not have it.
  package func tags(ofSet set: Int64) throws(RoutingError) -> [String: String] {
    try read { database throws(CairnError) in
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
