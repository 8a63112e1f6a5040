// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// The validator's report on a database of waypoints or places.
package struct CompanionReport: Encodable, Equatable, Sendable {
  /// The file.
  package var database: String
  /// Its kind.
  package var kind: CompanionKind
  /// Whether all rules hold.
  package var valid: Bool { checks.allSatisfy { $0.status != "error" } }
  /// Whether the file could be read at all.
  package var isReadable: Bool {
    let gate = CompanionRule.gate.map(\.rawValue)
    return !checks.contains { $0.status == "error" && gate.contains($0.rule) }
  }
  /// The size of the file.
  package var bytes = 0
  /// The number of waypoints or places.
  package var rows = 0
  /// The outcome of each rule.
  package var checks: [ValidationReport.Check] = []

  private enum CodingKeys: String, CodingKey {
    case database, kind, valid, bytes, rows, checks, errors
  }

  /// Writes the report including `valid` and `errors`.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(database, forKey: .database)
    try values.encode(kind, forKey: .kind)
    try values.encode(valid, forKey: .valid)
    try values.encode(bytes, forKey: .bytes)
    try values.encode(rows, forKey: .rows)
    try values.encode(checks, forKey: .checks)
    let errors = checks.filter { $0.status == "error" }.map {
      "\($0.rule): \($0.details.joined(separator: "; "))"
    }
    try values.encode(errors, forKey: .errors)
  }

  /// The report as text: findings, then a summary.
  package func text(isVerbose: Bool = false) -> String {
    let errors = checks.filter { $0.status == "error" }
    let verdict = valid ? "valid" : isReadable ? "NOT VALID" : "NOT READABLE"
    var lines = ["\(database): \(verdict)"]
    for check in isVerbose ? checks : errors {
      lines.append(
        "  \(check.status.padded(to: 9))\(check.rule.padded(to: 22))"
          + check.details.joined(separator: "; "))
      if check.count > check.details.count {
        lines.append("           … \(grouped(check.count)) in all")
      }
      guard check.status == "error", let rule = CompanionRule(rawValue: check.rule)?.rule else {
        continue
      }
      lines.append("           must hold: \(rule.statement)")
      lines.append("           why: \(rule.reason)")
      lines.append("           to do: \(rule.fix)")
    }
    if isReadable { lines.append("  \(grouped(rows)) \(kind.rawValue); \(byteSize(bytes))") }
    let held = checks.count { $0.status == "pass" }
    lines.append("  \(held) \(held == 1 ? "rule holds" : "rules hold")")
    return lines.map(printable).joined(separator: "\n") + "\n"
  }
}
