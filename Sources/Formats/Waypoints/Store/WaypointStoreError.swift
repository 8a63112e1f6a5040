// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a store of waypoints cannot be read or written. Nothing in the store was changed.
public enum WaypointStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store is not open.
  case notOpen
  /// The file does not exist or cannot be read; the text gives the reason.
  case unreadable(String)
  /// The file is not a database of waypoints; the text gives the reason.
  case notAStore(String)
  /// The database is damaged; the text says where.
  case damaged(String)
  /// The database is to be opened read-only, but a program that wrote it has it open or did not
  /// close it; the text gives the details.
  case unclosed(String)
  /// Another program is writing to the database; the text says how long was waited.
  case locked(String)
  /// The database was made by a later version of this library.
  case tooNew(version: Int)
  /// The database is open read-only, or is a published one; the text says which.
  case readOnly(String)
  /// The database cannot be written; the text gives the reason.
  case notWritten(String)
  /// A waypoint cannot be stored; the text gives the reason.
  case invalidWaypoint(String)
  /// No waypoint has this id.
  case notFound(UUID)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .notOpen: "the waypoint database is not open"
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notAStore(let reason): "is not a database of waypoints: \(reason)"
    case .damaged(let reason): "the database of waypoints is damaged: \(reason)"
    case .unclosed(let reason): "cannot be read: it \(reason)"
    case .locked(let reason): "another program is writing to it: \(reason)"
    case .tooNew(let version):
      "its version is \(version), and this program knows versions up to \(WaypointSchema.version)"
    case .readOnly(let reason): "is not changed: \(reason)"
    case .notWritten(let reason): "cannot be written: \(reason)"
    case .invalidWaypoint(let reason): "the waypoint cannot be kept: \(reason)"
    case .notFound(let id): "there is no waypoint \(id.uuidString)"
    }
  }

  init(_ error: CairnError, isWriting: Bool) {
    let reason = error.message
    switch (error.code, error.exitCode) {
    case (.notADatabase, _), (.computedSchema, _): self = .notAStore(reason)
    case (.unclosedDatabase, _): self = .unclosed(reason)
    case (_, .temporaryFailure): self = .locked(reason)
    case (_, .noInput): self = isWriting ? .notWritten(reason) : .unreadable(reason)
    case (_, .cannotCreate): self = .readOnly(reason)
    case (_, .ioError): self = isWriting ? .notWritten(reason) : .unreadable(reason)
    default: self = .damaged(reason)
    }
  }
}

extension WaypointStoreError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .notOpen: "The store of waypoints is not open."
    case .unreadable: "The waypoints cannot be read."
    case .notAStore: "The file is not a database of waypoints."
    case .damaged: "The database of waypoints is damaged."
    case .unclosed, .locked: "The waypoints are in use by another program."
    case .tooNew: "The waypoints were saved by a later version."
    case .readOnly: "These waypoints cannot be changed."
    case .notWritten: "The waypoints cannot be saved."
    case .invalidWaypoint: "The waypoint cannot be saved."
    case .notFound: "The waypoint no longer exists."
    }
  }

  /// Why it went wrong.
  public var failureReason: String? { description }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .notOpen: "Open the store before it is used."
    case .unclosed: "Close the program that uses them, or open them for writing."
    case .locked: "Try again."
    case .tooNew: "Update the app."
    case .damaged: "Restore it from a backup; it was left as it is."
    default: nil
    }
  }
}
