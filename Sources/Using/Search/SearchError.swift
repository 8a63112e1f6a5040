// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnPhrases

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a search failed.
public enum SearchError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file does not exist or cannot be read; the text gives the reason.
  case databaseUnreadable(String)
  /// Another program is writing the database; the text is SQLite's. A retry may help.
  case databaseLocked(String)
  /// The file is not a database of places; the text gives the reason.
  case databaseUnusable(String)
  /// The database is damaged or contradicts itself; the text says where.
  case databaseCorrupted(String)
  /// The query is longer than ``SearchService/maximumQueryBytes``.
  case queryTooLong(bytes: Int)
  /// The location is not on Earth.
  case invalidLocation(Coordinate)
  /// The database has no relations of waymarked routes, as in earlier versions.
  case routesNotAvailable

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .databaseUnreadable(let reason), .databaseLocked(let reason):
      "cannot be read: \(reason)"
    case .databaseUnusable(let reason): "not a database of places: \(reason)"
    case .databaseCorrupted(let reason): "the database of places is damaged: \(reason)"
    case .queryTooLong(let bytes):
      "the query has \(bytes) bytes, at most \(SearchService.maximumQueryBytes) are searched for"
    case .invalidLocation(let point):
      "\(point.latitude),\(point.longitude) is not a latitude and a longitude in degrees"
    case .routesNotAvailable:
      "the database of places has no members of waymarked routes: an earlier version made it"
    }
  }

  init(reading error: CairnError) {
    switch error.code {
    case .damagedDatabase: self = .databaseCorrupted(error.message)
    case .lockedDatabase: self = .databaseLocked(error.message)
    default:
      self =
        error.exitCode == .dataError
        ? .databaseUnusable(error.message) : .databaseUnreadable(error.message)
    }
  }

  /// The error of a command about the file at a path.
  package func ofCommand(at path: String) -> CairnError {
    switch self {
    case .databaseUnreadable(let reason):
      CairnError("search", .noInput, reason, at: Location(file: path))
    case .databaseLocked(let reason):
      CairnError(
        "search", .temporaryFailure, reason, at: Location(file: path),
        hint: "another program is writing it; run again when that has ended")
    case .databaseUnusable, .databaseCorrupted, .routesNotAvailable:
      CairnError(
        "search", .dataError, description, at: Location(file: path),
        hint: "rebuild it: cairn index-places")
    case .queryTooLong, .invalidLocation: CairnError("search", .usage, description)
    }
  }
}

extension SearchError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .databaseUnreadable: "The places cannot be read."
    case .databaseLocked: "Another program is writing the database of places."
    case .databaseUnusable: "The file is not a database of places."
    case .databaseCorrupted: "The database of places is damaged."
    case .queryTooLong: "The text is too long to search for."
    case .invalidLocation: "The location is not on Earth."
    case .routesNotAvailable: "The database of places has no waymarked routes in order."
    }
  }

  /// The cause; nil if ``errorDescription`` already states it.
  public var failureReason: String? {
    switch self {
    case .databaseUnreadable(let reason), .databaseLocked(let reason),
      .databaseUnusable(let reason), .databaseCorrupted(let reason):
      reason
    case .routesNotAvailable: "An earlier version of Cairn made it."
    case .queryTooLong, .invalidLocation: nil
    }
  }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .databaseUnreadable: nil
    case .databaseLocked: "Try again in a moment."
    case .databaseUnusable, .databaseCorrupted, .routesNotAvailable:
      "Download or build the database again."
    case .queryTooLong: "Search for a few words of the name."
    case .invalidLocation: "Give a latitude of −90 to 90 and a longitude of −180 to 180."
    }
  }

  /// What went wrong, as a sentence for the user of an app.
  public func errorDescription(in language: Language) -> String? {
    errorDescription.map(language.term)
  }

  /// The cause; nil if ``errorDescription(in:)`` already states it. Problems with a file are
  /// described in English.
  public func failureReason(in language: Language) -> String? {
    failureReason.map(language.term)
  }

  /// A suggested remedy; nil if there is none.
  public func recoverySuggestion(in language: Language) -> String? {
    recoverySuggestion.map(language.term)
  }
}
