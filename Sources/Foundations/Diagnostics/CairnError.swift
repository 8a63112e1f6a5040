// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

/// The error thrown by Cairn's tools: the problem, its location, and a remedy.
///
/// Apps never see it: routing throws `RoutingError`.
///
/// `code` names the class of the error for programs and tests; `message` is for the user. It prints
/// as one line: `andorra.osm.pbf: at byte 81 920: blob header of 70 000 bytes, the format allows
/// 65 536 (is the file truncated?)`, or, for a text file, as
/// `sample.yaml:12:3: unknown key "regoins" (did you mean "regions"?)`.
package struct CairnError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The class of an error. Each module declares its own as static members.
  package struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// A short name in kebab-case, such as `missing-raw-size`.
    package let rawValue: String

    /// Creates a code from its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a code from its name.
    package init(stringLiteral value: String) { rawValue = value }
  }

  /// The class of the error.
  package var code: Code
  /// The exit code of a command that fails with this error.
  package var exitCode: ExitCode
  /// What went wrong, in one sentence without a full stop.
  package var message: String
  /// The file and the position in it, if any.
  package var location: Location?
  /// A suggested remedy, if any.
  package var hint: String?
  /// Further errors, if a file is checked as a whole; each prints as a line of its own.
  package var further: [CairnError] = []

  /// Creates an error.
  package init(
    _ code: Code, _ exitCode: ExitCode, _ message: String, at location: Location? = nil,
    hint: String? = nil
  ) {
    self.code = code
    self.exitCode = exitCode
    self.message = message
    self.location = location
    self.hint = hint
  }

  /// The error as one printable line, followed by one for each ``further`` error.
  package var description: String {
    let parts = [location?.description ?? "", message].filter { !$0.isEmpty }
    let advice = hint.map { " (\($0))" } ?? ""
    let line = printable(parts.joined(separator: ": ") + advice)
    return ([line] + further.map { $0.description }).joined(separator: "\n")
  }

  /// The same error located in `file`, unless it already names a file.
  package func located(inFile file: String) -> CairnError {
    var copy = self
    if let location {
      if location.file.isEmpty { copy.location?.file = file }
    } else {
      copy.location = Location(file: file)
    }
    return copy
  }
}

/// A position in a file.
package struct Location: Equatable, Sendable, CustomStringConvertible {
  /// A position within a file.
  package enum Position: Equatable, Sendable {
    /// The file as a whole.
    case whole
    /// A byte offset, counted from 0.
    case byte(Int)
    /// A line and a column, both counted from 1.
    case line(Int, column: Int)
    /// A named object in the file, such as `way 4711`.
    case object(String)
  }

  /// The path as the user gave it; empty if the throwing code does not know it.
  package var file: String
  /// The position within the file.
  package var position: Position

  /// Creates a position in a file, by default the file as a whole.
  package init(file: String, _ position: Position = .whole) {
    self.file = file
    self.position = position
  }

  /// `file`, `file: at byte 81 920`, `file:12:3` or `file: way 4711`.
  package var description: String {
    switch position {
    case .whole: file
    case .byte(let offset): prefix + "at byte \(grouped(offset))"
    case .line(let line, let column):
      (file.isEmpty ? "line " : file + ":") + "\(line):\(column)"
    case .object(let name): prefix + name
    }
  }

  private var prefix: String { file.isEmpty ? "" : "\(file): " }
}
