// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why an update failed. The installed regions are unchanged.
public enum UpdateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The server is unreachable or currently does not deliver a file; the text says which and why.
  case unreachable(String)
  /// The server does not have a file; the text names it.
  case missing(String)
  /// The signature is missing or not made with the key; the text says which.
  case untrusted(String)
  /// The index is older than one seen before.
  case old(number: Int, known: Int)
  /// The index is out of date since a time, ISO 8601, or the clock is wrong.
  case expired(since: String)
  /// The index is from more than a day after the present time of this device, or its clock is wrong;
  /// both ISO 8601.
  case fromFuture(published: String, now: String)
  /// The index or a bundle contradicts itself or names impossible files; the text gives the reason.
  case invalid(String)
  /// The index does not list the region.
  case noSuchRegion(String)
  /// The folder with the region's name is not a bundle.
  case foreign(String)
  /// The disk has too little free space; both in bytes.
  case noSpace(needed: Int, free: Int)
  /// A file cannot be read or written; the text says which and why.
  case notWritten(String)
  /// Another updater is at work in the folder.
  case busy

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .unreachable(let reason), .missing(let reason): reason
    case .untrusted(let reason): "the index cannot be trusted: \(reason)"
    case .old(let number, let known):
      "the index is number \(number), but number \(known) was there before"
    case .expired(let time): "the index was valid until \(time)"
    case .fromFuture(let published, let now):
      "the index was published at \(printable(published)), but it is \(now) by the clock of this device"
    case .invalid(let reason): "the server's data contradicts itself: \(reason)"
    case .noSuchRegion(let id): "the index has no region “\(printable(id))”"
    case .foreign(let folder): "\(folder) is not a bundle of the region"
    case .noSpace(let needed, let free):
      "\(grouped(needed)) bytes are needed, \(grouped(free)) are free"
    case .notWritten(let reason): reason
    case .busy: "another update is running in the folder"
    }
  }
}

extension UpdateError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unreachable: "The maps cannot be downloaded now."
    case .missing: "The server does not have the maps."
    case .untrusted, .old, .invalid: "The server's maps cannot be trusted."
    case .expired: "The server's list of maps is out of date."
    case .fromFuture: "The server's list of maps is from the future."
    case .noSuchRegion: "The server does not have the region."
    case .foreign, .notWritten: "The maps cannot be stored."
    case .noSpace: "There is not enough space for the maps."
    case .busy: "The maps are being updated already."
    }
  }

  /// Why it went wrong.
  public var failureReason: String? { description }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .unreachable: "Try again later. What was downloaded is kept."
    case .expired, .fromFuture: "Check the date of the device, and try again later."
    case .noSpace: "Free some space, and try again."
    default: nil
    }
  }
}
