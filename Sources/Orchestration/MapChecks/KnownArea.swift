// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import TrailData

/// The area in which an extract is complete, as far as its content shows.
///
/// An extract keeps ways that leave its area, whole or without their further nodes, and nothing
/// entirely outside. So a square with a point of interest or a whole way in it touches the area; a
/// square with only parts of ways may lie outside. Squares of the second kind that are connected to
/// the edge of the map by gaps more than two squares wide are outside, and anything within a square
/// of these may be cut.
struct KnownArea: Sendable {
  static let everything = KnownArea()

  /// The average number of objects in a square.
  private static let objectsPerSquare = 8.0
  private static let leastMetres = 100.0
  private static let mostSquares = 4_000_000.0
  /// Gaps up to twice this many squares wide are closed.
  private static let reach = 1

  private let bounds: BoundingBox?
  private let frame: Frame?
  private let isKnown: [Bool]

  private init() { (bounds, frame, isKnown) = (nil, nil, []) }

  /// The position of a grid's squares.
  private struct Frame {
    var origin: Coordinate
    /// The size of a square in degrees.
    var height: Double
    var width: Double
    var rows: Int
    var columns: Int

    /// Squares for a number of objects around some points.
    init(around points: [Coordinate], objects: Int) {
      let box = BoundingBox(around: points) ?? BoundingBox(west: 0, south: 0, east: 0, north: 0)
      let degree = earthRadiusMetres * .pi / 180
      let shrinking = max(longitudeShrinking(atLatitude: (box.south + box.north) / 2), 0.01)
      let tall = (box.north - box.south) * degree
      let wide = max(0, box.east - box.west) * degree * shrinking
      let side = max(
        (tall * wide * KnownArea.objectsPerSquare / Double(max(objects, 1))).squareRoot(),
        KnownArea.leastMetres, (tall * wide / KnownArea.mostSquares).squareRoot(),
        max(tall, wide) / KnownArea.mostSquares)
      (height, width) = (side / degree, side / degree / shrinking)
      // The outside is connected around the map.
      let edge = 2 * KnownArea.reach + 2
      origin = Coordinate(
        latitude: box.south - Double(edge) * height, longitude: box.west - Double(edge) * width)
      rows = Int(tall / side) + 1 + 2 * edge
      columns = Int(wide / side) + 1 + 2 * edge
    }

    /// The square of a point; nil beyond the grid.
    func square(_ point: Coordinate) -> Int? {
      let row = ((point.latitude - origin.latitude) / height).rounded(.down)
      let column = ((point.longitude - origin.longitude) / width).rounded(.down)
      guard row >= 0, row < Double(rows), column >= 0, column < Double(columns) else { return nil }
      return Int(row) * columns + Int(column)
    }
  }

  init(
    _ content: TrailsContent, _ points: [Coordinate], _ ways: [CheckedMap.Way],
    bounds: BoundingBox?
  ) {
    self.bounds = bounds
    let frame = Frame(around: points, objects: ways.count + content.poiIDs.count)
    self.frame = frame
    var grid = Squares(rows: frame.rows, columns: frame.columns)
    // A point on a way may be there because of the way.
    for index in content.poiIDs.indices
    where content.poiTypes[index] == .node
      && content.nodeIDs.binarySearch(content.poiIDs[index]) == nil
    {
      let point = FixedCoordinate(
        latitude: content.poiLatitudes[index], longitude: content.poiLongitudes[index]
      ).degrees
      if let square = frame.square(point) { grid.marks[square] = true }
    }
    for way in ways {
      let squares = Set(content.refs[way.range].map { frame.square(points[Int($0)]) })
      if squares.count == 1, let only = squares.first, let only { grid.marks[only] = true }
    }
    grid.grow(by: Self.reach)
    grid.marks = grid.outside()
    grid.grow(by: Self.reach + 1)
    isKnown = grid.marks.map { !$0 }
  }

  /// Whether everything near a point is in the file.
  func contains(_ point: Coordinate) -> Bool {
    guard let frame else { return true }
    guard bounds?.contains(point) ?? true, let square = frame.square(point) else { return false }
    return isKnown[square]
  }
}

/// Marks in the squares of a grid.
private struct Squares {
  let rows: Int
  let columns: Int
  var marks: [Bool]

  init(rows: Int, columns: Int) {
    (self.rows, self.columns) = (rows, columns)
    marks = [Bool](repeating: false, count: rows * columns)
  }

  /// Marks all squares within this many rows and columns of a marked one.
  mutating func grow(by reach: Int) {
    for isVertical in [true, false] {
      let old = marks
      for square in old.indices where old[square] {
        let (row, column) = (square / columns, square % columns)
        for step in -reach...reach {
          let (row, column) = isVertical ? (row + step, column) : (row, column + step)
          if 0..<rows ~= row, 0..<columns ~= column { marks[row * columns + column] = true }
        }
      }
    }
  }

  /// The unmarked squares connected to the first one.
  func outside() -> [Bool] {
    var found = [Bool](repeating: false, count: marks.count)
    var open = [0]
    found[0] = true
    while let square = open.popLast() {
      let (row, column) = (square / columns, square % columns)
      for (row, column) in [
        (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1),
      ] where 0..<rows ~= row && 0..<columns ~= column {
        let next = row * columns + column
        if !marks[next], !found[next] {
          found[next] = true
          open.append(next)
        }
      }
    }
    return found
  }
}
