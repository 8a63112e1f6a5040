// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnFormatting
import FoundationEssentials
import SystemIO
import TrailData

extension BundleRecord {
  /// The record in a folder; nil if there is none.
  package init?(inFolder folder: String) { self.init(joinPath(folder, Self.fileName)) }

  /// The record in a file; nil if it is not one.
  package init?(_ path: String) {
    guard let bytes = Self.bytes(path),
      let record = try? BundleRecord(json: Data(bytes))
    else { return nil }
    self = record
  }

  /// The content of the file of the record in a folder; nil if it cannot be read.
  package static func bytes(inFolder folder: String) -> [UInt8]? {
    bytes(joinPath(folder, fileName))
  }

  private static func bytes(_ path: String) -> [UInt8]? {
    try? InputFile(path).readAll(limit: 16 << 20)
  }
}

extension BundleProvenance {
  /// The attribution to show with the data.
  package var attribution: String { joinedAttribution(licences.compactMap(\.attribution)) }
}

/// Joins attributions, each once, starting with that of OpenStreetMap.
func joinedAttribution(_ texts: [String]) -> String {
  unrepeated(
    [Provenance.attribution] + texts.flatMap { $0.split(separator: "; ").map(String.init) }
  ).joined(separator: "; ")
}
