// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CommandLineKit

/// The result of one check.
package struct Finding: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    case good
    /// It will work, but may surprise.
    case note
    case wrong
  }

  package var verdict: Verdict
  /// The subject of the check, such as `disk`.
  package var subject: String
  /// The finding.
  package var message: String
  /// A suggested remedy.
  package var fix: String?

  package init(_ verdict: Verdict, _ subject: String, _ message: String, fix: String? = nil) {
    self.verdict = verdict
    self.subject = subject
    self.message = message
    self.fix = fix
  }

  /// One line, and another one for the fix.
  package var text: String {
    let mark =
      switch verdict {
      case .good: "  ok   "
      case .note: "  note "
      case .wrong: "  WRONG"
      }
    let advice = fix.map { "\n         fix: \(printable($0))" } ?? ""
    return "\(mark)  \((subject + " ").padded(to: 24))\(printable(message))\(advice)\n"
  }

  package var json: JSONValue {
    .object([
      "verdict": .text(verdict.rawValue), "subject": .text(subject), "message": .text(message),
      "fix": fix.map { .text($0) } ?? .null,
    ])
  }
}
