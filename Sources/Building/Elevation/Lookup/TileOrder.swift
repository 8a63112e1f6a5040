// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Consecutive points in one tile. Extracts list nodes by id, and nodes mapped together have
/// similar ids, so a run is usually long.
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

  /// The runs of some points in order, without invalid points.
  static func runs(of points: PointLists, in range: Range<Int>, threads: Int) -> [[TileRun]] {
    let start = range.lowerBound
    return mapPieces(of: range.count, threads: threads, size: pointsPerPiece) { piece in
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
    /// Whether they are those of the margin.
    let isMargin: Bool
  }

  /// Large enough to be worth the overhead of a thread, and small enough that a region within one
  /// tile keeps all threads busy.
  private static let pointsPerPiece = 1 << 13

  /// The runs by tile.
  let runs: [TileRun]
  /// The pieces, sorted by tile.
  let pieces: [Piece]

  /// Sorts the runs of a region, and those of its margin, which come last in each tile.
  init(_ unsorted: [[TileRun]], margin: [[TileRun]] = []) {
    let lists = unsorted + margin
    func key(_ run: TileRun, _ list: Int) -> Int {
      2 * Int(run.tile) + (list < unsorted.count ? 0 : 1)
    }
    var ends = [UInt32](repeating: 0, count: 2 * ElevationTileID.count)
    for (number, list) in lists.enumerated() { for run in list { ends[key(run, number)] += 1 } }
    var total: UInt32 = 0
    for key in ends.indices { (ends[key], total) = (total, total + ends[key]) }
    var runs = [TileRun](repeating: TileRun(first: 0, count: 0, tile: 0), count: Int(total))
    for (number, list) in lists.enumerated() {
      for run in list {
        runs[Int(ends[key(run, number)])] = run
        ends[key(run, number)] += 1
      }
    }
    var pieces: [Piece] = []
    var (first, count) = (0, 0)
    for index in runs.indices {
      count += Int(runs[index].count)
      let tile = Int(runs[index].tile)
      // Each count is by now the end of its runs.
      let isMargin = index >= Int(ends[2 * tile])
      let isLast = index + 1 == Int(ends[2 * tile + (isMargin ? 1 : 0)])
      guard isLast || count >= Self.pointsPerPiece else { continue }
      pieces.append(
        Piece(
          tile: ElevationTileID(index: runs[index].tile), runs: first..<index + 1, count: count,
          isMargin: isMargin))
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
