// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The version of a record's format. Decoding any other version throws
/// ``BundleRecordError/otherVersion(_:)``, whatever the decoder.
public struct RecordVersion: Codable, Hashable, Sendable {
  /// The version that this library reads and writes. New keys do not raise it.
  public static let current = 1

  /// The current version.
  public init() {}

  /// Reads the version.
  public init(from decoder: any Decoder) throws {
    let version = try decoder.singleValueContainer().decode(Int.self)
    guard version == Self.current else { throw BundleRecordError.otherVersion(version) }
  }

  /// Writes the version.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Self.current)
  }
}

/// Why a record of a bundle cannot be read.
public enum BundleRecordError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not exist or cannot be read; the text gives the reason.
  case unreadable(String)
  /// It is not a record of this kind; the text gives the reason.
  case notARecord(String)
  /// Its version is earlier or later than ``RecordVersion/current``.
  case otherVersion(Int)

  /// The error as one line for a log or a terminal.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(reason)"
    case .notARecord(let reason): "is not a Cairn record: \(reason)"
    case .otherVersion(let version):
      "is a record of version \(version); this program reads version \(RecordVersion.current)"
    }
  }
}

extension BundleRecordError: LocalizedError {
  /// What went wrong, as a sentence for the user of an app, in English.
  public var errorDescription: String? {
    switch self {
    case .unreadable: "The description of the region cannot be read."
    case .notARecord: "The description of the region is damaged."
    case .otherVersion(let version):
      version > RecordVersion.current
        ? "The region was made for a later version of the app."
        : "The region was made for an earlier version of the app."
    }
  }

  /// Why it went wrong.
  public var failureReason: String? { description }

  /// A suggested remedy; nil if there is none.
  public var recoverySuggestion: String? {
    switch self {
    case .otherVersion(let version): version > RecordVersion.current ? "Update the app." : nil
    case .unreadable, .notARecord: "Download it again."
    }
  }
}
