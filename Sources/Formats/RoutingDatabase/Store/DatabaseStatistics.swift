// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit

/// Counts and lengths of a `.routing.db`.
package struct DatabaseStatistics: Equatable, Sendable, Encodable {
  /// The graph as one profile sees it.
  package struct Profile: Equatable, Sendable, Encodable {
    /// Its name; `routing_edges` in a database that has only the core tables.
    package var name: String
    /// Edges that are passable in at least one direction.
    package var passableEdges = 0
    /// Their length.
    package var passableKilometres = 0.0
    /// The edges among them that are passable in one direction only.
    package var onewayEdges = 0
    /// Edges that are not passable at all.
    package var impassableEdges = 0
    /// Their length.
    package var impassableKilometres = 0.0
    /// Edges of barriers that are not passable.
    package var closedBarriers = 0
    /// Components of the graph; nil if the database does not say.
    package var components: Int?
    /// The number of islands among them.
    package var islands: Int?
    /// The nodes of the islands.
    package var islandNodes: Int?
    /// The share of the passable length in the largest component, 0…1.
    package var largestComponentShare: Double?
  }

  /// Rows of `routing_nodes`.
  package private(set) var nodes = 0
  /// Rows of `routing_edges`.
  package private(set) var edges = 0
  /// The length of all edges.
  package private(set) var kilometres = 0.0
  /// Edges without extent that represent barriers.
  package private(set) var barrierEdges = 0
  /// Edges of ferries.
  package private(set) var ferryEdges = 0
  /// The profiles in the order of the build.
  package private(set) var profiles: [Profile] = []
  /// The rows of `routing_metadata`.
  package private(set) var metadata: [String: String] = [:]

  /// An edge from a node to a copy of it, see ``RoutingNode/id``.
  private static let isBarrier = """
    e.distance = 0 AND e.from_node <> e.to_node
      AND e.from_node & 1099511627775 = e.to_node & 1099511627775
    """

  /// Reads the statistics of a database. Throws 66 if it cannot be read and 65 if it is not a
  /// routing database.
  package init(_ path: String) throws(CairnError) {
    let connection = try SQLiteConnection(path, .readOnly)
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      guard try connection.columns(ofTable: table) == columns else {
        throw CairnError(
          .database, .dataError, "has no table \(table) with the columns of a routing database",
          at: Location(file: path))
      }
    }
    let row = try connection.prepare(
      """
      SELECT (SELECT count(*) FROM routing_nodes), count(*), total(e.distance) / 1000,
        total(\(Self.isBarrier)), total(e.highway_type IS 'ferry') FROM routing_edges e
      """)
    if try row.step() {
      nodes = Int(clamping: row.integer(0))
      edges = Int(clamping: row.integer(1))
      kilometres = Self.length(row, 2)
      barrierEdges = Int(clamping: row.integer(3))
      ferryEdges = Int(clamping: row.integer(4))
    }
    let entries = try connection.prepare("SELECT key, value FROM routing_metadata")
    while try entries.step() { metadata[entries.text(0) ?? ""] = entries.text(1) ?? "" }
    try readProfiles(connection)
  }

  private static func length(_ row: SQLiteStatement, _ column: Int32) -> Double {
    let length = row.number(column)
    return length.isFinite ? length : 0
  }

  private static func hasTables(_ tables: [String], _ connection: SQLiteConnection)
    throws(CairnError) -> Bool
  {
    for table in tables where try connection.columns(ofTable: table) == nil { return false }
    return true
  }

  private mutating func readProfiles(_ connection: SQLiteConnection) throws(CairnError) {
    let hasBlocks = try Self.hasTables(["routing_cost_blocks"], connection)
    let hasRows = try Self.hasTables(["routing_costs"], connection)
    guard try Self.hasTables(["routing_profiles"], connection), hasBlocks || hasRows else {
      profiles = [try profile("routing_edges", .core, connection)]
      return
    }
    let hasComponents = try Self.hasTables(["routing_components", "routing_islands"], connection)
    let row = try connection.prepare("SELECT id, name FROM routing_profiles ORDER BY id")
    while try row.step() {
      let id = row.integer(0)
      var found = try profile(row.text(1) ?? "", hasBlocks ? .blocks(id) : .rows(id), connection)
      if hasComponents { try readComponents(of: id, into: &found, connection) }
      profiles.append(found)
    }
  }

  /// The edges that a profile passes, in SQL.
  private struct Passability {
    /// Edges `e` with the columns of the conditions.
    var source: String
    /// Whether an edge is passable in the direction of its row.
    var forward: String
    /// Whether it is passable in the other direction.
    var backward: String

    static let core = Passability(
      source: "routing_edges e", forward: "e.cost < 9e999",
      backward: "(e.reverse_cost < 9e999 AND e.is_oneway = 0)")

    static func rows(_ profile: Int64) -> Passability {
      Passability(
        source:
          "routing_costs c JOIN routing_edges e ON e.id = c.edge WHERE c.profile = \(profile)",
        forward: "c.cost < 9e999", backward: "c.reverse_cost < 9e999")
    }

    /// Blocks are not unpacked: infinity always has the same bytes.
    static func blocks(_ profile: Int64) -> Passability {
      let edges = RoutingSchema.edgesPerBlock
      func passes(_ core: String, _ offset: Int) -> String {
        """
        ifnull(substr(c.costs, (e.id - 1) % \(edges) * \(CostBlock.bytesPerEdge) + \(offset), 4)
          <> x'0000807F', \(core) < 9e999)
        """
      }
      return Passability(
        source: """
          routing_edges e JOIN routing_cost_blocks c
          ON c.id = (\(profile) << 32) + (e.id - 1) / \(edges)
          """, forward: passes("e.cost", 1), backward: passes("e.reverse_cost", 5))
    }
  }

  private func profile(
    _ name: String, _ passability: Passability, _ connection: SQLiteConnection
  ) throws(CairnError) -> Profile {
    let (forward, backward) = (passability.forward, passability.backward)
    let row = try connection.prepare(
      """
      SELECT total(is_passable), total(is_passable * distance) / 1000, total(is_oneway),
        total(1 - is_passable), total((1 - is_passable) * distance) / 1000,
        total((1 - is_passable) * is_barrier)
      FROM (SELECT \(forward) OR \(backward) AS is_passable,
        (\(forward)) <> (\(backward)) AS is_oneway, \(Self.isBarrier) AS is_barrier,
        e.distance AS distance FROM \(passability.source))
      """)
    var profile = Profile(name: name)
    guard try row.step() else { return profile }
    profile.passableEdges = Int(clamping: row.integer(0))
    profile.passableKilometres = Self.length(row, 1)
    profile.onewayEdges = Int(clamping: row.integer(2))
    profile.impassableEdges = Int(clamping: row.integer(3))
    profile.impassableKilometres = Self.length(row, 4)
    profile.closedBarriers = Int(clamping: row.integer(5))
    return profile
  }

  private func readComponents(
    of id: Int64, into profile: inout Profile, _ connection: SQLiteConnection
  ) throws(CairnError) {
    let row = try connection.prepare(
      """
      SELECT count(*), total(is_island), total(nodes * is_island),
        total(CASE WHEN component = 1 THEN distance END) / 1000
      FROM routing_components WHERE profile = \(id)
      """)
    guard try row.step() else { return }
    profile.components = Int(clamping: row.integer(0))
    profile.islands = Int(clamping: row.integer(1))
    profile.islandNodes = Int(clamping: row.integer(2))
    let metres = Self.length(row, 3)
    profile.largestComponentShare =
      profile.passableKilometres > 0 ? metres / profile.passableKilometres : 0
  }
}
