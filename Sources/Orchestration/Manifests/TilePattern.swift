// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Elevation
import SystemIO

/// The URL of elevation tiles, with `{tile}` for a name such as `N42E001`, and `{lat-band}` and
/// `{lon-band}` for its halves, `N42` and `E001`. They are HGT tiles, or GeoTIFFs.
package struct TilePattern: Equatable, Sendable {
  /// The URL with its placeholders.
  package let url: String

  /// The margin around the box of a region on each side, in degrees, since stages look beyond it.
  static let marginDegrees = 0.05
  /// The most tiles of a region. More are better kept in a folder.
  package static let tileLimit = 400

  /// Whether they are rasters.
  package let hasRasters: Bool

  /// Reads a pattern; nil unless it yields names of tiles.
  package init?(_ url: String) {
    self.url = url
    let path = String(url.prefix { $0 != "?" && $0 != "#" })
    hasRasters = [".tif", ".tiff"].contains(where: path.lowercased().hasSuffix)
    if hasRasters {
      guard path.contains("{tile}") || path.contains("{lat-band}") && path.contains("{lon-band}")
      else { return nil }
      return
    }
    // The name of any tile: that of a single one may be part of the URL.
    let tiles = [(42, 1), (-3, -77)].compactMap { ElevationTileID(latitude: $0, longitude: $1) }
    guard tiles.allSatisfy({ ElevationTileID(fileName: fileName($0)) == $0 }) else { return nil }
  }

  /// The URL of a tile.
  package func url(of tile: ElevationTileID) -> String { filled(url, tile) }

  /// The name of the file of a tile: the last part of its URL, or `N42E001.tif` for rasters.
  package func fileName(_ tile: ElevationTileID) -> String {
    if hasRasters { return "\(tile)\(Self.rasterEnding)" }
    return splitPath(filled(String(url.prefix { $0 != "?" && $0 != "#" }), tile)).name
  }

  private func filled(_ text: String, _ tile: ElevationTileID) -> String {
    text.replacing("{tile}", with: tile.description)
      .replacing("{lat-band}", with: String(tile.description.prefix(3)))
      .replacing("{lon-band}", with: String(tile.description.dropFirst(3)))
  }

  private static let rasterEnding = ".tif"

  /// Whether a file has a name made by ``fileName(_:)``.
  package static func isTile(_ name: String) -> Bool {
    let stem = name.hasSuffix(rasterEnding) ? name.dropLast(rasterEnding.count) + ".hgt" : name
    return ElevationTileID(fileName: stem) != nil
  }

  /// The tiles that a box touches, with a margin, from south to north; nil if there are too many.
  package static func tiles(of box: BoundingBox, marginDegrees: Double = marginDegrees)
    -> [ElevationTileID]?
  {
    func degree(_ value: Double) -> Int { Int(exactly: value.rounded(.down)) ?? 0 }
    let south = max(-90, degree(box.south - marginDegrees))
    let rows = south...max(south, min(89, degree(box.north + marginDegrees)))
    let columns = degree(box.west - marginDegrees)...degree(box.unwrappedEast + marginDegrees)
    guard rows.count * columns.count <= tileLimit else { return nil }
    let found = rows.flatMap { row in
      columns.compactMap { column in
        ElevationTileID(latitude: row, longitude: (column + 540) % 360 - 180)
      }
    }
    return Set(found).sorted()
  }
}
