// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The tiles of a zoom that a box touches.
package struct TileRange: Equatable, Sendable {
  /// The zoom, 0…24.
  package let zoom: Int
  /// The columns, from the west; two ranges for a box across the antimeridian.
  package let columns: [ClosedRange<Int>]
  /// The rows, from the north.
  package let rows: ClosedRange<Int>

  /// The tiles that a box touches; nil if the zoom is not within 0…24, or the box is invalid or
  /// lies beyond the borders of the projection.
  ///
  /// - Parameter margin: The distance of tiles from the box, as a fraction of a tile's side.
  package init?(covering box: BoundingBox, zoom: Int, margin: Double = 0) {
    guard 0...TileID.greatestZoom ~= zoom, box.isValid, let box = WebMercator.shown(of: box) else {
      return nil
    }
    let last = 1 << zoom - 1
    let side = Double(1 << zoom)
    func tile(_ position: Double, _ margin: Double) -> Int {
      Int(min(max((position * side + margin).rounded(.down), 0), Double(last)))
    }
    let first = WebMercator.position(Coordinate(latitude: box.north, longitude: box.west))
    let end = WebMercator.position(Coordinate(latitude: box.south, longitude: box.east))
    let (west, east) = (tile(first.x, -margin), tile(end.x, margin))
    let north = tile(first.y, -margin)
    self.zoom = zoom
    rows = north...max(north, tile(end.y, margin))
    if !box.crossesAntimeridian {
      columns = [west...max(west, east)]
    } else if west > east {
      columns = [0...east, west...last]
    } else {
      columns = [0...last]
    }
  }

  /// The number of tiles.
  package var count: Int { rows.count * columns.reduce(0) { $0 + $1.count } }

  /// The tiles by column and row.
  package var tiles: [TileID] {
    columns.joined().flatMap { column in
      rows.compactMap { TileID(zoom: zoom, column: column, row: $0) }
    }
  }

  /// The number of tiles shared with a square, which must be of the same zoom.
  package func count(in square: TileSquare) -> Int {
    func common(_ range: ClosedRange<Int>, _ other: ClosedRange<Int>) -> Int {
      range.overlaps(other) ? range.clamped(to: other).count : 0
    }
    return common(rows, square.rows) * columns.reduce(0) { $0 + common($1, square.columns) }
  }
}

/// A square of neighbouring tiles at one zoom, often a single tile: the area of a tile at a lower
/// zoom.
package struct TileSquare: Hashable, Sendable {
  /// The tile in the northwest.
  package let first: TileID
  /// The number of tiles along each side: a power of two.
  package let side: Int

  /// A single tile.
  package init(_ tile: TileID) { (first, side) = (tile, 1) }

  /// The square around a tile with the area of one tile at a zoom lower by `levels`.
  private init(around tile: TileID, levels: Int) {
    side = 1 << levels
    first =
      TileID(
        zoom: tile.zoom, column: tile.column & ~(side - 1), row: tile.row & ~(side - 1)) ?? tile
  }

  /// The number of tiles.
  package var count: Int { side * side }
  /// The columns.
  package var columns: ClosedRange<Int> { first.column...first.column + side - 1 }
  /// The rows.
  package var rows: ClosedRange<Int> { first.row...first.row + side - 1 }

  /// Calls `body` with squares that together cover `count` PMTiles tile numbers from a start; there
  /// are at most some hundred squares a zoom, however many tiles. Returns false if some of the
  /// numbers are not tiles.
  package static func forEach<Failure: Error>(
    from number: UInt64, count: UInt64, _ body: (TileSquare) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    var (number, rest) = (number, count)
    while rest > 0 {
      guard let tile = TileID(hilbertID: number) else { return false }
      // On its curve each square of tiles follows as a whole.
      let position = number - TileID.firstHilbertID(zoom: tile.zoom)
      let aligned = position == 0 ? tile.zoom : position.trailingZeroBitCount / 2
      let fitting = (UInt64.bitWidth - 1 - rest.leadingZeroBitCount) / 2
      let square = TileSquare(around: tile, levels: min(aligned, fitting, tile.zoom))
      try body(square)
      number += UInt64(square.count)
      rest -= UInt64(square.count)
    }
    return true
  }
}
