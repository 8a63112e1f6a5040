// SPDX-License-Identifier: Apache-2.0
import Formatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The error that Cairn's tools throw: what went wrong, where, and what to do about it.
///
/// Apps never see it: routing throws `RoutingError`. The type is public only because an open class
/// (`ExpatParser`) throws it.
/// `code` names the class of the error for tests and machines; `message` is for people.
/// It prints as one line: `andorra.osm.pbf: at byte 81 920: blob header of 70 000 bytes, the
/// format allows 65 536 (is the file truncated?)`, or, in a text file, as
/// `sample.yaml:12:3: unknown key "regoins" (did you mean "regions"?)`.
public struct CairnError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The class of an error. Each module declares its own as static members.
  package struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// A short name in kebab-case, such as `missing-raw-size`.
    package let rawValue: String

    /// Makes a code of its name.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code of its name.
    package init(stringLiteral value: String) { rawValue = value }
  }

  /// The class of the error.
  package var code: Code
  /// The exit status of a command that ends with this error.
  package var exitCode: ExitCode
  /// What went wrong, in one sentence without a full stop.
  package var message: String
  /// Where it went wrong, if that is a place in a file.
  package var location: Location?
  /// What to do about it, if there is something.
  package var hint: String?
  /// What else is wrong, where a file is checked as a whole; each prints as a line of its own.
  package var further: [CairnError] = []

  /// Makes an error.
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

  /// The error as one line for people, see ``printable(_:)``, and one for each ``further`` error.
  public var description: String {
    let place = location?.description ?? ""
    let advice = hint.map { " (\($0))" } ?? ""
    let line = printable((place.isEmpty ? "" : place + ": ") + message + advice)
    return ([line] + further.map(\.description)).joined(separator: "\n")
  }

  /// The same error with `file` as its place, where it had none or one without a file name.
  package func located(inFile file: String) -> CairnError {
    var copy = self
    if let place = location {
      if place.file.isEmpty { copy.location?.file = file }
    } else {
      copy.location = Location(file: file)
    }
    return copy
  }
}

extension CairnError: LocalizedError {
  /// What went wrong and where, without the hint.
  public var errorDescription: String? {
    var copy = self
    copy.hint = nil
    return copy.description
  }
  /// The class of the error, such as “bad input data”.
  public var failureReason: String? { exitCode.meaning }
  /// The hint.
  public var recoverySuggestion: String? { hint.map(printable) }
}

/// A place in a file.
package struct Location: Equatable, Sendable, CustomStringConvertible {
  /// What within the file is meant.
  package enum Place: Equatable, Sendable {
    /// The file as such.
    case whole
    /// A byte offset, counted from 0.
    case byte(Int)
    /// A line and a column, both counted from 1.
    case line(Int, column: Int)
    /// An object of the file by its name, such as `way 4711`.
    case object(String)
  }

  /// The path as the user gave it; empty where the thrower does not know it.
  package var file: String
  /// The place within the file.
  package var place: Place

  /// Makes a place in a file, by default the file as such.
  package init(file: String, _ place: Place = .whole) {
    self.file = file
    self.place = place
  }

  /// `file`, `file: at byte 81 920`, `file:12:3` or `file: way 4711`.
  package var description: String {
    switch place {
    case .whole: file
    case .byte(let offset): prefix + "at byte \(grouped(offset))"
    case .line(let line, let column):
      (file.isEmpty ? "line " : file + ":") + "\(line):\(column)"
    case .object(let name): prefix + name
    }
  }

  private var prefix: String { file.isEmpty ? "" : "\(file): " }
}
