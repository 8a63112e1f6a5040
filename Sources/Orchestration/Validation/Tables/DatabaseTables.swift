// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnSQLiteKit

/// The tables of a database.
struct DatabaseTables {
  /// The extension tables that exist with exactly their columns.
  private var extensions: Set<String> = []

  /// Checks tables, indexes and versions; adds breaches of `schema` and `extension-tables`.
  init(_ connection: SQLiteConnection, _ findings: inout Findings) throws(CairnError) {
    let isOurs = try connection.integer("PRAGMA application_id") == RoutingSchema.applicationID
    let version = try connection.integer("PRAGMA user_version") ?? 0
    if isOurs, version != RoutingSchema.version {
      findings.add(
        .schema, "has version \(version), but this build supports \(RoutingSchema.version)")
    }
    for (table, columns) in RoutingSchema.coreColumns.sorted(by: { $0.key < $1.key }) {
      let found = try connection.columns(ofTable: table)
      if let problem = Self.difference(table, columns, found) { findings.add(.schema, problem) }
    }
    for index in ["idx_nodes_lat_lon", "idx_edges_from", "idx_edges_to"] {
      let statement = try connection.prepare(
        "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?")
      try statement.bind(1, index)
      if try !statement.step() { findings.add(.schema, "no index \(index)") }
    }
    if isOurs {
      for (view, _) in RoutingSchema.extensionViews {
        // A view with other content would have been refused.
        let statement = try connection.prepare(
          "SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = ?")
        try statement.bind(1, view)
        if try !statement.step() { findings.add(.extensionTables, "no view \(view)") }
      }
    }
    extensions = try Self.verbatimTables(connection)
    if extensions.count == RoutingSchema.extensionTables.count { return }
    for (table, columns) in try Self.extensionColumns() where !extensions.contains(table) {
      let found = try connection.columns(ofTable: table)
      if let problem = Self.difference(table, columns, found) {
        // Databases of other writers may lack these tables, but must not have different tables of
        // the same names.
        if isOurs || found != nil { findings.add(.extensionTables, problem) }
      } else {
        extensions.insert(table)
      }
    }
  }

  /// Whether the database has all of these extension tables.
  func has(_ names: String...) -> Bool { names.allSatisfy(extensions.contains) }

  private static func difference(_ table: String, _ columns: [String], _ found: [String]?)
    -> String?
  {
    guard let found else { return "no table \(table)" }
    let missing = columns.filter { !found.contains($0) }
    let further = found.filter { !columns.contains($0) }
    if let first = missing.first { return "\(table) has no column \(first)" }
    if let first = further.first { return "\(table) has an unknown column \(first)" }
    return found == columns ? nil : "\(table) has its columns in another order"
  }

  /// The extension tables that were created with exactly the statement of the schema.
  private static func verbatimTables(_ connection: SQLiteConnection) throws(CairnError)
    -> Set<String>
  {
    let statements = Set(RoutingSchema.extensionTables)
    let rows = try connection.prepare(
      "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0")
    var names: Set<String> = []
    while try rows.step() {
      if let name = rows.text(0), let sql = rows.text(1), statements.contains(sql),
        sql.hasPrefix("CREATE TABLE \(name) (")
      {
        names.insert(name)
      }
    }
    return names
  }

  /// The columns of the extension tables, according to SQLite.
  private static func extensionColumns() throws(CairnError) -> [(table: String, columns: [String])]
  {
    let scratch = try SQLiteConnection(":memory:", .build)
    for table in RoutingSchema.extensionTables { try scratch.execute(table) }
    let names = try scratch.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")
    var tables: [(table: String, columns: [String])] = []
    while try names.step() {
      let name = names.text(0) ?? ""
      tables.append((name, try scratch.columns(ofTable: name) ?? []))
    }
    return tables
  }
}
