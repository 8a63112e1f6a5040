// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Sources of elevations in manifests")
struct ElevationSourceTests {
  private let files: FullManifest

  init() throws { files = try FullManifest() }

  private func load(_ elevation: String) throws(CairnError) -> Manifest {
    try files.load(
      FullManifest.good.replacing("elevation: [{ hgt: hgt }]", with: "elevation: \(elevation)"))
  }

  @Test(
    "a preset has a URL, a licence and what must be shown, which a manifest may say otherwise",
    arguments: [
      "copernicus-30", "[{ preset: copernicus-30 }]", "{ sources: copernicus-30, step-metres: 20 }",
      "{ sources: [{ preset: copernicus-30 }] }",
    ])
  func preset(text: String) throws {
    let folder = try #require(try load(text).elevation.first)
    #expect(folder.name == "copernicus-30" && folder.resolution == "30 m")
    #expect(folder.licence == "Copernicus DEM licence")
    #expect(
      folder.attribution?.hasPrefix("produced using Copernicus WorldDEM-30 © DLR e.V.") == true)
    let tile = try #require(
      TilePattern.tiles(of: .init(west: 7.4, south: 46.4, east: 7.5, north: 46.5)))
    #expect(
      folder.pattern?.url(of: tile[0])
        == "https://copernicus-dem-30m.s3.amazonaws.com/Copernicus_DSM_COG_10_N46_00_E007_00_DEM"
        + "/Copernicus_DSM_COG_10_N46_00_E007_00_DEM.tif")
    #expect(folder.pattern?.fileName(tile[0]) == "N46E007.tif")
    let own = try load("[{ preset: copernicus-30, licence: L, attribution: A, resolution: 90 m }]")
    #expect(own.elevation.map(\.licence) == ["L"] && own.elevation.map(\.attribution) == ["A"])
    #expect(own.elevation.map(\.resolution) == ["90 m"])
  }

  @Test("skadi has HGT tiles, and names all that they were made from")
  func skadi() throws {
    let folder = try #require(try load("skadi").elevation.first)
    #expect(folder.resolution == nil && folder.pattern?.hasRasters == false)
    #expect(folder.attribution?.split(separator: ", ").count ?? 0 > 9)
    #expect(folder.attribution?.contains(";") == false, "it is one text of several")
    #expect(folder.pattern?.url.hasSuffix("/skadi/{lat-band}/{tile}.hgt.gz") == true)
  }

  @Test("a mirror has the files of a preset under the same paths")
  func mirror() throws {
    for mirror in ["http://localhost:81/dem", "http://localhost:81/dem/"] {
      let folder = try load("[{ preset: skadi, mirror: \"\(mirror)\" }]").elevation[0]
      #expect(
        folder.pattern?.url
          == "http://localhost:81/dem/elevation-tiles-prod/skadi/{lat-band}/{tile}.hgt.gz")
      #expect(folder.preset == "skadi")
    }
  }

  @Test("rasters are files that a path stands for, sorted, with or without a pattern")
  func rasters() throws {
    try makeFolders(files.folder.file("dem/folder.tif"))
    for name in ["b.tif", "a.tif", "c.txt"] { try files.folder.write("x", to: "dem/\(name)") }
    let manifest = try load("[{ raster: dem/*.tif, resolution: 10 m }, { raster: dem/c.txt }]")
    #expect(
      manifest.elevation.map(\.rasterFiles) == [
        ["dem/a.tif", "dem/b.tif"].map(files.folder.file), [files.folder.file("dem/c.txt")],
      ])
    #expect(manifest.elevation.map(\.name) == ["dem", "c.txt"])
    #expect(manifest.elevation.map(\.resolution) == ["10 m", "30 m"])
    let none = try load("[{ raster: gone/*.tif }]")
    for (check, isSaid) in [(Manifest.DataCheck.required, true), (.ifPresent, false)] {
      let error = #expect(throws: CairnError.self) {
        try none.checkFiles(regions: none.regions, data: check)
      }
      let all = error.map { [$0] + $0.further } ?? []
      #expect(all.contains { $0.message.contains("gone/*.tif: no such file") } == isSaid)
    }
  }

  @Test("rasters at a URL are known by the end of their names")
  func urls() throws {
    for (url, isRaster) in [
      ("https://a/{tile}.tif", true), ("https://a/{lat-band}/{lon-band}.TIFF?x=1", true),
      ("https://a/{tile}.hgt.gz", false),
    ] { #expect(try load("[{ url: \"\(url)\" }]").elevation[0].hasRasters == isRaster) }
    #expect(TilePattern("https://a/{lat-band}.tif") == nil)
    #expect(TilePattern.isTile("N46E007.tif") && TilePattern.isTile("N46E007.hgt.gz"))
    #expect(!TilePattern.isTile("dem.tif") && !TilePattern.isTile("N46E007.txt"))
  }

  @Test(
    "what does not go together is refused",
    arguments: [
      ("copernicus-3", "must be one of none, copernicus-30, skadi"),
      ("[{ preset: srtm }]", "“preset” must be one of copernicus-30, skadi"),
      ("[{ raster: a.tif, hgt: b }]", "“hgt” is not allowed beside raster"),
      ("[{ raster: a.tif, preset: skadi }]", "“raster” is not allowed beside preset"),
      ("[{ hgt: b, resolution: 10 m }]", "“resolution” works only with rasters"),
      ("[{ preset: skadi, resolution: 10 m }]", "“resolution” works only with rasters"),
      ("[{ raster: a.tif, resolution: 5 m }]", "must be one of 10 m, 15 m, 30 m, 60 m, 90 m"),
      ("[{ raster: a.tif, mirror: \"http://a\" }]", "“mirror” works only with a preset"),
      ("[{ preset: skadi, mirror: here }]", "must be a URL"),
      ("[{ url: \"https://a/x.tif\" }]", "must end in the name of a tile"),
      ("{ sources: [] }", "must list at least one"),
    ])
  func refuses(text: String, message: String) {
    let error = #expect(throws: CairnError.self) { try load(text) }
    let all = error.map { [$0] + $0.further } ?? []
    #expect(all.contains { $0.description.contains(message) }, "\(all)")
  }
}
