// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Testing

@testable import Elevation

@Suite("Tiles by name and position")
struct TileIDTests {
  @Test(
    "a point lies in the tile named by the south-west corner of its square degree",
    arguments: [
      (42.5, 1.5, "N42E001"), (42, 1, "N42E001"), (-0.5, -0.5, "S01W001"), (0, 0, "N00E000"),
      (-1, -1, "S01W001"), (-0.0000001, -0.0000001, "S01W001"), (10, 180, "N10W180"),
      (10, -180, "N10W180"), (10, 179.9999999, "N10E179"), (90, 5, "N89E005"),
      (-90, 5, "S90E005"), (90, 180, "N89W180"),
    ])
  func home(latitude: Double, longitude: Double, name: String) throws {
    let tile = try #require(ElevationTileID(containing: point(latitude, longitude)))
    #expect(tile.description == name)
  }

  @Test("a point beyond the poles or the antimeridian lies in no tile")
  func outside() {
    let beyond: [FixedCoordinate] = [
      FixedCoordinate(latitude: 900_000_001, longitude: 0),
      FixedCoordinate(latitude: -900_000_001, longitude: 0),
      FixedCoordinate(latitude: 0, longitude: 1_800_000_001),
      FixedCoordinate(latitude: .min, longitude: .min),
      FixedCoordinate(latitude: .max, longitude: .max),
    ]
    #expect(beyond.allSatisfy { ElevationTileID(containing: $0) == nil })
  }

  @Test("the name of every tile parses as that tile")
  func names() {
    for index in 0..<ElevationTileID.count {
      let tile = ElevationTileID(index: UInt16(index))
      #expect(ElevationTileID(fileStem: tile.description.utf8) == tile)
    }
  }

  @Test(
    "file names in any case and with a suffix name a tile",
    arguments: [
      "N42E001.hgt", "n42e001.hgt", "N42e001.HGT", "N42E001.hgt.gz", "N42E001.SRTMGL1.hgt.zip",
      "N42E001_v3.Hgt.Zip", "n42e001-x.HGT.GZ", "N42E001hgt.zip", "n42e001HGT.GZ", "N42E001.zip",
      "n42e001.Zip", "N42E001.gz", "NASADEM_HGT_n42e001.zip", "nasadem_hgt_N42E001.hgt",
      "NASADEM_HGT_n42e001.hgt.zip",
    ])
  func fileNames(name: String) {
    let file = HGTFile(folder: ".", name: name)
    #expect(file?.tile.description == "N42E001")
  }

  @Test(
    "other file names do not name a tile",
    arguments: [
      "N42E001", "N42E001.tif", "N42E0015.hgt", "N42E001A.hgt", "X42E001.hgt", "N4E001.hgt",
      "N90E000.hgt", "S91E000.hgt", "N00E181.hgt", "N+1E001.hgt", ".hgt", "", "N42E001.hgt.bz2",
      "N४२E001.hgt", ".N42E001.hgt.12.tmp", "N42E001hgt", "N42E0015hgt.zip", "N42E001Ahgt.zip",
      "N42E001.SRTMSWBD.raw.zip", "N42E001.SRTMGL1N.num.zip", "N42E001_v3.zip", "N42E0011.zip",
      "NASADEM_SC_n42e001.zip", "NASADEM_SHHP_n42e001.hgt", "NASADEM_HGT_n42e0011.zip",
      "NASADEM_HGT_NASADEM_HGT_n42e001.zip", "NASADEM_HGT_.zip", "hgt.zip", ".zip", ".gz",
    ])
  func otherNames(name: String) {
    #expect(HGTFile(folder: ".", name: name) == nil)
  }

  @Test("E180 is the same as W180")
  func antimeridian() {
    #expect(HGTFile(folder: ".", name: "N10E180.hgt")?.tile.description == "N10W180")
  }

  @Test("a corner is in the four tiles around it, also across the antimeridian")
  func serving() throws {
    let corner = try #require(ElevationTileID(latitude: 42, longitude: -180))
    #expect(corner.servingTiles.map(\.description) == ["N42W180", "N42E179", "N41W180", "N41E179"])
    let pole = try #require(ElevationTileID(latitude: -90, longitude: 0))
    #expect(pole.servingTiles.map(\.description) == ["S90E000", "S90W001"])
  }
}
