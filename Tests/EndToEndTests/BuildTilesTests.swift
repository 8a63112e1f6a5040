// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Map tiles of the sample")
struct BuildTilesTests {
  private static let hasGDAL = (try? runProcess("ogr2ogr", ["--version"]).status) == 0

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let data = "\(packageRoot)/sample-data"
    try Executables.succeed(
      "cairn-decode-pbf",
      ["--input", "\(data)/valley.osm.pbf", "--output", folder.file("v.trails"), "-q"])
    for format in ["mbtiles", "pmtiles"] {
      try Executables.succeed(
        "cairn-build-tiles",
        ["--input", folder.file("v.trails"), "--output", folder.file("v.\(format)"), "-q"])
    }
  }

  @Test("both archives are valid, with the same tiles", arguments: ["mbtiles", "pmtiles"])
  func valid(_ format: String) throws {
    try Executables.succeed("cairn-validate", ["--input", folder.file("v.\(format)"), "-q"])
    let result = try Executables.succeed(
      "cairn", ["inspect", folder.file("v.\(format)"), "--json"])
    let zooms = try #require(try jsonObject(result.stdout)["zooms"] as? [[String: Any]])
    #expect(zooms.compactMap { $0["zoom"] as? Int } == Array(8...14))
  }

  @Test("the number of threads does not change a byte")
  func threads() throws {
    try Executables.succeed(
      "cairn-build-tiles",
      [
        "--input", folder.file("v.trails"), "--output", folder.file("one.mbtiles"), "--threads",
        "1", "-q",
      ])
    #expect(try folder.read("one.mbtiles") == folder.read("v.mbtiles"))
  }

  @Test(
    "GDAL reads the same features at every zoom: their number, names and layers",
    .enabled(if: hasGDAL, "ogr2ogr of GDAL is not installed"))
  func otherReader() throws {
    let listing = try Executables.succeed(
      "cairn", ["inspect", folder.file("v.mbtiles"), "--json"])
    let zooms = try #require(try jsonObject(listing.stdout)["zooms"] as? [[String: Any]])
    for zoom in zooms {
      let number = try #require(zoom["zoom"] as? Int)
      let features = try #require(zoom["features"] as? [String: Int])
      for (layer, count) in features {
        // GDAL joins the features of several tiles unless it is told not to clip them.
        let result = try runProcess(
          "ogr2ogr",
          [
            "-f", "GeoJSONSeq", "/vsistdout/", folder.file("v.mbtiles"), layer, "-oo",
            "ZOOM_LEVEL=\(number)", "-oo", "CLIP=NO",
          ])
        #expect(result.status == 0)
        let lines = result.stdout.split(separator: "\n")
        #expect(lines.count == count, "\(layer) at zoom \(number)")
        if layer == "pois", number == 14 {
          #expect(lines.contains { $0.contains("\"kind\": \"") && $0.contains("\"name\": \"") })
        }
        if layer == "trails" {
          #expect(lines.allSatisfy { $0.contains("\"highway\": \"") })
        }
      }
    }
  }
}
