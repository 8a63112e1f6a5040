// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import TestSupport
import Testing

@testable import Elevation

@Suite("Elevation between posts")
struct SamplingTests {
  /// Posts of a 1201² tile are 1/1200° apart.
  private let spacing = 1.0 / 1200

  private func manager(_ drawing: TileDrawing, as name: String = "N42E001.hgt") throws
    -> ElevationDataManager
  {
    let folder = try TemporaryFolder()
    try folder.write(drawing.bytes, to: name)
    let manager = try ElevationDataManager(folders: [folder.path])
    // Tiles are read on demand: read this one before the folder is removed.
    _ = try manager.elevation(at: point(42.5, 1.5))
    return manager
  }

  @Test("the elevation at a post is that of the post, whatever its neighbours")
  func post() throws {
    var drawing = TileDrawing(HGTTile.void)
    drawing[north: 700, east: 301] = 1234
    drawing[north: 1200, east: 1200] = -20
    drawing[north: 0, east: 0] = 8848
    let manager = try manager(drawing)
    #expect(try manager.metres(42 + 700 * spacing, 1 + 301 * spacing) == 1234)
    #expect(try manager.metres(42, 1) == 8848)
    #expect(try manager.metres(43, 2) == -20)
    #expect(try manager.metres(42.5, 1.5) == nil)
  }

  @Test("the elevation amid four posts is their mean, between two posts the mean of these")
  func middle() throws {
    var drawing = TileDrawing(0)
    // 1.5 spacings are 12 500 units exactly.
    for north in 600...603 {
      for east in 600...603 { drawing[north: north, east: east] = Int16(north * 10 + east) }
    }
    let manager = try manager(drawing)
    #expect(try manager.metres(42.5 + 1.5 * spacing, 1.5 + 1.5 * spacing) == 6616.5)
    #expect(try manager.metres(42.5, 1.5 + 1.5 * spacing) == 6601.5)
    #expect(try manager.metres(42.5 + 1.5 * spacing, 1.5) == 6615)
  }

  @Test("with a void among four posts the others are weighted by inverse distance")
  func oneVoid() throws {
    var drawing = TileDrawing(100)
    drawing[north: 600, east: 600] = HGTTile.void
    drawing[north: 600, east: 601] = 200
    drawing[north: 601, east: 600] = 300
    drawing[north: 601, east: 601] = 400
    let manager = try manager(drawing)
    // A quarter of a spacing (2083 of 8333⅓ units) north-east of the void.
    let share = 2083.0 / (1e7 / 1200)
    let near = FixedCoordinate(latitude: 425_000_000 + 2083, longitude: 15_000_000 + 2083)
    let side = (share * share + (1 - share) * (1 - share)).squareRoot()
    let across = (2 * (1 - share) * (1 - share)).squareRoot()
    let expected = (200 / side + 300 / side + 400 / across) / (2 / side + 1 / across)
    let metres = try #require(try manager.elevation(at: near)?.metres)
    #expect(abs(Double(metres) - expected) < 0.001)
    // On the void post itself: two posts at 1, one at √2.
    let atVoid = try #require(try manager.metres(42.5, 1.5))
    let root = 2.0.squareRoot()
    #expect(abs(Double(atVoid) - (500 + 400 / root) / (2 + 1 / root)) < 0.001)
  }

  @Test("a void without weight is ignored")
  func weightlessVoid() throws {
    var drawing = TileDrawing(100)
    drawing[north: 603, east: 600] = HGTTile.void
    drawing[north: 601, east: 600] = HGTTile.void
    drawing[north: 601, east: 601] = HGTTile.void
    drawing[north: 600, east: 601] = 200
    let manager = try manager(drawing)
    let share = Float(4000 / (1e7 / 1200))
    let between = FixedCoordinate(latitude: 425_000_000, longitude: 15_000_000 + 4000)
    let metres = try #require(try manager.elevation(at: between)?.metres)
    #expect(abs(metres - (100 + 100 * share)) < 0.001)
  }

  @Test("the terrain is as steep as the surface between the posts, and unknown beside voids")
  func steepness() throws {
    var drawing = TileDrawing(1000)
    for north in 600...640 {
      for east in 600...640 {
        drawing[north: north, east: east] = Int16(30 * (north - 600) + 20 * (east - 600))
      }
    }
    drawing[north: 630, east: 630] = HGTTile.void
    let batch = try manager(drawing).elevations([
      point(42.5 + 10.5 * spacing, 1.5 + 7.3 * spacing), point(42.2, 1.2),
      point(42.5 + 29.5 * spacing, 1.5 + 29.5 * spacing), point(42.5 + 20 * spacing, 1.5),
    ])
    // Posts of 3″ are 92.66 m apart, and 68.32 m from east to west at 42.5° north.
    let percent = ((30 / 92.66) * (30 / 92.66) + (20 / 68.32) * (20 / 68.32)).squareRoot() * 100
    #expect(abs(Double(batch.steepness[0]) - percent) <= 1)
    #expect(batch.steepness[1] == 0 && batch.steepness[2] == 0)
    #expect(!batch.elevations[2].isNaN)
    // A cliff is no steeper than a byte can hold.
    drawing[north: 620, east: 600] = 3000
    #expect(
      try manager(drawing).elevations([point(42.5 + 20 * spacing, 1.5)]).steepness == [255])
  }

  @Test("implausible elevations are void", arguments: [-1001, 9001, -32768, 32767])
  func implausible(metres: Int16) throws {
    let manager = try manager(TileDrawing(metres))
    #expect(try manager.metres(42.3, 1.3) == nil)
  }

  @Test("the limits of plausible elevations are not void", arguments: [-1000, 9000])
  func plausible(metres: Int16) throws {
    let manager = try manager(TileDrawing(metres))
    #expect(try manager.metres(42.34567, 1.76543) == Float(metres))
  }

  @Test(
    "tiles of every shape have their posts in the right positions",
    arguments: [(1201, 1201), (1801, 1801), (3601, 1801), (3601, 3601)])
  func shapes(rows: Int, columns: Int) throws {
    var drawing = TileDrawing(100, rows: rows, columns: columns)
    drawing[north: rows / 4, east: columns / 2] = 555
    drawing[north: 7, east: 11] = 777
    drawing[north: rows - 1, east: columns - 1] = 999
    let manager = try manager(drawing)
    #expect(try manager.metres(42.25, 1.5) == 555)
    #expect(try manager.metres(42 + 7 / Double(rows - 1), 1 + 11 / Double(columns - 1)) == 777)
    #expect(try manager.metres(43, 2) == 999)
    #expect(try manager.metres(42.1, 1.1) == 100)
  }

  @Test("the elevation never leaves the range of the four posts around a point")
  func withinPosts() throws {
    var random = SeededGenerator(seed: 7)
    var drawing = TileDrawing(0)
    for north in 0...30 {
      for east in 0...30 {
        drawing[north: north, east: east] = .random(in: -500...5000, using: &random)
      }
    }
    let manager = try manager(drawing)
    for _ in 0..<2000 {
      let (north, east) = (
        Int.random(in: 0..<250_000, using: &random), Int.random(in: 0..<250_000, using: &random)
      )
      let point = FixedCoordinate(
        latitude: 420_000_000 + Int32(north), longitude: 10_000_000 + Int32(east))
      let (row, column) = (north * 1200 / 10_000_000, east * 1200 / 10_000_000)
      let posts = [(0, 0), (0, 1), (1, 0), (1, 1)].map {
        Float(drawing[north: row + $0.0, east: column + $0.1])
      }
      let metres = try #require(try manager.elevation(at: point)?.metres)
      // A point within half a unit of the next post counts as that post.
      let range = (posts.min() ?? 0) - 0.5...(posts.max() ?? 0) + 0.5
      #expect(range.contains(metres), "at \(north), \(east)")
      let rows = Double(north) * 1200 / 1e7 - Double(row)
      let columns = Double(east) * 1200 / 1e7 - Double(column)
      let south = Double(posts[0]) * (1 - columns) + Double(posts[1]) * columns
      let top = Double(posts[2]) * (1 - columns) + Double(posts[3]) * columns
      #expect(abs(Double(metres) - (south * (1 - rows) + top * rows)) < 0.7, "at \(north), \(east)")
    }
  }
}
