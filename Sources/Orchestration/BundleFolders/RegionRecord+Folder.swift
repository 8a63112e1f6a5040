// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import FoundationEssentials
import SystemIO

extension RegionRecord {
  /// The record in a folder; nil if there is none in this format.
  package init?(inFolder folder: String) {
    guard
      let bytes = try? InputFile(joinPath(folder, Self.fileName)).readAll(limit: 16 << 20),
      let record = try? RegionRecord(json: Data(bytes))
    else { return nil }
    self = record
  }

  /// The name of the archive of a kind of tiles; nil if there is none.
  package func filename(of kind: TileLayer.Kind) -> String? { self[keyPath: Self.key(of: kind)] }

  /// Names the archive of a kind of tiles.
  package mutating func setFilename(_ name: String, of kind: TileLayer.Kind) {
    self[keyPath: Self.key(of: kind)] = name
  }

  private static func key(of kind: TileLayer.Kind) -> WritableKeyPath<Self, String?> {
    switch kind {
    case .trails: \.trailTilesFilename
    case .hillshade: \.hillshadeTilesFilename
    case .terrainRGB: \.terrainTilesFilename
    case .slopes: \.slopeTilesFilename
    }
  }
}

/// The UUID of a region for apps: its id if that is one, otherwise a UUID of version 8 (RFC 9562)
/// derived from the id and the name of the manifest, the same in each run and on each machine.
package func regionUUID(_ id: String, manifest name: String) -> UUID {
  if let uuid = UUID(uuidString: id) { return uuid }
  let digest = SHA256Digest()
  digest.update("cairn region\n\(name)\n\(id)\n")
  return UUID(version8: digest)
}
