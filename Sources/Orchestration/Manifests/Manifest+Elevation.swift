// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import Elevation
import SystemIO
import TerrainTiles
import Tiles

extension Manifest {
  /// The folders used for pictures of a region's terrain: those with a tile in the area of the
  /// pictures, which are as large as their tiles and extend beyond the region. A folder that cannot
  /// be listed counts, so that its licence is not left out.
  package func drawnElevation(of region: Region) -> [ElevationFolder] {
    let folders = elevation(of: region)
    let kinds = tiles.layers.compactMap { TerrainKind(rawValue: $0.kind.rawValue) }
    // Problems of a shape are reported where it is read.
    guard !kinds.isEmpty, let box = try? RegionShapes().extent(region.shape) else { return folders }
    let drawn = kinds.flatMap { kind -> [TileID] in
      let zooms = (tiles.zooms ?? kind.defaultZooms).clamped(to: kind.zooms)
      return TileRange(covering: box, zoom: zooms.lowerBound)?.tiles ?? []
    }
    return folders.enumerated().filter { index, folder in
      let known =
        folder.hasRasters
        ? rasterTiles[region.id]?[index].map(\.tile) : elevationTiles(in: folder.path(for: region))
      guard let tiles = known else { return true }
      return drawn.contains { tile in tiles.contains { $0.meets(tile.boundingBox) } }
    }.map(\.element)
  }

  /// States that no source of a region has some elevation tiles.
  package func lack(of tiles: [String], in region: Region) -> String {
    let sources = elevation(of: region)
    let names = unrepeated(sources.map(\.place))
    let place = sources.allSatisfy { $0.pattern == nil && !$0.hasRasters } ? "folder" : "source"
    let shown = tiles.count > 5 ? tiles.prefix(4) + ["\(tiles.count - 4) more"] : tiles[...]
    return "\(listed(shown)) \(tiles.count == 1 ? "is" : "are") "
      + (names.count == 1 ? "not in the \(place) " : "in none of the \(place)s ")
      + listed(names)
  }
}

extension Manifest.ElevationFolder {
  /// Where its tiles come from, for messages.
  package var place: String { pattern.map { redactedURL($0.url) } ?? path }
}

/// The tiles in a folder; nil if it cannot be listed, which is reported where it is read.
private func elevationTiles(in folder: String) -> [ElevationTileID]? {
  (try? folderContents(folder))?.compactMap { ElevationTileID(fileName: $0) }
}
