// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

/// Looks up elevations in several sources of tiles.
///
/// A point is looked up in the sources in order: in the tile that it lies in and, on a border, in the
/// tiles that share the border. The first tile with data for the point is used.
///
/// Elevations are interpolated bilinearly between the four posts around a point. If one of the posts
/// with a weight is void, the elevation is the mean of the valid ones weighted by inverse distance,
///
///     z = Σ(zᵢ / dᵢ) / Σ(1 / dᵢ),   dᵢ = √(Δcolumnᵢ² + Δrowᵢ²)
///
/// with Δ in post spacings; posts with a bilinear weight of 0 are ignored. If all four are void, the
/// tile has no data for the point. At a post, the elevation is exactly that of the post.
///
/// Tiles are read once and cached as far as they fit. Safe to use from any thread.
package final class ElevationDataManager: Sendable {
  /// An elevation and its source.
  package struct Sample: Equatable, Sendable {
    /// Metres above sea level.
    package let metres: Float
    /// The tile that it came from.
    package let tile: ElevationTileID
    /// The path of the tile's file.
    package let file: String
    /// The index of the source in ``ElevationDataManager/sources``.
    package let source: Int
  }

  /// The default size of the tile cache: 128 MiB, five tiles of 1″.
  ///
  /// Points are processed tile by tile, so few tiles are needed twice, and allocating more memory
  /// costs more time than it saves.
  package static let defaultCacheBytes = 128 << 20

  /// The sources in order of preference.
  package let sources: [ElevationSource]
  let cache: TileCache

  /// Makes a manager of sources in order of preference.
  ///
  /// - Parameter cacheBytes: The memory for cached tiles. In addition, each thread holds the tile
  ///   that it is working on.
  package init(sources: [ElevationSource], cacheBytes: Int = defaultCacheBytes) {
    self.sources = sources
    cache = TileCache(limitBytes: cacheBytes)
  }

  /// Makes a manager of folders, or files of single tiles, in order of preference. Throws 66 if one
  /// cannot be read, and 65 for a file without the name of a tile.
  package convenience init(folders: [String], cacheBytes: Int = defaultCacheBytes)
    throws(CairnError)
  {
    self.init(sources: try ElevationSource.sources(at: folders), cacheBytes: cacheBytes)
  }

  /// The elevation of one point, or nil if no source has data for it. Throws 65 or 66 if the file of
  /// the tile is damaged or cannot be read.
  package func elevation(at point: FixedCoordinate) throws(CairnError) -> Sample? {
    guard let home = ElevationTileID(containing: point) else { return nil }
    for source in sources.indices {
      for tile in home.servingTiles {
        guard let file = sources[source].file(of: tile),
          let offset = TileFrame(tile).offset(
            latitude: point.latitude, longitude: point.longitude)
        else { continue }
        let posts = try read(file, of: source)
        let metres = posts.withSampler(of: tile) {
          $0.sample(north: offset.north, east: offset.east).metres
        }
        if !metres.isNaN {
          return Sample(metres: metres, tile: tile, file: file.path, source: source)
        }
      }
    }
    return nil
  }

  /// The elevation of one point in degrees, rounded to 10⁻⁷; nil if no source has data for it or the
  /// coordinate is invalid. Throws like ``elevation(at:)-(FixedCoordinate)``.
  package func elevation(at point: Coordinate) throws(CairnError) -> Sample? {
    guard let point = FixedCoordinate(point) else { return nil }
    return try elevation(at: point)
  }

  /// The posts of a file, from the cache if possible.
  func read(_ file: HGTFile, of source: Int) throws(CairnError) -> HGTTile {
    try cache.tile(TileCache.Key(tile: file.tile, source: source)) { () throws(CairnError) in
      try file.read()
    }
  }
}
