// SPDX-License-Identifier: Apache-2.0

/// A tile of the pyramid of squares used by web maps: at zoom z the world has 2ᶻ columns, counted
/// from the west, and as many rows, counted from the north.
package struct TileID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The greatest supported zoom.
  package static let greatestZoom = 24

  /// The zoom, 0…24.
  package let zoom: Int
  /// The column, 0…2ᶻ−1, from the west.
  package let column: Int
  /// The row, 0…2ᶻ−1, from the north.
  package let row: Int

  /// Makes a tile; nil if the numbers are out of range.
  package init?(zoom: Int, column: Int, row: Int) {
    guard 0...Self.greatestZoom ~= zoom, 0..<1 << zoom ~= column, 0..<1 << zoom ~= row else {
      return nil
    }
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// `zoom/column/row`.
  package var description: String { "\(zoom)/\(column)/\(row)" }

  /// The row counted from the south, as MBTiles counts.
  package var rowFromSouth: Int { 1 << zoom - 1 - row }

  /// The order by zoom, column and row.
  package static func < (left: Self, right: Self) -> Bool {
    (left.zoom, left.column, left.row) < (right.zoom, right.column, right.row)
  }
}

extension TileID {
  /// The number that PMTiles gives the tile: all tiles of the zooms below, and its position on a
  /// Hilbert curve. https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
  package var hilbertID: UInt64 {
    var (x, y) = (column, row)
    var position = Self.firstHilbertID(zoom: zoom)
    let side = 1 << zoom
    var half = side >> 1
    while half > 0 {
      let (right, below) = (x & half != 0 ? 1 : 0, y & half != 0 ? 1 : 0)
      position += UInt64(half * half * ((3 * right) ^ below))
      Self.turn(side, &x, &y, right, below)
      half >>= 1
    }
    return position
  }

  /// The tile of a number of PMTiles; nil if its zoom is greater than 24.
  package init?(hilbertID: UInt64) {
    guard hilbertID < Self.firstHilbertID(zoom: Self.greatestZoom + 1) else { return nil }
    // The first number of a zoom z is a third of 4ᶻ − 1.
    let zoom = (UInt64.bitWidth - 1 - (3 * hilbertID + 1).leadingZeroBitCount) / 2
    var rest = Int(hilbertID - Self.firstHilbertID(zoom: zoom))
    var (x, y) = (0, 0)
    var side = 1
    while side < 1 << zoom {
      let right = 1 & (rest >> 1)
      let below = 1 & (rest ^ right)
      Self.turn(side, &x, &y, right, below)
      x += side * right
      y += side * below
      rest >>= 2
      side <<= 1
    }
    self.init(zoom: zoom, column: x, row: y)
  }

  /// The number of all tiles at lower zooms.
  static func firstHilbertID(zoom: Int) -> UInt64 { (1 << UInt64(2 * zoom) - 1) / 3 }

  private static func turn(_ side: Int, _ x: inout Int, _ y: inout Int, _ right: Int, _ below: Int)
  {
    guard below == 0 else { return }
    if right == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
    swap(&x, &y)
  }
}
