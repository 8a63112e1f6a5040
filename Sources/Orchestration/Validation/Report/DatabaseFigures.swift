// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit

/// The figures for the comparison of two databases.
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
          at: Location(file: path), hint: "was it written by Cairn?")
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
      // Limited: SQLite counts rows.
      edges += Int(row.integer(1))
      kilometres += length
      highways[row.text(0) ?? "", default: 0] += length
    }
    try readProfiles(connection)
  }

  private mutating func readProfiles(_ connection: SQLiteConnection) throws(CairnError) {
    let hasProfiles = try connection.columns(ofTable: "routing_profiles")?.contains("name") == true
    if hasProfiles,
      try connection.columns(ofTable: "routing_cost_blocks")?.contains("costs") == true
    {
      return try addBlocks(connection)
    }
    guard hasProfiles,
      try connection.columns(ofTable: "routing_costs")?.contains("reverse_cost") == true
    else {
      return try addPlain(connection)
    }
    // A database of version 2.
    let row = try connection.prepare(
      """
      SELECT p.name, \(Self.sums)
      FROM routing_costs c JOIN routing_edges e ON e.id = c.edge
        JOIN routing_profiles p ON p.id = c.profile
      GROUP BY p.id ORDER BY p.id
      """)
    while try row.step() {
      add(row.text(0) ?? "", passable: row.number(1), metres: row.number(2), cost: row.number(3))
    }
  }

  /// Reads the costs of all profiles, one block of edges after another.
  private mutating func addBlocks(_ connection: SQLiteConnection) throws(CairnError) {
    var profiles: [(id: Int64, name: String, block: [UInt8]?, sums: Sums)] = []
    let profile = try connection.prepare(
      "SELECT id, name FROM routing_profiles ORDER BY id LIMIT \(ProfileRows.limit)")
    while try profile.step() {
      profiles.append((profile.integer(0), profile.text(1) ?? "", nil, Sums()))
    }
    let row = try connection.prepare(
      "SELECT id, distance, cost, reverse_cost FROM routing_edges ORDER BY id")
    let costs = try connection.prepare("SELECT costs FROM routing_cost_blocks WHERE id = ?")
    var last: Int64 = -1
    while try row.step() {
      let position = RoutingSchema.position(
        ofEdge: row.integer(0), per: RoutingSchema.edgesPerBlock)
      guard let (block, index) = position else { continue }
      for profile in profiles.indices {
        if block != last {
          profiles[profile].block = nil
          costs.reset()
          try costs.bind(1, CostBlock.id(profile: profiles[profile].id, block: block) ?? -1)
          if try costs.step(), !costs.isNull(0) {
            profiles[profile].block = try costs.withBlob(0) { bytes throws(CairnError) in
              [UInt8](bytes)
            }
          }
        }
        let own = profiles[profile].block?.withUnsafeBytes { CostBlock.numbers($0, index) }
        profiles[profile].sums.add(
          metres: row.number(1), own?.ahead ?? row.number(2), own?.back ?? row.number(3))
      }
      last = block
    }
    for (_, name, _, sums) in profiles {
      add(name, passable: sums.passable, metres: sums.metres, cost: sums.cost)
    }
  }

  /// Passable metres, then metres and costs of all passable directions.
  private struct Sums {
    var passable = 0.0
    var metres = 0.0
    var cost = 0.0

    mutating func add(metres length: Double, _ ahead: Double, _ back: Double) {
      if ahead < .infinity || back < .infinity { passable += length }
      for price in [ahead, back] where price < .infinity {
        metres += length
        cost += price
      }
    }
  }

  private mutating func addPlain(_ connection: SQLiteConnection) throws(CairnError) {
    let row = try connection.prepare(
      "SELECT '', \(Self.sums) FROM routing_edges c JOIN routing_edges e ON e.id = c.id")
    while try row.step() {
      add("", passable: row.number(1), metres: row.number(2), cost: row.number(3))
    }
  }

  /// The same as ``Sums`` in SQL.
  private static let sums = """
    total(CASE WHEN c.cost < 9e999 OR c.reverse_cost < 9e999 THEN e.distance END),
    total(CASE WHEN c.cost < 9e999 THEN e.distance END)
      + total(CASE WHEN c.reverse_cost < 9e999 THEN e.distance END),
    total(CASE WHEN c.cost < 9e999 THEN c.cost END)
      + total(CASE WHEN c.reverse_cost < 9e999 THEN c.reverse_cost END)
    """

  private mutating func add(_ name: String, passable: Double, metres: Double, cost: Double) {
    profiles.append(
      (
        name,
        Profile(
          passableKilometres: passable / 1000,
          costPerKilometre: metres > 0 ? cost / metres * 1000 : 0)
      ))
  }
}
