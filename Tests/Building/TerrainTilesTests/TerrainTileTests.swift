// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Elevation
import TestSupport
import Testing
import Tiles

@testable import TerrainTiles

/// Writes a tile of 1201 × 1201 posts.
private func writeTile(
  to folder: TemporaryFolder, _ name: String = "N42E001", _ metres: (Int, Int) -> Int16
) throws {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(1201 * 1201 * 2)
  for row in 0..<1201 {
    for column in 0..<1201 {
      let value = UInt16(bitPattern: metres(row, column))
      bytes += [UInt8(value >> 8), UInt8(value & 255)]
    }
  }
  _ = try folder.write(bytes, to: "\(name).hgt")
}

@Suite("Terrain tiles")
struct TerrainTilesTests {
  private let box = BoundingBox(west: 1.4, south: 42.4, east: 1.6, north: 42.5)

  private func terrain(_ folder: TemporaryFolder) throws -> ElevationDataManager {
    try ElevationDataManager(folders: [folder.path])
  }

  /// A tile of zoom 12 in the row of the box.
  private func tile(_ column: Int) throws -> TileID {
    try #require(TileID(zoom: 12, column: column, row: 1513))
  }

  /// The tile of a zoom that the middle of the box lies in, as a grid.
  private func middle(_ folder: TemporaryFolder) throws -> TerrainGrid {
    try #require(try TerrainGrid(terrain(folder), tile(2065)))
  }

  @Test("a plane has one class of slope and one grey")
  func plane() throws {
    let folder = try TemporaryFolder()
    // A post is 3″, at 42.4° about 68.5 m of longitude: 44 m a post are 32.7°.
    try writeTile(to: folder) { _, column in Int16((column - 600) * 44) }
    let grid = try middle(folder)
    let slopes = try #require(TerrainPicture(kind: .slopes).image(grid))
    #expect(Set(slopes.pixels) == [SlopeClass.from30.rawValue])
    let shade = try #require(TerrainPicture(kind: .hillshade).image(grid))
    // It rises eastward, so that it looks at the sun.
    let greys = shade.pixels.map { Double($0) }
    #expect((greys.min() ?? 0) > Hillshade.plain * 255)
    #expect((greys.max() ?? 0) - (greys.min() ?? 0) <= 8)
  }

  @Test("elevations are read back from terrain-RGB to a tenth of a metre")
  func terrainRGB() throws {
    let folder = try TemporaryFolder()
    try writeTile(to: folder) { row, column in Int16(row + column - 900) }
    let terrain = try terrain(folder)
    let grid = try #require(try TerrainGrid(terrain, tile(2065)))
    let image = try #require(TerrainPicture(kind: .terrainRGB).image(grid))
    #expect(image.form == .colour)
    for pixel in stride(from: 0, to: 65_536, by: 997) {
      let bytes = image.pixels[(pixel * 3)..<(pixel * 3 + 3)]
      let metres = -10_000 + Double(bytes.reduce(0) { $0 << 8 | Int($1) }) * 0.1
      let known = grid.metres[(pixel / 256 + 1) * grid.side + pixel % 256 + 1]
      #expect(abs(metres - Double(known)) <= 0.0501)
    }
  }

  @Test("unknown ground is transparent, and a tile without any known is left out")
  func unknown() throws {
    let folder = try TemporaryFolder()
    try writeTile(to: folder) { _, column in column < 600 ? Int16.min : 1000 }
    let terrain = try terrain(folder)
    let builder = TerrainTileBuilder(.terrainRGB, of: terrain, in: box, zooms: 12...12)
    #expect(try builder.file(tile(2062)) == nil)
    let grid = try #require(try TerrainGrid(terrain, tile(2065)))
    let image = try #require(TerrainPicture(kind: .terrainRGB).image(grid))
    #expect(image.form == .colourAlpha)
    for pixel in 0..<65_536 {
      let metres = grid.metres[(pixel / 256 + 1) * grid.side + pixel % 256 + 1]
      #expect(image.pixels[pixel * 4 + 3] == (metres.isNaN ? 0 : 255))
    }
    let far = BoundingBox(west: 20, south: 10, east: 21, north: 11)
    let none = try TerrainTileBuilder(.hillshade, of: terrain, in: far, threads: 2).tiles()
    #expect(none.tiles.isEmpty)
  }

  @Test("the grid of a tile is what single lookups give")
  func grid() throws {
    let folder = try TemporaryFolder()
    try writeTile(to: folder) { row, column in
      (row * 7 + column * 3) % 50 == 0 ? Int16.min : Int16((row * 31 + column * 17) % 2000)
    }
    let terrain = try terrain(folder)
    let latitudes = (0..<40).map { Int32(419_990_000 + $0 * 3_217) }
    let longitudes = (0..<40).map { Int32(9_990_000 + $0 * 4_019) }
    let grid = try terrain.elevations(latitudes: latitudes, longitudes: longitudes)
    var known = 0
    for (row, latitude) in latitudes.enumerated() {
      for (column, longitude) in longitudes.enumerated() {
        let point = FixedCoordinate(latitude: latitude, longitude: longitude)
        let single = try terrain.elevation(at: point)?.metres ?? .nan
        let value = grid[row * longitudes.count + column]
        #expect(value == single || value.isNaN && single.isNaN)
        known += value.isNaN ? 0 : 1
      }
    }
    #expect(known > 100)
  }

  @Test("tiles are the same for any number of threads, and no box changes them")
  func threads() throws {
    let folder = try TemporaryFolder()
    try writeTile(to: folder) { row, column in Int16((row * row / 97 + column * 5) % 3000) }
    let terrain = try terrain(folder)
    func drawn(_ box: BoundingBox, threads: Int) throws -> [TileID: [UInt8]] {
      let tiles = try TerrainTileBuilder(
        .hillshade, of: terrain, in: box, zooms: 10...12, threads: threads
      ).tiles()
      return tiles.tiles.reduce(into: [:]) { $0[$1.id] = Array(tiles.content($1.content)) }
    }
    let one = try drawn(box, threads: 1)
    #expect(one.count > 8)
    #expect(try drawn(box, threads: 3) == one)
    let small = BoundingBox(west: 1.45, south: 42.44, east: 1.46, north: 42.45)
    let few = try drawn(small, threads: 2)
    #expect(!few.isEmpty && few.allSatisfy { one[$0.key] == $0.value })
  }

  @Test("a box across the antimeridian has the tiles of both sides, and no others")
  func antimeridian() throws {
    let folder = try TemporaryFolder()
    for name in ["N42E179", "N42W180"] { try writeTile(to: folder, name) { _, _ in 5 } }
    let across = BoundingBox(west: 179.9, south: 42, east: -179.8, north: 42.1)
    let builder = TerrainTileBuilder(.slopes, of: try terrain(folder), in: across, zooms: 10...10)
    #expect(Set(try builder.tiles().tiles.map(\.id.column)) == [0, 1023])
    let metadata = builder.metadata()
    #expect(metadata.bounds == BoundingBox(west: -180, south: 42, east: 180, north: 42.1))
    #expect(abs(metadata.centre.longitude + 179.95) < 1e-9)
    let range = try #require(TileRange(covering: across, zoom: 10))
    #expect(range.columns == [0...0, 1023...1023])
  }

  @Test("a class begins at its angle")
  func classes() {
    #expect(SlopeClass(steepness: 0.5095) == .gentle)
    #expect(SlopeClass(steepness: 0.5096) == .from27)
    #expect(SlopeClass(steepness: 0.5774) == .from30)
    #expect(SlopeClass(steepness: 0.7003) == .from35)
    #expect(SlopeClass(steepness: 0.84) == .from40)
    #expect(SlopeClass(steepness: .nan) == nil)
  }

  @Test("a slope that looks north-west is brighter than a plain, and one that looks away is darker")
  func light() {
    let plain = Hillshade.brightness(GroundSlope(east: 0, north: 0))
    #expect(plain == Hillshade.plain)
    #expect(Hillshade.brightness(GroundSlope(east: 0.3, north: -0.3)) > plain)
    #expect(Hillshade.brightness(GroundSlope(east: -0.3, north: 0.3)) < plain)
    #expect(Hillshade.brightness(GroundSlope(east: -9, north: 9)) == 0)
    #expect(Hillshade.brightness(GroundSlope(east: .nan, north: 0)).isNaN)
  }
}
