// SPDX-License-Identifier: Apache-2.0

/// The outlines of sets of cells.
enum CellOutline {
  /// Adds cells until no two touch only at a corner.
  static func joinCorners(_ cells: inout Set<Cell>) {
    var unchecked = Array(cells)
    while let cell = unchecked.popLast() {
      for (row, column) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let beside = Cell(row: cell.row, column: cell.column + column)
        let above = Cell(row: cell.row + row, column: cell.column)
        guard cells.contains(Cell(row: cell.row + row, column: cell.column + column)),
          !cells.contains(beside), !cells.contains(above)
        else { continue }
        for new in [beside, above] {
          cells.insert(new)
          unchecked.append(new)
        }
      }
    }
  }

  /// The polygons of cells of which no two touch only at a corner: each an outer ring,
  /// counterclockwise, and its holes, clockwise, all closed. Both in the order of their least
  /// corners.
  static func polygons(of cells: Set<Cell>) -> [[[Cell]]] {
    var seen: Set<Cell> = []
    var polygons: [[[Cell]]] = []
    for cell in cells.sorted() where !seen.contains(cell) {
      polygons.append(rings(of: component(around: cell, in: cells, &seen)))
    }
    return polygons
  }

  /// The cells that are connected to one by their sides.
  private static func component(around cell: Cell, in cells: Set<Cell>, _ seen: inout Set<Cell>)
    -> [Cell]
  {
    var component = [cell]
    seen.insert(cell)
    var next = 0
    while next < component.count {
      for (row, column) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let other = Cell(row: component[next].row + row, column: component[next].column + column)
        if cells.contains(other), seen.insert(other).inserted { component.append(other) }
      }
      next += 1
    }
    return component
  }

  /// The rings around a component, starting with the outer one, which contains its least corner.
  private static func rings(of component: [Cell]) -> [[Cell]] {
    let cells = Set(component)
    // Borders with the inside on their left. Each begins at a different corner.
    var ends: [Cell: Cell] = [:]
    for cell in component {
      let (row, column) = (cell.row, cell.column)
      let (southEast, northEast, northWest) = (
        Cell(row: row, column: column + 1), Cell(row: row + 1, column: column + 1),
        Cell(row: row + 1, column: column)
      )
      if !cells.contains(Cell(row: row - 1, column: column)) { ends[cell] = southEast }
      if !cells.contains(southEast) { ends[southEast] = northEast }
      if !cells.contains(northWest) { ends[northEast] = northWest }
      if !cells.contains(Cell(row: row, column: column - 1)) { ends[northWest] = cell }
    }
    var rings: [[Cell]] = []
    for start in ends.keys.sorted() {
      guard var end = ends.removeValue(forKey: start) else { continue }
      var ring = [start, end]
      while let next = ends.removeValue(forKey: end) {
        ring.append(next)
        end = next
      }
      rings.append(withoutStraightCorners(ring))
    }
    return rings
  }

  /// A closed ring that begins at a true corner, without points on straight lines.
  private static func withoutStraightCorners(_ ring: [Cell]) -> [Cell] {
    ring.indices.filter { index in
      guard index > 0, index + 1 < ring.count else { return true }
      let (before, here, after) = (ring[index - 1], ring[index], ring[index + 1])
      return (before.row == here.row) != (here.row == after.row)
    }.map { ring[$0] }
  }
}
