// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The reason why a transfer is not sent or stored. Existing data is unchanged.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The transfer cannot be read.
  case envelope(TransferEnvelope.Failure)
  /// A transfer of this type needs a file that is missing or unreadable; the text gives the reason.
  case noFile(type: String, reason: String)
  /// The file exceeds the limit of its type.
  case tooLarge(type: String, bytes: Int64)
  /// The file does not match the transfer; the text says what it is instead.
  case notWhatItSays(type: String, reason: String)
  /// There is no place for this type.
  case noPlace(type: String)
  /// Writing failed; the text gives the reason. The transfer may be retried.
  case notStored(reason: String)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .envelope(let failure): failure.description
    case .noFile(let type, let reason): "the file of the “\(type)” cannot be read: \(reason)"
    case .tooLarge(let type, let bytes): "a “\(type)” of \(bytes) bytes is too large"
    case .notWhatItSays(let type, let reason):
      "the file is not the “\(type)” that it should be: \(reason)"
    case .noPlace(let type): "no place to keep a “\(type)”"
    case .notStored(let reason): "cannot be written: \(reason)"
    }
  }

  /// Whether the same transfer may succeed later.
  public var mayBeTriedAgain: Bool {
    switch self {
    case .notStored, .noFile: true
    case .envelope(let failure):
      switch failure {
      // After an update of the app.
      case .unknownType, .otherVersion: true
      case .noType, .badValue, .tooLarge: false
      }
    case .tooLarge, .notWhatItSays, .noPlace: false
    }
  }
}

extension TransferError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .envelope(let failure): failure.errorDescription
    case .noFile: "The file from the other device is not there."
    case .tooLarge: "The file from the other device is too large."
    case .notWhatItSays: "The file from the other device is damaged."
    case .noPlace: "This device does not keep files of this kind."
    case .notStored: "There is no room for the file, or it may not be written."
    }
  }

  /// The problem.
  public var failureReason: String? { description }
}
