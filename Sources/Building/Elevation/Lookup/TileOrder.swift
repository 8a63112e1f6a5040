// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Consecutive points in one tile. Extracts list nodes by their ids, which are near each other where
/// the nodes were mapped together, so a run is usually long.
struct TileRun: BitwiseCopyable, Sendable {
  /// Runs are cut at this length, so that they can be dealt to threads.
  static let longest = 1 << 13
  private static let pointsPerPiece = 1 << 16

  /// The index of the first point.
  let first: UInt32
  let count: UInt16
  /// The index of the tile.
  let tile: UInt16

  var points: Range<Int> { Int(first)..<Int(first) + Int(count) }

  /// The runs of points in their order; those out of range are left out.
  static func runs(of points: PointLists, from start: Int = 0, threads: Int) -> [[TileRun]] {
    mapPieces(of: points.count - start, threads: threads, size: pointsPerPiece) { piece in
      var runs: [TileRun] = []
      points.forEachPart(of: start + piece.lowerBound..<start + piece.upperBound) { part in
        append(part, to: &runs)
      }
      return runs
    }
  }

  private static func append(_ part: PointLists.Part, to runs: inout [TileRun]) {
    let (latitudes, longitudes) = (part.latitudes, part.longitudes)
    let side = UInt32(ElevationTileID.sideUnits)
    var first = 0
    while first < latitudes.count {
      let start = FixedCoordinate(latitude: latitudes[first], longitude: longitudes[first])
      guard let tile = ElevationTileID(containing: start) else {
        first += 1
        continue
      }
      let south = Int32(truncatingIfNeeded: tile.latitude * ElevationTileID.sideUnits)
      let west = Int32(truncatingIfNeeded: tile.longitude * ElevationTileID.sideUnits)
      let limit = min(latitudes.count, first + longest)
      var end = first + 1
      // Points on the northern and eastern edges of the map begin runs of their own.
      while end < limit, UInt32(bitPattern: latitudes[end] &- south) < side,
        UInt32(bitPattern: longitudes[end] &- west) < side
      { end += 1 }
      runs.append(
        TileRun(
          first: UInt32(part.start + first), count: UInt16(end - first), tile: tile.index))
      first = end
    }
  }
}

/// Runs of points sorted by the tile that they lie in, split into pieces of work.
///
/// This is a counting sort: it takes two passes and keeps the order of runs within a tile.
struct TileOrder: Sendable {
  /// Some points of one tile.
  struct Piece: Sendable {
    let tile: ElevationTileID
    /// The range of its runs in ``TileOrder/runs``.
    let runs: Range<Int>
    /// The number of its points.
    let count: Int
  }

  /// Large enough to be worth the overhead of a thread, and small enough that a region within one
  /// tile keeps all threads busy.
  private static let pointsPerPiece = 1 << 13

  /// The runs by tile.
  let runs: [TileRun]
  /// The pieces, sorted by tile.
  let pieces: [Piece]

  init(_ unsorted: [[TileRun]]) {
    var ends = [UInt32](repeating: 0, count: ElevationTileID.count)
    for list in unsorted { for run in list { ends[Int(run.tile)] += 1 } }
    var total: UInt32 = 0
    for tile in ends.indices { (ends[tile], total) = (total, total + ends[tile]) }
    var runs = [TileRun](repeating: TileRun(first: 0, count: 0, tile: 0), count: Int(total))
    for list in unsorted {
      for run in list {
        runs[Int(ends[Int(run.tile)])] = run
        ends[Int(run.tile)] += 1
      }
    }
    var pieces: [Piece] = []
    var (first, count) = (0, 0)
    for index in runs.indices {
      count += Int(runs[index].count)
      let isLast = index + 1 == runs.count || runs[index + 1].tile != runs[index].tile
      guard isLast || count >= Self.pointsPerPiece else { continue }
      pieces.append(
        Piece(
          tile: ElevationTileID(index: runs[index].tile), runs: first..<index + 1, count: count))
      (first, count) = (index + 1, 0)
    }
    self.runs = runs
    self.pieces = pieces
  }

  /// The tiles, each with the range of its pieces.
  var tiles: [(tile: ElevationTileID, pieces: Range<Int>)] {
    var tiles: [(tile: ElevationTileID, pieces: Range<Int>)] = []
    var first = 0
    for index in pieces.indices
    where index + 1 == pieces.count || pieces[index + 1].tile != pieces[index].tile {
      tiles.append((pieces[index].tile, first..<index + 1))
      first = index + 1
    }
    return tiles
  }
}
