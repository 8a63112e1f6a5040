// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import SystemIO
import TrailData

extension FileRecord {
  /// Whether its digest is a container's ``ContainerDigest``, since reading a whole container would
  /// take about as long as a stage.
  package var isOfContainer: Bool { sha256.hasPrefix(ContainerDigest.prefix) }

  /// Reads a file.
  package init(of path: String) throws(CairnError) {
    let file = try InputFile(path)
    self.init(bytes: file.size, sha256: try SHA256Digest.ofFile(file))
  }
}
