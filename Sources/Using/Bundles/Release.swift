// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A release in a tree for downloads, as `cairn publish` records it in the index.
public struct Release: Codable, Hashable, Sendable {
  /// The number of the previous index plus one.
  public var number: Int
  /// The time when it was written, ISO 8601.
  public var published: String
  /// The time after which the publisher no longer vouches for it, ISO 8601; nil if none is set.
  public var expires: String?

  /// Makes the record.
  package init(number: Int, published: String, expires: String? = nil) {
    self.number = number
    self.published = published
    self.expires = expires
  }
}

/// A delta in a tree for downloads.
public struct DeltaRecord: Codable, Hashable, Sendable {
  /// The name of the file in the bundle.
  public var name: String
  /// The SHA-256 of the old file.
  public var old: String
  /// The size of the old file.
  public var oldBytes: Int
  /// The size of the delta.
  public var bytes: Int
  /// The SHA-256 of the delta.
  public var sha256: String

  /// Makes the record.
  package init(name: String, old: String, oldBytes: Int, bytes: Int, sha256: String) {
    self.name = name
    self.old = old
    self.oldBytes = oldBytes
    self.bytes = bytes
    self.sha256 = sha256
  }
}

/// `index.json.sig`: the current index, signed.
public struct IndexSignature: Codable, Hashable, Sendable {
  /// The name of the file.
  public static let fileName = IndexRecord.fileName + ".sig"

  /// The version of its form.
  public var cairn = RecordVersion()
  /// The index, whose bytes are signed.
  public var index: FileRecord
  /// The public key in hexadecimal.
  public var key: String
  /// The Ed25519 signature (RFC 8032) in hexadecimal.
  public var signature: String

  /// Makes the record.
  package init(index: FileRecord, key: String, signature: String) {
    self.index = index
    self.key = key
    self.signature = signature
  }
}

/// The paths of files in a tree for downloads, from its root. All files except the index and its
/// signature are named by their content, so a file never changes.
public enum ReleasePath {
  /// A file of a bundle.
  public static func file(_ sha256: String, _ name: String) -> String { "files/\(sha256)/\(name)" }

  /// The delta between two files.
  public static func delta(old: String, new: String) -> String { "deltas/\(old)/\(new).delta" }

  /// An index, which keeps this name when another becomes `index.json`.
  public static func index(_ sha256: String) -> String { "indexes/\(sha256).json" }

  /// Whether a text is a SHA-256 as records write it: 64 lowercase hexadecimal digits.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }
}

extension IndexRecord.Region {
  /// All files of the bundle by name, including `bundle.json`. Nil unless the record is there and
  /// every file has a name that stays in the folder and a possible size and digest.
  package var allFiles: [String: FileRecord]? {
    guard let record, var files, files[BundleRecord.fileName] == nil else { return nil }
    files[BundleRecord.fileName] = record
    let isPlain = files.allSatisfy { name, file in
      isPlainFileName(name) && !name.hasPrefix(".") && file.bytes >= 0
        && ReleasePath.isDigest(file.sha256)
    }
    return isPlain ? files : nil
  }

  /// All files of the region in a tree for downloads, by their paths there.
  package var filesByPath: [String: FileRecord] {
    let files = allFiles ?? [:]
    let paths = files.map { (ReleasePath.file($0.value.sha256, $0.key), $0.value) }
    let deltas = (deltas ?? []).compactMap { delta in
      files[delta.name].map {
        (
          ReleasePath.delta(old: delta.old, new: $0.sha256),
          FileRecord(bytes: delta.bytes, sha256: delta.sha256)
        )
      }
    }
    return Dictionary(paths + deltas) { first, _ in first }
  }

  /// The paths of all files of the region in a tree for downloads.
  package var paths: [String] { Array(filesByPath.keys) }
}
