// SPDX-License-Identifier: Apache-2.0
import Tiles

/// An archive of map tiles of a bundle: its kind and its format.
package struct TileLayer: Hashable, Sendable {
  /// The kind of tiles, by its name in manifests.
  package enum Kind: String, Sendable, CaseIterable {
    /// Vector tiles of trails, waymarked routes and points of interest.
    case trails
    /// Brightness of the ground.
    case hillshade
    /// Elevations as colours.
    case terrainRGB = "terrain-rgb"
    /// Classes of steepness.
    case slopes

    /// Whether it is drawn from elevation tiles alone.
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

  /// The suffix of its stages' names. No other stage has a plus sign in its name.
  package var suffix: String { kind == .trails ? "" : "+\(kind.rawValue)" }

  /// The suffix of its file name: `trails.mbtiles`.
  package var fileExtension: String { "\(kind.rawValue).\(format.rawValue)" }

  /// The suffixes of all possible file names.
  package static var allExtensions: [String] {
    Kind.allCases.flatMap { kind in
      TileArchiveFormat.allCases.map { TileLayer(kind: kind, format: $0).fileExtension }
    }
  }
}
