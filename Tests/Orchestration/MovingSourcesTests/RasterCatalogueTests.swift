// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Elevation
import Glibc
import Manifests
import Planning
import SystemIO
import TestSupport
import Testing

@testable import MovingSources

private let hasGDAL = (try? GDAL()) != nil

@Suite("Where rasters lie", .enabled(if: hasGDAL, "GDAL is not installed"))
struct RasterCatalogueTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try makeFolders(folder.file("dem"))
    try makeFolders(folder.file("out/.cairn"))
  }

  /// A raster without values, of one degree to the east and the north of a point.
  @discardableResult
  private func raster(_ name: String, _ west: Double, _ south: Double) throws -> String {
    try folder.write(
      """
      <VRTDataset rasterXSize="1200" rasterYSize="1200"><SRS>EPSG:4326</SRS>
      <GeoTransform>\(west),\(1 / 1200.0),0,\(south + 1),0,\(-1 / 1200.0)</GeoTransform>
      <VRTRasterBand dataType="Float32" band="1"/></VRTDataset>
      """, to: "dem/\(name).vrt")
  }

  private func resolve(_ elevation: String, _ mode: SourceResolver.Mode = .asking) throws
    -> Manifest
  {
    let manifest = try Manifest.load(
      folder.write(
        """
        cairn: 1
        name: test
        output: \(folder.file("out"))
        sources: { near: { pbf: near.osm.pbf } }
        elevation: [\(elevation)]
        defaults: { source: near }
        regions:
          - { id: west, name: West, bbox: [10.10, 47.10, 10.20, 47.20] }
          - { id: east, name: East, bbox: [11.10, 47.10, 11.20, 47.20], elevation: none }
          - { id: wide, name: Wide, bbox: [10.10, 47.10, 11.20, 47.20] }
        """, to: "m.yaml"))
    return try SourceResolver(
      manifest, manifest.regions, mode: mode, shapes: RegionShapes(),
      supply: ReadOnlySupply(OutputFolder(manifest))
    ).resolve()
  }

  @Test(
    "each tile of a region has the rasters in it and at its sides, and a tile without any is none")
  func tiles() throws {
    let (home, beside, below) = (
      try raster("home", 10, 47), try raster("beside", 11, 47), try raster("below", 10, 46)
    )
    try raster("far", 13, 47)
    let manifest = try resolve("{ raster: dem/*.vrt }")
    #expect(manifest.gdalVersion == (try GDAL().version))
    #expect(manifest.tileObstacles.isEmpty)
    let west = try #require(manifest.rasterTiles["west"])
    #expect(west.map { $0.map(\.name) } == [["N47E010"]])
    #expect(Set(west[0][0].rasters) == [[home], [beside], [below]])
    #expect(manifest.rasterTiles["east"] == nil)
    #expect(manifest.rasterTiles["wide"]?[0].map(\.name) == ["N47E010", "N47E011"])
    // Half a pixel in the next degree is no tile of it.
    try raster("home", 10 - 0.5 / 1200, 47 + 0.5 / 1200)
    #expect(
      try resolve("{ raster: dem/home.vrt }").rasterTiles["wide"]?[0].map(\.name) == ["N47E010"])
    try raster("home", 10, 47)
    // Looking ahead finds the same and leaves nothing behind.
    unlink(folder.file("out/.cairn/rasters.json"))
    #expect(try resolve("{ raster: dem/*.vrt }", .planning).rasterTiles == manifest.rasterTiles)
    #expect(!pathExists(folder.file("out/.cairn/rasters.json")))
  }

  @Test("what is wrong with rasters fails the regions that need them, and no others")
  func obstacles() throws {
    try raster("home", 10, 47)
    for (elevation, message) in [
      ("{ raster: gone/*.tif }", "no raster"), ("{ raster: dem }", "no raster"),
      ("{ raster: m.yaml }", "GDAL cannot open it"),
    ] {
      let manifest = try resolve(elevation)
      #expect(manifest.tileObstacles.keys.sorted() == ["west", "wide"])
      #expect(manifest.tileObstacles["west"]?.message.contains(message) == true)
    }
    #expect(
      try resolve("{ raster: dem }").tileObstacles["west"]?.hint?.contains("dem/*.tif") == true)
  }

  @Test("GDAL is asked about a raster once, until it or its folder changes")
  func remembers() throws {
    let path = try raster("home", 10, 47)
    let catalogue = folder.file("out/.cairn/rasters.json")
    func west(_ save: Bool = true) throws -> Double? {
      var known = RasterCatalogue(catalogue)
      let places = try known.places([path], GDAL(), within: folder.path)
      if save { try known.save([path]) }
      return places.first?.box.west
    }
    #expect(try west() == 10)
    let text = String(decoding: try folder.read("out/.cairn/rasters.json"), as: UTF8.self)
    // The times of its files are in there, too.
    let west9 = text.replacing(/("bounds"\s*:\s*\[\s*)10,/) { "\($0.1)9," }
    try folder.write(west9, to: "out/.cairn/rasters.json")
    #expect(try west() == 9, "taken from the catalogue")
    try raster("another", 12, 47)
    #expect(try west() == 10, "its folder has changed")
    try folder.write("{", to: "out/.cairn/rasters.json")
    #expect(try west(false) == 10)
  }
}
