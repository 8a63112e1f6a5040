// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit

extension CairnError.Code {
  /// The database has no costs for a profile.
  static let unknownRoutingProfile: Self = "unknown-routing-profile"
}

/// An open routing database with its compiled statements. For one thread at a time.
final class OpenDatabase {
  /// A profile of the database.
  struct Profile {
    var number: Int64
    var name: String
    var minimumCostPerMetre: Double
  }

  /// Which edges a query is for.
  enum Selection {
    case byID(Int64)
    case fromNode(Int64)
    case toNode(Int64)
    case inBox(BoundingBox)

    var condition: String {
      switch self {
      case .byID: "e.id = ?1"
      case .fromNode: "e.from_node = ?1"
      case .toNode: "e.to_node = ?1"
      case .inBox:
        """
        e.from_node IN (\(Self.nodesInBox)) OR e.to_node IN (\(Self.nodesInBox)) ORDER BY e.id
        """
      }
    }

    private static let nodesInBox = """
      SELECT id FROM routing_nodes
      WHERE latitude BETWEEN ?2 AND ?3 AND longitude BETWEEN ?4 AND ?5
      """
  }

  let connection: SQLiteConnection
  /// The profiles of `routing_profiles`, empty where there is no such table.
  let profiles: [Profile]
  private var statements: [String: SQLiteStatement] = [:]

  init(_ path: String) throws(RoutingError) {
    do throws(CairnError) {
      connection = try SQLiteConnection(path, .readOnly)
      try Self.checkTables(connection)
      profiles = try Self.readProfiles(connection)
    } catch {
      throw RoutingError(reading: error)
    }
  }

  private static func checkTables(_ connection: SQLiteConnection) throws(CairnError) {
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      let statement = try connection.prepare("SELECT name FROM pragma_table_info(?)")
      try statement.bind(1, table)
      var found: Set<String> = []
      while try statement.step() { found.insert(statement.text(0) ?? "") }
      guard let missing = columns.first(where: { !found.contains($0) }) else { continue }
      throw CairnError(
        .database, .dataError,
        found.isEmpty ? "has no table \(table)" : "has no column \(table).\(missing)",
        at: Location(file: connection.path), hint: "is this a routing database?")
    }
  }

  private static func readProfiles(_ connection: SQLiteConnection) throws(CairnError)
    -> [Profile]
  {
    let tables = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' "
        + "AND name IN ('routing_profiles', 'routing_costs')")
    guard tables == 2 else { return [] }
    let statement = try connection.prepare(
      "SELECT id, name, min_cost_per_metre FROM routing_profiles ORDER BY id")
    var profiles: [Profile] = []
    while try statement.step() {
      profiles.append(
        Profile(
          number: statement.integer(0), name: statement.text(1) ?? "",
          minimumCostPerMetre: statement.number(2)))
    }
    return profiles
  }

  private func statement(_ sql: String) throws(CairnError) -> SQLiteStatement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    let made = try connection.prepare(sql)
    statements[sql] = made
    return made
  }

  /// The number of a profile in `routing_costs`, or nil for the contract's columns.
  func number(ofProfile name: String?) throws(CairnError) -> Int64? {
    guard let name else { return nil }
    guard let profile = profiles.first(where: { $0.name == name }) else {
      throw CairnError(.unknownRoutingProfile, .negative, name)
    }
    return profile.number
  }

  func metadata() throws(CairnError) -> [String: String] {
    let query = try statement("SELECT key, value FROM routing_metadata")
    var values: [String: String] = [:]
    while try query.step() {
      if let key = query.text(0), let value = query.text(1) { values[key] = value }
    }
    return values
  }

  func node(_ id: Int64) throws(CairnError) -> RoutingNode? {
    let query = try statement(
      "SELECT id, latitude, longitude, elevation FROM routing_nodes WHERE id = ?")
    try query.bind(1, id)
    return try query.step() ? Self.node(query) : nil
  }

  func nodes(in box: BoundingBox, limit: Int) throws(CairnError) -> [RoutingNode] {
    let query = try statement(
      """
      SELECT id, latitude, longitude, elevation FROM routing_nodes
      WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?
      ORDER BY latitude, longitude, id LIMIT ?
      """)
    try query.bind(1, box.south)
    try query.bind(2, box.north)
    try query.bind(3, box.west)
    try query.bind(4, box.east)
    try query.bind(5, Int64(limit))
    var nodes: [RoutingNode] = []
    while try query.step() { nodes.append(Self.node(query)) }
    return nodes
  }

  private static func node(_ row: SQLiteStatement) -> RoutingNode {
    RoutingNode(
      id: row.integer(0), latitude: row.number(1), longitude: row.number(2),
      elevation: row.isNumber(3) ? row.number(3) : nil)
  }

  func edges(_ selection: Selection, profile: Int64?) throws(CairnError) -> [RoutingEdge] {
    let costs =
      profile == nil
      ? "e.cost, e.reverse_cost, e.is_oneway, NULL, NULL FROM routing_edges e"
      : """
      c.cost, c.reverse_cost, 0, c.duration, c.reverse_duration FROM routing_edges e
      JOIN routing_costs c ON c.profile = ?6 AND c.edge = e.id
      """
    let query = try statement(
      """
      SELECT e.id, e.from_node, e.to_node, e.distance, e.elevation_gain, e.elevation_loss,
        e.surface, e.highway_type, e.sac_scale, e.trail_visibility, e.name, e.osm_way_id,
        e.geometry, \(costs) WHERE \(selection.condition)
      """)
    switch selection {
    case .byID(let id), .fromNode(let id), .toNode(let id): try query.bind(1, id)
    case .inBox(let box):
      try query.bind(2, box.south)
      try query.bind(3, box.north)
      try query.bind(4, box.west)
      try query.bind(5, box.east)
    }
    if let profile { try query.bind(6, profile) }
    var edges: [RoutingEdge] = []
    while try query.step() { edges.append(try edge(query)) }
    return edges
  }

  private func edge(_ row: SQLiteStatement) throws(CairnError) -> RoutingEdge {
    let geometry = try row.withBlob(12) { bytes throws(CairnError) in EdgeGeometry.unpack(bytes) }
    guard let geometry else {
      throw CairnError(
        .damagedDatabase, .dataError, "the geometry of edge \(row.integer(0)) is no list of points",
        at: Location(file: connection.path))
    }
    var edge = RoutingEdge(
      id: row.integer(0), fromNode: row.integer(1), toNode: row.integer(2),
      distance: row.number(3), elevationGain: row.number(4), elevationLoss: row.number(5),
      surface: row.text(6), highwayType: row.text(7), sacScale: row.text(8),
      trailVisibility: row.text(9), name: row.text(10),
      osmWayID: row.isNull(11) ? nil : row.integer(11), cost: try cost(row, 13),
      reverseCost: try cost(row, 14), isOneway: row.integer(15) != 0, geometry: geometry)
    if row.isNumber(16) { edge.duration = row.number(16) }
    if row.isNumber(17) { edge.reverseDuration = row.number(17) }
    return edge
  }

  /// A cost of a row; a search relies on its being positive.
  private func cost(_ row: SQLiteStatement, _ column: Int32) throws(CairnError) -> Double {
    let cost = row.number(column)
    guard cost > 0, row.isNumber(column) else {
      throw CairnError(
        .damagedDatabase, .dataError, "an edge costs \(row.text(column) ?? "nothing")",
        at: Location(file: connection.path), hint: "cairn-validate tells more")
    }
    return cost
  }

  func searchEdges(from node: Int64, profile: Int64?) throws(CairnError) -> [SearchEdge] {
    var edges: [SearchEdge] = []
    for isReversed in [false, true] {
      let near = isReversed ? "to_node" : "from_node"
      let far = isReversed ? "from_node" : "to_node"
      let column = isReversed ? "reverse_cost" : "cost"
      let query = try statement(
        profile == nil
          ? """
          SELECT id, \(far), \(column), highway_type = 'steps' FROM routing_edges
          WHERE \(near) = ?1\(isReversed ? " AND is_oneway = 0" : "")
          """
          : """
          SELECT e.id, e.\(far), c.\(column), e.highway_type = 'steps' FROM routing_edges e
          JOIN routing_costs c ON c.profile = ?2 AND c.edge = e.id WHERE e.\(near) = ?1
          """)
      try query.bind(1, node)
      if let profile { try query.bind(2, profile) }
      while try query.step() {
        let cost = try cost(query, 2)
        guard cost.isFinite else { continue }
        edges.append(
          SearchEdge(
            id: query.integer(0), node: query.integer(1), cost: cost, isReversed: isReversed,
            isSteps: query.integer(3) != 0))
      }
    }
    return edges
  }
}
