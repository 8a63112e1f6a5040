// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// Finds a line between two points like a built trail: as short as possible without exceeding a
/// grade, which gives switchbacks on steep slopes.
///
/// This is A* on a grid of 40 m with sixteen directions. A state is a grid point and the direction of
/// arrival, so that turns have a cost; otherwise lines would zigzag at every step.
struct TrailSearch {
  static let gridMetres = 40.0
  /// The distance that a line may go beyond the bounding box of its ends.
  private static let swingMetres = 900.0

  private static let moves: [(x: Int, y: Int)] = [
    (1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (-1, 2), (-1, 1), (-2, 1),
    (-1, 0), (-2, -1), (-1, -1), (-1, -2), (0, -1), (1, -2), (1, -1), (2, -1),
  ]
  private static let lengths = moves.map {
    gridMetres * Double($0.x * $0.x + $0.y * $0.y).squareRoot()
  }
  /// The cost in metres of a turn, indexed by sixteenths of a circle.
  private static let turnPrices: [Double] = [0, 6, 18, 30, 38, 42, 45, 48, 2000]

  private let from: PlanePoint
  private let to: PlanePoint
  private let maxGrade: Double
  private let columns: Int
  private let rows: Int
  private let originColumn: Int
  private let originRow: Int
  /// The elevation of each grid point in metres.
  private let heights: [Double]
  /// The cost of visiting each grid point, in metres.
  private let hindrances: [Double]

  init(
    from: PlanePoint, to: PlanePoint, maxGrade: Double, terrain: Terrain, hindrance: HindranceMap
  ) {
    self.from = from
    self.to = to
    self.maxGrade = maxGrade
    let grid = Self.gridMetres
    originColumn = Int(((min(from.x, to.x) - Self.swingMetres) / grid).rounded(.down))
    originRow = Int(((min(from.y, to.y) - Self.swingMetres) / grid).rounded(.down))
    columns = Int(((max(from.x, to.x) + Self.swingMetres) / grid).rounded(.up)) - originColumn + 1
    rows = Int(((max(from.y, to.y) + Self.swingMetres) / grid).rounded(.up)) - originRow + 1
    var heights: [Double] = []
    var hindrances: [Double] = []
    for row in originRow..<originRow + rows {
      for column in originColumn..<originColumn + columns {
        let point = PlanePoint(Double(column) * grid, Double(row) * grid)
        heights.append(terrain.height(at: point))
        hindrances.append(hindrance.price(at: point))
      }
    }
    self.heights = heights
    self.hindrances = hindrances
  }

  private func cell(nearest point: PlanePoint) -> Int {
    let column = Int((point.x / Self.gridMetres).rounded()) - originColumn
    let row = Int((point.y / Self.gridMetres).rounded()) - originRow
    return row * columns + column
  }

  private func point(_ cell: Int) -> PlanePoint {
    PlanePoint(
      Double(originColumn + cell % columns) * Self.gridMetres,
      Double(originRow + cell / columns) * Self.gridMetres)
  }

  /// The corners of the line, including both ends; the straight line if the search fails.
  func corners() -> [PlanePoint] {
    let directions = Self.moves.count
    let goal = cell(nearest: to)
    let goalPoint = point(goal)
    var costs = [Double](repeating: .infinity, count: heights.count * directions)
    var parents = [Int32](repeating: -1, count: costs.count)
    var queue = PriorityQueue()
    let start = cell(nearest: from)
    for direction in 0..<directions {
      costs[start * directions + direction] = 0
      queue.push(start * directions + direction, priority: 0)
    }
    while let state = queue.pop()?.item {
      let cell = state / directions
      if cell == goal { return trace(state, parents) }
      for move in 0..<directions {
        guard let next = step(from: cell, move) else { continue }
        let turn = abs(move - state % directions)
        let cost =
          costs[state] + price(cell, next, Self.lengths[move])
          + (cell == start ? 0 : Self.turnPrices[min(turn, directions - turn)])
        let nextState = next * directions + move
        guard cost < costs[nextState] else { continue }
        costs[nextState] = cost
        parents[nextState] = Int32(state)
        queue.push(nextState, priority: cost + point(next).distance(to: goalPoint))
      }
    }
    return [from, to]
  }

  private func step(from cell: Int, _ move: Int) -> Int? {
    let column = cell % columns + Self.moves[move].x
    let row = cell / columns + Self.moves[move].y
    guard column >= 0, column < columns, row >= 0, row < rows else { return nil }
    return row * columns + column
  }

  private func price(_ cell: Int, _ next: Int, _ length: Double) -> Double {
    let grade = abs(heights[next] - heights[cell]) / length / maxGrade
    let excess = max(0, grade - 1)
    return length * (1 + 0.4 * grade * grade + 8 * excess + 40 * excess * excess)
      + hindrances[next]
  }

  private func trace(_ last: Int, _ parents: [Int32]) -> [PlanePoint] {
    var line = [to]
    var state = Int(parents[last])
    while state >= 0, parents[state] >= 0 {
      line.append(point(state / Self.moves.count))
      state = Int(parents[state])
    }
    line.append(from)
    return line.reversed()
  }
}

/// Places that lines avoid: water and existing lines.
struct HindranceMap {
  private static let columns = 480
  private static let rows = 360
  private var prices: [Double]

  /// Makes a map of open land with slightly random prices, so that lines are not perfectly straight.
  init(random: inout SplitMix64) {
    prices = (0..<Self.columns * Self.rows).map { _ in random.number(in: 0...14) }
  }

  private static func cell(_ point: PlanePoint) -> Int? {
    let column = Int((point.x / TrailSearch.gridMetres).rounded())
    let row = Int((point.y / TrailSearch.gridMetres).rounded())
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return nil }
    return row * columns + column
  }

  /// The price in metres of visiting a point; it is high outside the map, so that lines stay within.
  func price(at point: PlanePoint) -> Double {
    Self.cell(point).map { prices[$0] } ?? 1000
  }

  /// Raises the price along a line.
  mutating func add(_ price: Double, along line: [PlanePoint]) {
    for (start, end) in zip(line, line.dropFirst()) {
      let steps = max(1, Int(start.distance(to: end) / 20))
      for step in 0...steps {
        raise(start.towards(end, Double(step) / Double(steps)), to: price)
      }
    }
  }

  /// Raises the price on a lake and its shore.
  mutating func add(_ price: Double, on lake: LakeShape) {
    for index in prices.indices {
      let point = PlanePoint(
        Double(index % Self.columns) * TrailSearch.gridMetres,
        Double(index / Self.columns) * TrailSearch.gridMetres)
      if lake.remoteness(of: point) < 1.05 { raise(point, to: price) }
    }
  }

  private mutating func raise(_ point: PlanePoint, to price: Double) {
    if let cell = Self.cell(point) { prices[cell] = max(prices[cell], price) }
  }
}
