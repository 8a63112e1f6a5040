// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A grid of latitudes and longitudes that knows which edges pass through each cell.
package struct SegmentGrid: Sendable {
  /// The average number of edges per cell.
  private static let edgesPerCell = 2
  private static let mostCells = 1 << 22
  /// A segment whose box has more cells than this is returned by every query instead.
  private static let mostCellsOfSegment = 1 << 8
  /// The greatest number of entries of all cells; further segments are returned by every query.
  private static let mostEntries = 1 << 28

  /// The layout of the cells.
  private struct Cells {
    let south: Double
    let west: Double
    let cellHeight: Double
    let cellWidth: Double
    let rows: Int
    let columns: Int

    init(around nodes: [Coordinate], edges: Int) {
      let box = BoundingBox(around: nodes) ?? BoundingBox(west: 0, south: 0, east: 0, north: 0)
      south = box.south
      west = box.west
      let height = max(box.north - box.south, 1e-6)
      let width = max(box.east - box.west, 1e-6)
      let shrinking = max(longitudeShrinking(atLatitude: (box.south + box.north) / 2), 1e-3)
      let cells = Double(
        min(max(edges / SegmentGrid.edgesPerCell, 1), SegmentGrid.mostCells))
      // Square cells on the ground.
      let side = (height * width * shrinking / cells).squareRoot()
      rows = max(1, min(Int(cells), Int(height / side)))
      columns = max(1, min(Int(cells) / rows, Int(width * shrinking / side)))
      cellHeight = height / Double(rows)
      cellWidth = width / Double(columns)
    }

    func row(_ latitude: Double) -> Int {
      Int(max(0, min(Double(rows - 1), (latitude - south) / cellHeight)))
    }

    func column(_ longitude: Double) -> Int {
      Int(max(0, min(Double(columns - 1), (longitude - west) / cellWidth)))
    }

    /// Calls `body` with the cells of a segment's box, or once with nil if those are too many.
    func visit(_ one: Coordinate, _ other: Coordinate, _ body: (Int?) -> Void) {
      guard abs(one.longitude - other.longitude) <= 180 else { return body(nil) }
      let (low, high) = (
        row(min(one.latitude, other.latitude)), row(max(one.latitude, other.latitude))
      )
      let (left, right) = (
        column(min(one.longitude, other.longitude)), column(max(one.longitude, other.longitude))
      )
      guard (high - low + 1) * (right - left + 1) <= SegmentGrid.mostCellsOfSegment else {
        return body(nil)
      }
      for row in low...high { for column in left...right { body(row * columns + column) } }
    }
  }

  private let cells: Cells
  /// For each cell the index of its first member, and at the end the number of members.
  private let starts: [Int32]
  private let members: [Int32]
  /// Edges with a segment that is too long for cells, or crosses the antimeridian.
  private let everywhere: [Int32]

  /// Makes a grid over all nodes; points beyond them belong to the outermost cells.
  ///
  /// - Parameter forEachPoint: Calls its second argument with the points of an edge, in order.
  package init(
    around nodes: [Coordinate], edges: Int,
    _ forEachPoint: (_ edge: Int, _ body: (Coordinate) -> Void) -> Void
  ) {
    let cells = Cells(around: nodes, edges: edges)
    let count = cells.rows * cells.columns
    var starts = [Int32](repeating: 0, count: count + 1)
    var members: [Int32] = []
    var everywhere: [Int32] = []
    // The first pass counts the edges of each cell, the second one stores them.
    for isCounting in [true, false] {
      var lastEdge = [Int32](repeating: -1, count: count)
      var entries = 0
      for edge in 0..<edges {
        var previous: Coordinate?
        forEachPoint(edge) { point in
          defer { previous = point }
          guard let previous else { return }
          cells.visit(previous, point) { cell in
            guard let cell, entries < Self.mostEntries else {
              if isCounting, everywhere.last != Int32(edge) { everywhere.append(Int32(edge)) }
              return
            }
            guard lastEdge[cell] != Int32(edge) else { return }
            lastEdge[cell] = Int32(edge)
            entries += 1
            if isCounting {
              starts[cell + 1] += 1
            } else {
              members[Int(starts[cell])] = Int32(edge)
              starts[cell] += 1
            }
          }
        }
      }
      if isCounting {
        for cell in 1...count { starts[cell] += starts[cell - 1] }
        members = Array(repeating: 0, count: Int(starts[count]))
      } else {
        // Each start has moved to the start of the next cell.
        for cell in stride(from: count, to: 0, by: -1) { starts[cell] = starts[cell - 1] }
        starts[0] = 0
      }
    }
    self.cells = cells
    self.starts = starts
    self.members = members
    self.everywhere = everywhere
  }

  /// Calls `body` with every edge that may pass through a box, some of them more than once; the box
  /// must not cross the antimeridian.
  ///
  /// - Parameter most: The most calls.
  package func forEach(in box: BoundingBox, most: Int = .max, _ body: (Int) -> Void) {
    var left = most
    for row in cells.row(box.south)...cells.row(box.north) {
      for column in cells.column(box.west)...cells.column(box.east) {
        let cell = row * cells.columns + column
        for index in starts[cell]..<starts[cell + 1] {
          if left == 0 { return }
          left -= 1
          body(Int(members[Int(index)]))
        }
      }
    }
    for edge in everywhere.prefix(left) { body(Int(edge)) }
  }
}
