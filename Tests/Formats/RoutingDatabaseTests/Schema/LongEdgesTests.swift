// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import CairnRoutingDatabase

@Suite("Cells of long edges")
struct LongEdgesTests {
  private func cells(_ line: [Coordinate]) throws -> [Int64] {
    var rows = LongEdgeRows()
    rows.begin(edge: 7, at: try #require(line.first))
    for point in line.dropFirst() { rows.extend(to: point) }
    let sorted = rows.sorted()
    #expect(sorted.allSatisfy { $0.edge == 7 })
    return sorted.map(\.cell)
  }

  private func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The cell of a position, by its definition.
  private func cell(_ point: Coordinate) -> Int64 {
    Int64((point.latitude + 90) * 64) * 23_040 + Int64((point.longitude + 180) * 64)
  }

  /// Whether a segment comes within a billionth of a degree of a cell: its clipped part is not empty.
  private func meets(_ cell: Int64, _ from: Coordinate, _ to: Coordinate) -> Bool {
    let margin = 1e-9
    let south = Double(cell / 23_040) / 64 - 90
    let west = Double(cell % 23_040) / 64 - 180
    var (first, last) = (0.0, 1.0)
    for (start, end, low) in [
      (from.latitude, to.latitude, south), (from.longitude, to.longitude, west),
    ] {
      let (low, high) = (low - margin, low + 1.0 / 64 + margin)
      if start == end {
        if start < low || start > high { return false }
        continue
      }
      let (a, b) = ((low - start) / (end - start), (high - start) / (end - start))
      (first, last) = (max(first, min(a, b)), min(last, max(a, b)))
    }
    return first <= last
  }

  @Test("an edge whose box lies in one cell is listed there, as by its line, and no other edge")
  func box() throws {
    var random = SeededGenerator(seed: 6)
    var counts = [false: 0, true: 0]
    for _ in 0..<500 {
      let start = coordinate(
        .random(in: -89...89, using: &random), .random(in: -179...179, using: &random))
      // Cells are 1/64 degree wide.
      let reach = Double.random(in: 0...0.008, using: &random)
      let line =
        [start]
        + (0..<3).map { _ in
          coordinate(
            start.latitude + .random(in: -reach...reach, using: &random),
            start.longitude + .random(in: -reach...reach, using: &random))
        }
      var rows = LongEdgeRows()
      let box = line.reduce(BoundingBox(at: start)) { $0.extended(to: $1) }
      let isAdded = rows.add(edge: 7, within: box)
      let cells = try cells(line)
      #expect(isAdded == (Set(line.map(cell)).count == 1), "\(line)")
      #expect(rows.sorted().map(\.cell) == (isAdded ? cells : []), "\(line)")
      counts[isAdded, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 50 })
  }

  @Test("an edge is listed in the cells that its line meets, and in no others")
  func random() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var line = [
        coordinate(.random(in: -89...89, using: &random), .random(in: -179...179, using: &random))
      ]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let last = line[line.count - 1]
        let isStraight = Bool.random(using: &random)
        line.append(
          coordinate(
            last.latitude + (isStraight ? 0 : .random(in: -0.2...0.2, using: &random)),
            last.longitude + .random(in: -0.2...0.2, using: &random)))
      }
      let cells = try cells(line)
      #expect(cells == Array(Set(cells)).sorted())
      let segments = Array(zip(line, line.dropFirst()))
      for cell in cells { #expect(segments.contains { meets(cell, $0, $1) }) }
      for (from, to) in segments {
        for step in 0...1000 {
          let share = Double(step) / 1000
          let point = coordinate(
            from.latitude + share * (to.latitude - from.latitude),
            from.longitude + share * (to.longitude - from.longitude))
          // What lies on a border may belong to either cell.
          let found = cells.contains(self.cell(point))
          #expect(found || cells.contains { meets($0, point, point) })
          let boxes = BoundingBox.around(point, radiusMetres: 200)
          let looked = try #require(LongEdges.cells(of: boxes))
          #expect(!Set(looked).isDisjoint(with: cells))
        }
      }
    }
  }

  @Test("a line may cross the antimeridian, end at a pole and lie on the last border")
  func borders() throws {
    let row = Int64(90 * 64) * 23_040
    #expect(
      try cells([coordinate(0.001, 179.99), coordinate(0.001, -179.99)]) == [row, row + 23_039])
    #expect(
      try cells([coordinate(0.001, -179.99), coordinate(0.001, 179.99)]) == [row, row + 23_039])
    #expect(try cells([coordinate(0.001, 180), coordinate(0.002, 180)]) == [row])
    let last = Int64(180 * 64 - 1) * 23_040
    #expect(try cells([coordinate(90, -180), coordinate(90, -180)]) == [last])
    #expect(try cells([coordinate(-90, -180), coordinate(-89.99, -180)]) == [0])
    for point in [coordinate(90, 180), coordinate(-90, -180), coordinate(0, 180)] {
      let boxes = BoundingBox.around(point, radiusMetres: 1)
      // Around a pole all longitudes are near.
      #expect((LongEdges.cells(of: boxes) == nil) == (abs(point.latitude) == 90))
    }
    let nearPole = BoundingBox.around(coordinate(0, 179.999), radiusMetres: 500)
    let cells = try #require(LongEdges.cells(of: nearPole))
    #expect(Set(cells).isSuperset(of: [row, row + 23_039, -1]))
  }

  @Test("an edge through very many cells is listed everywhere, and only once")
  func everywhere() throws {
    #expect(try cells([coordinate(10, 10), coordinate(10, 13.9)]).count == 250)
    #expect(try cells([coordinate(10, 10), coordinate(10, 14.1)]) == [-1])
    #expect(try cells([coordinate(-80, -170), coordinate(80, 0), coordinate(0, 100)]) == [-1])
    #expect(LongEdges.cells(of: [])?.contains(-1) == true)
    #expect(LongEdges.cells(of: [.world]) == nil)
    var rows = LongEdgeRows()
    rows.begin(edge: 1, at: coordinate(0, 0))
    rows.extend(to: coordinate(0, 100))
    rows.begin(edge: 2, at: coordinate(1, 1))
    rows.extend(to: coordinate(1, 1.01))
    #expect(rows.sorted().map(\.edge) == [1, 2])
  }
}
