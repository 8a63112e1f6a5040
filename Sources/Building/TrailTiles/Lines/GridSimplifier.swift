// SPDX-License-Identifier: Apache-2.0

/// Leaves out the points of a line that lie less than a tolerance beside the simplified line
/// (Douglas and Peucker, 1973). Its ends and pinned points stay.
struct GridSimplifier {
  private var isKept: [Bool] = []
  private var open: [(Int, Int)] = []

  init() {}

  mutating func simplify(_ line: inout [GridPoint], pins: [Bool], tolerance: Double) {
    guard line.count > 2 else { return }
    isKept.removeAll(keepingCapacity: true)
    isKept.append(contentsOf: pins)
    isKept[0] = true
    isKept[line.count - 1] = true
    var start = 0
    for index in 1..<line.count where isKept[index] {
      if index - start > 1 { open.append((start, index)) }
      start = index
    }
    let square = tolerance * tolerance
    line.withUnsafeBufferPointer { points in
      while let (first, last) = open.popLast() {
        let (index, distance) = Self.farthest(points, first, last)
        guard distance > square else { continue }
        isKept[index] = true
        if index - first > 1 { open.append((first, index)) }
        if last - index > 1 { open.append((index, last)) }
      }
    }
    var count = 0
    for index in line.indices where isKept[index] {
      line[count] = line[index]
      count += 1
    }
    line.removeLast(line.count - count)
  }

  /// The point between two that is farthest from the segment between them, and the square of its
  /// distance.
  private static func farthest(_ points: UnsafeBufferPointer<GridPoint>, _ first: Int, _ last: Int)
    -> (index: Int, square: Double)
  {
    let (originX, originY) = (Double(points[first].x), Double(points[first].y))
    let (dx, dy) = (Double(points[last].x) - originX, Double(points[last].y) - originY)
    let square = dx * dx + dy * dy
    var farthest = (index: first, square: -1.0)
    for index in first + 1..<last {
      let (x, y) = (Double(points[index].x) - originX, Double(points[index].y) - originY)
      let share = square > 0 ? min(max((x * dx + y * dy) / square, 0), 1) : 0
      let (offX, offY) = (x - share * dx, y - share * dy)
      let distance = offX * offX + offY * offY
      if distance > farthest.square { farthest = (index, distance) }
    }
    return farthest
  }
}
