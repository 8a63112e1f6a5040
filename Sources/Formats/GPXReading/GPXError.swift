// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a file cannot be read as GPX.
public enum GPXError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A position in a file, as far as the XML parser knows it: the end of the tag, or where parsing
  /// stopped.
  public struct Position: Hashable, Sendable {
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1.
    public var column: Int

    /// Makes a place.
    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }
  }

  /// The file does not exist or cannot be read; the text gives the reason.
  case unreadable(String)
  /// The file has another format, such as KML, or is compressed; the text says which.
  case notGPX(String)
  /// The file is not well-formed XML, or is truncated; the text gives the details.
  case malformed(String, at: Position?)
  /// The file exceeds a limit, or has a document type, which could expand to any size; the text
  /// says which.
  case refused(String, at: Position?)
  /// A point has no valid coordinate.
  case invalid(String, at: Position?)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notGPX(let reason): reason
    case .malformed(let reason, let position), .refused(let reason, let position),
      .invalid(let reason, let position):
      position.map { "line \($0.line), column \($0.column): \(reason)" } ?? reason
    }
  }

  /// The public form of an error of the tools.
  package init(_ error: CairnError, at position: Position?) {
    switch error.code {
    case .wrongFileKind, .emptyFile: self = .notGPX(error.message)
    case .malformedXML, .truncatedFile: self = .malformed(error.message, at: position)
    case .refusedXML: self = .refused(error.message, at: position)
    default: self = .invalid(error.message, at: position)
    }
  }
}

extension GPXError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unreadable: "The file cannot be read."
    case .notGPX: "The file is not a GPX file."
    case .malformed, .invalid: "The GPX file is damaged."
    case .refused: "The GPX file is too large, or not safe to read."
    }
  }

  /// The problem and its position.
  public var failureReason: String? { description }
}
