// SPDX-License-Identifier: Apache-2.0

/// A grid of squares in which points up to a given distance apart lie in the same or in
/// neighbouring squares: rows of equal height, each divided into a whole number of columns around
/// the globe. A row near a pole has one.
package struct DistanceGrid: Sendable {
  @usableFromInline let rowDegrees: Double
  /// The columns of rows that were counted beforehand, and the first of these rows.
  @usableFromInline var counted: [Int] = []
  @usableFromInline var firstCounted = 0

  /// Makes a grid for points that are up to `metres` apart.
  package init(metres: Double) {
    // Slightly higher, so that rounding does not matter.
    rowDegrees = max(metres, 1) / (earthRadiusMetres * .pi / 180) * 1.001
  }

  /// The same for points mostly between two latitudes, whose rows are counted beforehand: for very many
  /// points their cosines would take most of the time.
  package init(metres: Double, mostlyWithin latitudes: ClosedRange<Double>) {
    self.init(metres: metres)
    let rows = row(latitudes.lowerBound) - 1...row(latitudes.upperBound) + 1
    counted = rows.map { columns(ofRow: $0) }
    firstCounted = rows.lowerBound
  }

  /// The same for points of which some latitudes are known.
  package init(metres: Double, mostlyAt latitudes: [Double]) {
    if let south = latitudes.min(), let north = latitudes.max() {
      self.init(metres: metres, mostlyWithin: south...north)
    } else {
      self.init(metres: metres)
    }
  }

  /// The row of a latitude.
  @inlinable package func row(_ latitude: Double) -> Int {
    Int((latitude / rowDegrees).rounded(.down))
  }

  /// The number of columns of a row.
  @inlinable package func columns(ofRow row: Int) -> Int {
    if row >= firstCounted, row - firstCounted < counted.count {
      return counted[row - firstCounted]
    }
    return computedColumns(ofRow: row)
  }

  @usableFromInline func computedColumns(ofRow row: Int) -> Int {
    // The neighbour of a point may be a row nearer to the pole, where degrees are shorter.
    let latitude = Double(max(abs(row), abs(row + 1)) + 1) * rowDegrees
    let shrinking = latitude < 90 ? longitudeShrinking(atLatitude: latitude) : 0
    return max(1, Int(360 * shrinking / rowDegrees))
  }

  /// The column of a longitude in a row with the given number of columns.
  @inlinable package func column(_ longitude: Double, of columns: Int) -> Int {
    min(Int((longitude + 180) / 360 * Double(columns)), columns - 1)
  }

  /// The number of a square; numbers are consecutive within a row.
  @inlinable package static func square(_ row: Int, _ column: Int) -> Int64 {
    Int64(row) << 32 + Int64(column)
  }

  /// The row of a square.
  @inlinable package static func row(ofSquare square: Int64) -> Int {
    Int(truncatingIfNeeded: square >> 32)
  }

  /// The number of the square of a point.
  package func square(of point: Coordinate) -> Int64 {
    let row = row(point.latitude)
    return Self.square(row, column(point.longitude, of: columns(ofRow: row)))
  }

  /// Calls `body` with ranges of squares: the square of a point and its neighbours, each once.
  @inlinable package func forEachNeighbour(
    of point: Coordinate, _ body: (ClosedRange<Int64>) -> Void
  ) {
    let middle = row(point.latitude)
    for row in middle - 1...middle + 1 {
      let columns = columns(ofRow: row)
      let column = column(point.longitude, of: columns)
      let near = max(0, column - 1)...min(column + 1, columns - 1)
      let squares = columns <= 3 ? 0...columns - 1 : near
      body(Self.square(row, squares.lowerBound)...Self.square(row, squares.upperBound))
      // The square at the other end of the row is a neighbour, too.
      if columns > 3, column == 0 || column == columns - 1 {
        let other = Self.square(row, columns - 1 - column)
        body(other...other)
      }
    }
  }
}
