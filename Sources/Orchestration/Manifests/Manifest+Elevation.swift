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

  /// The regions whose folders of tiles have no tile of the region, as hints.
  package func missingTiles(_ shapes: RegionShapes) throws(CairnError) -> [String] {
    var hints: [String] = []
    for region in regions {
      let folders = elevation(of: region)
      guard !folders.isEmpty, folders.allSatisfy({ $0.pattern == nil && !$0.hasRasters }) else {
        continue
      }
      let box = try shapes.extent(region.shape)
      let isKnown = folders.contains { folder in
        elevationTiles(in: folder.path)?.contains { $0.meets(box) } ?? false
      }
      if isKnown { continue }
      let needed = TilePattern.tiles(of: box, marginDegrees: 0).map { tiles in
        tiles.count > 4 ? "its \(tiles.count) tiles" : listed(tiles.map(\.description))
      }
      hints.append(
        "\(region.location): hint: region “\(region.id)” has no elevation tile: "
          + "\(listed(folders.map(\.path))) \(folders.count == 1 ? "has" : "have") none of it "
          + "(add \(needed ?? "its tiles"), or set elevation: none for the region)")
    }
    return hints
  }
}

/// The tiles in a folder; nil if it cannot be listed, which is reported where it is read.
private func elevationTiles(in folder: String) -> [ElevationTileID]? {
  (try? folderContents(folder))?.compactMap { ElevationTileID(fileName: $0) }
}
