// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Collects what is wrong with one file, so that its author sees all of it at once.
///
/// Readers record problems here and go on with placeholders; ``check()`` at the end throws them
/// together. Not for use from several threads.
package final class YAMLProblems {
  /// How many problems an error lists; the rest is only counted.
  package static let listLimit = 50

  /// The name of the file as errors carry it.
  package let file: String
  private var problems: [(line: Int, column: Int, message: String, hint: String?)] = []

  /// Starts an empty collection.
  package init(file: String) { self.file = file }

  /// Whether nothing is wrong so far.
  package var isEmpty: Bool { problems.isEmpty }

  /// Records a problem at a line and column, both from 1.
  package func add(_ message: String, line: Int, column: Int, hint: String? = nil) {
    problems.append((line, column, message, hint))
  }

  /// Records a problem at a value.
  package func add(_ message: String, at node: YAMLNode, hint: String? = nil) {
    add(message, line: node.line, column: node.column, hint: hint)
  }

  /// Records a problem at a key.
  package func add(_ message: String, at key: YAMLKey, hint: String? = nil) {
    add(message, line: key.line, column: key.column, hint: hint)
  }

  /// Throws if something was recorded: the problem that comes first in the file, with those after
  /// it as ``CairnError/further``.
  package func check(
    _ code: CairnError.Code = .invalidConfiguration, _ exitCode: ExitCode = .configuration
  ) throws(CairnError) {
    let sorted = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    var errors = sorted.prefix(Self.listLimit).map { problem in
      CairnError(
        code, exitCode, problem.message,
        at: Location(file: file, .line(problem.line, column: problem.column)), hint: problem.hint)
    }
    if sorted.count > Self.listLimit {
      errors.append(
        CairnError(code, exitCode, "and \(sorted.count - Self.listLimit) more problems"))
    }
    guard var first = errors.first else { return }
    first.further = Array(errors.dropFirst())
    throw first
  }
}
