// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit

/// The properties of an edge leading away from a node that a search needs.
package struct SearchEdge: Hashable, Sendable {
  /// Its id.
  package internal(set) var id: Int64
  /// The node that it leads to.
  package internal(set) var node: Int64
  /// The coordinate of that node.
  package let coordinate: Coordinate
  /// Its metres above sea level; nil if unknown, and in several databases.
  package let elevation: Double?
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
  /// Its steepness, and the routes along it.
  package let course: EdgeCourse
}

/// The steepness of an edge, and the waymarked routes along it.
package struct EdgeCourse: Hashable, Sendable {
  /// The slope of its steepest stretch in percent, up or down; otherwise its mean slope.
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
  /// - Parameters:
  ///   - place: The position of the node, which limits the databases to read; nil if unknown.
  ///   - withDescription: Whether ``SearchEdge/description`` is read.
  package func searchEdges(
    from node: Int64, at place: @autoclosure () -> Coordinate? = nil, profile: String? = nil,
    withDescription: Bool = false
  ) throws(RoutingError) -> [SearchEdge] {
    if let joined {
      return try joined.searchEdges(
        from: node, at: place(), profile, withDescription: withDescription)
    }
    return try read(profile: profile) { database throws(CairnError) in
      try database.searchEdges(
        from: node, try database.source(ofProfile: profile), withDescription: withDescription)
    }
  }
}

/// The ids of the tag sets of waymarked routes.
struct RouteTags {
  var hiking: Set<Int64> = []
  var cycling: Set<Int64> = []
  var isEmpty: Bool { hiking.isEmpty && cycling.isEmpty }
}

extension OpenDatabase {
  /// The tag sets of waymarked routes; empty if the database does not say.
  func routeTags() throws(CairnError) -> RouteTags {
    if let knownRouteTags { return knownRouteTags }
    var tags = RouteTags()
    if tagLayout != .none {
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

  /// The columns of an edge `e` for a description.
  private static let descriptionColumns = """
    e.highway_type, e.surface, e.sac_scale, e.distance, e.elevation_gain, e.elevation_loss
    """

  /// The description of an edge, from ``descriptionColumns`` that begin at a column.
  private func description(ofEdge edge: Int64, _ row: SQLiteStatement, _ column: Int32)
    throws(CairnError) -> EdgeDescription
  {
    EdgeDescription(
      highwayType: row.text(column), surface: row.text(column + 1), sacScale: row.text(column + 2),
      course: try course(ofEdge: edge, row, column + 3))
  }

  /// See ``RoutingStore/description(ofEdge:)``.
  fileprivate func description(ofEdge id: Int64) throws(CairnError) -> EdgeDescription {
    let row = try statement(
      "SELECT \(Self.descriptionColumns) FROM routing_edges e WHERE e.id = ?")
    try row.bind(1, id)
    guard try row.step() else { throw damage("edge \(id) is missing") }
    return try description(ofEdge: id, row, 0)
  }

  func searchEdges(from node: Int64, _ source: CostSource, withDescription: Bool)
    throws(CairnError) -> [SearchEdge]
  {
    if !withDescription, let edges = try searchEdgesOfPages(from: node, source) { return edges }
    var edges: [SearchEdge] = []
    for isReversed in [false, true] {
      let kind = StatementKind(
        task: .search, isReversed: isReversed, withDescription: withDescription)
      let query = try statement(kind) {
        let near = isReversed ? "to_node" : "from_node"
        let far = isReversed ? "from_node" : "to_node"
        return """
          SELECT e.id, e.\(far), n.latitude, n.longitude, n.elevation, \(Self.costColumns),
            \(withDescription ? Self.descriptionColumns : "e.highway_type") FROM routing_edges e
          LEFT JOIN routing_nodes n ON n.id = e.\(far) WHERE e.\(near) = ?1
          """
      }
      try query.bind(1, node)
      while try query.step() {
        guard let costs = try costs(source, query, 5), !isReversed || !costs.isOneway else {
          continue
        }
        let cost = isReversed ? costs.back : costs.ahead
        guard cost.isFinite else { continue }
        let id = query.integer(0)
        let description = withDescription ? try description(ofEdge: id, query, 8) : nil
        let coordinate = Coordinate(latitude: query.number(2), longitude: query.number(3))
        guard query.isNumber(2), query.isNumber(3), coordinate.isValid else {
          throw damage(
            "edge \(id) leads to a node that is missing or has an invalid coordinate")
        }
        edges.append(
          SearchEdge(
            id: id, node: query.integer(1), coordinate: coordinate,
            elevation: query.isNumber(4) ? query.number(4) : nil, cost: cost,
            isReversed: isReversed, highwayType: description?.highwayType ?? query.text(8),
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
    if let joined { return try joined.description(ofEdge: id) }
    return try read { database throws(CairnError) in try database.description(ofEdge: id) }
  }
}
