// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy

/// The surroundings of the ways of a region: the cells of a grid within some metres of marked ones.
struct Surroundings {
  /// The number of cells between a marked one and the last that is near.
  private static let steps = 4
  /// Larger grids get larger cells, to limit memory.
  private static let largestCount = 1 << 24
  /// Near the poles cells are this much wider in degrees than at the equator, and no more.
  private static let leastShrinking = 0.01

  private let west: Int64
  private let south: Int64
  private let width: Int64
  private let height: Int64
  private let cellWidth: Int64
  private let cellHeight: Int64
  private let columns: Int
  private let rows: Int
  private var cells: [Bool]

  /// A grid over a box, without any marks.
  ///
  /// - Parameter metres: How far away from a mark everything is near; up to a quarter more may be, and
  ///   more than that in a box that spans many degrees.
  init(_ box: BoundingBox, metres: Double) {
    let unitsPerMetre =
      180 / (Double.pi * earthRadiusMetres) * FixedCoordinate.unitsPerDegree
    let shrinking = longitudeShrinking(atLatitude: max(abs(box.south), abs(box.north)))
    var cell = max(1, metres / Double(Self.steps) * unitsPerMetre)
    west = fixedUnits(box.west)
    south = fixedUnits(box.south)
    let eastward = fixedUnits(box.east) - west
    width = box.crossesAntimeridian ? eastward + FixedSegment.turn : eastward
    height = fixedUnits(box.north) - south
    let wider = 1 / max(shrinking, Self.leastShrinking)
    func count(_ units: Int64, _ cell: Double) -> Int { Int(Double(units) / cell) + 1 }
    while count(width, cell * wider) * count(height, cell) > Self.largestCount { cell *= 2 }
    (cellHeight, cellWidth) = (Int64(cell.rounded(.up)), Int64((cell * wider).rounded(.up)))
    columns = Int(width / cellWidth) + 1
    rows = Int(height / cellHeight) + 1
    cells = [Bool](repeating: false, count: columns * rows)
  }

  /// The cell of a coordinate; nil outside the grid.
  @inline(__always)
  private func cell(_ coordinate: NodeCoordinate) -> Int? {
    let northward = Int64(coordinate.latitude) - south
    var eastward = Int64(coordinate.longitude) - west
    if eastward < 0 { eastward += FixedSegment.turn }
    guard northward >= 0, northward <= height, eastward <= width else { return nil }
    return Int(northward / cellHeight) * columns + Int(eastward / cellWidth)
  }

  /// Marks the cell of a coordinate.
  @inline(__always)
  mutating func mark(_ coordinate: NodeCoordinate) {
    if coordinate.isKnown, let cell = cell(coordinate) { cells[cell] = true }
  }

  /// Marks all near cells, too; no mark may follow.
  mutating func spread() {
    spread(lines: rows, length: columns, lineStride: columns, stride: 1)
    spread(lines: columns, length: rows, lineStride: 1, stride: columns)
  }

  /// Spreads the marks along the rows or the columns.
  private mutating func spread(lines: Int, length: Int, lineStride: Int, stride: Int) {
    for line in 0..<lines {
      let start = line * lineStride
      let marks = (0..<length).filter { cells[start + $0 * stride] }
      for mark in marks {
        for near in max(0, mark - Self.steps)...min(length - 1, mark + Self.steps) {
          cells[start + near * stride] = true
        }
      }
    }
  }

  /// Whether a coordinate is in a marked cell.
  @inline(__always)
  func contains(_ coordinate: NodeCoordinate) -> Bool {
    guard coordinate.isKnown, let cell = cell(coordinate) else { return false }
    return cells[cell]
  }
}
