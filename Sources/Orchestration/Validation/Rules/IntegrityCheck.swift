// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnSQLiteKit

/// SQLite's own check of a file: pages, records and their order, and the indexes of each table.
enum IntegrityCheck {
  /// Checks a file; the indexes in `compared` only as far as their pages and records, see
  /// ``CoreIndexes``.
  static func run(_ file: DatabaseFile, exceptIndexesOf compared: [String] = [])
    throws(CairnError) -> Findings
  {
    var findings = Findings()
    do throws(CairnError) {
      try file.withConnection { connection throws(CairnError) in
        try collect("PRAGMA quick_check(10)", connection, &findings)
        for table in try tablesWithKeys(connection) {
          if compared.contains(table), try CoreIndexes.coverAll(of: table, connection) { continue }
          try checkIndexes(of: table, connection, &findings)
        }
      }
    } catch  where error.code == .damagedDatabase {
      findings.add(.integrity, error.message)
    }
    return findings
  }

  /// Whether a file is proved to be intact, with less work than SQLite's complete check, which has to
  /// say what is wrong.
  static func isPassed(by connection: SQLiteConnection) throws(CairnError) -> Bool {
    do throws(CairnError) {
      guard try connection.text("PRAGMA quick_check(1)") == "ok" else { return false }
      for table in try tablesWithKeys(connection) {
        if try connection.provesKeys(of: table) { continue }
        guard try connection.text(check(ofIndexesOf: table)) == "ok" else { return false }
      }
      return true
    } catch  where error.exitCode == .dataError {
      return false
    }
  }

  /// The first damages that SQLite names of a database of any tool; none if it is intact. Throws 65
  /// for one that takes more work than its size explains.
  static func damages(of connection: SQLiteConnection) throws(CairnError) -> [String] {
    if try isPassed(by: connection) { return [] }
    var lines: [String] = []
    do throws(CairnError) {
      let statement = try connection.prepare("PRAGMA integrity_check(3)")
      while try statement.step() { lines.append(statement.text(0) ?? "") }
    } catch  where error.code == .damagedDatabase {
      lines.append(error.message)
    }
    return lines
  }

  /// Checks the indexes of the tables in ``CoreIndexes`` if they were not compared with the rows.
  static func checkCoreIndexes(_ file: DatabaseFile) throws(CairnError) -> Findings {
    var findings = Findings()
    do throws(CairnError) {
      try file.withConnection { connection throws(CairnError) in
        for table in try tablesWithKeys(connection) where CoreIndexes.tables.contains(table) {
          try checkIndexes(of: table, connection, &findings)
        }
      }
    } catch  where error.code == .damagedDatabase {
      findings.add(.integrity, error.message)
    }
    return findings
  }

  private static func checkIndexes(
    of table: String, _ connection: SQLiteConnection, _ findings: inout Findings
  ) throws(CairnError) {
    try collect(check(ofIndexesOf: table), connection, &findings)
  }

  private static func check(ofIndexesOf table: String) -> String {
    "PRAGMA integrity_check('\(table.replacing(scalar: "'", with: "''"))')"
  }

  private static func collect(
    _ pragma: String, _ connection: SQLiteConnection, _ findings: inout Findings
  ) throws(CairnError) {
    let statement = try connection.prepare(pragma)
    while try statement.step() {
      if let line = statement.text(0), line != "ok" { findings.add(.integrity, line) }
    }
  }

  /// The tables that have an index or are stored by a key of their own, which counts as one.
  ///
  /// `pragma_table_list` would also compile each view and each virtual table.
  private static func tablesWithKeys(_ connection: SQLiteConnection) throws(CairnError) -> [String]
  {
    let statement = try connection.prepare(
      """
      SELECT t.name FROM sqlite_master t
      WHERE t.type = 'table' AND EXISTS (SELECT 1 FROM pragma_index_list(t.name))
      ORDER BY t.name
      """)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0) ?? "") }
    return names
  }
}
