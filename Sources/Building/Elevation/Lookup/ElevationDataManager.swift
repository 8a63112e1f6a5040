// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy

/// Knows the height of every place that its sources know.
///
/// A point is looked up in the sources in their order: in the tile that it lies in and, on a
/// border, in the tiles that share it. The first that knows the point answers.
///
/// Between the four posts around it a point's elevation is bilinear. Where one of the posts that
/// count is void, it is the mean of the valid ones weighted by the inverse of their distance,
///
///     z = Σ(zᵢ / dᵢ) / Σ(1 / dᵢ),   dᵢ = √(Δcolumnᵢ² + Δrowᵢ²)
///
/// with Δ in spacings of posts; a post whose bilinear weight is 0 does not count. Where all four
/// are void the tile does not know the point. At a post it is exactly the post's number.
///
/// Tiles are read once and kept, as far as they fit the cache. May be used from any thread.
package final class ElevationDataManager: Sendable {
  /// An elevation and where it comes from.
  package struct Sample: Equatable, Sendable {
    /// Metres above sea level.
    package let metres: Float
    /// The tile that knew it.
    package let tile: ElevationTileID
    /// The path of the tile's file.
    package let file: String
    /// The place of the source in ``ElevationDataManager/sources``.
    package let source: Int
  }

  /// How much memory the tiles may take unless it is said: 128 MiB, five tiles of 1″.
  ///
  /// Points are visited tile by tile, so that more than the tiles of a few sources for one place
  /// is hardly ever asked for twice, and fresh memory costs more time than it saves.
  package static let defaultCacheBytes = 128 << 20

  /// Where elevations come from, in order of preference.
  package let sources: [ElevationSource]
  let cache: TileCache

  /// Makes a manager of sources, the preferred one first.
  ///
  /// - Parameter cacheBytes: The memory for tiles that may be needed again. Besides, each thread
  ///   holds the one tile that it is working on.
  package init(sources: [ElevationSource], cacheBytes: Int = defaultCacheBytes) {
    self.sources = sources
    cache = TileCache(limitBytes: cacheBytes)
  }

  /// Makes a manager of folders, the preferred one first. Throws 66 if one cannot be read.
  package convenience init(folders: [String], cacheBytes: Int = defaultCacheBytes)
    throws(CairnError)
  {
    var sources: [ElevationSource] = []
    for folder in folders { sources.append(try ElevationSource(folder: folder)) }
    self.init(sources: sources, cacheBytes: cacheBytes)
  }

  /// The elevation of one point, or nil where no source knows it. Throws 65 or 66 if the tile's
  /// file is broken or cannot be read.
  package func elevation(at point: FixedCoordinate) throws(CairnError) -> Sample? {
    guard let home = ElevationTileID(containing: point) else { return nil }
    for source in sources.indices {
      for tile in home.servingTiles {
        guard let file = sources[source].file(of: tile),
          let offset = TileFrame(tile).offset(
            latitude: point.latitude, longitude: point.longitude)
        else { continue }
        let posts = try read(file, of: source)
        let metres = TileSampler(posts).metres(north: offset.north, east: offset.east)
        if !metres.isNaN {
          return Sample(metres: metres, tile: tile, file: file.path, source: source)
        }
      }
    }
    return nil
  }

  /// The elevation of one point in degrees, to the nearest 10⁻⁷; nil where no source knows it or
  /// there is no such place. Throws as ``elevation(at:)-(FixedCoordinate)`` does.
  package func elevation(at point: Coordinate) throws(CairnError) -> Sample? {
    guard let point = FixedCoordinate(point) else { return nil }
    return try elevation(at: point)
  }

  /// The posts of a file, from the cache if they are there.
  func read(_ file: HGTFile, of source: Int) throws(CairnError) -> HGTTile {
    try cache.tile(TileCache.Key(tile: file.tile, source: source)) { () throws(CairnError) in
      try file.read()
    }
  }
}
