// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// Collects what is wrong with one file, so that its author sees all of it at once.
///
/// Readers record problems here and go on with placeholders; ``check()`` at the end throws them
/// together. Not for use from several threads.
public final class YAMLProblems {
  /// How many problems an error lists; the rest is only counted.
  public static let listLimit = 50

  private struct Problem {
    var line: Int
    var column: Int
    var message: String
  }

  /// The name of the file as errors carry it.
  public let file: String
  private var problems: [Problem] = []

  /// Starts an empty collection.
  public init(file: String) { self.file = file }

  /// Whether nothing is wrong so far.
  public var isEmpty: Bool { problems.isEmpty }

  /// Records a problem at a line and column, both from 1.
  public func add(_ message: String, line: Int, column: Int, hint: String? = nil) {
    let advice = hint.map { " (\($0))" } ?? ""
    problems.append(Problem(line: line, column: column, message: message + advice))
  }

  /// Records a problem at a value.
  public func add(_ message: String, at node: YAMLNode, hint: String? = nil) {
    add(message, line: node.line, column: node.column, hint: hint)
  }

  /// Records a problem at a key.
  public func add(_ message: String, at key: YAMLKey, hint: String? = nil) {
    add(message, line: key.line, column: key.column, hint: hint)
  }

  /// Throws 78 if something was recorded: one error in the order of the file, whose location is
  /// the first problem and whose message has one line `file:line:column: …` for each further one.
  public func check() throws(CairnError) {
    let sorted = problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    guard let first = sorted.first else { return }
    var lines = [first.message]
    for problem in sorted.dropFirst().prefix(Self.listLimit - 1) {
      lines.append("\(file):\(problem.line):\(problem.column): \(problem.message)")
    }
    if sorted.count > Self.listLimit {
      lines.append("and \(sorted.count - Self.listLimit) more problems")
    }
    throw CairnError(
      .invalidConfiguration, .configuration, lines.joined(separator: "\n"),
      at: Location(file: file, .line(first.line, column: first.column)))
  }
}
