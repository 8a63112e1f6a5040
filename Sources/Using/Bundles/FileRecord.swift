// SPDX-License-Identifier: Apache-2.0

/// A file's size and content.
public struct FileRecord: Codable, Hashable, Sendable {
  /// The size of the file.
  public var bytes: Int
  /// The SHA-256 of the file, in hexadecimal. For a container among the orchestrator's results
  /// (never for a file in a bundle), the digest of the container.
  public var sha256: String

  /// Makes the record of a file.
  public init(bytes: Int, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// The files, sorted by name. Names that would lead out of the bundle's folder are left out; no
  /// bundle made by Cairn has any.
  static func plain(_ files: [String: FileRecord]) -> [(name: String, file: FileRecord)] {
    files.filter { isPlainFileName($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// Whether a name from a record can only name a file in the same folder.
package func isPlainFileName(_ name: String) -> Bool {
  !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
    && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
}

/// Whether a text is a valid region id.
package func isRegionID(_ text: String) -> Bool {
  let letters = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
  return !text.isEmpty && text.utf8.count <= 64 && text.utf8.first != UInt8(ascii: "-")
    && text.utf8.allSatisfy { letters.contains($0) }
}
