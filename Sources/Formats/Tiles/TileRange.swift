// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// The tiles of a zoom that a box touches.
package struct TileRange: Equatable, Sendable {
  /// The zoom, 0…24.
  package let zoom: Int
  /// The columns, from the west; two ranges for a box across the antimeridian.
  package let columns: [ClosedRange<Int>]
  /// The rows, from the north.
  package let rows: ClosedRange<Int>

  /// The tiles that a box touches; nil if the zoom is not within 0…24 or the box is not valid.
  package init?(covering box: BoundingBox, zoom: Int) {
    guard box.isValid,
      let first = TileID(
        containing: Coordinate(latitude: box.north, longitude: box.west), zoom: zoom),
      let last = TileID(
        containing: Coordinate(latitude: box.south, longitude: box.east), zoom: zoom)
    else { return nil }
    self.zoom = zoom
    rows = first.row...max(first.row, last.row)
    if !box.crossesAntimeridian {
      columns = [first.column...max(first.column, last.column)]
    } else if first.column > last.column {
      columns = [0...last.column, first.column...(1 << zoom - 1)]
    } else {
      columns = [0...(1 << zoom - 1)]
    }
  }

  /// How many tiles there are.
  package var count: Int { rows.count * columns.reduce(0) { $0 + $1.count } }

  /// The tiles by column and row.
  package var tiles: [TileID] {
    columns.joined().flatMap { column in
      rows.compactMap { TileID(zoom: zoom, column: column, row: $0) }
    }
  }
}
