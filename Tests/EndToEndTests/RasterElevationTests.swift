// SPDX-License-Identifier: Apache-2.0
import Foundation
import SystemIO
import TestSupport
import Testing

private let hasGDAL = programInPath("gdalwarp") != nil

@Suite(
  "Elevations of rasters, with the real executables", .enabled(if: hasGDAL, "GDAL is not installed")
)
struct RasterElevationTests {
  private static let data = "\(packageRoot)/sample-data"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cairn(_ arguments: String...) throws -> ProcessResult {
    var environment = ProcessInfo.processInfo.environment
    environment["CAIRN_CACHE"] = folder.file("cache")
    return try Executables.run("cairn", arguments, environment: environment)
  }

  /// The terrain of the sample as Copernicus has it: without the last column and row, in 32-bit numbers.
  private func raster() throws -> String {
    let unzip = try runProcess(
      "python3", ["-m", "zipfile", "-e", "\(Self.data)/hgt/N47E010.hgt.zip", folder.path])
    try #require(unzip.status == 0, "\(unzip.stderr)")
    let translated = try runProcess(
      "gdal_translate",
      [
        "-q", "-srcwin", "0", "0", "1200", "1200", "-ot", "Float32", "-co", "COMPRESS=DEFLATE",
        "-co",
        "PREDICTOR=3", folder.file("N47E010.hgt"), folder.file("dem.tif"),
      ])
    try #require(translated.status == 0, "\(translated.stderr)")
    return folder.file("dem.tif")
  }

  private func write(_ elevation: String) throws -> String {
    try folder.write(
      """
      cairn: 1
      name: rasters
      output: out
      sources: { near: { pbf: \(Self.data)/valley.osm.pbf } }
      elevation: \(elevation)
      profiles: [hiking]
      waypoints: false
      search: false
      tiles: [hillshade]
      defaults: { source: near, checks: { elevation-coverage: 0.99 } }
      regions:
        - { id: west, name: West, bbox: [10.00, 47.06, 10.10, 47.10] }
        - { id: east, name: East, bbox: [10.10, 47.06, 10.20, 47.10] }
      """, to: "m.yaml")
  }

  private func answer(_ status: String, _ body: [UInt8] = []) -> [UInt8] {
    Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  @Test("the same terrain as a raster, downloaded by its preset, gives what HGT tiles give")
  func presets() throws {
    let tif = try bytesOfFile(raster())
    #expect(try cairn("run", write("[{ hgt: . }]")).status == 0)
    let expected = try folder.read("out/west/west.routing.db")
    let relief = try folder.read("out/west/west.hillshade.mbtiles")
    try FileManager.default.removeItem(atPath: folder.file("out"))

    let server = try Server(bytes: [answer("404 Not Found"), answer("200 OK", tif)])
    let manifest = try write("[{ preset: copernicus-30, mirror: \"\(server.url("mirror"))\" }]")
    let ahead = try cairn("run", "--dry-run", manifest)
    #expect(ahead.status == 0 && server.requests.isEmpty, "\(ahead.stderr)")
    let first = try cairn("run", "--progress=plain", manifest)
    try #require(first.status == 0, "\(first.stderr)")
    #expect(
      server.requests.last?.hasPrefix(
        "GET /mirror/Copernicus_DSM_COG_10_N47_00_E010_00_DEM/"
          + "Copernicus_DSM_COG_10_N47_00_E010_00_DEM.tif ") == true)
    #expect(try folder.read("out/west/west.routing.db") == expected)
    #expect(
      try folder.read("out/west/west.hillshade.mbtiles") != relief, "it names what it is made of")
    let bundle = try jsonObject(
      String(decoding: folder.read("out/west/bundle.json"), as: UTF8.self))
    let provenance = bundle["provenance"] as? [String: Any]
    let tiles = provenance?["elevation"] as? [[String: Any]] ?? []
    #expect(tiles.map { $0["folder"] as? String } == ["copernicus-30"])
    #expect(tiles.first?["bytes"] as? Int == 1201 * 1201 * 2)
    #expect(
      (bundle["attribution"] as? String)?.contains("WorldDEM-30 © DLR e.V. 2010-2014") == true)

    // Both regions share the tile, and nothing is asked or made again.
    for option in ["--explain", "--frozen", "--offline"] {
      let again = try cairn("run", option, manifest)
      #expect(again.status == 0, "\(again.stderr)")
      if option == "--explain" {
        #expect(again.stderr.contains("west grid-elevation+N47E010: up to date"))
      }
    }
    #expect(server.requests.count == 2)
    #expect(try cairn("status", manifest).stdout.contains("fresh"))
    let made = try runProcess(
      "find", [folder.file("out/.cairn/actions"), "-name", "N47E010.hgt"])
    #expect(made.stdout.split(separator: "\n").count == 1)
    #expect(try cairn("gc", "--dry-run", "-v", manifest).stdout.contains("grid-elevation") == false)
  }

  @Test("a tile inland that the server of a preset does not have fails the regions with ways in it")
  func missingTile() throws {
    let moved = try runProcess(
      "gdal_translate",
      ["-q", "-a_ullr", "9", "48", "10", "47", try raster(), folder.file("N47E009.tif")])
    try #require(moved.status == 0, "\(moved.stderr)")
    let beside = try bytesOfFile(folder.file("N47E009.tif"))
    let server = try Server(bytes: [answer("200 OK", beside), answer("404 Not Found")])
    let manifest = try write("[{ preset: copernicus-30, mirror: \"\(server.url("mirror"))\" }]")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let unchecked = text.replacing(", checks: { elevation-coverage: 0.99 }", with: "")
    try folder.write(unchecked, to: "m.yaml")
    let run = try cairn("run", "--progress=plain", manifest)
    #expect(run.status != 0)
    #expect(run.stderr.contains("no source has the tile N47E010"), "\(run.stderr)")
    #expect(!pathExists(folder.file("out/west")) && !pathExists(folder.file("out/east")))
  }

  @Test("without GDAL the regions that need it fail, and it is said how to get it")
  func withoutGDAL() throws {
    try folder.write("no raster", to: "dem.tif")
    let manifest = try write("[{ raster: dem.tif }]")
    func lonely(_ words: String...) throws -> ProcessResult {
      try Executables.run("cairn", words + [manifest], environment: ["PATH": folder.path])
    }
    let run = try lonely("run", "--progress=plain")
    #expect(run.status == 1)
    #expect(
      run.stderr.contains("gdalinfo, gdalbuildvrt and gdalwarp of GDAL not found")
        && run.stderr.contains("apt-get install gdal-bin"), "\(run.stderr)")
    let doctor = try lonely("doctor")
    #expect(doctor.status == 1)
    #expect(doctor.stdout.contains("apt-get install gdal-bin"), "\(doctor.stdout)")
    #expect(
      try Executables.run("cairn", ["doctor"], environment: ["PATH": folder.path]).status == 0)
  }

  @Test(
    "a virtual raster of eighty gigabytes takes no more memory than another",
    .disabled(if: Executables.areSanitized, "sanitizers do not start with such a limit"))
  func virtual() throws {
    // 200 000 × 100 000 pixels of 4 bytes, of which a square is a small raster.
    let path = try folder.write(
      """
      <VRTDataset rasterXSize="200000" rasterYSize="100000"><SRS>EPSG:4326</SRS>
      <GeoTransform>-10,0.0005,0,58,0,-0.0005</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1">
      <SimpleSource><SourceFilename>\(raster())</SourceFilename>
      <SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="1200" ySize="1200"/>
      <DstRect xOff="40000" yOff="20000" xSize="2000" ySize="2000"/>
      </SimpleSource></VRTRasterBand></VRTDataset>
      """, to: "huge.vrt")
    let made = try runProcess(
      "/bin/sh",
      [
        "-c",
        "ulimit -v 2000000; exec '\(Executables.folder)/cairn-sample-elevation' -q --tile N47E010 "
          + "--raster '\(path)' --output '\(folder.file("made.hgt"))'",
      ])
    #expect(made.status == 0, "\(made.stderr)")
    #expect(try folder.read("made.hgt").count == 1801 * 1801 * 2)
  }

  @Test("cairn init writes a manifest that runs on an extract, a box and rasters")
  func initialises() throws {
    _ = try raster()
    try FileManager.default.copyItem(
      atPath: "\(Self.data)/valley.osm.pbf", toPath: folder.file("valley-latest.osm.pbf"))
    func start(_ name: String, _ elevation: String) throws -> ProcessResult {
      try runProcess(
        "/bin/sh",
        [
          "-c",
          "cd '\(folder.path)' && '\(Executables.folder)/cairn' init \(name) --region 10.00,47.01,10.20,47.10 "
            + "--pbf valley-latest.osm.pbf --elevation '\(elevation)'",
        ])
    }
    let started = try start("alps", "dem.tif")
    try #require(started.status == 0, "\(started.stderr)")
    #expect(!started.stdout.contains("put "), "\(started.stdout)")
    let manifest = folder.file("alps/cairn.yaml")
    let check = try cairn("manifest", "check", "--data", manifest)
    #expect(check.status == 0, "\(check.stderr)")
    let run = try cairn("run", "-q", manifest)
    #expect(run.status == 0, "\(run.stderr)")
    #expect(pathExists(folder.file("alps/build/valley/valley.routing.db")))
    let doctor = try cairn("doctor", manifest)
    #expect(doctor.stdout.contains("for elevation rasters"), "\(doctor.stdout)")

    try #require(try start("world", "copernicus-30").status == 0)
    let text = String(decoding: try folder.read("world/cairn.yaml"), as: UTF8.self)
    #expect(text.contains("\n  sources: copernicus-30\n"))
    #expect(text.contains("pbf: ../valley-latest.osm.pbf"))
    #expect(try cairn("manifest", "check", folder.file("world/cairn.yaml")).status == 0)
    #expect(try start("other", "copernicus-90").status == 64)
    #expect(!pathExists(folder.file("other")))
  }
}
