// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("The terrain of the sample as tiles")
struct TerrainTilesTests {
  private static let hasGDAL = (try? runProcess("gdalinfo", ["--version"]).status) == 0

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func words(_ kind: String, _ output: String) -> [String] {
    [
      "--kind", kind, "--hgt", "\(packageRoot)/sample-data/hgt", "--bbox", "10,47,10.2,47.1",
      "--output", folder.file(output), "-q",
    ]
  }

  @Test(
    "each kind is a valid archive of pictures from its first zoom to 12",
    arguments: [("hillshade", 8), ("terrain-rgb", 8), ("slopes", 10)])
  func valid(kind: String, firstZoom: Int) throws {
    for format in ["mbtiles", "pmtiles"] {
      let name = "\(kind).\(format)"
      try Executables.succeed("cairn-build-tiles", words(kind, name))
      try Executables.succeed("cairn-validate", ["--input", folder.file(name), "-q"])
      let result = try Executables.succeed("cairn", ["inspect", folder.file(name), "--json"])
      let zooms = try #require(try jsonObject(result.stdout)["zooms"] as? [[String: Any]])
      #expect(zooms.compactMap { $0["zoom"] as? Int } == Array(firstZoom...12))
    }
  }

  @Test("the number of threads does not change a byte")
  func threads() throws {
    try Executables.succeed(
      "cairn-build-tiles", words("slopes", "one.mbtiles") + ["--threads", "1"])
    try Executables.succeed(
      "cairn-build-tiles", words("slopes", "two.mbtiles") + ["--threads", "3"])
    #expect(try folder.read("one.mbtiles") == folder.read("two.mbtiles"))
  }

  @Test(
    "GDAL reads elevations from terrain-RGB as the elevation tiles have them",
    .enabled(if: hasGDAL, "gdalinfo of GDAL is not installed"))
  func otherReader() throws {
    try Executables.succeed("cairn-build-tiles", words("terrain-rgb", "t.mbtiles"))
    let point = ["10.08", "47.05"]
    let pixel = try runProcess(
      "gdallocationinfo", ["-valonly", "-wgs84", folder.file("t.mbtiles")] + point)
    let bytes = pixel.stdout.split(separator: "\n").compactMap { Int($0) }
    try #require(pixel.status == 0 && bytes.count >= 3, "\(pixel.stderr)")
    let metres = -10_000 + Double(bytes[0] << 16 | bytes[1] << 8 | bytes[2]) / 10
    let known = try Executables.succeed(
      "cairn", ["elevation", "--hgt", "\(packageRoot)/sample-data/hgt", "47.05,10.08"])
    let expected = try #require(
      Double(known.stdout.trimmingCharacters(in: .whitespacesAndNewlines)))
    // A pixel is 26 m wide, and the point is anywhere in it.
    #expect(abs(metres - expected) < 20)
  }

  @Test(
    "what does not belong together is refused",
    arguments: [
      ["--kind", "hillshade", "--input", "x"], ["--kind", "slopes", "--bbox", "1,2,3"],
      ["--kind", "slopes", "--hgt", "x"], ["--hgt", "x", "--input", "x"],
      ["--kind", "slopes", "--hgt", "x", "--bbox", "1,2,3,4", "--zooms", "5-9"],
      ["--kind", "relief"], [],
    ])
  func misuse(_ words: [String]) throws {
    let result = try Executables.run(
      "cairn-build-tiles", words + ["--output", folder.file("x.mbtiles")])
    #expect(result.status == 64)
    #expect(result.stderr.contains("--"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("x.mbtiles")))
  }
}
