// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

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
    Self.firstHilbertID(zoom: zoom)
      + HilbertCurve.position(x: UInt32(column), y: UInt32(row), order: zoom)
  }

  /// The tile of a number of PMTiles; nil if its zoom is greater than 24.
  package init?(hilbertID: UInt64) {
    guard hilbertID < Self.firstHilbertID(zoom: Self.greatestZoom + 1) else { return nil }
    // The first number of a zoom z is a third of 4ᶻ − 1.
    let zoom = (UInt64.bitWidth - 1 - (3 * hilbertID + 1).leadingZeroBitCount) / 2
    let cell = HilbertCurve.cell(at: hilbertID - Self.firstHilbertID(zoom: zoom), order: zoom)
    self.init(zoom: zoom, column: Int(cell.x), row: Int(cell.y))
  }

  /// The number of all tiles at lower zooms.
  static func firstHilbertID(zoom: Int) -> UInt64 { (1 << UInt64(2 * zoom) - 1) / 3 }
}
