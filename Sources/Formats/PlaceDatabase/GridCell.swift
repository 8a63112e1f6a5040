// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The cells of a grid of hundredths of a degree, an index for places and lines. Cells are numbered
/// from west to east and from south to north.
package enum GridCell {
  /// Cells of a degree.
  package static let perDegree = 100.0
  private static let columns = 36_000
  private static let rows = 18_000

  /// The greatest cell.
  package static let last = columns * rows - 1

  /// The cell of a valid coordinate.
  package static func containing(_ point: Coordinate) -> Int {
    row(point.latitude) * columns + column(point.longitude)
  }

  private static func row(_ latitude: Double) -> Int {
    index((latitude + 90) * perDegree, below: rows)
  }

  private static func column(_ longitude: Double) -> Int {
    index((longitude + 180) * perDegree, below: columns)
  }

  private static func index(_ number: Double, below limit: Int) -> Int {
    number > 0 ? Int(min(number, Double(limit - 1))) : 0
  }

  /// The cells that touch a box which does not cross the antimeridian: a range for each row, from
  /// the south.
  package static func ranges(in box: BoundingBox) -> [ClosedRange<Int>] {
    let (west, east) = (column(box.west), column(box.east))
    let (south, north) = (row(box.south), row(box.north))
    guard west <= east, south <= north else { return [] }
    return (south...north).map { $0 * columns + west...$0 * columns + east }
  }

  /// The distance in metres from a point to the nearest point of a cell, or slightly less; 0
  /// inside, and very large for cells that do not exist.
  package static func distance(from point: Coordinate, to cell: Int) -> Double {
    guard cell >= 0, cell < rows * columns else { return .infinity }
    let south = Double(cell / columns) / perDegree - 90
    let west = Double(cell % columns) / perDegree - 180
    let latitude = min(max(point.latitude, south), south + 1 / perDegree)
    var longitude = min(max(point.longitude, west), west + 1 / perDegree)
    // The other way round the Earth may be shorter.
    if abs(longitude - point.longitude) > 180 { longitude = longitude > 0 ? west : west + 0.01 }
    return haversineDistance(point, Coordinate(latitude: latitude, longitude: longitude))
  }
}
