// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

/// Collects all problems of a file, so that they are reported together.
///
/// Readers record problems here and continue with placeholders; ``check()`` throws them at the end.
/// Not thread-safe.
package final class YAMLProblems {
  /// The most problems that an error lists; the others are only counted.
  package static let listLimit = 50

  /// The name of the file in errors.
  package let file: String
  private var problems: [(line: Int, column: Int, message: String, hint: String?)] = []

  /// Creates an empty collection.
  package init(file: String) { self.file = file }

  /// Whether there are no problems so far.
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

  /// Throws if there are problems: the first one in the file, with the others as
  /// ``CairnError/further``.
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
