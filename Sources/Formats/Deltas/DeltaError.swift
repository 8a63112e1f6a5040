// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a delta cannot be read or applied. No file was changed.
public enum DeltaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file does not exist or cannot be read; the text says which and why.
  case unreadable(String)
  /// The file is not a delta.
  case notADelta
  /// The delta was made by a later version of this library.
  case tooNew(version: Int)
  /// The delta was made by an earlier version of this library, for databases of an earlier schema.
  case tooOld(version: Int)
  /// The delta is damaged; the text says where.
  case damaged(String)
  /// The file is not the version to which the delta applies.
  ///
  /// - Parameters:
  ///   - expected: The version to which the delta applies.
  ///   - found: The SHA-256 of the file, in hexadecimal.
  case wrongBase(expected: DatabaseDelta.Version, found: String)
  /// The result differs from the promised one: the delta was made by a version of this library that
  /// writes databases differently. The whole new file is needed.
  case notReproduced
  /// The result cannot be written; the text gives the reason.
  case notWritten(String)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notADelta: "is not a Cairn delta"
    case .tooNew(let version):
      "is a delta of version \(version); this program knows version \(DatabaseDelta.formatVersion)"
    case .tooOld(let version):
      "is a delta of rows of version \(version); this program knows version \(RoutingColumns.version)"
    case .damaged(let reason): "is damaged: \(reason)"
    case .wrongBase(let expected, let found):
      "is for \(expected.description), and the old file has SHA-256 \(found.prefix(12))…"
    case .notReproduced: "does not give the expected file"
    case .notWritten(let reason): "the result cannot be written: \(reason)"
    }
  }
}

extension DeltaError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unreadable: "The update cannot be read."
    case .notADelta: "The file is not an update."
    case .tooNew: "The update was made for a later version of this app."
    case .tooOld: "The update was made for an earlier version of this app."
    case .damaged: "The update is damaged."
    case .wrongBase: "The update is for another version of the map."
    case .notReproduced: "The update does not work with this version of the app."
    case .notWritten: "The updated map cannot be saved."
    }
  }

  /// A suggested remedy.
  public var recoverySuggestion: String? {
    switch self {
    case .notWritten: "Make room and try again."
    default: "Download the whole map instead."
    }
  }
}
