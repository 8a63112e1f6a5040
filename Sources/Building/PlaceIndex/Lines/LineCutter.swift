// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPlaceDatabase

/// Simplifies the lines of ways and cuts them into pieces, with memory that is used again and again.
struct LineCutter: Sendable {
  /// The pieces in the order in which they were cut.
  private(set) var pieces: [LinePieces.Piece] = []
  /// Their packed points.
  private(set) var bytes: [UInt8] = []
  /// The box around them.
  private(set) var box: BoundingBox?

  private var line: [Coordinate] = []
  private var points: [Coordinate] = []
  private var simplifier = LineSimplifier()

  /// Cuts a way with at least two points that differ.
  mutating func cut(_ way: Int, line number: Int, of ways: WayLines) {
    line.removeAll(keepingCapacity: true)
    ways.forEachPoint(way) { line.append($0.degrees) }
    simplifier.simplify(&line, toleranceMetres: LinePieces.toleranceMetres)
    divide()
    guard points.count > 1 else { return }
    for point in points {
      box = box?.extended(to: point) ?? BoundingBox(at: point)
    }
    var start = 0
    var cell = GridCell.containing(points[0])
    for index in 1..<points.count {
      let next = GridCell.containing(points[index])
      guard next != cell || index == points.count - 1 else { continue }
      let first = bytes.count
      PackedLine.append(points[start...index], cell: cell, to: &bytes)
      pieces.append(.init(cell: cell, line: number, points: first..<bytes.count))
      (start, cell) = (index, next)
    }
  }

  /// The line with further points on its long segments.
  private mutating func divide() {
    points.removeAll(keepingCapacity: true)
    var last: Coordinate?
    for point in line {
      if let last { addPoints(between: last, point) }
      points.append(point)
      last = point
    }
  }

  private mutating func addPoints(between first: Coordinate, _ last: Coordinate) {
    // No way is longer than along a meridian and a parallel, which shows that most are short.
    let degrees = abs(last.latitude - first.latitude) + abs(last.longitude - first.longitude)
    guard degrees * earthRadiusMetres * .pi / 180 > LinePieces.segmentMetres * 0.999 else { return }
    let metres = haversineDistance(first, last)
    let parts = Int(min(10_000, (metres / LinePieces.segmentMetres).rounded(.up)))
    // A segment across the antimeridian is left as it is.
    guard parts > 1, abs(last.longitude - first.longitude) < 180 else { return }
    for part in 1..<parts {
      let share = Double(part) / Double(parts)
      points.append(
        Coordinate(
          latitude: first.latitude + share * (last.latitude - first.latitude),
          longitude: first.longitude + share * (last.longitude - first.longitude)))
    }
  }
}

/// Leaves out the points of a line within a tolerance of the line of the others (Douglas and
/// Peucker, 1973). Its ends stay.
private struct LineSimplifier: Sendable {
  private var plane: [(x: Double, y: Double)] = []
  private var isKept: [Bool] = []
  private var open: [(Int, Int)] = []

  mutating func simplify(_ line: inout [Coordinate], toleranceMetres: Double) {
    guard line.count > 2 else { return }
    project(line)
    isKept.removeAll(keepingCapacity: true)
    isKept.append(contentsOf: repeatElement(false, count: line.count))
    isKept[0] = true
    isKept[line.count - 1] = true
    open.append((0, line.count - 1))
    while let (first, last) = open.popLast() {
      guard last - first > 1 else { continue }
      let (index, square) = farthest(first, last)
      guard square > toleranceMetres * toleranceMetres else { continue }
      isKept[index] = true
      open.append((first, index))
      open.append((index, last))
    }
    var count = 0
    for index in line.indices where isKept[index] {
      line[count] = line[index]
      count += 1
    }
    line.removeLast(line.count - count)
  }

  private mutating func project(_ line: [Coordinate]) {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let shrinking = longitudeShrinking(atLatitude: line[0].latitude)
    plane.removeAll(keepingCapacity: true)
    plane.append(
      contentsOf: line.lazy.map {
        (x: $0.longitude * shrinking * metresPerDegree, y: $0.latitude * metresPerDegree)
      })
  }

  /// The point between two that is farthest from the segment between them, and the square of its
  /// distance in metres.
  private func farthest(_ first: Int, _ last: Int) -> (index: Int, square: Double) {
    let (start, end) = (plane[first], plane[last])
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let square = dx * dx + dy * dy
    var farthest = (index: first, square: -1.0)
    for index in first + 1..<last {
      let point = plane[index]
      let (x, y) = (point.x - start.x, point.y - start.y)
      let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
      let (offX, offY) = (x - share * dx, y - share * dy)
      let distance = offX * offX + offY * offY
      if distance > farthest.square { farthest = (index, distance) }
    }
    return farthest
  }
}
