// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The area of isochrones, as polygons: the cells of a grid that contain a piece of a reached edge.
///
/// The corners of cells lie on multiples of the cell's size in degrees, regardless of the start. If
/// two cells would touch only at a corner, the two next to that corner are added, so no ring
/// touches itself or another one. Areas end at the antimeridian.
public struct IsochroneArea: Sendable {
  /// The default size of a cell in metres.
  public static let usualCellMetres = 100.0
  /// Cells grow until stretches cross at most this many of their borders; at the default size that
  /// is about 20 000 km of ways.
  private static let mostCrossings = 1 << 18

  /// The size of a cell from south to north in metres; at the start it is about the same from west
  /// to east.
  public let cellMetres: Double
  /// The polygons of each isochrone, from south to north. A polygon is its outer ring,
  /// counterclockwise, followed by its holes, clockwise; each ring ends with its first coordinate
  /// (RFC 7946).
  public let polygons: [[[[Coordinate]]]]

  /// Makes the areas of isochrones of one start, whose time limits must ascend: each area contains
  /// those before it.
  ///
  /// - Parameters:
  ///   - isochrones: The isochrones.
  ///   - cellMetres: The least size of a cell, at least 1; cells grow if the isochrones are very
  ///     large.
  public init(_ isochrones: [Isochrone], cellMetres: Double = usualCellMetres) {
    var size = cellMetres.isFinite ? max(cellMetres, 1) : Self.usualCellMetres
    let latitude = isochrones.first?.start.latitude ?? 0
    var grid = CellGrid(cellMetres: size, latitude: latitude)
    // Ends at the latest when a cell is as large as the Earth.
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

/// A cell by its column from the antimeridian and its row from the equator; also its south-western
/// corner.
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
    // A whole number of columns round the Earth.
    columns = max(1, (360 * shrinking / height).rounded())
  }

  private func position(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    ((coordinate.longitude + 180) / 360 * columns, coordinate.latitude / height)
  }

  /// A segment in cells; across the antimeridian it leads beyond the last column.
  private func segment(_ one: Coordinate, _ other: Coordinate)
    -> (x: Double, y: Double, dx: Double, dy: Double)
  {
    let (start, end) = (position(one), position(other))
    var dx = end.x - start.x
    if dx > columns / 2 { dx -= columns } else if dx < -columns / 2 { dx += columns }
    return (start.x, start.y, dx, end.y - start.y)
  }

  /// The approximate number of cell borders crossed by the stretches of the largest isochrone.
  /// Pieces within a cell do not count, or cells would grow without end.
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

  /// Adds all cells that a line passes through.
  func add(_ line: [Coordinate], to cells: inout Set<Cell>) {
    for (one, other) in zip(line, line.dropFirst()) {
      let (x, y, dx, dy) = segment(one, other)
      // The line enters another cell at each border of a column or a row.
      var shares = [0.0, 1.0]
      shares += Self.crossings(x, dx) + Self.crossings(y, dy)
      shares.sort()
      for (from, to) in zip(shares, shares.dropFirst()) {
        let middle = (from + to) / 2
        insert(x + middle * dx, y + middle * dy, in: &cells)
      }
    }
  }

  /// The crossings of a segment with whole numbers, as shares of it.
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

  /// The coordinate of a corner, rounded to seven decimals.
  func corner(_ corner: Cell) -> Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Coordinate(
      latitude: rounded(min(max(Double(corner.row) * height, -90), 90)),
      longitude: rounded(min(Double(corner.column) / columns * 360 - 180, 180)))
  }
}
