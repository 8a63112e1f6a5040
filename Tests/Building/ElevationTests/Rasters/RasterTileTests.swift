// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Elevation

@Suite("Tiles out of rasters", .enabled(if: hasGDAL, "GDAL is not installed"))
struct RasterTileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Rasters in the way of Copernicus around a corner of degrees, in small: of 3″ to 50°, with two thirds
  /// of the columns to 60°, and half of them beyond that.
  private func rasters(around south: Int, _ west: Int) throws -> [String] {
    try (-1...1).flatMap { row in
      try (-1...1).map { column in
        let latitude = south + row
        let columns = latitude < 50 ? 120 : latitude < 60 ? 80 : 60
        return try RasterDrawing.degree(
          latitude, west + column, columns: columns, rows: 120, value: hills
        ).write("r\(latitude)-\(west + column)", in: folder)
      }
    }
  }

  @Test("below 50° every post is a pixel, the last column and row those of the neighbours")
  func copies() throws {
    let tile = try made("N42E001", rasters(around: 42, 1), in: folder)
    #expect(tile.intervals == 120 && tile.knownCount == 121 * 121)
    var different = 0
    for north in 0...120 {
      for east in 0...120 {
        let source = Float(hills(1 + Double(east) / 120, 42 + Double(north) / 120))
        if tile[north: north, east: east] != Int16(source.rounded()) { different += 1 }
      }
    }
    #expect(different == 0)
  }

  @Test(
    "neighbours agree along their sides, also where the columns of the rasters change",
    arguments: [42, 50, 60])
  func sides(latitude: Int) throws {
    let paths = try rasters(around: latitude, 7)
    let north = try made("N\(latitude)E007", paths, in: folder)
    let south = try made("N\(latitude - 1)E007", paths, in: folder)
    let west = try made("N\(latitude)E006", paths, in: folder)
    #expect(north.knownCount == 121 * 121)
    for step in 0...120 {
      #expect(north[north: 0, east: step] == south[north: 120, east: step])
      #expect(north[north: step, east: 0] == west[north: step, east: 120])
    }
    // The row on the whole degree is that of the rasters below it.
    let source = (0...120).map {
      Int16(Float(hills(7 + Double($0) / 120, Double(latitude))).rounded())
    }
    if latitude <= 50 { #expect((0...120).map { north[north: 0, east: $0] } == source) }
  }

  @Test("rows of rasters with fewer columns are interpolated along the row alone")
  func interpolates() throws {
    let tile = try made("N51E007", rasters(around: 51, 7), in: folder)
    for (north, east) in [(7, 2), (60, 1), (119, 100), (3, 119)] {
      let position = Double(east) * 80 / 120
      let latitude = 51 + Double(north) / 120
      let ends = [position.rounded(.down), position.rounded(.up)].map {
        hills(7 + $0 / 80, latitude)
      }
      let expected = ends[0] + (ends[1] - ends[0]) * (position - position.rounded(.down))
      #expect(abs(Double(tile[north: north, east: east]) - expected) <= 0.51)
    }
  }

  @Test("where a raster is missing nothing is known, and never 0")
  func missing() throws {
    let alone = try RasterDrawing.degree(42, 1, columns: 120, rows: 120, value: hills)
      .write("alone", in: folder)
    let tile = try made("N42E001", [alone], in: folder)
    #expect(tile.knownCount == 120 * 120)
    #expect((0...120).allSatisfy { tile[north: $0, east: 120] == HGTTile.void })
    #expect((0...120).allSatisfy { tile[north: 0, east: $0] == HGTTile.void })
    let beside = try made("N43E001", [alone], in: folder)
    #expect(beside.posts.count { $0 != HGTTile.void } == 120, "the row on 43° alone")
    #expect(!beside.posts.contains(0))
  }

  @Test("what has no value, NaN or a value that no ground has is void")
  func voids() throws {
    for (name, nodata, value) in [
      ("nodata", "-9999", -9999.0), ("nan", "nan", Double.nan), ("nan-unsaid", "-1", .nan),
      ("wild", "-1", 32_767), ("deep", "-1", -12_000), ("infinite", "-1", .infinity),
    ] {
      var drawing = RasterDrawing.degree(42, 1, columns: 120, rows: 120) { x, y in
        abs(x - 1.5) < 0.1 && abs(y - 42.5) < 0.1 ? value : 700
      }
      drawing.nodata = nodata
      let tile = try made("N42E001", [try drawing.write(name, in: folder)], in: folder)
      #expect(tile[north: 60, east: 60] == HGTTile.void, "\(name)")
      #expect(tile[north: 60, east: 20] == 700, "\(name)")
      #expect(tile.posts.allSatisfy { $0 == 700 || $0 == HGTTile.void }, "\(name)")
    }
  }

  @Test(
    "feet, other units, scales and offsets become metres",
    arguments: [
      ("<UnitType>ft</UnitType>", "EPSG:4326", 304.8),
      ("<UnitType>US survey foot</UnitType>", "EPSG:4326", 304.8006),
      ("<UnitType>metre</UnitType>", "EPSG:4326", 1000.0), ("", "EPSG:4326", 1000.0),
      ("", "EPSG:4326+6360", 304.8006), ("", "EPSG:4326+5703", 1000.0),
      ("<Offset>50</Offset><Scale>0.1</Scale>", "EPSG:4326", 150.0),
      ("<UnitType>cm</UnitType><Offset>5000</Offset><Scale>10</Scale>", "EPSG:4326", 150.0),
    ])
  func units(details: String, projection: String, metres: Double) throws {
    var drawing = RasterDrawing.degree(42, 1, columns: 120, rows: 120) { _, _ in 1000 }
    (drawing.details, drawing.projection) = (details, projection)
    let tile = try made("N42E001", [try drawing.write("units", in: folder)], in: folder)
    #expect(tile[north: 50, east: 50] == Int16(metres.rounded()))
  }

  /// A plane over the square kilometre around a point, in the grid of a projection.
  private func plane(_ projection: String, _ x: Double, _ y: Double, turned: Bool) throws -> String
  {
    let (a, b) = turned ? (72.0, 54.0) : (90.0, 0.0)
    var drawing = RasterDrawing(
      projection: projection, columns: 500, rows: 500,
      transform: [x - 250 * (a + b), a, b, y + 250 * (a - b), b, -a]
    ) { px, py in 1000 + (px - x) / 100 + (py - y) / 50 }
    drawing.nodata = nil
    return try drawing.write("plane-\(turned)", in: folder)
  }

  @Test(
    "rasters of other projections lie where they belong, also if their grid is rotated",
    arguments: [
      // Bern: the origin of Swiss grids; and the same place in UTM 32, by Krüger's series.
      ("EPSG:2056", 2_600_000.0, 1_200_000.0, false), ("EPSG:2056", 2_600_000.0, 1_200_000.0, true),
      ("EPSG:32632", 381_189.164, 5_200_911.318, false),
      ("EPSG:32632", 381_189.164, 5_200_911.318, true),
    ])
  func projections(projection: String, x: Double, y: Double, turned: Bool) throws {
    let path = try plane(projection, x, y, turned: turned)
    let tile = try made("N46E007", [path], in: folder)
    #expect(tile.intervals == 1200, "90 m are no finer than 3″")
    let output = try AtomicOutput(folder.file("N46E007.hgt")) { _ in false }
    try tile.write(to: output)
    let manager = try ElevationDataManager(folders: [folder.file("N46E007.hgt")])
    // 46° 57′ 3.9″ N, 7° 26′ 19.1″ E of WGS 84.
    #expect(abs(try #require(try manager.metres(46.951083, 7.438637)) - 1000) < 1.5)
    // A kilometre to the east 10 m more, one to the south 20 m less.
    let east = try #require(try manager.metres(46.951083, 7.438637 + 0.013156))
    let south = try #require(try manager.metres(46.951083 - 0.008993, 7.438637))
    #expect(abs(east - 1010) < 2 && abs(south - 980) < 2, "\(east) \(south)")
  }

  @Test(
    "a tile is as fine as its coarsest raster, and no finer than asked",
    arguments: [
      (30.9, 3600, 3600), (92.7, 3600, 1200), (79.0, 3600, 1200), (25, 3600, 3600), (1, 3600, 3600),
      (1, 10_800, 10_800), (10, 10_800, 10_800), (12, 10_800, 7200), (45, 3600, 1800),
      (2, 1200, 1200), (900, 10_800, 120), (31.5, 3600, 3600), (33, 3600, 1800),
    ])
  func spacings(metres: Double, finest: Int, intervals: Int) throws {
    let raster = RasterInfo(spacingMetres: metres)
    #expect(try RasterTile.intervals(of: [raster], finest: finest) == intervals)
    #expect(
      try RasterTile.intervals(of: [RasterInfo(spacingMetres: 0.5), raster], finest: finest)
        == intervals)
  }

  @Test("a raster that is too coarse for ways is refused")
  func tooCoarse() {
    expectError(.badRaster, .dataError) {
      try RasterTile.intervals(of: [RasterInfo(spacingMetres: 2000)], finest: 3600)
    }
  }

  @Test(
    "where rasters overlap the first one counts, and the next where it has nothing",
    arguments: [120, 90])
  func overlaps(columns: Int) throws {
    let first = try RasterDrawing.degree(42, 1, columns: 120, rows: 120) { x, _ in
      x < 1.5 ? 100 : -9999
    }.write("first", in: folder)
    let second = try RasterDrawing.degree(42, 1, columns: columns, rows: 120) { _, _ in 200 }
      .write("second", in: folder)
    for (paths, west) in [([first, second], 100), ([second, first], 200)] as [([String], Int16)] {
      let tile = try made("N42E001", paths, in: folder)
      #expect(tile[north: 60, east: 30] == west && tile[north: 60, east: 90] == 200)
    }
  }

  @Test("files that are one raster after the other have one surface; threads change nothing")
  func pieces() throws {
    func drawing(_ west: Double, _ columns: Int) -> RasterDrawing {
      RasterDrawing(
        columns: columns, rows: 130, transform: [west, 1.0 / 120, 0, 43.04, 0, -1.0 / 120],
        value: hills)
    }
    let whole = try drawing(0.95, 133).write("whole", in: folder)
    let parts = try [
      drawing(0.95, 40).write("a", in: folder),
      drawing(0.95 + 40 / 120.0, 93).write("b", in: folder),
    ]
    let one = try made("N42E001", [whole], in: folder)
    #expect(try made("N42E001", parts, in: folder).posts == one.posts)
    #expect(try made("N42E001", parts.reversed(), in: folder).posts == one.posts)
  }
}

extension RasterInfo {
  /// One of which the spacing alone is known.
  init(spacingMetres: Double) {
    self.init(
      path: "x.tif", files: [], box: .world, spacingMetres: spacingMetres,
      grid: Grid(projection: "", dataType: "", pixels: nil), scale: 1, offset: 0)
  }
}
