// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// Points sorted by the tile that they lie in, split into pieces of work.
///
/// This is a counting sort: it takes two passes and keeps the order of points within a tile.
struct TileOrder: Sendable {
  /// Some points of one tile.
  struct Piece: Sendable {
    let tile: ElevationTileID
    /// The range of the points in ``TileOrder/points``.
    let range: Range<Int>
  }

  /// Large enough to be worth the overhead of a thread, and small enough that a region within one
  /// tile keeps all threads busy.
  static let pointsPerPiece = 1 << 15

  /// The points by tile; those out of range are left out.
  let points: [UInt32]
  /// The pieces, sorted by tile.
  let pieces: [Piece]

  init(latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>) {
    let nowhere = ElevationTileID.count
    var tiles = [UInt16](repeating: 0, count: latitudes.count)
    var ends = [Int](repeating: 0, count: nowhere + 1)
    for point in latitudes.indices {
      let coordinate = FixedCoordinate(latitude: latitudes[point], longitude: longitudes[point])
      let tile = ElevationTileID(containing: coordinate)?.index ?? UInt16(nowhere)
      tiles[point] = tile
      ends[Int(tile)] += 1
    }
    var total = 0
    var pieces: [Piece] = []
    for tile in 0..<nowhere {
      let start = total
      total += ends[tile]
      ends[tile] = start
      for first in stride(from: start, to: total, by: Self.pointsPerPiece) {
        pieces.append(
          Piece(
            tile: ElevationTileID(index: UInt16(tile)),
            range: first..<min(first + Self.pointsPerPiece, total)))
      }
    }
    var points = [UInt32](repeating: 0, count: total)
    for point in tiles.indices where tiles[point] < nowhere {
      points[ends[Int(tiles[point])]] = UInt32(point)
      ends[Int(tiles[point])] += 1
    }
    self.points = points
    self.pieces = pieces
  }
}
