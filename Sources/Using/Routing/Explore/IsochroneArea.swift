// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// The area around what is reached: the cells of a grid through which a reached stretch leads, as
/// polygons.
///
/// The corners of cells lie on whole multiples of the cell's size in degrees, whatever the start is.
/// Where two cells would touch at a corner alone, the two beside that corner are added: so no ring
/// touches itself or another one. The antimeridian is the border of a column, and areas end there.
public struct IsochroneArea: Sendable {
  /// The usual size of a cell, in metres.
  public static let usualCellMetres = 100.0
  /// Cells grow until stretches cross no more of their borders than this, each stretch counted for
  /// itself: at the usual size some 20 000 km of ways do.
  private static let mostCrossings = 1 << 18

  /// The size of a cell from south to north, in metres; from west to east it is about that at the
  /// start.
  public let cellMetres: Double
  /// For each isochrone its polygons, from the south. A polygon is its outer ring, which runs
  /// counterclockwise, and then its holes, which run clockwise; the last position of a ring is its
  /// first one again (RFC 7946).
  public let polygons: [[[[Coordinate]]]]

  /// Draws isochrones of one start. The area of one contains those of the ones before it: the times
  /// must ascend.
  public init(_ isochrones: [Isochrone], cellMetres: Double = usualCellMetres) {
    var size = cellMetres.isFinite ? max(cellMetres, 1) : Self.usualCellMetres
    let latitude = isochrones.first?.start.latitude ?? 0
    var grid = CellGrid(cellMetres: size, latitude: latitude)
    // The earth has so few cells in the end that this comes to an end.
    while size < earthRadiusMetres, grid.crossings(isochrones) > Self.mostCrossings {
      size *= 2
      grid = CellGrid(cellMetres: size, latitude: latitude)
    }
    self.cellMetres = size
    var cells: Set<Cell> = []
    polygons = isochrones.map { isochrone in
      for stretch in isochrone.stretches { grid.add(stretch.coordinates, to: &cells) }
      CellOutline.joinCorners(&cells)
      return CellOutline.polygons(of: cells).map { $0.map { $0.map(grid.corner) } }
    }
  }
}

/// A cell by its column from the antimeridian and its row from the equator; also the corner that
/// lies in its south and west.
struct Cell: Hashable, Comparable {
  var row: Int
  var column: Int

  static func < (one: Cell, other: Cell) -> Bool {
    (one.row, one.column) < (other.row, other.column)
  }
}

/// A grid of cells in degrees.
private struct CellGrid {
  private let height: Double
  private let columns: Double

  init(cellMetres: Double, latitude: Double) {
    height = cellMetres / (earthRadiusMetres * .pi / 180)
    let shrinking = max(longitudeShrinking(atLatitude: latitude), 0.01)
    // A whole number of columns goes round the earth.
    columns = max(1, (360 * shrinking / height).rounded())
  }

  private func place(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    ((coordinate.longitude + 180) / 360 * columns, coordinate.latitude / height)
  }

  /// A segment in cells; across the antimeridian it leads beyond the last column.
  private func segment(_ one: Coordinate, _ other: Coordinate)
    -> (x: Double, y: Double, dx: Double, dy: Double)
  {
    let (start, end) = (place(one), place(other))
    var dx = end.x - start.x
    if dx > columns / 2 { dx -= columns } else if dx < -columns / 2 { dx += columns }
    return (start.x, start.y, dx, end.y - start.y)
  }

  /// About how many borders of cells the stretches of the largest isochrone cross. What lies within
  /// a cell does not count, or there would be no end to larger ones.
  func crossings(_ isochrones: [Isochrone]) -> Int {
    var crossings = 0.0
    for stretch in isochrones.last?.stretches ?? [] {
      for (one, other) in zip(stretch.coordinates, stretch.coordinates.dropFirst()) {
        let (_, _, dx, dy) = segment(one, other)
        crossings += dx.magnitude + dy.magnitude
      }
    }
    return Int(exactly: crossings.rounded()) ?? .max
  }

  /// Adds all cells through which a line leads.
  func add(_ line: [Coordinate], to cells: inout Set<Cell>) {
    for (one, other) in zip(line, line.dropFirst()) {
      let (x, y, dx, dy) = segment(one, other)
      // The line changes its cell where it crosses a border of a column or a row.
      var shares = [0.0, 1.0]
      shares += Self.crossings(x, dx) + Self.crossings(y, dy)
      shares.sort()
      for (from, to) in zip(shares, shares.dropFirst()) {
        let middle = (from + to) / 2
        insert(x + middle * dx, y + middle * dy, in: &cells)
      }
    }
  }

  /// Where a segment crosses whole numbers, as shares of it.
  private static func crossings(_ start: Double, _ extent: Double) -> [Double] {
    let (low, high) = (min(start, start + extent), max(start, start + extent))
    let (first, last) = (Int(low.rounded(.down)) + 1, Int(high.rounded(.up)) - 1)
    guard first <= last else { return [] }
    return (first...last).map { min(max((Double($0) - start) / extent, 0), 1) }
  }

  private func insert(_ x: Double, _ y: Double, in cells: inout Set<Cell>) {
    let column = x.rounded(.down)
    let wrapped = column - columns * (column / columns).rounded(.down)
    cells.insert(Cell(row: Int(y.rounded(.down)), column: Int(wrapped)))
  }

  /// The place of a corner, to seven decimals.
  func corner(_ corner: Cell) -> Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Coordinate(
      latitude: rounded(min(max(Double(corner.row) * height, -90), 90)),
      longitude: rounded(min(Double(corner.column) / columns * 360 - 180, 180)))
  }
}
