// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Elevation
import Glibc
import TestSupport
import Testing
import Tiles

@testable import TerrainTiles

private let hasGDAL = access("/usr/bin/gdaldem", X_OK) == 0
private let elevations = sharedData("hgt")

/// GDAL warps the elevation model onto the grid of a tile, and gdaldem draws it: another sampler,
/// another projection and another implementation of Horn's slopes.
@Suite("Terrain tiles beside GDAL's", .enabled(if: hasGDAL && elevations != nil))
struct GDALTests {
  /// What gdaldem makes of the ground of a tile, as 32-bit floats without the border.
  private func drawn(_ mode: [String], _ column: Int, _ row: Int) throws -> [Float] {
    let folder = try TemporaryFolder()
    let half = Double.pi * 6_378_137
    let pixel = 2 * half / Double(1 << 12) / 256
    let west = -half + (Double(column) * 256 - 1) * pixel
    let north = half - (Double(row) * 256 - 1) * pixel
    let extent = [west, north - 258 * pixel, west + 258 * pixel, north].map { "\($0)" }
    let hgt = try #require(elevations)
    for name in ["N42E001", "N41E001"] {
      try run("/usr/bin/unzip", ["-q", "-o", "\(hgt)/\(name).hgt.zip", "-d", folder.path])
    }
    let files = ["N42E001", "N41E001"].map { folder.file("\($0).hgt") }
    try run(
      "/usr/bin/gdalwarp",
      ["-q", "-t_srs", "EPSG:3857", "-ts", "258", "258", "-r", "bilinear", "-ot", "Float32", "-te"]
        + extent + files + [folder.file("ground.tif")])
    let latitude = atan(sinh(Double.pi * (1 - 2 * (Double(row) + 0.5) / 4096)))
    let (kind, options) = (mode[0], Array(mode.dropFirst()))
    try run(
      "/usr/bin/gdaldem",
      [kind, folder.file("ground.tif"), folder.file("out.img"), "-of", "ENVI", "-q", "-s"]
        + ["\(cos(latitude))"] + options)
    let bytes = try folder.read("out.img")
    let size = bytes.count / (258 * 258)
    let values: [Float] = (0..<(258 * 258)).map { index in
      if size == 1 { return Float(bytes[index]) }
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[index * 4 + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: word)
    }
    return (0..<65_536).map { values[($0 / 256 + 1) * 258 + $0 % 256 + 1] }
  }

  private func run(_ program: String, _ words: [String]) throws {
    let ending = try runProcess(program, words)
    try #require(ending.status == 0, "\(program): \(ending.stderr)")
  }

  private func grid(_ column: Int, _ row: Int) throws -> TerrainGrid {
    let terrain = try ElevationDataManager(folders: [try #require(elevations)])
    let tile = try #require(TileID(zoom: 12, column: column, row: row))
    return try #require(try TerrainGrid(terrain, tile))
  }

  @Test(
    "at least 99 % of the pixels of Andorra are in the class that gdaldem slope says",
    arguments: [(2065, 1511), (2066, 1510), (2065, 1512)])
  func slopes(column: Int, row: Int) throws {
    let image = try #require(TerrainPicture(kind: .slopes).image(grid(column, row)))
    let degrees = try drawn(["slope"], column, row)
    let classes = degrees.map { SlopeClass(steepness: tan(Double($0) * .pi / 180))?.rawValue ?? 0 }
    let equal = zip(classes, image.pixels).count { $0 == $1 }
    print("slopes of 12/\(column)/\(row): \(equal) of 65536 pixels in gdaldem's class")
    #expect(Double(equal) / 65_536 >= 0.99)
    #expect(Set(image.pixels).count == 5)
  }

  @Test("greys differ from those of gdaldem hillshade by a few at most")
  func hillshade() throws {
    let image = try #require(TerrainPicture(kind: .hillshade).image(grid(2065, 1511)))
    let greys = try drawn(["hillshade", "-z", "\(Hillshade.exaggeration)"], 2065, 1511)
    let differences = zip(greys, image.pixels).map { abs($0 - Float($1)) }
    let mean = differences.reduce(0, +) / 65_536
    let near = differences.count { $0 <= 5 }
    print("hillshade: mean difference \(mean), \(near) of 65536 within 5 greys")
    #expect(mean < 2.5)
    #expect(Double(near) / 65_536 > 0.98)
  }
}
