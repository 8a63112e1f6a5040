// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import RoutingDatabase
import SQLiteKit

/// The figures by which two databases are compared.
struct DatabaseFigures: Equatable {
  /// The figures of one profile.
  struct Profile: Equatable {
    /// The length that is passable in at least one direction.
    var passableKilometres: Double
    /// The mean cost per kilometre over all passable directions.
    var costPerKilometre: Double
  }

  private(set) var nodes = 0
  private(set) var edges = 0
  private(set) var kilometres = 0.0
  /// Kilometres by `highway_type`.
  private(set) var highways: [String: Double] = [:]
  /// In the order of the database; an empty name means the costs in `routing_edges`.
  private(set) var profiles: [(name: String, figures: Profile)] = []

  static func == (one: DatabaseFigures, other: DatabaseFigures) -> Bool {
    one.nodes == other.nodes && one.edges == other.edges && one.highways == other.highways
      && one.profiles.elementsEqual(other.profiles) { $0 == $1 }
  }

  /// Reads a database. Throws 66 if it does not exist and 65 if it is not a routing database.
  init(_ path: String) throws(CairnError) {
    _ = try DatabaseFile(path)
    let connection = try SQLiteConnection(path, .readOnly)
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      guard let found = try connection.columns(ofTable: table), columns.allSatisfy(found.contains)
      else {
        throw CairnError(
          .database, .dataError, "has no table \(table) with the expected columns",
          at: Location(file: path), hint: "it was not written by Cairn")
      }
    }
    nodes = Int(try connection.integer("SELECT count(*) FROM routing_nodes") ?? 0)
    let row = try connection.prepare(
      """
      SELECT coalesce(highway_type, 'none'), count(*), sum(distance) FROM routing_edges
      GROUP BY 1 ORDER BY 1
      """)
    while try row.step() {
      let length = row.number(2) / 1000
      edges += Int(row.integer(1))
      kilometres += length
      highways[row.text(0) ?? "", default: 0] += length
    }
    try readProfiles(connection)
  }

  private mutating func readProfiles(_ connection: SQLiteConnection) throws(CairnError) {
    guard try connection.columns(ofTable: "routing_profiles")?.contains("name") == true,
      try connection.columns(ofTable: "routing_costs")?.contains("reverse_cost") == true
    else {
      return try addPlain(connection)
    }
    let row = try connection.prepare(
      """
      SELECT p.name, \(Self.sums)
      FROM routing_costs c JOIN routing_edges e ON e.id = c.edge
        JOIN routing_profiles p ON p.id = c.profile
      GROUP BY p.id ORDER BY p.id
      """)
    while try row.step() { add(row, name: row.text(0) ?? "") }
  }

  private mutating func addPlain(_ connection: SQLiteConnection) throws(CairnError) {
    let row = try connection.prepare(
      "SELECT '', \(Self.sums) FROM routing_edges c JOIN routing_edges e ON e.id = c.id")
    while try row.step() { add(row, name: "") }
  }

  /// Passable metres, then metres and costs of all passable directions.
  private static let sums = """
    total(CASE WHEN c.cost < 9e999 OR c.reverse_cost < 9e999 THEN e.distance END),
    total(CASE WHEN c.cost < 9e999 THEN e.distance END)
      + total(CASE WHEN c.reverse_cost < 9e999 THEN e.distance END),
    total(CASE WHEN c.cost < 9e999 THEN c.cost END)
      + total(CASE WHEN c.reverse_cost < 9e999 THEN c.reverse_cost END)
    """

  private mutating func add(_ row: SQLiteStatement, name: String) {
    let (passable, metres, cost) = (row.number(1), row.number(2), row.number(3))
    profiles.append(
      (
        name,
        Profile(
          passableKilometres: passable / 1000,
          costPerKilometre: metres > 0 ? cost / metres * 1000 : 0)
      ))
  }
}
