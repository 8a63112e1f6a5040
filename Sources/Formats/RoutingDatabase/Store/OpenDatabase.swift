// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit

extension CairnError.Code {
  /// The database has no costs for a profile.
  static let unknownRoutingProfile: Self = "unknown-routing-profile"
}

/// An island of a profile: a component too small to begin a route in.
package struct Island: Hashable, Sendable {
  /// The component's number in the database, never negative.
  package let id: Int32

  /// The island with this number.
  package init(id: Int32) { self.id = id }

  /// The island of a component by any number in the database.
  package init(component: Int64) { id = Int32(truncatingIfNeeded: component & 0x7FFF_FFFF) }
}

/// An open routing database with its compiled statements. For one thread at a time.
final class OpenDatabase {
  /// A profile of the database.
  struct Profile {
    var id: Int64
    var name: String
    var minimumCostPerMetre: Double
    var mode: RoutingMode
    var costs: CostSource
  }

  let connection: SQLiteConnection
  /// The profiles of `routing_profiles`, empty without such a table.
  let profiles: [Profile]
  /// The layout of the elevation profiles of edges.
  let elevationLayout: Layout
  /// The layout of the tag sets of edges.
  let tagLayout: Layout
  /// Whether the database says which nodes lie on islands.
  let knowsIslands: Bool
  /// Whether the database has hazards.
  let knowsHazards: Bool
  /// Whether the database lists the edges of each way; if not, edges are in the order of ways.
  let listsWays: Bool
  /// Whether the database has the graph in blocks.
  let hasGraph: Bool
  /// The differences on the day that it shows; nil for the day of its build.
  let day: DayCosts?
  private var statements: [String: SQLiteStatement] = [:]
  private var statementsByKind = [SQLiteStatement?](repeating: nil, count: StatementKind.count)
  /// The values of `routing_metadata`; nil until the first request.
  private var knownMetadata: [String: String]?
  /// The edges that have hazards, ascending. The inner value is nil if they are too many to keep,
  /// the outer one until the first request.
  var knownHazardEdges: [Int64]??
  /// The directory of the graph; nil until the first request.
  var knownDirectory: GraphDirectory?
  /// 10 kB a block.
  var graphCache = BlockCache<GraphBlock>(slots: 64)
  /// All long edges in a database without blocks; nil until the first request that needs them.
  var knownLongEdges: [EdgeExtent]?
  /// Reads rows needed by the thousands; nil if SQLite has to.
  private(set) lazy var pages = GraphPages(connection)
  /// The tag sets of waymarked routes; nil until the first request.
  var knownRouteTags: RouteTags?
  // The edges near a point have ids all over the database, so a search reads many blocks: 2 MB of
  // costs, half a megabyte or less of the others.
  var costCache = BlockCache<[UInt8]>(slots: 256)
  var durationCache = BlockCache<[UInt8]>(slots: 64)
  var slopeCache = BlockCache<[UInt8]>(slots: 1024)
  var tagSetCache = BlockCache<[UInt8]>(slots: 128)
  /// The tags of some sets of ways: neighbours have few different ones.
  var knownTags: [Int64: [String: String]] = [:]
  static let mostKnownTags = 64
  /// The islands of the day by profile, once requested.
  var knownDayIslands: [Int64: [Int64: Island]] = [:]

  init(_ path: String, day: DayCosts? = nil) throws(RoutingError) {
    self.day = day
    do throws(CairnError) {
      let connection = try SQLiteConnection(path, .readOnly)
      self.connection = connection
      try connection.beginReading()
      defer { connection.endReading() }
      let tables = try connection.columns(ofTables: Self.tables)
      try Self.checkTables(tables, connection)
      profiles = try Self.readProfiles(tables, connection)
      elevationLayout = Layout(
        tables, blocks: "routing_elevation_blocks", ["block", "slopes", "ends", "profiles"],
        rows: "routing_elevation", ["edge", "max_slope", "profile"])
      func has(_ columns: [String], in table: String) -> Bool {
        columns.allSatisfy(tables[table, default: []].contains)
      }
      tagLayout =
        has(["tagset", "key", "value"], in: "routing_tags")
        ? Layout(
          tables, blocks: "routing_tagset_blocks", ["block", "tagsets", "barriers"],
          rows: "routing_edge_tags", ["edge", "tagset", "barrier"]) : .none
      knowsIslands = has(["profile", "node", "component"], in: "routing_islands")
      hasGraph = has(["block", "graph"], in: "routing_graph_blocks")
      listsWays = has(["way", "edges"], in: "routing_way_blocks")
      let knowsColumns = has(EdgeHazard.columns, in: "routing_hazards")
      let first =
        knowsColumns ? try connection.integer("SELECT 1 FROM routing_hazards LIMIT 1") : nil
      knowsHazards = first != nil
    } catch {
      throw RoutingError(reading: error)
    }
  }

  /// The tables that determine the layouts of a database.
  private static let tables =
    RoutingSchema.coreColumns.keys.sorted() + [
      "routing_profiles", "routing_cost_blocks", "routing_costs", "routing_elevation_blocks",
      "routing_elevation", "routing_tags", "routing_tagset_blocks", "routing_edge_tags",
      "routing_islands", "routing_hazards", "routing_way_blocks", "routing_graph_blocks",
    ]

  private static func checkTables(
    _ tables: [String: [String]], _ connection: SQLiteConnection
  ) throws(CairnError) {
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      guard let found = tables[table] else {
        throw CairnError(
          .database, .dataError, "has no table \(table)", at: Location(file: connection.path))
      }
      guard let missing = columns.first(where: { !found.contains($0) }) else { continue }
      throw Self.missing(table, missing, connection)
    }
  }

  private static func missing(
    _ table: String, _ column: String, _ connection: SQLiteConnection
  ) -> CairnError {
    CairnError(
      .database, .dataError, "has no column \(table).\(column)",
      at: Location(file: connection.path))
  }

  private static func readProfiles(
    _ tables: [String: [String]], _ connection: SQLiteConnection
  ) throws(CairnError) -> [Profile] {
    let layout = Layout(
      tables, blocks: "routing_cost_blocks", ["id", "costs", "durations"],
      rows: "routing_costs",
      ["profile", "edge", "cost", "reverse_cost", "duration", "reverse_duration"])
    guard let columns = tables["routing_profiles"], layout != .none else {
      return []
    }
    let needed = ["id", "name", "min_cost_per_metre"]
    if let missing = needed.first(where: { !columns.contains($0) }) {
      throw Self.missing("routing_profiles", missing, connection)
    }
    let definition = columns.contains("definition") ? "definition" : "NULL"
    let statement = try connection.prepare(
      "SELECT id, name, min_cost_per_metre, \(definition) FROM routing_profiles ORDER BY id")
    var profiles: [Profile] = []
    while try statement.step() {
      let (id, name) = (statement.integer(0), statement.text(1) ?? "")
      profiles.append(
        Profile(
          id: id, name: name, minimumCostPerMetre: statement.number(2),
          mode: RoutingProfile.mode(name: name, definition: statement.text(3)),
          costs: layout == .rows ? .rows(id) : try blocks(of: id, connection)))
    }
    return profiles
  }

  private static func blocks(of profile: Int64, _ connection: SQLiteConnection) throws(CairnError)
    -> CostSource
  {
    guard let first = CostBlock.id(profile: profile, block: 0) else { return .blocks(profile) }
    let hasNone = try connection.integer(
      "SELECT costs IS NULL FROM routing_cost_blocks WHERE id = \(first)")
    return hasNone == 1 ? .first(profile) : .blocks(profile)
  }

  func statement(_ sql: String) throws(CairnError) -> SQLiteStatement {
    if let known = statements[sql] {
      known.reset()
      return known
    }
    let made = try connection.prepare(sql)
    statements[sql] = made
    return made
  }

  /// The same for a generated statement; `sql` is called only the first time.
  func statement(_ kind: StatementKind, _ sql: () throws(CairnError) -> String) throws(CairnError)
    -> SQLiteStatement
  {
    if let known = statementsByKind[kind.number] {
      known.reset()
      return known
    }
    let made = try connection.prepare(try sql())
    statementsByKind[kind.number] = made
    return made
  }

  /// The place of the costs of a profile; nil stands for the core columns.
  func source(ofProfile name: String?) throws(CairnError) -> CostSource {
    try name.map { name throws(CairnError) in try profile(name).costs } ?? .core
  }

  private func profile(_ name: String) throws(CairnError) -> Profile {
    // A search asks for each node.
    for index in profiles.indices where profiles[index].name == name { return profiles[index] }
    throw CairnError(
      .unknownRoutingProfile, .negative, "has no profile “\(printable(name))”",
      at: Location(file: connection.path))
  }

  /// See ``RoutingStore/minimumCostPerMetre(profile:)``.
  func minimumCostPerMetre(profile name: String?) throws(CairnError) -> Double {
    let stored =
      if let name {
        try profile(name).minimumCostPerMetre
      } else {
        Double(try metadata()[RoutingMetadataKey.minimumCostPerMetre] ?? "") ?? 0
      }
    guard stored > 0, stored <= ClimbCosts.greatest else { return 0 }
    return try dayMinimum(stored, try source(ofProfile: name))
  }

  /// See ``RoutingStore/climbCosts(profile:)``.
  func climbCosts(profile name: String?) throws(CairnError) -> ClimbCosts {
    let index = name.map { name in profiles.firstIndex { $0.name == name } } ?? 0
    guard let index, profiles.indices.contains(index),
      let all = ClimbCosts.all(try metadata(), profileCount: profiles.count)
    else { return .none }
    return try dayClimbCosts(
      all[index], perMetre: try minimumCostPerMetre(profile: name), try source(ofProfile: name))
  }

  func metadata() throws(CairnError) -> [String: String] {
    if let knownMetadata { return knownMetadata }
    let query = try statement("SELECT key, value FROM routing_metadata")
    var values: [String: String] = [:]
    while try query.step() {
      if let key = query.text(0), let value = query.text(1) { values[key] = value }
    }
    knownMetadata = values
    return values
  }

  func node(_ id: Int64) throws(CairnError) -> RoutingNode? {
    if let node = pages?.node(id) { return node }
    let query = try statement(
      "SELECT id, latitude, longitude, elevation FROM routing_nodes WHERE id = ?")
    try query.bind(1, id)
    return try query.step() ? try node(query) : nil
  }

  func nodes(in box: BoundingBox, limit: Int) throws(CairnError) -> [RoutingNode] {
    if let found = nodesOfPages(in: box, limit: limit) { return found }
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
    while try query.step() { nodes.append(try node(query)) }
    return nodes
  }

  /// The nodes in a box, read from pages; nil if SQLite has to read them.
  private func nodesOfPages(in box: BoundingBox, limit: Int) -> [RoutingNode]? {
    guard let pages, limit >= 0, let ids = pages.nodes(in: box) else { return nil }
    var nodes: [RoutingNode] = []
    for id in ids.prefix(limit) {
      guard let node = pages.node(id) else { return nil }
      nodes.append(node)
    }
    return nodes
  }

  func node(_ row: SQLiteStatement) throws(CairnError) -> RoutingNode {
    let node = RoutingNode(
      id: row.integer(0), latitude: row.number(1), longitude: row.number(2),
      elevation: row.isNull(3) ? nil : row.number(3))
    guard row.isNumber(1), row.isNumber(2), node.coordinate.isValid else {
      throw damage("node \(node.id) has an invalid coordinate")
    }
    guard row.isNull(3) || row.isNumber(3) && abs(row.number(3)) <= Self.greatestElevation else {
      throw damage("node \(node.id) has an implausible elevation")
    }
    return node
  }

  /// Edges with the costs of a profile, without edges that it has no costs for.
  func edges(_ selection: Selection, _ source: CostSource) throws(CairnError) -> [RoutingEdge] {
    if let found = try edgesOfPages(selection, source) { return found }
    let query = try statement(.init(task: selection.task)) {
      """
      SELECT e.id, e.from_node, e.to_node, e.distance, e.elevation_gain, e.elevation_loss,
        e.surface, e.highway_type, e.sac_scale, e.trail_visibility, e.name, e.osm_way_id,
        e.geometry, \(Self.costColumns) FROM routing_edges e WHERE \(selection.condition)
      """
    }
    switch selection {
    case .byID(let id), .fromNode(let id), .toNode(let id): try query.bind(1, id)
    case .inBox(let box):
      try query.bind(2, box.south)
      try query.bind(3, box.north)
      try query.bind(4, box.west)
      try query.bind(5, box.east)
    }
    var edges: [RoutingEdge] = []
    while try query.step() {
      if let costs = try costs(source, query, 13) {
        edges.append(try edge(query, costs, source))
      }
    }
    return edges
  }

  /// The same read from pages; nil if SQLite has to read them.
  private func edgesOfPages(_ selection: Selection, _ source: CostSource) throws(CairnError)
    -> [RoutingEdge]?
  {
    guard let rows = pages?.edges(selection) else { return nil }
    var edges: [RoutingEdge] = []
    edges.reserveCapacity(rows.count)
    for row in rows {
      guard let costs = try costs(source, ofEdge: row.edge.id, row.costs) else { continue }
      var edge = row.edge
      (edge.cost, edge.reverseCost, edge.isOneway) = (costs.ahead, costs.back, costs.isOneway)
      (edge.duration, edge.reverseDuration) = try seconds(source, ofEdge: edge.id)
      edges.append(edge)
    }
    return edges
  }

  private func edge(_ row: SQLiteStatement, _ costs: Costs, _ source: CostSource)
    throws(CairnError) -> RoutingEdge
  {
    let geometry = try row.withBlob(12) { bytes throws(CairnError) in EdgeGeometry.unpack(bytes) }
    guard let geometry else {
      throw damage("edge \(row.integer(0)) has an invalid geometry")
    }
    var edge = RoutingEdge(
      id: row.integer(0), fromNode: row.integer(1), toNode: row.integer(2),
      distance: try quantity(row, 3), elevationGain: try quantity(row, 4),
      elevationLoss: try quantity(row, 5), surface: row.text(6), highwayType: row.text(7),
      sacScale: row.text(8), trailVisibility: row.text(9), name: row.text(10),
      osmWayID: row.isNull(11) ? nil : row.integer(11), cost: costs.ahead,
      reverseCost: costs.back, isOneway: costs.isOneway, geometry: geometry)
    (edge.duration, edge.reverseDuration) = try seconds(source, ofEdge: edge.id)
    return edge
  }

  /// Whether an edge at a node is passable in any direction.
  func hasPassableEdge(_ node: Int64, _ source: CostSource) throws(CairnError) -> Bool {
    let query = try statement(
      """
      SELECT e.id, \(Self.costColumns) FROM routing_edges e
      WHERE e.from_node = ?1 OR e.to_node = ?1
      """)
    try query.bind(1, node)
    while try query.step() {
      guard let costs = try costs(source, query, 1) else { continue }
      if costs.ahead.isFinite || costs.back.isFinite && !costs.isOneway { return true }
    }
    return false
  }

  /// The island of a profile (nil: the core columns) that a node lies on; nil for a node of the
  /// network.
  func island(ofNode node: Int64, profile: Int64?) throws(CairnError) -> Island? {
    guard knowsIslands, let profile = profile ?? profiles.first?.id else { return nil }
    if let islands = try dayIslands(profile) { return islands[node] }
    let query = try statement(
      "SELECT component FROM routing_islands WHERE profile = ?1 AND node = ?2")
    try query.bind(1, profile)
    try query.bind(2, node)
    return try query.step() ? Island(component: query.integer(0)) : nil
  }
}
