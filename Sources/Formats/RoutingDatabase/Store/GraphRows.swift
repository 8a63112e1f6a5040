// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit

/// A row of `routing_edges` while the table is read; valid until the next row.
package struct EdgeRow {
  /// A text column.
  package enum Text: Int, CaseIterable, Sendable {
    /// `surface`
    case surface
    /// `highway_type`
    case highwayType
    /// `sac_scale`
    case sacScale
    /// `trail_visibility`
    case trailVisibility
    /// `name`
    case name
  }

  /// The id.
  package private(set) var id: Int64
  /// The node that it leads from.
  package private(set) var fromNode: Int64
  /// The node that it leads to.
  package private(set) var toNode: Int64
  /// Metres.
  package private(set) var distance: Double
  /// Metres climbed.
  package private(set) var elevationGain: Double
  /// Metres descended.
  package private(set) var elevationLoss: Double
  /// The OpenStreetMap id of its way.
  package private(set) var osmWayID: Int64?
  /// The cost in the direction of the row, by the core column.
  package private(set) var cost: Double
  /// The cost in the other direction, by the core column.
  package private(set) var reverseCost: Double
  /// Whether it is a one-way by the core column.
  package private(set) var isOneway: Bool
  /// Its steepness, and the routes that follow it.
  package private(set) var course: EdgeCourse
  /// The points between the ends, if they are not the row's.
  private var line: [Coordinate]?
  fileprivate let row: SQLiteStatement

  /// Returns the index that `body` returns for the UTF-8 bytes of a text, nil if there is none. The
  /// bytes are valid only within `body`.
  ///
  /// Not generic, since a generic function of another module would not be specialised.
  package func indexText(_ text: Text, _ body: (UnsafeRawBufferPointer?) -> Int32) -> Int32 {
    row.withText(Int32(9 + text.rawValue), body)
  }

  /// A text; nil if there is none.
  package func text(_ text: Text) -> String? { row.text(Int32(9 + text.rawValue)) }

  /// The points between its ends; nil if they are damaged.
  package func points() -> [Coordinate]? {
    let stored = line == nil ? try? row.withBlob(14) { EdgeGeometry.unpack($0) } : nil
    return line ?? stored ?? nil
  }

  /// Appends the points between its ends, as latitude and longitude, to a list; false if they are
  /// damaged.
  package func appendPoints(to list: inout [Float]) -> Bool {
    guard let points = points() else { return false }
    for point in points {
      list.append(Float(point.latitude))
      list.append(Float(point.longitude))
    }
    return true
  }

  fileprivate init(_ database: OpenDatabase, _ row: SQLiteStatement) throws(CairnError) {
    let price = database.dayPrice(.core, row.integer(0))
    id = row.integer(0)
    (fromNode, toNode) = (row.integer(1), row.integer(2))
    distance = try database.quantity(row, 3)
    elevationGain = try database.quantity(row, 4)
    elevationLoss = try database.quantity(row, 5)
    osmWayID = row.isNull(6) ? nil : row.integer(6)
    cost = price == nil ? try database.cost(row, 7) : price?.cost ?? .infinity
    reverseCost = price == nil ? try database.cost(row, 8) : price?.reverseCost ?? .infinity
    isOneway = price?.isOneway ?? (row.integer(15) != 0)
    course = try database.course(ofEdge: row.integer(0), row, 3)
    self.row = row
  }

  /// The columns of a row.
  fileprivate static let columns = """
    e.id, e.from_node, e.to_node, e.distance, e.elevation_gain, e.elevation_loss,
      e.osm_way_id, e.cost, e.reverse_cost, e.surface, e.highway_type, e.sac_scale,
      e.trail_visibility, e.name, e.geometry, e.is_oneway IS NOT 0
    """

  /// The same edge in several databases.
  func joined(_ id: Int64, from: Int64, to: Int64) -> EdgeRow {
    var edge = self
    (edge.id, edge.fromNode, edge.toNode) = (id, from, to)
    return edge
  }

  /// The stretch of several databases with its tags.
  ///
  /// - Parameter line: The points between the ends; nil for the row's.
  func stretch(_ stretch: SeamWay.Stretch, _ price: EdgePrice, line: [Coordinate]?) -> EdgeRow {
    var edge = joined(stretch.id, from: stretch.from, to: stretch.to)
    if !stretch.cover.isWhole { edge.distance = stretch.metres }
    (edge.elevationGain, edge.elevationLoss) = (price.gain, price.loss)
    (edge.cost, edge.reverseCost) = (price.cost, price.reverseCost)
    edge.isOneway = price.cost.isFinite && price.reverseCost.isInfinite
    edge.line = line
    return edge
  }
}

extension RoutingStore {
  /// Calls `body` with every node, in the order of ids; `body` must not use the store.
  package func forEachNode(_ body: (RoutingNode) throws(RoutingError) -> Void) throws(RoutingError)
  {
    if let joined { return try joined.forEachNode(body) }
    try scan { database throws(RoutingError) in
      try database.forEachRow(
        "SELECT id, latitude, longitude, elevation FROM routing_nodes ORDER BY id"
      ) { database, row throws(RoutingError) in
        let node: RoutingNode
        do throws(CairnError) { node = try database.node(row) } catch {
          throw RoutingError(reading: error)
        }
        try body(node)
      }
    }
  }

  /// Calls `body` with every edge, in the order of ids; `body` must not use the store.
  package func forEachEdge(_ body: (borrowing EdgeRow) throws(RoutingError) -> Void)
    throws(RoutingError)
  {
    if let joined { return try joined.forEachEdge(body) }
    try readEdges("ORDER BY e.id", body)
  }

  /// Calls `body` with one edge; `body` must not use the store.
  func withEdge(_ id: Int64, _ body: (borrowing EdgeRow) throws(RoutingError) -> Void)
    throws(RoutingError)
  {
    try readEdges("WHERE e.id = \(id)", body)
  }

  private func readEdges(
    _ condition: String, _ body: (borrowing EdgeRow) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    try scan { database throws(RoutingError) in
      try database.forEachRow(
        "SELECT \(EdgeRow.columns) FROM routing_edges e \(condition)"
      ) { database, row throws(RoutingError) in
        let edge: EdgeRow
        do throws(CairnError) { edge = try EdgeRow(database, row) } catch {
          throw RoutingError(reading: error)
        }
        try body(edge)
      }
    }
  }

  /// The costs and the seconds of an edge by a profile, in both directions.
  package struct EdgeCost: Sendable {
    /// The id of the edge.
    package var edge: Int64
    /// The costs in the direction of the row and in the other one, infinite if impassable; nil if
    /// they are in the core columns, whatever `is_oneway` is.
    package var costs: (ahead: Double, back: Double)?
    /// Seconds in the direction of the row; nil if it is impassable.
    package var duration: Double?
    /// Seconds in the other direction; nil if it is impassable.
    package var reverseDuration: Double?
  }

  /// Whether a profile has the costs of the core columns.
  package func sharesCoreCosts(profile: String) throws(RoutingError) -> Bool {
    if let joined { return try joined.sharesCoreCosts(profile) }
    return try read(profile: profile) { database throws(CairnError) in
      if case .first = try database.source(ofProfile: profile) { return true }
      return false
    }
  }

  /// Calls `body` with the costs of every edge by a profile, in the order of edges; `body` must not
  /// use the store.
  package func forEachCost(profile: String, _ body: (EdgeCost) throws(RoutingError) -> Void)
    throws(RoutingError)
  {
    if let joined { return try joined.forEachCost(profile, body) }
    let source = try read(profile: profile) { database throws(CairnError) in
      try database.source(ofProfile: profile)
    }
    try scan { database throws(RoutingError) in try database.forEachCost(source, body) }
  }

  /// The nodes on islands of a profile (nil: the core columns), in the order of their ids; empty if
  /// the database does not say.
  package func islandNodes(profile: String?) throws(RoutingError) -> [(node: Int64, island: Island)]
  {
    if let joined { return try joined.islandNodes(profile) }
    return try read(profile: profile) { database throws(CairnError) in
      try database.islandNodes(profile: try database.source(ofProfile: profile).profile)
    }
  }

  /// Calls `body` with the elevation profile of every edge that has one, as a blob (see
  /// ``EdgeElevation``), in the order of edges; `body` must not use the store.
  package func forEachElevation(
    _ body: (_ edge: Int64, _ blob: UnsafeRawBufferPointer) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    if let joined { return try joined.forEachElevation(body) }
    try scan { database throws(RoutingError) in try database.forEachElevation(body) }
  }
}

extension OpenDatabase {
  /// Runs a query that reads a whole table.
  func forEachRow(
    _ sql: String, _ body: (OpenDatabase, SQLiteStatement) throws(RoutingError) -> Void
  ) throws(RoutingError) {
    let row: SQLiteStatement
    do throws(CairnError) { row = try connection.prepare(sql) } catch {
      throw RoutingError(reading: error)
    }
    while true {
      do throws(CairnError) { if try !row.step() { return } } catch {
        throw RoutingError(reading: error)
      }
      try body(self, row)
    }
  }

  fileprivate func islandNodes(profile: Int64?) throws(CairnError) -> [(
    node: Int64, island: Island
  )] {
    guard knowsIslands, let profile = profile ?? profiles.first?.id else { return [] }
    if let islands = try dayIslands(profile) {
      return islands.sorted { $0.key < $1.key }.map { (node: $0.key, island: $0.value) }
    }
    let row = try statement(
      "SELECT node, component FROM routing_islands WHERE profile = ? ORDER BY node")
    try row.bind(1, profile)
    var nodes: [(node: Int64, island: Island)] = []
    while try row.step() { nodes.append((row.integer(0), Island(component: row.integer(1)))) }
    return nodes
  }
}
