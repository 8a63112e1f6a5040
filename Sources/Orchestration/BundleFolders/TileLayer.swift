// SPDX-License-Identifier: Apache-2.0
import Tiles

/// An archive of map tiles of a bundle: what it shows, and its format.
package struct TileLayer: Hashable, Sendable {
  /// What tiles show, by its name in manifests.
  package enum Kind: String, Sendable, CaseIterable {
    /// Vector tiles of trails, waymarked routes and points of interest.
    case trails
    /// Brightness of the ground.
    case hillshade
    /// Elevations as colours.
    case terrainRGB = "terrain-rgb"
    /// Classes of steepness.
    case slopes

    /// Whether it is drawn from elevation tiles alone, and not from the region's ways.
    package var isTerrain: Bool { self != .trails }
  }

  package var kind: Kind
  package var format = TileArchiveFormat.mbtiles

  package init(kind: Kind, format: TileArchiveFormat = TileArchiveFormat.mbtiles) {
    self.kind = kind
    self.format = format
  }

  /// The vector tiles of trails as MBTiles.
  package static let trails = TileLayer(kind: .trails)

  /// What the names of its stages end with. No other stage has a plus sign in its name.
  package var suffix: String { kind == .trails ? "" : "+\(kind.rawValue)" }

  /// What the name of its file ends with: `trails.mbtiles`.
  package var fileExtension: String { "\(kind.rawValue).\(format.rawValue)" }

  /// The endings of all names that such files may have.
  package static var allExtensions: [String] {
    Kind.allCases.flatMap { kind in
      TileArchiveFormat.allCases.map { TileLayer(kind: kind, format: $0).fileExtension }
    }
  }
}
