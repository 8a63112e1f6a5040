// SPDX-License-Identifier: Apache-2.0

/// The contour lines of a grid of elevations, by marching squares. Lines end where an elevation is
/// unknown.
struct ContourLines {
  /// A line of one height.
  struct Line: Equatable {
    var level: Int
    /// Points in units of the grid, columns and rows from its first value on.
    var points: [SIMD2<Double>]
    /// Whether it ends at its start.
    var isClosed: Bool
  }

  /// A side of a cell: from a value to its right neighbour, or to the one below.
  private struct Side: Hashable {
    var row: Int
    var column: Int
    var isDown: Bool
  }

  /// A sensible limit for a map.
  private static let mostLevels = 400

  private let values: [Float]
  private let columns: Int
  private let rows: Int

  /// - Parameter values: Elevations row by row; NaN if unknown.
  init(_ values: [Float], columns: Int) {
    (self.values, self.columns) = (values, columns)
    rows = columns > 0 ? values.count / columns : 0
  }

  /// The interval of contours, in metres, that gives at most this many.
  func interval(most: Int) -> Int {
    let known = values.lazy.filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return 100 }
    return [10, 20, 50, 100, 200].first { Int(high - low) / $0 <= most } ?? 500
  }

  /// All lines whose height is a multiple of an interval, lowest first.
  func lines(every interval: Int) -> [Line] {
    let known = values.lazy.filter { abs($0) < 20_000 }
    guard interval > 0, let low = known.min(), let high = known.max() else { return [] }
    let first = Int((low / Float(interval)).rounded(.down)) + 1
    let last = min(Int((high / Float(interval)).rounded(.down)), first + Self.mostLevels)
    guard first <= last else { return [] }
    return (first...last).flatMap { lines(at: $0 * interval) }
  }

  private func lines(at level: Int) -> [Line] {
    var ends: [Side: [Side]] = [:]
    var order: [Side] = []
    for row in 0..<max(0, rows - 1) {
      for column in 0..<max(0, columns - 1) {
        for (one, other) in crossings(row, column, Float(level)) {
          for (side, next) in [(one, other), (other, one)] {
            if ends[side] == nil { order.append(side) }
            ends[side, default: []].append(next)
          }
        }
      }
    }
    var lines: [Line] = []
    // Open lines first, so that the rest is closed.
    for side in order where ends[side]?.count == 1 {
      lines.append(contentsOf: follow(side, level, &ends, isClosed: false))
    }
    for side in order where ends[side] != nil {
      lines.append(contentsOf: follow(side, level, &ends, isClosed: true))
    }
    return lines
  }

  private func follow(
    _ start: Side, _ level: Int, _ ends: inout [Side: [Side]], isClosed: Bool
  ) -> [Line] {
    guard ends[start] != nil else { return [] }
    var points = [point(start, level)]
    var side = start
    while let next = ends[side]?.first {
      remove(next, from: side, &ends)
      remove(side, from: next, &ends)
      points.append(point(next, level))
      side = next
    }
    return points.count > 1 ? [Line(level: level, points: points, isClosed: isClosed)] : []
  }

  private func remove(_ side: Side, from other: Side, _ ends: inout [Side: [Side]]) {
    guard let index = ends[other]?.firstIndex(of: side) else { return }
    ends[other]?.remove(at: index)
    if ends[other]?.isEmpty == true { ends[other] = nil }
  }

  private func value(_ row: Int, _ column: Int) -> Float { values[row * columns + column] }

  /// The pairs of sides of a cell that a line at a level joins.
  private func crossings(_ row: Int, _ column: Int, _ level: Float) -> [(Side, Side)] {
    let corners = [
      value(row, column), value(row, column + 1), value(row + 1, column + 1),
      value(row + 1, column),
    ]
    guard corners.allSatisfy(\.isFinite) else { return [] }
    let above = corners.map { $0 >= level }
    let sides = [
      Side(row: row, column: column, isDown: false),
      Side(row: row, column: column + 1, isDown: true),
      Side(row: row + 1, column: column, isDown: false),
      Side(row: row, column: column, isDown: true),
    ]
    let crossed = (0..<4).filter { above[$0] != above[($0 + 1) % 4] }.map { sides[$0] }
    switch crossed.count {
    case 2: return [(crossed[0], crossed[1])]
    case 4:
      // A saddle: the mean decides which corners belong together.
      let isHigh = corners.reduce(0, +) / 4 >= level
      return isHigh == above[0]
        ? [(sides[0], sides[1]), (sides[2], sides[3])]
        : [(sides[3], sides[0]), (sides[1], sides[2])]
    default: return []
    }
  }

  private func point(_ side: Side, _ level: Int) -> SIMD2<Double> {
    let one = Double(value(side.row, side.column))
    let other = Double(
      side.isDown ? value(side.row + 1, side.column) : value(side.row, side.column + 1))
    let share = one == other ? 0.5 : min(max((Double(level) - one) / (other - one), 0), 1)
    return SIMD2(
      Double(side.column) + (side.isDown ? 0 : share), Double(side.row) + (side.isDown ? share : 0))
  }
}
