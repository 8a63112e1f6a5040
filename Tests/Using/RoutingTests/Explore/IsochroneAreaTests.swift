// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("The area of an isochrone")
struct IsochroneAreaTests {
  /// Twice the area of a ring, positive where it runs counterclockwise.
  private func area(_ ring: [Cell]) -> Int {
    zip(ring, ring.dropFirst()).reduce(0) {
      $0 + $1.0.column * $1.1.row - $1.1.column * $1.0.row
    }
  }

  private func cells(_ drawing: String) -> Set<Cell> {
    var cells: Set<Cell> = []
    for (row, line) in drawing.split(separator: "\n").reversed().enumerated() {
      for (column, letter) in line.enumerated() where letter == "#" {
        cells.insert(Cell(row: row, column: column))
      }
    }
    return cells
  }

  @Test("a block is one ring of four corners, counterclockwise from its least corner")
  func block() {
    let ring = [(0, 0), (0, 3), (2, 3), (2, 0), (0, 0)].map { Cell(row: $0, column: $1) }
    #expect(CellOutline.polygons(of: cells("###\n###")) == [[ring]])
  }

  @Test("a hole is a clockwise ring of its polygon, and an island in it a polygon of its own")
  func hole() {
    let polygons = CellOutline.polygons(of: cells("#####\n#...#\n#.#.#\n#...#\n#####"))
    #expect(polygons.map(\.count) == [2, 1])
    #expect(polygons.map { $0.map(area) } == [[50, -18], [2]])
  }

  @Test("corners that touch are joined")
  func corners() {
    var joined = cells("#..\n.#.\n..#")
    CellOutline.joinCorners(&joined)
    #expect(joined == cells("##.\n###\n.##"))
  }

  @Test("rings neither touch each other nor themselves, and contain the cells, for random cells")
  func random() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var cells: Set<Cell> = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        cells.insert(
          Cell(
            row: Int.random(in: -5...4, using: &random),
            column: Int.random(in: 0...9, using: &random)))
      }
      let before = cells
      CellOutline.joinCorners(&cells)
      #expect(cells.isSuperset(of: before))
      let polygons = CellOutline.polygons(of: cells)
      var corners: Set<Cell> = []
      for polygon in polygons {
        for (index, ring) in polygon.enumerated() {
          #expect(ring.first == ring.last && ring.count >= 5)
          #expect(index == 0 ? area(ring) > 0 : area(ring) < 0, "seed \(seed)")
          for corner in ring.dropFirst() {
            #expect(corners.insert(corner).inserted, "seed \(seed): \(corner)")
          }
        }
      }
      #expect(polygons.joined().reduce(0) { $0 + area($1) } == 2 * cells.count, "seed \(seed)")
    }
  }

  @Test("areas contain what is reached and the areas of shorter times")
  func nested() throws {
    for seed in 0..<20 as Range<UInt64> {
      let grid = try RandomGrid(seed: seed)
      let engine = RoutingEngine(store: grid.store)
      let reached = try engine.isochrones(
        from: grid.nodes[0].coordinate, limitsSeconds: [120, 400, 900])
      let drawn = IsochroneArea(reached, cellMetres: 30)
      #expect(drawn.cellMetres == 30)
      var inner: MultiPolygon?
      for (isochrone, polygons) in zip(reached, drawn.polygons) {
        guard let outer = MultiPolygon(rings: polygons.flatMap { $0 }) else { continue }
        for point in isochrone.stretches.flatMap(\.coordinates) {
          #expect(outer.contains(point), "seed \(seed)")
        }
        if let inner {
          let middles = inner.rings.joined().map {
            // A little inside the cell north-east of a corner.
            Coordinate(latitude: $0.latitude + 1e-5, longitude: $0.longitude + 1e-5)
          }
          for point in middles where inner.contains(point) {
            #expect(outer.contains(point), "seed \(seed)")
          }
        }
        inner = outer
      }
    }
  }

  private func isochrone(_ line: [Coordinate]) -> Isochrone {
    Isochrone(
      limitSeconds: 1, start: line[0],
      stretches: [.init(edge: 1, start: 0, end: 1, distance: 1, coordinates: line)], nodeCount: 2)
  }

  @Test("an area ends at the antimeridian and continues beyond it")
  func antimeridian() {
    let drawn = IsochroneArea([
      isochrone([
        Coordinate(latitude: 10.0005, longitude: 179.9985),
        Coordinate(latitude: 10.0005, longitude: -179.9985),
      ])
    ])
    let longitudes = drawn.polygons[0].map { $0.joined().map(\.longitude) }
    #expect(longitudes.count == 2)
    #expect(longitudes.contains { $0.min() == -180 && ($0.max() ?? 0) < -179.99 })
    #expect(longitudes.contains { $0.max() == 180 && ($0.min() ?? 0) > 179.99 })
  }

  @Test("cells grow where a line crosses too many, and an empty isochrone has no area")
  func limits() {
    let drawn = IsochroneArea(
      [
        isochrone([
          Coordinate(latitude: -80, longitude: 0), Coordinate(latitude: 80, longitude: 170),
        ])
      ], cellMetres: 1)
    #expect(drawn.cellMetres > 4 && drawn.polygons[0].count == 1)
    #expect(IsochroneArea([]).polygons.isEmpty)
    let pole = Coordinate(latitude: 90, longitude: 0)
    #expect(IsochroneArea([isochrone([pole, pole])]).polygons[0].count == 1)
  }
}
