// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// The table `routing_long_edges`: for each cell of a grid, the long edges whose lines pass through
/// it. Shorter edges are found by their ends, while a long one may pass a point far from both.
///
/// A cell is 1/64 degree of latitude and of longitude. Cells are numbered from the South Pole, each
/// row from 180° W: 23,040 times the row plus the column.
package enum LongEdges {
  /// Edges above this length in metres are listed.
  package static let metres = 400.0
  /// Stands for all cells, for an edge that passes through more than ``mostCellsOfEdge``.
  static let everywhere: Int64 = -1
  fileprivate static let mostCellsOfEdge = 256
  /// Looking up more cells takes longer than reading all edges.
  private static let mostCells = 2048

  private static let cellsPerDegree = 64
  fileprivate static let rows = 180 * cellsPerDegree
  fileprivate static let columns = 360 * cellsPerDegree

  /// The keys under which the edges in some boxes are listed; nil for too many of them.
  static func cells(of boxes: [BoundingBox]) -> [Int64]? {
    var cells = [everywhere]
    for box in boxes where box.south <= box.north && box.west <= box.east {
      let rows = clamped(y(box.south), below: rows)...clamped(y(box.north), below: rows)
      let columns = clamped(x(box.west), below: columns)...clamped(x(box.east), below: columns)
      guard cells.count + rows.count * columns.count <= mostCells else { return nil }
      for row in rows {
        for column in columns { cells.append(Int64(row * Self.columns + column)) }
      }
    }
    return cells
  }

  fileprivate static func y(_ latitude: Double) -> Double {
    (latitude + 90) * Double(cellsPerDegree)
  }

  fileprivate static func x(_ longitude: Double) -> Double {
    (longitude + 180) * Double(cellsPerDegree)
  }

  /// The row or column of a position in cells; the last one for the border behind it.
  private static func clamped(_ position: Double, below count: Int) -> Int {
    guard position > 0 else { return 0 }
    return position < Double(count) ? Int(position) : count - 1
  }
}

/// The rows of `routing_long_edges`, collected edge by edge.
package struct LongEdgeRows: Sendable {
  /// One more than the cell, then the edge, in 32 bits each.
  private var entries: [UInt64] = []
  private var edge: UInt32 = 0
  private var firstOfEdge = 0
  private var isEverywhere = false
  private var last = (x: 0.0, y: 0.0)
  private var lastCell = (row: 0, column: 0)

  /// Begins with no edges.
  package init() {}

  /// The number of rows or, where a line comes back to a cell, more.
  package var count: Int { entries.count }

  /// Adds an edge between valid coordinates, with the points between in 10⁻⁷ degrees; as many
  /// latitudes as longitudes.
  package mutating func add(
    edge: UInt32, from start: Coordinate, to end: Coordinate,
    latitudes: UnsafeBufferPointer<Int32>, longitudes: UnsafeBufferPointer<Int32>
  ) {
    begin(edge: edge, at: start)
    for index in latitudes.indices {
      extend(to: EdgeGeometry.stored(latitudes[index], longitudes[index]))
    }
    extend(to: end)
  }

  /// Adds an edge with its ``EdgeGeometry``. Returns false, and adds nothing, if a coordinate is
  /// invalid.
  package mutating func add(
    edge: UInt32, from start: Coordinate, to end: Coordinate, geometry: UnsafeRawBufferPointer
  ) -> Bool {
    guard start.isValid, end.isValid else { return false }
    begin(edge: edge, at: start)
    for offset in stride(from: 0, to: geometry.count - 7, by: EdgeGeometry.bytesPerPoint) {
      let bits = geometry.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let point = EdgeGeometry.point(bits: UInt64(littleEndian: bits))
      guard point.isValid else {
        entries.removeSubrange(firstOfEdge...)
        return false
      }
      extend(to: point)
    }
    extend(to: end)
    return true
  }

  /// Adds an edge whose line lies in a box of valid coordinates, if that is within one cell. Returns
  /// false, and adds nothing, if it is not.
  package mutating func add(edge: UInt32, within box: BoundingBox) -> Bool {
    let first = (row: Int(LongEdges.y(box.south)), column: Int(LongEdges.x(box.west)))
    guard first == (Int(LongEdges.y(box.north)), Int(LongEdges.x(box.east))) else { return false }
    begin(edge: edge, at: Coordinate(latitude: box.south, longitude: box.west))
    return true
  }

  /// Begins an edge at its first point, a valid coordinate.
  mutating func begin(edge: UInt32, at start: Coordinate) {
    (self.edge, firstOfEdge, isEverywhere) = (edge, entries.count, false)
    last = (LongEdges.x(start.longitude), LongEdges.y(start.latitude))
    lastCell = (Int(last.y), Int(last.x))
    add(row: min(lastCell.row, LongEdges.rows - 1), column: lastCell.column)
  }

  /// Adds the cells up to the next point, a valid coordinate: those that the straight line in
  /// degrees meets, across the antimeridian if that is shorter.
  @inline(__always)
  mutating func extend(to point: Coordinate) {
    let next = (x: LongEdges.x(point.longitude), y: LongEdges.y(point.latitude))
    let cell = (row: Int(next.y), column: Int(next.x))
    // Most points lie in the same cell as those before them.
    if cell != lastCell { addCells(to: next) }
    (last, lastCell) = (next, cell)
  }

  private mutating func addCells(to next: (x: Double, y: Double)) {
    var (from, to) = (last, next)
    let around = Double(LongEdges.columns)
    if to.x - from.x > around / 2 { from.x += around }
    if from.x - to.x > around / 2 { to.x += around }
    if from.y > to.y { swap(&from, &to) }
    let slope = to.y > from.y ? (to.x - from.x) / (to.y - from.y) : 0
    for row in Int(from.y)...Int(to.y) {
      // Where the line enters and leaves the row.
      let start = row == Int(from.y) ? from.x : from.x + slope * (Double(row) - from.y)
      let stop = row == Int(to.y) ? to.x : from.x + slope * (Double(row + 1) - from.y)
      for column in Int(min(start, stop))...Int(max(start, stop)) {
        if isEverywhere { return }
        add(row: min(row, LongEdges.rows - 1), column: column)
      }
    }
  }

  private mutating func add(row: Int, column: Int) {
    // East of the antimeridian the columns begin again.
    let cell = row * LongEdges.columns + column % LongEdges.columns
    let entry = UInt64(cell + 1) << 32 | UInt64(edge)
    if entries.count > firstOfEdge, entries.last == entry { return }
    entries.append(entry)
    guard entries.count - firstOfEdge > LongEdges.mostCellsOfEdge else { return }
    isEverywhere = true
    entries.removeSubrange(firstOfEdge...)
    entries.append(UInt64(edge))
  }

  /// The rows in the order of the table.
  package consuming func sorted() -> [(cell: Int64, edge: Int64)] {
    entries.sort()
    var rows: [(cell: Int64, edge: Int64)] = []
    rows.reserveCapacity(entries.count)
    var last: UInt64?
    for entry in entries where entry != last {
      rows.append((Int64(entry >> 32) - 1, Int64(entry & 0xFFFF_FFFF)))
      last = entry
    }
    return rows
  }
}
