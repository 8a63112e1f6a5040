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

  /// How far north and east of the corner of the grid a coordinate lies; nil outside.
  @inline(__always)
  private func place(_ coordinate: NodeCoordinate) -> (northward: Int64, eastward: Int64)? {
    let northward = Int64(coordinate.latitude) - south
    var eastward = Int64(coordinate.longitude) - west
    if eastward < 0 { eastward += FixedSegment.turn }
    guard northward >= 0, northward <= height, eastward <= width else { return nil }
    return (northward, eastward)
  }

  /// Marks the cells of the coordinates of a line.
  @inline(__always)
  mutating func mark(_ line: some Sequence<NodeCoordinate>) {
    // Most lie in the cell of the one before.
    var (rows, columns) = (Int64(0)..<0, Int64(0)..<0)
    for coordinate in line where coordinate.isKnown {
      guard let (northward, eastward) = place(coordinate),
        !rows.contains(northward) || !columns.contains(eastward)
      else { continue }
      let (row, column) = (northward / cellHeight, eastward / cellWidth)
      cells[Int(row) * self.columns + Int(column)] = true
      rows = row * cellHeight..<(row + 1) * cellHeight
      columns = column * cellWidth..<(column + 1) * cellWidth
    }
  }

  /// Marks all near cells, too; no mark may follow.
  mutating func spread() {
    for mark in marks() {
      let start = mark / columns * columns
      for near in max(start, mark - Self.steps)...min(start + columns - 1, mark + Self.steps) {
        cells[near] = true
      }
    }
    for mark in marks() {
      let (row, column) = mark.quotientAndRemainder(dividingBy: columns)
      for near in max(0, row - Self.steps)...min(rows - 1, row + Self.steps) {
        cells[near * columns + column] = true
      }
    }
  }

  /// The marked cells, of which there are few.
  private func marks() -> [Int] {
    let step = MemoryLayout<UInt64>.size
    return cells.withUnsafeBytes { bytes in
      var marks: [Int] = []
      for start in stride(from: 0, to: bytes.count, by: step) {
        let end = min(start + step, bytes.count)
        if end - start == step, bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self) == 0 {
          continue
        }
        for cell in start..<end where bytes[cell] != 0 { marks.append(cell) }
      }
      return marks
    }
  }

  /// Whether a coordinate is in a marked cell.
  @inline(__always)
  func contains(_ coordinate: NodeCoordinate) -> Bool {
    guard coordinate.isKnown, let (northward, eastward) = place(coordinate) else { return false }
    return cells[Int(northward / cellHeight) * columns + Int(eastward / cellWidth)]
  }
}
