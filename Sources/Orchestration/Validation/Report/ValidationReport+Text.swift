// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

extension ValidationReport {
  /// The report as text: findings, then a summary of the database.
  ///
  /// - Parameter isVerbose: Whether to list notes and the rules that hold, too.
  package func text(isVerbose: Bool = false) -> String {
    let found = checks.filter { $0.status == "error" || $0.status == "warning" }
    var lines = ["\(database): \(verdict)"]
    if !found.isEmpty { lines.append("") }
    let width = (isVerbose ? checks : found).map(\.rule.count).max() ?? 0
    for check in found { lines += Self.lines(of: check, width) }
    if !found.isEmpty { lines.append("") }
    if isReadable { lines += summary }
    if let drift {
      lines += ["", "  compared with \(drift.baseline)"]
      lines += drift.table.split(separator: "\n").map(String.init) + [""]
    }
    if isVerbose {
      for check in checks where !found.contains(check) {
        lines.append(
          "  \(check.status.padded(to: 8))\(check.rule.padded(to: width + 2))"
            + (check.count > 0 ? "\(grouped(check.count)): " : "")
            + check.details.joined(separator: "; "))
      }
    }
    lines.append(rulesLine(isVerbose: isVerbose))
    return lines.map { printable(Self.trimmed($0)) }.joined(separator: "\n") + "\n"
  }

  private var verdict: String {
    let parts = [("error", "error"), ("warning", "warning")].compactMap { status, word in
      let count = checks.count { $0.status == status }
      return count == 0 ? nil : "\(count) \(word)\(count == 1 ? "" : "s")"
    }
    let verdict = valid ? "valid" : isReadable ? "NOT VALID" : "NOT READABLE"
    return parts.isEmpty ? verdict : "\(verdict), \(parts.joined(separator: ", "))"
  }

  /// A broken rule: its breaches, one per line, and the remedy.
  private static func lines(of check: Check, _ width: Int) -> [String] {
    let indent = String(repeating: " ", count: width + 13)
    let head = "  \(check.status.padded(to: 9))\(check.rule.padded(to: width + 2))"
    var lines = check.details.enumerated().map { ($0 == 0 ? head : indent) + $1 }
    if lines.isEmpty { lines = [head] }
    if check.count > check.details.count {
      lines.append("\(indent)… \(grouped(check.count)) in all")
    }
    if let rule = ValidationRule.all.first(where: { $0.id == check.rule }) {
      lines.append("\(indent)must hold: \(rule.statement)")
      lines.append("\(indent)why: \(rule.reason)")
      lines.append("\(indent)to do: \(rule.fix)")
    }
    return lines
  }

  private var summary: [String] {
    let parts =
      components > 1
      ? " in \(grouped(components)) components, \(percent(largestComponentShare)) in the largest"
      : ""
    let size = bytesPerKilometre.map { ", \(byteSize($0)) a kilometre" } ?? ""
    let length = grouped(Int(max(0, min(kilometres.isFinite ? kilometres : 0, 1e15)).rounded()))
    return [
      "  \(grouped(nodes)) nodes, \(grouped(edges)) edges, \(length) km\(parts)",
      "  elevation for \(percent(elevationCoverage)) of the nodes; "
        + "\(byteSize(bytes))\(size)",
    ]
  }

  private func rulesLine(isVerbose: Bool) -> String {
    func count(_ status: String) -> Int { checks.count { $0.status == status } }
    let (passed, skipped, notes) = (count("pass"), count("skipped"), count("info"))
    var line = "  \(passed + notes) \(passed + notes == 1 ? "rule holds" : "rules hold")"
    if skipped > 0 { line += ", \(skipped) not checked" }
    if notes > 0, !isVerbose { line += "; \(notes) of them with a note, see --verbose" }
    return line
  }

  private static func trimmed(_ line: String) -> String {
    var text = Substring(line)
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension ValidationRule {
  /// All rules for routing databases as text.
  package static var table: String { table(all) }

  /// Rules as text.
  package static func table(_ rules: [ValidationRule]) -> String {
    let width = (rules.map(\.id.count).max() ?? 0) + 2
    let indent = String(repeating: " ", count: width + 9)
    return rules.map { rule in
      """
      \(rule.id.padded(to: width))\(rule.severity.rawValue.padded(to: 9))\(rule.statement)
      \(indent)why: \(rule.reason)
      \(indent)to do: \(rule.fix)

      """
    }.joined(separator: "\n")
  }
}
