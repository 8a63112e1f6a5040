// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import TrailData

/// The elevations of many points, with the tiles used and the gaps.
package struct ElevationBatch: Sendable {
  /// A file that elevations came from.
  package struct TileUse: Equatable, Sendable {
    /// The tile.
    package let tile: ElevationTileID
    /// The index of the source in the order of preference.
    package let source: Int
    /// The name of the file in the source's folder.
    package let file: String
    /// The number of points with an elevation from it.
    package let points: Int
  }

  /// Points of a tile that have no elevation in any source.
  package struct Gap: Equatable, Sendable {
    /// The tile that the points lie in.
    package let tile: ElevationTileID
    /// The number of points.
    package internal(set) var points: Int
    /// Whether no source has the tile; otherwise the points lie in voids.
    package let isMissing: Bool
  }

  /// Metres above sea level, in the order of the points; NaN if unknown.
  package internal(set) var elevations: [Float]
  /// The steepness of the terrain at each point, in percent of rise over run: at most 255, and 0 if
  /// unknown.
  package let steepness: [UInt8]
  /// The files that elevations came from, sorted by tile and source.
  package let tiles: [TileUse]
  /// The tiles with points without an elevation, sorted.
  package let gaps: [Gap]
  /// Warnings about the files that were read.
  package let warnings: WarningTally

  init(elevations: [Float], steepness: [UInt8], coverage: TileCoverage) {
    self.elevations = elevations
    self.steepness = steepness
    tiles = coverage.tiles
    gaps = coverage.gaps
    warnings = coverage.warnings
  }

  /// The number of points with an elevation.
  package var knownCount: Int { tiles.reduce(0) { $0 + $1.points } }

  /// The share of points that have an elevation, 0…1; 1 if there are no points.
  package var coverage: Double {
    elevations.isEmpty ? 1 : Double(knownCount) / Double(elevations.count)
  }

  /// The lowest and the highest elevation in metres; nil if there is none.
  package var range: ClosedRange<Float>? {
    var lowest = Float.infinity
    var highest = -Float.infinity
    for metres in elevations where !metres.isNaN {
      lowest = min(lowest, metres)
      highest = max(highest, metres)
    }
    return lowest <= highest ? lowest...highest : nil
  }
}

/// The tiles with elevations for points, and the points without one.
struct TileCoverage: Sendable {
  /// The files that elevations came from, sorted by tile and source.
  let tiles: [ElevationBatch.TileUse]
  /// The tiles with points without an elevation, sorted.
  let gaps: [ElevationBatch.Gap]
  /// Warnings about the files that were read.
  let warnings: WarningTally

  /// The points within the tiles that have no elevation.
  let unknown: [UInt32]

  /// Combines the outcomes of all pieces, which must be sorted by tile.
  init(_ outcomes: [PieceOutcome], _ sources: [ElevationSource]) {
    var uses: [TileCache.Key: (points: Int, notes: [HGTTile.Note])] = [:]
    var gaps: [ElevationBatch.Gap] = []
    for outcome in outcomes {
      for use in outcome.uses {
        uses[use.key, default: (0, use.notes)].points += use.points
      }
      guard !outcome.unknown.isEmpty else { continue }
      if gaps.last?.tile == outcome.tile {
        gaps[gaps.count - 1].points += outcome.unknown.count
      } else {
        let isMissing = sources.allSatisfy { $0.file(of: outcome.tile) == nil }
        gaps.append(
          .init(tile: outcome.tile, points: outcome.unknown.count, isMissing: isMissing))
      }
    }
    var tiles: [ElevationBatch.TileUse] = []
    var warnings = WarningTally()
    for (key, use) in uses.sorted(by: { $0.key < $1.key }) {
      for note in use.notes { warnings.add(note.kind, note.text) }
      guard use.points > 0, let file = sources[key.source].file(of: key.tile) else { continue }
      tiles.append(.init(tile: key.tile, source: key.source, file: file.name, points: use.points))
    }
    self.tiles = tiles
    self.gaps = gaps
    self.warnings = warnings
    unknown = outcomes.flatMap(\.unknown)
  }
}

extension TileCoverage {
  /// A tile that no source has and in which a way on the ground lies.
  struct MissingTile {
    let tile: ElevationTileID
    /// The first such way, and its first node there.
    let way: Int
    let node: Int
  }

  /// The tiles that no source has and in which ways on the ground lie, sorted. Ways off the ground,
  /// such as ferries and bridges, may cross the sea, for which there are no tiles.
  func missingTiles(_ trails: TrailsFile) -> [MissingTile] {
    let missing = Set(gaps.filter(\.isMissing).map(\.tile))
    guard !missing.isEmpty else { return [] }
    func missingTile(ofNode node: Int) -> ElevationTileID? {
      ElevationTileID(containing: trails.coordinate(node)).flatMap {
        missing.contains($0) ? $0 : nil
      }
    }
    var isInGap = [Bool](repeating: false, count: trails.nodeIDs.count)
    for node in unknown.lazy.map(Int.init) where node < isInGap.count {
      isInGap[node] = missingTile(ofNode: node) != nil
    }
    var kinds = ElevationKinds(trails)
    var found: [ElevationTileID: MissingTile] = [:]
    for way in 0..<trails.wayIDs.count where found.count < missing.count {
      let nodes = trails.refs(ofWay: way).lazy.map { Int(trails.refs[$0]) }.filter { isInGap[$0] }
      guard !nodes.isEmpty, !kinds.kind(ofWay: way).contains(.structure) else { continue }
      for node in nodes {
        guard let tile = missingTile(ofNode: node), found[tile] == nil else { continue }
        found[tile] = MissingTile(tile: tile, way: way, node: node)
      }
    }
    return found.values.sorted { $0.tile < $1.tile }
  }

  /// Throws 66 if ``missingTiles(_:)`` finds one.
  func requireEveryTile(_ trails: TrailsFile) throws(CairnError) {
    guard let missing = missingTiles(trails).min(by: { $0.way < $1.way }) else { return }
    throw CairnError(
      "missing-tile", .noInput,
      "no source has the tile \(missing.tile), in which ways lie, such as way "
        + "\(trails.wayIDs[missing.way]) at \(trails.coordinate(missing.node).text)",
      hint: "add a source that has it; without elevations, times would be too short")
  }
}
