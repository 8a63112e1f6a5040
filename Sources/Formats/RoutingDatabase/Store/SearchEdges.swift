// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit

/// The properties of an edge leading away from a node that a search needs.
package struct SearchEdge: Hashable, Sendable {
  /// Its id.
  package let id: Int64
  /// The node that it leads to.
  package let node: Int64
  /// The coordinate of that node.
  package let coordinate: Coordinate
  /// Its cost in that direction, finite.
  package let cost: Double
  /// Whether that is the direction against the row.
  package let isReversed: Bool
  /// Its `highway_type`.
  package let highwayType: String?
  /// Further properties, if requested.
  package let description: EdgeDescription?
}

/// The properties of an edge that preferences ask for.
package struct EdgeDescription: Hashable, Sendable {
  /// Its `highway_type`.
  package let highwayType: String?
  /// Its `surface`.
  package let surface: String?
  /// Its `sac_scale`.
  package let sacScale: String?
  /// How steep it is, and which routes follow it.
  package let course: EdgeCourse
}

/// How steep an edge is, and which waymarked routes follow it.
package struct EdgeCourse: Hashable, Sendable {
  /// The slope of its steepest stretch in percent, up or down; its mean slope where the database
  /// does not say.
  package let slopePercent: Double
  /// Whether a waymarked hiking route follows it.
  package let isHikingRoute: Bool
  /// Whether a waymarked cycling route follows it.
  package let isCyclingRoute: Bool
}

extension RoutingStore {
  /// The same edges as from ``getEdgesFrom(_:profile:)``, with only the properties that a search
  /// needs.
  ///
  /// - Parameter withDescription: Whether ``SearchEdge/description`` is read.
  package func searchEdges(
    from node: Int64, profile: String? = nil, withDescription: Bool = false
  ) throws(RoutingError) -> [SearchEdge] {
    try read { database throws(CairnError) in
      try database.searchEdges(
        from: node, profile: try database.id(ofProfile: profile),
        withDescription: withDescription)
    }
  }
}

/// The ids of the tag sets that belong to waymarked routes.
struct RouteTags {
  var hiking: Set<Int64> = []
  var cycling: Set<Int64> = []
}

extension OpenDatabase {
  /// The tag sets that belong to waymarked routes; empty where the database does not say.
  func routeTags() throws(CairnError) -> RouteTags {
    if let knownRouteTags { return knownRouteTags }
    var tags = RouteTags()
    if try connection.columns(ofTable: "routing_tags") != nil,
      try connection.columns(ofTable: "routing_edge_tags") != nil
    {
      let row = try statement(
        "SELECT tagset, key FROM routing_tags WHERE key IN ('route:foot', 'route:bicycle')")
      while try row.step() {
        if row.text(1) == "route:foot" {
          tags.hiking.insert(row.integer(0))
        } else {
          tags.cycling.insert(row.integer(0))
        }
      }
    }
    knownRouteTags = tags
    return tags
  }

  /// The columns of an edge `e` that a description is read from.
  func descriptionColumns() throws(CairnError) -> String {
    let tags = try routeTags()
    let hasTags = !tags.hiking.isEmpty || !tags.cycling.isEmpty
    return """
      e.highway_type, e.surface, e.sac_scale, e.distance, e.elevation_gain, e.elevation_loss,
      \(hasElevations ? "(SELECT max_slope FROM routing_elevation WHERE edge = e.id)" : "NULL"),
      \(hasTags ? "(SELECT tagset FROM routing_edge_tags WHERE edge = e.id)" : "NULL")
      """
  }

  /// The description of an edge, from ``descriptionColumns()`` that begin at a column.
  func description(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> EdgeDescription {
    EdgeDescription(
      highwayType: row.text(column), surface: row.text(column + 1), sacScale: row.text(column + 2),
      course: try course(row, column))
  }

  /// The course of an edge, from the same columns.
  func course(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> EdgeCourse {
    var slope = row.number(column + 6)
    if !row.isNumber(column + 6) {
      let metres = row.number(column + 3)
      let climb = max(row.number(column + 4), row.number(column + 5))
      slope = metres > 0 ? climb / metres * 100 : 0
    }
    guard row.isInteger(column + 7) else {
      return EdgeCourse(slopePercent: slope, isHikingRoute: false, isCyclingRoute: false)
    }
    let tags = try routeTags()
    return EdgeCourse(
      slopePercent: slope, isHikingRoute: tags.hiking.contains(row.integer(column + 7)),
      isCyclingRoute: tags.cycling.contains(row.integer(column + 7)))
  }

  // CROSS JOIN makes SQLite start from the edges of the node; otherwise it would read all costs of
  // the profile, which took a hundred times as long.
  func searchEdges(from node: Int64, profile: Int64?, withDescription: Bool) throws(CairnError)
    -> [SearchEdge]
  {
    var edges: [SearchEdge] = []
    for isReversed in [false, true] {
      let kind = StatementKind(
        task: .search, hasProfile: profile != nil, isReversed: isReversed,
        withDescription: withDescription)
      let query = try statement(kind) { () throws(CairnError) in
        let near = isReversed ? "to_node" : "from_node"
        let far = isReversed ? "from_node" : "to_node"
        let column = isReversed ? "reverse_cost" : "cost"
        return """
          SELECT e.id, e.\(far), n.latitude, n.longitude, \(profile == nil ? "e" : "c").\(column),
            \(withDescription ? try descriptionColumns() : "e.highway_type") FROM routing_edges e
          \(profile == nil ? "" : "CROSS JOIN routing_costs c ON c.profile = ?2 AND c.edge = e.id")
          LEFT JOIN routing_nodes n ON n.id = e.\(far) WHERE e.\(near) = ?1
          \(profile == nil && isReversed ? "AND e.is_oneway = 0" : "")
          """
      }
      try query.bind(1, node)
      if let profile { try query.bind(2, profile) }
      while try query.step() {
        let cost = try cost(query, 4)
        guard cost.isFinite else { continue }
        let description = withDescription ? try description(query, 5) : nil
        let coordinate = Coordinate(latitude: query.number(2), longitude: query.number(3))
        guard query.isNumber(2), query.isNumber(3), coordinate.isValid else {
          throw damage(
            "edge \(query.integer(0)) leads to a node that is missing or has an invalid coordinate")
        }
        edges.append(
          SearchEdge(
            id: query.integer(0), node: query.integer(1), coordinate: coordinate, cost: cost,
            isReversed: isReversed, highwayType: description?.highwayType ?? query.text(5),
            description: description))
      }
    }
    return edges
  }
}

extension RoutingStore {
  /// The properties of an edge that preferences ask for. Throws
  /// ``RoutingError/databaseCorrupted(_:)`` if no edge has this id.
  package func description(ofEdge id: Int64) throws(RoutingError) -> EdgeDescription {
    try read { database throws(CairnError) in
      let row = try database.statement(
        "SELECT \(try database.descriptionColumns()) FROM routing_edges e WHERE e.id = ?")
      try row.bind(1, id)
      guard try row.step() else { throw database.damage("edge \(id) is missing") }
      return try database.description(row, 0)
    }
  }
}
