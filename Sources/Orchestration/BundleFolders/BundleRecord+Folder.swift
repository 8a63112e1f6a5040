// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnFormatting
import FoundationEssentials
import SystemIO
import TrailData

extension BundleRecord {
  /// The record in a folder, or nil if there is none.
  package init?(inFolder folder: String) { self.init(joinPath(folder, Self.fileName)) }

  /// The record in a file, or nil if it is not one.
  package init?(_ path: String) {
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let record = try? BundleRecord(json: Data(bytes))
    else { return nil }
    self = record
  }
}

extension BundleProvenance {
  /// What must be shown with the data.
  package var attribution: String { joinedAttribution(licences.compactMap(\.attribution)) }
}

/// Texts that must be shown as one, each once; that of OpenStreetMap comes first.
func joinedAttribution(_ texts: [String]) -> String {
  unrepeated(
    [Provenance.attribution] + texts.flatMap { $0.split(separator: "; ").map(String.init) }
  ).joined(separator: "; ")
}
