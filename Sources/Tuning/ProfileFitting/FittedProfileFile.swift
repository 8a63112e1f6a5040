// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import CostModel

/// A fitted profile as a file, with the references in comments.
package struct FittedProfileFile {
  /// The beginning of the first line, by which programs recognize the file.
  private static let signature = "# Fitted by cairn "

  private let profile: CostProfile
  private let base: String?
  private let report: FitReport
  private let suite: String?

  /// - Parameters:
  ///   - profile: The fitted profile, under its new name.
  ///   - base: The value of `based-on`, if the file shall contain only the fitted values; nil for a
  ///     complete file.
  ///   - suite: The name of the suite.
  package init(_ profile: CostProfile, basedOn base: String?, _ report: FitReport, suite: String?) {
    (self.profile, self.base, self.report, self.suite) = (profile, base, report, suite)
  }

  /// Whether a file with these first bytes is one.
  package static func isOne(head: [UInt8]) -> Bool { head.starts(with: signature.utf8) }

  /// The text of the file. Throws 70 if the profile cannot be written, which does not happen for
  /// one that was read.
  package func text() throws(CairnError) -> String {
    var lines = [
      Self.signature + cairnVersion + ": \(references)"
        + (suite.map { " of \(Self.word($0))" } ?? "") + ", from the profile \(report.profile)."
    ]
    lines += doubts
    for key in report.keys where key.isKept {
      lines.append(
        "# \(key.key): \(ProfileNumber.text(key.before)) before, "
          + "\(ProfileNumber.text(key.after)) now")
    }
    guard let base else { return lines.joined(separator: "\n") + "\n" + (try profile.yamlText()) }
    lines += ["cairn-profile: 1", "name: \(profile.name)", "based-on: \(base)"]
    lines += Self.entries(report.keys.filter(\.isKept))
    return lines.joined(separator: "\n") + "\n"
  }

  /// The references: `12 walks and 9 tracks`.
  private var references: String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
    let groups = Set(report.keys.compactMap(\.fittedTo))
    var parts: [String] = []
    if groups.contains(.times) || !groups.contains(.routes) {
      parts.append(count(report.walks, "walk"))
    }
    if groups.contains(.routes), let routes = report.routes {
      parts.append(count(routes.tracks, "track"))
    }
    return listed(parts)
  }

  /// A comment for each group of values kept without proof.
  private var doubts: [String] {
    let groups = Set(report.keys.filter(\.isKept).compactMap(\.fittedTo))
    guard !groups.isEmpty else {
      return ["# It is no proven improvement: \(report.verdict.reason)."]
    }
    return [(FitReport.Group.times, "Its times are"), (.routes, "Its routes are")].compactMap {
      group, what in
      guard groups.contains(group), let verdict = report.verdict(on: group),
        !verdict.isImprovement
      else { return nil }
      return "# \(what) no proven improvement: \(verdict.reason)."
    }
  }

  /// Keys as mappings, with those of one table together.
  private static func entries(_ keys: [FitReport.Key]) -> [String] {
    var lines: [String] = []
    var open: [String] = []
    for (path, value) in keys.map({ ($0.key.split(separator: ".").map(String.init), $0.after) })
      .sorted(by: { $0.0.lexicographicallyPrecedes($1.0) })
    {
      let tables = Array(path.dropLast())
      var common = 0
      while common < min(tables.count, open.count), tables[common] == open[common] { common += 1 }
      for depth in common..<tables.count {
        lines.append(String(repeating: "  ", count: depth) + tables[depth] + ":")
      }
      open = tables
      lines.append(
        String(repeating: "  ", count: tables.count) + "\(path[path.count - 1]): "
          + ProfileNumber.text(value))
    }
    return lines
  }

  /// A name that is safe in a comment.
  private static func word(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
  }
}
