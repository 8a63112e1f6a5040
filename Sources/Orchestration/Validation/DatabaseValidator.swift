// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import SystemIO

/// Checks a routing database against ``ValidationRule/all``.
///
/// Each table is read once, in the order of its key; rules about several tables read them in
/// parallel. SQLite's own check of the file takes about a third as long as everything else, which runs
/// at the same time and counts only if the file is intact. Each job has its own connection and
/// findings, which are put together in a fixed order, so the report does not depend on the number
/// of threads.
package struct DatabaseValidator {
  private let path: String
  private let file: DatabaseFile
  private let threads: Int
  private var findings = Findings()

  /// Whether warnings count as errors.
  package var isStrict = false
  /// Whether no elevations are expected.
  package var isWithoutElevation = false
  /// The earlier database to compare with.
  package var baseline: DriftBaseline?

  /// Opens a database. Throws 66 if it does not exist, and 65 if it is not an SQLite database, is
  /// truncated, or was not closed by its writer.
  package init(_ path: String, threads: Int = 1) throws(CairnError) {
    self.path = path
    self.threads = threads
    file = try DatabaseFile(path)
    _ = try SQLiteConnection(path, .readOnly)
  }

  /// Checks every rule. Throws 65 if damage makes further checks impossible; all other findings are
  /// in the report.
  package mutating func run() throws(CairnError) -> ValidationReport {
    findings = Findings()
    var report = ValidationReport(database: path)
    report.bytes = file.bytes
    defer { file.closeConnections() }
    let isRead = try checkFile(&report)
    if isRead, let baseline {
      let drift = try DriftReport(baseline: baseline, database: path)
      for row in drift.excesses { findings.add(.drift, row.summary(limit: drift.limit)) }
      report.drift = drift
    } else {
      findings.skip(.drift, because: "no --baseline given")
    }
    report.checks = findings.checks(isStrict: isStrict)
    return report
  }

  /// Checks the rules about this file alone. Returns false if a rule of the gate is broken.
  private mutating func checkFile(_ report: inout ValidationReport) throws(CairnError) -> Bool {
    do throws(CairnError) { try file.withConnection { _ in } } catch
      where error.code == .computedSchema
    {
      findings.add(.schema, error.message)
      findings.skip(.integrity, because: "the schema could compute forever")
      return false
    }
    let empty = report
    let (integrity, content) = Crew.run(threads: threads) { [file] in
      Result { () throws(CairnError) in
        try IntegrityCheck.run(file, exceptIndexesOf: CoreIndexes.tables)
      }
    } main: { [file, isWithoutElevation] crew in
      Result { () throws(CairnError) in
        var content = ContentRules(file, crew, empty, isWithoutElevation: isWithoutElevation)
        try content.check()
        return content
      }
    }
    findings.append(try integrity.get())
    // Results and errors count only if the database is intact.
    guard findings.holds(.integrity) else { return false }
    if case .success(let rules) = content, let compared = rules.indexFindings {
      findings.append(compared)
    } else {
      findings.append(try IntegrityCheck.checkCoreIndexes(file))
    }
    guard findings.holds(.integrity) else { return false }
    let found = try content.get()
    findings.append(found.findings)
    report = found.report
    return found.isReadable
  }
}
