// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// Which edges pass through which cells of a grid of latitudes and longitudes.
struct SegmentGrid: Sendable {
  /// How many edges fall to a cell on average.
  private static let edgesPerCell = 2
  private static let mostCells = 1 << 22
  /// A segment with more cells than this in its box is looked at in every query instead.
  private static let mostCellsOfSegment = 1 << 8
  /// How many cells all segments together may have; those after that are looked at in every query.
  private static let mostEntries = 1 << 28

  private let south: Double
  private let west: Double
  private let cellHeight: Double
  private let cellWidth: Double
  private let rows: Int
  private let columns: Int
  /// Where the edges of a cell begin among all; one more than there are cells.
  private var starts: [Int32]
  private var members: [Int32] = []
  /// Edges with a segment that is too long for cells, or crosses the antimeridian.
  private var everywhere: [Int32] = []

  /// Makes a grid over all nodes; points beyond them fall into its outermost cells.
  ///
  /// - Parameter forEachPoint: Calls its second argument with the points of an edge, in order.
  init(
    around nodes: [Coordinate], edges: Int,
    _ forEachPoint: (_ edge: Int, _ body: (Coordinate) -> Void) -> Void
  ) {
    let box = BoundingBox(around: nodes) ?? BoundingBox(west: 0, south: 0, east: 0, north: 0)
    south = box.south
    west = box.west
    let height = max(box.north - box.south, 1e-6)
    let width = max(box.east - box.west, 1e-6)
    let shrinking = max(longitudeShrinking(atLatitude: (box.south + box.north) / 2), 1e-3)
    let cells = Double(min(max(edges / Self.edgesPerCell, 1), Self.mostCells))
    // Square cells on the ground.
    let side = (height * width * shrinking / cells).squareRoot()
    rows = max(1, min(Int(cells), Int(height / side)))
    columns = max(1, min(Int(cells) / rows, Int(width * shrinking / side)))
    cellHeight = height / Double(rows)
    cellWidth = width / Double(columns)

    starts = Array(repeating: 0, count: rows * columns + 1)
    // First how many edges each cell has, then which.
    for isCounting in [true, false] {
      var lastEdge = [Int32](repeating: -1, count: rows * columns)
      var entries = 0
      for edge in 0..<edges {
        var previous: Coordinate?
        forEachPoint(edge) { point in
          defer { previous = point }
          guard let previous else { return }
          visit(previous, point) { cell in
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
        for cell in 1..<starts.count { starts[cell] += starts[cell - 1] }
        members = Array(repeating: 0, count: Int(starts[starts.count - 1]))
      } else {
        // Each start has moved to the start of the next cell.
        for cell in stride(from: starts.count - 1, to: 0, by: -1) {
          starts[cell] = starts[cell - 1]
        }
        starts[0] = 0
      }
    }
  }

  /// Calls `body` with the cells of a segment's box, or once with nil if those are too many.
  private func visit(_ one: Coordinate, _ other: Coordinate, _ body: (Int?) -> Void) {
    guard abs(one.longitude - other.longitude) <= 180 else { return body(nil) }
    let (low, high) = (
      row(min(one.latitude, other.latitude)), row(max(one.latitude, other.latitude))
    )
    let (left, right) = (
      column(min(one.longitude, other.longitude)), column(max(one.longitude, other.longitude))
    )
    guard (high - low + 1) * (right - left + 1) <= Self.mostCellsOfSegment else {
      return body(nil)
    }
    for row in low...high { for column in left...right { body(row * columns + column) } }
  }

  private func row(_ latitude: Double) -> Int {
    Int(max(0, min(Double(rows - 1), (latitude - south) / cellHeight)))
  }

  private func column(_ longitude: Double) -> Int {
    Int(max(0, min(Double(columns - 1), (longitude - west) / cellWidth)))
  }

  /// Calls `body` with every edge that may pass through a box, some of them more than once; the
  /// box must not cross the antimeridian.
  func forEach(in box: BoundingBox, _ body: (Int) -> Void) {
    for row in row(box.south)...row(box.north) {
      for column in column(box.west)...column(box.east) {
        let cell = row * columns + column
        for place in starts[cell]..<starts[cell + 1] { body(Int(members[Int(place)])) }
      }
    }
    for edge in everywhere { body(Int(edge)) }
  }
}
