// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Elevation
import PNG
import SystemIO
import Tiles

/// Draws the terrain of a box as raster tiles from its known elevations.
///
/// Each tile is drawn from its own ground and a point beyond each border, without seams. The
/// content depends only on the elevations, not on the number of threads; the box only selects
/// tiles.
package struct TerrainTileBuilder {
  /// The number of tiles drawn at a time before they are packed; it bounds the memory.
  private static let blockTiles = 64
  /// More than a continent has at zoom 12.
  private static let mostTiles = 4_000_000

  private let kind: TerrainKind
  private let terrain: ElevationDataManager
  private let box: BoundingBox
  private let zooms: ClosedRange<Int>
  private let threads: Int
  /// The region's name, if known.
  package var regionName: String?
  /// The text to show with the elevations; nil if unknown.
  package var attribution: String?

  /// - Parameter zooms: The zooms to draw, limited to ``TerrainKind/zooms``; nil for
  ///   ``TerrainKind/defaultZooms``.
  package init(
    _ kind: TerrainKind, of terrain: ElevationDataManager, in box: BoundingBox,
    zooms: ClosedRange<Int>? = nil, threads: Int = 1
  ) {
    (self.kind, self.terrain, self.box, self.threads) = (kind, terrain, box, threads)
    self.zooms = (zooms ?? kind.defaultZooms).clamped(to: kind.zooms)
  }

  /// All tiles that touch the box and have known ground, by zoom, column and row.
  ///
  /// Throws 64 for a box with millions of tiles, and the errors of elevation tiles.
  package func tiles() throws(CairnError) -> TileCollection {
    let ranges = zooms.compactMap { TileRange(covering: box, zoom: $0) }
    let count = ranges.reduce(0) { $0 + $1.count }
    guard count <= Self.mostTiles else {
      throw CairnError(
        "too-many-tiles", .usage,
        "the box has \(count) tiles; at most \(Self.mostTiles) are allowed",
        hint: "use a smaller box or lower zooms")
    }
    var collection = TileCollection()
    let all = ranges.flatMap(\.tiles)
    for start in stride(from: 0, to: all.count, by: Self.blockTiles) {
      let block = Array(all[start..<min(start + Self.blockTiles, all.count)])
      let drawn = mapBlocks(of: block.count, size: 1, threads: threads) { index in
        Result { () throws(CairnError) -> [UInt8]? in try self.file(block[index.lowerBound]) }
      }
      for (tile, result) in zip(block, drawn) {
        guard let file = try result.get() else { continue }
        file.withUnsafeBytes { collection.add(tile, $0) }
      }
    }
    return collection
  }

  /// The metadata of the archive.
  package func metadata() -> TileMetadata {
    var metadata = TileMetadata(
      name: regionName.map { "\($0): \(kind.title.lowercased())" } ?? kind.title,
      description: kind.explanation, content: .png, bounds: box, zooms: zooms,
      attribution: attribution)
    metadata.isOverlay = true
    metadata.further = kind.metadata
    return metadata
  }

  /// A tile as a PNG file of 256 pixels a side; nil if all of it is unknown.
  package func file(_ tile: TileID) throws(CairnError) -> [UInt8]? {
    guard let grid = try TerrainGrid(terrain, tile),
      let image = TerrainPicture(kind: kind).image(grid)
    else { return nil }
    guard let file = image.file else {
      throw CairnError("out-of-memory", .temporaryFailure, "not enough memory to pack a tile")
    }
    return file
  }
}
