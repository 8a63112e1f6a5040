// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnLocks
import Elevation
import SystemIO
import TerrainTiles
import Tiles

/// Hillshade as pictures: from the bundles, or else drawn from elevation tiles.
final class ReliefTiles: Sendable {
  /// Archives are used by one thread at a time.
  private struct Archives: @unchecked Sendable {
    var generation = 0
    var open: [any TileArchive] = []
  }

  private let archives = Mutex(Archives())
  private let terrain: ElevationDataManager?

  init(terrain: ElevationDataManager?) { self.terrain = terrain }

  /// The zooms with pictures; nil if there are none.
  func zooms(_ data: ServedData) throws(CairnError) -> ClosedRange<Int>? {
    if terrain != nil { return TerrainKind.hillshade.zooms }
    return try with(data) { archives throws(CairnError) in
      let zooms = archives.flatMap { archive in
        ["minzoom", "maxzoom"].compactMap { archive.entries[$0].flatMap { Int($0) } }
      }
      guard let first = zooms.min(), let last = zooms.max() else { return nil }
      return max(0, first)...min(max(first, last), TileID.greatestZoom)
    }
  }

  /// A picture; nil if the ground there is unknown.
  func file(_ tile: TileID, _ data: ServedData) throws(CairnError) -> [UInt8]? {
    let known = try with(data) { archives throws(CairnError) -> [UInt8]? in
      for archive in archives {
        let bytes = try archive.withTile(tile) { $0.map { [UInt8]($0) } }
        // Only PNG: a foreign archive may contain anything.
        if let bytes, bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return bytes }
      }
      return nil
    }
    if let known { return known }
    guard let terrain, TerrainKind.hillshade.zooms.contains(tile.zoom) else { return nil }
    return try TerrainTileBuilder(.hillshade, of: terrain, in: .world).file(tile)
  }

  private func with<Result: Sendable>(
    _ data: ServedData, _ body: ([any TileArchive]) throws(CairnError) -> Result
  ) throws(CairnError) -> Result {
    try archives.withLock { archives throws(CairnError) in
      if archives.generation != data.generation {
        // A bundle without relief, or with a broken one, is shown without.
        archives.open = data.parts.compactMap(Self.path).compactMap { try? openTileArchive($0) }
        archives.generation = data.generation
      }
      return try body(archives.open)
    }
  }

  /// The hillshade next to a database.
  private static func path(_ part: ServedData.Part) -> String? {
    let folder = splitPath(part.path).folder
    return [".hillshade.mbtiles", ".hillshade.pmtiles"].lazy
      .compactMap { try? fileOfBundle(folder, $0) }.first(where: pathExists)
  }
}
