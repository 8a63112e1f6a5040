// SPDX-License-Identifier: Apache-2.0
import Tiles

/// An archive of map tiles of a bundle: what it shows, and its format.
struct TileLayer: Hashable, Sendable {
  /// What tiles show, by its name in manifests.
  enum Kind: String, Sendable, CaseIterable {
    /// Vector tiles of trails, waymarked routes and points of interest.
    case trails
    /// Brightness of the ground.
    case hillshade
    /// Elevations as colours.
    case terrainRGB = "terrain-rgb"
    /// Classes of steepness.
    case slopes

    /// Whether it is drawn from elevation tiles alone, and not from the region's ways.
    var isTerrain: Bool { self != .trails }
  }

  var kind: Kind
  var format = TileArchiveFormat.mbtiles

  /// The vector tiles of trails as MBTiles.
  static let trails = TileLayer(kind: .trails)

  /// What the names of its stages end with. No other stage has a plus sign in its name.
  var suffix: String { kind == .trails ? "" : "+\(kind.rawValue)" }

  /// What the name of its file ends with: `trails.mbtiles`.
  var fileExtension: String { "\(kind.rawValue).\(format.rawValue)" }

  /// The endings of all names that such files may have.
  static var allExtensions: [String] {
    Kind.allCases.flatMap { kind in
      TileArchiveFormat.allCases.map { TileLayer(kind: kind, format: $0).fileExtension }
    }
  }
}
