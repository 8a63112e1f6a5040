// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO
import TrailData

/// A file's size and content.
package struct FileRecord: Codable, Equatable, Sendable {
  package var bytes: Int
  /// The SHA-256 of the file; of a result that is a container its ``ContainerDigest``, since reading
  /// all of it would take about as long as a stage does.
  package var sha256: String

  /// Whether ``sha256`` is the digest of a container.
  package var isOfContainer: Bool { sha256.hasPrefix(ContainerDigest.prefix) }

  package init(bytes: Int, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Reads a file.
  package init(of path: String) throws(CairnError) {
    self.init(bytes: try InputFile(path).size, sha256: try SHA256Digest.ofFile(path))
  }
}
