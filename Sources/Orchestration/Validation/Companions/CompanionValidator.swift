// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPlaceDatabase
import CairnSQLiteKit
import SystemIO

/// Checks a database of waypoints or places against ``CompanionRule``.
package struct CompanionValidator {
  private let path: String
  private let kind: CompanionKind
  private let file: DatabaseFile
  private let threads: Int
  /// The permitted virtual tables.
  private let tables: [String]

  /// Opens a database. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, was not closed by its writer, or has a schema that computes. The file is locked for
  /// reading until ``run()`` has ended.
  ///
  /// - Parameter threads: With more than one, SQLite checks the file while its rows are read.
  package init(_ path: String, _ kind: CompanionKind, threads: Int = 1) throws(CairnError) {
    self.path = path
    self.kind = kind
    self.threads = threads
    file = try DatabaseFile(path)
    tables = kind == .places ? PlaceSchema.textIndexes : []
    try file.withConnection(virtualTables: tables) { _ in }
  }

  /// Checks every rule. Content that SQLite cannot read is a breach of `companion-integrity`.
  package func run() throws(CairnError) -> CompanionReport {
    let (file, kind, tables) = (file, kind, tables)
    defer { file.closeConnections() }
    let (damages, (breaches, rows)) = try concurrently(threads: threads) {
      () throws(CairnError) -> [CompanionRule: Breaches] in
      let isIntact = try file.withConnection(virtualTables: tables) {
        connection throws(CairnError) in try IntegrityCheck.isPassed(by: connection)
      }
      if isIntact { return [:] }
      return try file.withConnection(virtualTables: tables) { connection throws(CairnError) in
        var content = CompanionContent(connection)
        try content.checkIntegrity()
        return content.breaches
      }
    } _: { () throws(CairnError) in
      try file.withConnection(virtualTables: tables) { connection throws(CairnError) in
        var content = CompanionContent(connection)
        let rows = try content.check(kind)
        return (content.breaches, rows)
      }
    }
    // The content of a damaged file means nothing.
    return report(damages.isEmpty ? breaches : damages, rows: rows)
  }

  private func report(_ breaches: [CompanionRule: Breaches], rows: Int) -> CompanionReport {
    var report = CompanionReport(database: path, kind: kind)
    report.bytes = file.bytes
    let isReadable = CompanionRule.gate.allSatisfy { breaches[$0] == nil }
    if isReadable { report.rows = rows }
    report.checks = CompanionRule.rules(of: kind).map { rule in
      if let found = breaches[rule] {
        return .init(
          rule: rule.rawValue, status: "error", count: found.count, details: found.examples)
      }
      return .init(
        rule: rule.rawValue, status: isReadable ? "pass" : "skipped", count: 0, details: [])
    }
    return report
  }
}
