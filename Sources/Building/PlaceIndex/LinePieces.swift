// SPDX-License-Identifier: Apache-2.0
import Geodesy
import PlaceDatabase

/// The lines of trails and routes, cut into pieces by the cells of the grid.
struct LinePieces {
  /// A piece of a line, which begins in its cell and ends with its first point outside.
  struct Piece {
    var cell: Int
    /// The places whose line it is, ascending.
    var places: [Int]
    var points: [Coordinate]
  }

  /// Points that lie less than this beside the line without them are left out.
  static let toleranceMetres = 3.0
  /// The longest segment of a piece.
  static let segmentMetres = 300.0

  /// The pieces in the order of their cells; within a cell in the order in which they were added.
  private(set) var pieces: [Piece] = []
  /// The cells of each place.
  private(set) var cells: [Int: Set<Int>] = [:]

  /// Adds a line of at least two points.
  mutating func add(_ line: [Coordinate], places: [Int]) {
    let points = Self.divided(simplified(line, toleranceMetres: Self.toleranceMetres))
    guard points.count > 1 else { return }
    var start = 0
    var cell = GridCell.containing(points[0])
    for index in 1..<points.count {
      let next = GridCell.containing(points[index])
      guard next != cell || index == points.count - 1 else { continue }
      pieces.append(Piece(cell: cell, places: places, points: Array(points[start...index])))
      for place in places { cells[place, default: []].insert(cell) }
      (start, cell) = (index, next)
    }
  }

  /// Sorts the pieces when all were added.
  mutating func sort() {
    let order = pieces.indices.sorted { (pieces[$0].cell, $0) < (pieces[$1].cell, $1) }
    pieces = order.map { pieces[$0] }
  }

  /// The line with further points on its long segments.
  private static func divided(_ line: [Coordinate]) -> [Coordinate] {
    var points: [Coordinate] = []
    for point in line {
      if let last = points.last {
        let metres = haversineDistance(last, point)
        let parts = Int(min(10_000, (metres / segmentMetres).rounded(.up)))
        // A segment across the antimeridian is left as it is.
        if parts > 1, abs(point.longitude - last.longitude) < 180 {
          for part in 1..<parts {
            let share = Double(part) / Double(parts)
            points.append(
              Coordinate(
                latitude: last.latitude + share * (point.latitude - last.latitude),
                longitude: last.longitude + share * (point.longitude - last.longitude)))
          }
        }
      }
      points.append(point)
    }
    return points
  }
}

/// A line without the points that lie less than a tolerance beside the line of the others (Douglas
/// and Peucker, 1973). Its ends stay.
private func simplified(_ line: [Coordinate], toleranceMetres: Double) -> [Coordinate] {
  guard line.count > 2 else { return line }
  let metresPerDegree = earthRadiusMetres * .pi / 180
  let shrinking = longitudeShrinking(atLatitude: line[0].latitude)
  let plane = line.map {
    (x: $0.longitude * shrinking * metresPerDegree, y: $0.latitude * metresPerDegree)
  }
  var isKept = [Bool](repeating: false, count: line.count)
  isKept[0] = true
  isKept[line.count - 1] = true
  var open = [(0, line.count - 1)]
  while let (first, last) = open.popLast() {
    guard last - first > 1 else { continue }
    let (dx, dy) = (plane[last].x - plane[first].x, plane[last].y - plane[first].y)
    let square = dx * dx + dy * dy
    var farthest = (index: first, square: -1.0)
    for index in first + 1..<last {
      let (x, y) = (plane[index].x - plane[first].x, plane[index].y - plane[first].y)
      let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
      let (offX, offY) = (x - share * dx, y - share * dy)
      let distance = offX * offX + offY * offY
      if distance > farthest.square { farthest = (index, distance) }
    }
    guard farthest.square > toleranceMetres * toleranceMetres else { continue }
    isKept[farthest.index] = true
    open.append((first, farthest.index))
    open.append((farthest.index, last))
  }
  return line.indices.filter { isKept[$0] }.map { line[$0] }
}
