// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit

/// What a search needs of an edge that leads away from a node.
package struct SearchEdge: Hashable, Sendable {
  /// The number of its row.
  package let id: Int64
  /// The node that it leads to.
  package let node: Int64
  /// Where that node is.
  package let coordinate: Coordinate
  /// Its cost in that direction, finite.
  package let cost: Double
  /// Whether that is the direction against the row.
  package let isReversed: Bool
  /// What preferences ask of it.
  package let traits: EdgeTraits

  /// Whether it is a flight of steps.
  package var isSteps: Bool { traits.isSteps }
}

extension RoutingStore {
  /// The same edges as ``getEdgesFrom(_:profile:)`` gives, without what a search does not need.
  ///
  /// - Parameter withTraits: Whether all traits are read; otherwise only whether it is steps.
  package func searchEdges(
    from node: Int64, profile: String? = nil, withTraits: Bool = false
  ) throws(RoutingError) -> [SearchEdge] {
    try read { database throws(CairnError) in
      try database.searchEdges(
        from: node, profile: try database.number(ofProfile: profile), withTraits: withTraits)
    }
  }
}

/// The numbers of the sets of tags that have to do with waymarked routes.
struct RouteTags {
  var hiking: Set<Int64> = []
  var cycling: Set<Int64> = []
}

extension OpenDatabase {
  /// Which tag sets belong to waymarked routes; none where the database does not say.
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

  /// The columns that traits are read from, of an edge `e`.
  func traitColumns() throws(CairnError) -> String {
    let tags = try routeTags()
    let hasTags = !tags.hiking.isEmpty || !tags.cycling.isEmpty
    return """
      e.highway_type, e.surface, e.sac_scale, e.distance, e.elevation_gain, e.elevation_loss,
      \(hasElevations ? "(SELECT max_slope FROM routing_elevation WHERE edge = e.id)" : "NULL"),
      \(hasTags ? "(SELECT tagset FROM routing_edge_tags WHERE edge = e.id)" : "NULL")
      """
  }

  /// The traits of an edge, from ``traitColumns()`` that begin at a column.
  func traits(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> EdgeTraits {
    var traits = EdgeTraits()
    traits.read(
      highway: row.text(column), surface: row.text(column + 1), sacScale: row.text(column + 2))
    if row.isNumber(column + 6) {
      traits.slopePercent = row.number(column + 6)
    } else {
      let metres = row.number(column + 3)
      let climb = max(row.number(column + 4), row.number(column + 5))
      traits.slopePercent = metres > 0 ? climb / metres * 100 : 0
    }
    if row.isInteger(column + 7) {
      let tags = try routeTags()
      traits.isHikingRoute = tags.hiking.contains(row.integer(column + 7))
      traits.isCyclingRoute = tags.cycling.contains(row.integer(column + 7))
    }
    return traits
  }

  // CROSS JOIN tells SQLite to start from the edges of the node: left to itself it walks through
  // all costs of the profile, which took a hundred times as long.
  func searchEdges(from node: Int64, profile: Int64?, withTraits: Bool) throws(CairnError)
    -> [SearchEdge]
  {
    var edges: [SearchEdge] = []
    for isReversed in [false, true] {
      let kind = StatementKind(
        task: .search, hasProfile: profile != nil, isReversed: isReversed, withTraits: withTraits)
      let query = try statement(kind) { () throws(CairnError) in
        let near = isReversed ? "to_node" : "from_node"
        let far = isReversed ? "from_node" : "to_node"
        let column = isReversed ? "reverse_cost" : "cost"
        return """
          SELECT e.id, e.\(far), n.latitude, n.longitude, \(profile == nil ? "e" : "c").\(column),
            \(withTraits ? try traitColumns() : "e.highway_type = 'steps'") FROM routing_edges e
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
        var traits = EdgeTraits()
        if withTraits {
          traits = try self.traits(query, 5)
        } else {
          traits.isSteps = query.integer(5) != 0
        }
        let place = Coordinate(latitude: query.number(2), longitude: query.number(3))
        guard query.isNumber(2), query.isNumber(3), place.isValid else {
          throw damage("an edge leads to node \(query.integer(1)), which is missing or nowhere")
        }
        edges.append(
          SearchEdge(
            id: query.integer(0), node: query.integer(1), coordinate: place, cost: cost,
            isReversed: isReversed, traits: traits))
      }
    }
    return edges
  }
}

extension RoutingStore {
  /// What preferences ask of an edge. Throws ``RoutingError/databaseCorrupted(_:)`` if there is
  /// none of this row.
  package func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits {
    try read { database throws(CairnError) in
      let row = try database.statement(
        "SELECT \(try database.traitColumns()) FROM routing_edges e WHERE e.id = ?")
      try row.bind(1, id)
      guard try row.step() else { throw database.damage("edge \(id) is missing") }
      return try database.traits(row, 0)
    }
  }
}
