// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing
import Tiles

@Suite("tiles and their numbers")
struct TileIDTests {
  @Test(
    "the numbers on the Hilbert curve are those of the PMTiles specification",
    arguments: [
      (0, 0, 0, UInt64(0)), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4),
      (2, 0, 0, 5), (12, 3423, 1763, 19_078_479),
    ])
  func hilbertNumbers(zoom: Int, column: Int, row: Int, number: UInt64) throws {
    let id = try #require(TileID(zoom: zoom, column: column, row: row))
    #expect(id.hilbertID == number)
    #expect(TileID(hilbertID: number) == id)
  }

  @Test("any tile is found again by its number")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let zoom = Int.random(in: 0...24, using: &random)
      let id = try #require(
        TileID(
          zoom: zoom, column: Int.random(in: 0..<1 << zoom, using: &random),
          row: Int.random(in: 0..<1 << zoom, using: &random)))
      #expect(TileID(hilbertID: id.hilbertID) == id)
    }
    #expect(TileID(hilbertID: .max) == nil)
  }

  @Test("there are no tiles outside the world")
  func limits() {
    #expect(TileID(zoom: 25, column: 0, row: 0) == nil)
    #expect(TileID(zoom: 1, column: 2, row: 0) == nil)
    #expect(TileID(zoom: 1, column: 0, row: -1) == nil)
    #expect(TileID(zoom: -1, column: 0, row: 0) == nil)
  }

  @Test("a tile holds the coordinates in its box, and rows count from the north")
  func boxes() throws {
    let andorra = Coordinate(latitude: 42.5063, longitude: 1.5218)
    let id = try #require(TileID(containing: andorra, zoom: 14))
    #expect(id.description == "14/8261/6050")
    #expect(id.boundingBox.contains(andorra))
    #expect(id.rowFromSouth == 16383 - 6050)
  }

  @Test("poles and the antimeridian are within the last tiles")
  func borders() {
    let corners = [(90.0, 180.0, 3, 0), (-90, -180, 0, 3), (90, -180, 0, 0), (-90, 180, 3, 3)]
    for (latitude, longitude, column, row) in corners {
      let id = TileID(
        containing: Coordinate(latitude: latitude, longitude: longitude), zoom: 2)
      #expect(id == TileID(zoom: 2, column: column, row: row))
    }
    #expect(TileID(containing: Coordinate(latitude: .nan, longitude: 0), zoom: 2) == nil)
  }

  @Test("a range has the tiles of its box and no others, with a margin those next to it")
  func ranges() throws {
    let box = BoundingBox(west: 10, south: 47, east: 10.1, north: 47.1)
    for zoom in [0, 3, 12, 24] {
      let range = try #require(TileRange(covering: box, zoom: zoom))
      let first = TileID(containing: Coordinate(latitude: 47.1, longitude: 10), zoom: zoom)
      let last = TileID(containing: Coordinate(latitude: 47, longitude: 10.1), zoom: zoom)
      #expect(range.columns.first?.lowerBound == first?.column)
      #expect(range.columns.first?.upperBound == last?.column)
      #expect(range.rows.lowerBound == first?.row && range.rows.upperBound == last?.row)
    }
    let half = BoundingBox(west: 0, south: 0, east: 1, north: 1)
    let wide = try #require(TileRange(covering: half, zoom: 3, margin: 0.125))
    #expect(wide.columns == [3...4] && wide.rows == 3...4)
  }

  @Test("a box beyond the projection has no tiles, one that reaches there those up to its border")
  func beyondTheProjection() throws {
    #expect(TileRange(covering: .init(west: 1, south: 86, east: 2, north: 87), zoom: 4) == nil)
    let arctic = BoundingBox(west: 1, south: 80, east: 2, north: 90)
    #expect(try #require(TileRange(covering: arctic, zoom: 4)).rows == 0...1)
  }

  @Test("the tiles of a square within a range are counted, also across the antimeridian")
  func squares() throws {
    let across = BoundingBox(west: 170, south: -60, east: -170, north: 60)
    let range = try #require(TileRange(covering: across, zoom: 6))
    var squares: [TileSquare] = []
    let first = try #require(TileID(zoom: 6, column: 0, row: 0)).hilbertID
    #expect(TileSquare.forEach(from: first + 17, count: 3000) { squares.append($0) })
    let single = (first + 17..<first + 3017).compactMap { TileID(hilbertID: $0) }
      .count { tile in
        range.rows.contains(tile.row) && range.columns.contains { $0.contains(tile.column) }
      }
    #expect(single > 50)
    #expect(squares.reduce(0) { $0 + range.count(in: $1) } == single)
  }
}
