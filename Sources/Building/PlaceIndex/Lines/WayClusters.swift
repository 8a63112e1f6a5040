// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Finds out which of some ways lie near each other: those that have points in the same or in
/// neighbouring squares of the map, and those that are near one that is near.
struct WayClusters {
  /// The size of the squares in 10⁻⁷ degrees: some 250 m.
  private static let cellUnits: Int32 = 25_000

  private let lines: WayLines
  /// Memory that is used again and again: the squares of the ways, and who has a point in them.
  private var cells: [(cell: Int64, way: Int)] = []
  /// For each way one that it is near, or itself.
  private var roots: [Int] = []

  init(_ lines: WayLines) { self.lines = lines }

  /// The clusters of some ascending ways, each of them ascending, in the order of their first ways.
  mutating func clusters(_ ways: [Int]) -> [[Int]] {
    guard ways.count > 1 else { return [ways] }
    findCells(ways)
    roots.removeAll(keepingCapacity: true)
    roots.append(contentsOf: ways.indices)
    joinNeighbours()
    var positions = [Int](repeating: 0, count: ways.count)
    var clusters: [[Int]] = []
    for (index, way) in ways.enumerated() {
      let root = root(index)
      if root == index {
        positions[index] = clusters.count
        clusters.append([way])
      } else {
        clusters[positions[root]].append(way)
      }
    }
    return clusters
  }

  private mutating func findCells(_ ways: [Int]) {
    cells.removeAll(keepingCapacity: true)
    for (index, way) in ways.enumerated() {
      var last: Int64?
      lines.forEachPoint(way) { point in
        let cell = Self.cell(point)
        // The points of a way follow each other closely.
        if cell != last { cells.append((cell, index)) }
        last = cell
      }
    }
    cells.sort { $0 < $1 }
  }

  /// How much the number of a square differs from that of the one below it; of one beside it, by 1.
  private static let row: Int64 = 1 << 32

  private static func cell(_ point: FixedCoordinate) -> Int64 {
    Int64(point.latitude / cellUnits) * row + Int64(point.longitude / cellUnits)
  }

  /// Joins ways with points in one square, of which one is left, and those in squares of which one is
  /// east or north of the other.
  private mutating func joinNeighbours() {
    var count = 0
    for (cell, way) in cells {
      if count > 0, cells[count - 1].cell == cell {
        join(way, cells[count - 1].way)
      } else {
        cells[count] = (cell, way)
        count += 1
      }
    }
    var north = 0
    for index in 0..<count {
      let (cell, way) = cells[index]
      if index + 1 < count, cells[index + 1].cell == cell + 1 { join(way, cells[index + 1].way) }
      let above = cell + Self.row
      while north < count, cells[north].cell < above - 1 { north += 1 }
      var near = north
      while near < count, cells[near].cell <= above + 1 {
        join(way, cells[near].way)
        near += 1
      }
    }
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (root(one), root(other))
    // The lower one stays, so that clusters are in the order of their first ways.
    roots[max(one, other)] = min(one, other)
  }

  private mutating func root(_ index: Int) -> Int {
    var index = index
    while roots[index] != index {
      roots[index] = roots[roots[index]]
      index = roots[index]
    }
    return index
  }
}
