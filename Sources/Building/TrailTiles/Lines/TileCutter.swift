// SPDX-License-Identifier: Apache-2.0
import Tiles

/// A part of a line, or points, in a tile of a zoom.
struct TilePiece: Sendable {
  /// The column and the row of the tile: 16 bits each.
  var tile: UInt32
  /// The layer, and the set of properties below it.
  var feature: UInt32
  /// Its points in ``TileCutter/points``.
  var start: Int
  var count: Int

  static let layerShift: UInt32 = 30
}

/// Cuts lines into the tiles that they touch, each with a buffer around it.
struct TileCutter {
  private static let unitsShift: Int32 = 12

  /// The points of all pieces.
  private(set) var points: [TilePoint] = []
  private(set) var pieces: [TilePiece] = []
  private let lastTile: Int32
  /// The units of the world's side.
  private let world: Int32

  init(zoom: Int) {
    lastTile = Int32(1 << zoom) - 1
    world = 1 << (Int32(zoom) + Self.unitsShift)
  }

  /// Adds a point to its tile, unless it lies beyond the borders of the map.
  mutating func add(_ point: GridPoint, feature: UInt32) {
    guard 0...world ~= point.x, 0...world ~= point.y else { return }
    let column = min(max(point.x >> Self.unitsShift, 0), lastTile)
    let row = min(max(point.y >> Self.unitsShift, 0), lastTile)
    begin(column, row, feature)
    append(point, column, row)
  }

  /// Adds a line to all tiles that it touches, cut off at the borders of the map.
  mutating func add(_ line: [GridPoint], feature: UInt32) {
    guard line.count > 1 else { return }
    var parts = [line]
    for axis in [\GridPoint.x, \GridPoint.y]
    where line.contains(where: { !(0...world ~= $0[keyPath: axis]) }) {
      parts = parts.flatMap { Self.clip($0, 0, world, isX: axis == \.x) }
    }
    for part in parts { divide(part, tiles(of: part, \.x), tiles(of: part, \.y), feature) }
  }

  /// The range of tiles whose buffers a line reaches.
  private func tiles(of line: [GridPoint], _ axis: KeyPath<GridPoint, Int32>) -> ClosedRange<Int32>
  {
    var (lowest, highest) = (Int32.max, Int32.min)
    let isX = axis == \.x
    for point in line {
      let value = isX ? point.x : point.y
      lowest = min(lowest, value)
      highest = max(highest, value)
    }
    let first = min(max((lowest - ZoomRules.buffer) >> Self.unitsShift, 0), lastTile)
    let last = min(max((highest + ZoomRules.buffer) >> Self.unitsShift, 0), lastTile)
    return first...max(first, last)
  }

  /// Halves the longer side until a line is in one tile.
  private mutating func divide(
    _ line: [GridPoint], _ columns: ClosedRange<Int32>, _ rows: ClosedRange<Int32>,
    _ feature: UInt32
  ) {
    if columns.count == 1, rows.count == 1 {
      return emit(line, columns.lowerBound, rows.lowerBound, feature)
    }
    let isX = columns.count >= rows.count
    let range = isX ? columns : rows
    let middle = range.lowerBound + Int32(range.count / 2)
    for half in [range.lowerBound...middle - 1, middle...range.upperBound] {
      let lower = half.lowerBound << Self.unitsShift - ZoomRules.buffer
      let upper = (half.upperBound + 1) << Self.unitsShift + ZoomRules.buffer
      for part in Self.clip(line, lower, upper, isX: isX) {
        // A part may reach fewer tiles than the whole.
        let (partColumns, partRows) = (tiles(of: part, \.x), tiles(of: part, \.y))
        divide(
          part, partColumns.clamped(to: isX ? half : columns),
          partRows.clamped(to: isX ? rows : half), feature)
      }
    }
  }

  /// The parts of a line between two borders.
  private static func clip(_ line: [GridPoint], _ lower: Int32, _ upper: Int32, isX: Bool)
    -> [[GridPoint]]
  {
    var parts: [[GridPoint]] = []
    var part: [GridPoint] = []
    func end() {
      if part.count > 1 { parts.append(part) }
      part = []
    }
    for index in 1..<line.count {
      let (first, last) = (line[index - 1], line[index])
      let (from, to) = isX ? (first.x, last.x) : (first.y, last.y)
      if max(from, to) < lower || min(from, to) > upper {
        end()
        continue
      }
      if part.isEmpty {
        part.append(
          from < lower
            ? crossing(first, last, lower, isX)
            : from > upper ? crossing(first, last, upper, isX) : first)
      }
      if to < lower {
        part.append(crossing(first, last, lower, isX))
        end()
      } else if to > upper {
        part.append(crossing(first, last, upper, isX))
        end()
      } else {
        part.append(last)
      }
    }
    end()
    return parts
  }

  /// The position at which a segment crosses a border.
  private static func crossing(_ first: GridPoint, _ last: GridPoint, _ border: Int32, _ isX: Bool)
    -> GridPoint
  {
    func between(_ from: Int32, _ to: Int32, _ start: Int32, _ end: Int32) -> Int32 {
      let share = Double(border - from) / Double(to - from)
      // Between two numbers of 32 bits.
      return Int32((Double(start) + share * Double(end - start)).rounded())
    }
    return isX
      ? GridPoint(x: border, y: between(first.x, last.x, first.y, last.y))
      : GridPoint(x: between(first.y, last.y, first.x, last.x), y: border)
  }

  private mutating func emit(
    _ line: [GridPoint], _ column: Int32, _ row: Int32, _ feature: UInt32
  ) {
    let before = (points.count, pieces.count)
    begin(column, row, feature)
    for point in line { append(point, column, row) }
    if pieces[pieces.count - 1].count < 2 {
      points.removeLast(points.count - before.0)
      pieces.removeLast(pieces.count - before.1)
    }
  }

  private mutating func begin(_ column: Int32, _ row: Int32, _ feature: UInt32) {
    pieces.append(
      TilePiece(
        tile: UInt32(column) << 16 | UInt32(row), feature: feature, start: points.count, count: 0))
  }

  private mutating func append(_ point: GridPoint, _ column: Int32, _ row: Int32) {
    let local = TilePoint(
      x: Int16(clamping: point.x - column << Self.unitsShift),
      y: Int16(clamping: point.y - row << Self.unitsShift))
    if pieces[pieces.count - 1].count > 0, points.last == local { return }
    points.append(local)
    pieces[pieces.count - 1].count += 1
  }
}
