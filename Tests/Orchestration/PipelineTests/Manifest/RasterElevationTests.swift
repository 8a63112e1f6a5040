// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Elevation
import Glibc
import Manifests
import Planning
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Tiles that are made of rasters")
struct RasterElevationTests {
  private let world: World

  /// A world whose elevations are rasters, with HGT tiles where these end. Its stage makes a tile of what
  /// its rasters say.
  init() throws {
    world = try World()
    try world.change(
      "{ hgt: hgt }", to: "{ raster: dem/*.tif, licence: L, attribution: A }, { hgt: hgt }")
    try world.before(
      .sampleElevation,
      """
      case $words in *--tile*)
        rasters=; for word in $words; do case $word in *.tif) rasters="$rasters $word";; esac; done
        cat $rasters > "$output"
        echo '{"stage":"sample-elevation","version":"1","input":{},"output":{"known":7},
          "warnings":[],"wallSeconds":0,"cpuSeconds":0,"peakBytes":0}' > "$report"
        exit 0;; esac
      """)
    try makeFolders(world.folder.file("dem"))
    for name in ["a", "b"] { try world.folder.write("raster \(name)", to: "dem/\(name).tif") }
  }

  private func manifest(
    tiles: [String] = ["N47E010"], change: (inout Manifest) -> Void = { _ in }
  ) throws -> Manifest {
    var manifest = try Manifest.load(world.folder.file("m.yaml"))
    manifest.gdalVersion = "3.6.2"
    let made = try tiles.map { name in
      Manifest.RasterTile(
        tile: try #require(ElevationTileID(fileName: "\(name).hgt")),
        rasters: [[world.folder.file("dem/a.tif")], [world.folder.file("dem/b.tif")]])
    }
    for region in manifest.regions { manifest.rasterTiles[region.id] = [made, []] }
    change(&manifest)
    return manifest
  }

  private func run(_ manifest: Manifest) throws -> RunSummary {
    unlink(world.folder.file("bin/calls"))
    var options = Orchestrator.Options(
      programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 2)
    options.attempts.retryPauseSeconds = 0
    return try Orchestrator(Plan(manifest, selection: nil), options).run()
  }

  private func calls(of stage: String = "sample-elevation") throws -> [String] {
    guard pathExists(world.folder.file("bin/calls")) else { return [] }
    return try world.text("bin/calls").split(separator: "\n").map(String.init).filter {
      $0.hasPrefix(stage + " ")
    }
  }

  @Test("a tile is made once for all regions that have it, and looked up before the next source")
  func makes() throws {
    let manifest = try manifest()
    #expect(try run(manifest).exitCode == .success)
    let (making, sampling) = (
      try calls().filter { $0.contains("--tile") }, try calls().filter { !$0.contains("--tile") }
    )
    #expect(making.count == 1 && sampling.count == 2)
    let words = making.first?.split(separator: " ").prefix { $0 != "--output" } ?? []
    #expect(
      words.joined(separator: " ").replacing(world.folder.path, with: "") == """
        sample-elevation --tile N47E010 --raster /dem/a.tif --raster /dem/b.tif --resolution 30 \
        --gdal 3.6.2 --hgt /hgt
        """)
    for line in sampling {
      let folders = line.split(separator: " ").filter {
        $0.hasSuffix(".hgt") || $0.hasSuffix("/hgt")
      }
      #expect(folders.count == 2 && folders[0].hasSuffix("/N47E010.hgt"))
    }
    #expect(try run(manifest).isNothingToDo)
    #expect(try calls().isEmpty)
  }

  @Test("another raster, resolution or version of GDAL makes the tile anew, and nothing else does")
  func keys() throws {
    #expect(try run(manifest()).exitCode == .success)
    func makesAnew(_ changed: Manifest) throws -> Bool {
      #expect(try run(changed).exitCode == .success)
      return try calls().contains { $0.contains("--tile") }
    }
    #expect(try makesAnew(manifest { $0.gdalVersion = "3.7.0" }))
    #expect(try makesAnew(manifest { $0.elevation[0].resolution = "10 m" }))
    try world.folder.write("another raster", to: "dem/b.tif")
    #expect(try makesAnew(manifest()))
    #expect(try makesAnew(manifest { $0.elevationOptions.stepMetres = 12 }) == false)
    #expect(try calls().count == 2)
    // A file of a raster that the command line does not name.
    try world.folder.write("1", to: "dem/a.tif.ovr")
    let more = try manifest { manifest in
      for id in manifest.rasterTiles.keys {
        manifest.rasterTiles[id]?[0][0].rasters[0].append(world.folder.file("dem/a.tif.ovr"))
      }
    }
    #expect(try makesAnew(more))
    #expect(try makesAnew(more) == false)
    try world.folder.write("2", to: "dem/a.tif.ovr")
    #expect(try makesAnew(more))
  }

  @Test("the bundle names the tile, its digest and the licence of its rasters, and those below it")
  func provenance() throws {
    #expect(try run(manifest()).exitCode == .success)
    let bundle = try jsonText(world.text("out/west/bundle.json"))
    let provenance = bundle["provenance"] as? [String: Any]
    let tiles = provenance?["elevation"] as? [[String: Any]] ?? []
    #expect(tiles.map { $0["folder"] as? String } == ["dem", "hgt"])
    #expect(tiles.map { $0["name"] as? String } == ["N47E010.hgt", "N47E010.hgt"])
    #expect(tiles[0]["sha256"] as? String == SHA256Digest.ofText("raster araster b"))
    let licences = provenance?["licences"] as? [[String: Any]] ?? []
    #expect(licences.map { $0["source"] as? String } == ["OpenStreetMap", "dem", "hgt"])
    #expect(
      licences[1]["licence"] as? String == "L" && licences[1]["attribution"] as? String == "A")
    #expect((bundle["attribution"] as? String)?.hasSuffix("; A") == true)
  }

  @Test("a source that comes after another one gives it the tiles around each of its own")
  func orders() throws {
    try world.change("{ hgt: hgt }", to: "{ raster: coarse.tif }")
    let manifest = try manifest(tiles: ["N47E010", "N47E013"]) { manifest in
      for id in manifest.rasterTiles.keys {
        let made = manifest.rasterTiles[id]?[0] ?? []
        let beside = ElevationTileID(fileName: "N48E011.hgt")
        manifest.rasterTiles[id]?[1] =
          [made[0]]
          + (beside.map { [Manifest.RasterTile(tile: $0, rasters: made[0].rasters)] } ?? [])
      }
    }
    let plan = try Plan(manifest, selection: ["west"])
    let names = plan.actions.map(\.stage.rawValue)
    #expect(
      names.filter { $0.hasPrefix("grid") }.sorted() == [
        "grid-elevation+N47E010", "grid-elevation+N47E010-2", "grid-elevation+N47E013",
        "grid-elevation+N48E011-2",
      ])
    func next(_ stage: String) -> [String] {
      let action = plan.actions.first { $0.stage.rawValue == stage }
      return (action?.dependencies ?? []).map { names[$0] }
    }
    #expect(
      next("grid-elevation+N47E010") == ["grid-elevation+N47E010-2", "grid-elevation+N48E011-2"])
    #expect(next("grid-elevation+N47E013") == [])
    #expect(next("sample-elevation").count == 5)
    // Tiles follow one another in the order of their sources.
    let sampling = try #require(plan.actions.first { $0.stage == .sampleElevation })
    let products = sampling.arguments.compactMap { argument in
      if case .product(_, let role) = argument { role } else { nil }
    }
    #expect(
      products == [
        "input", "elevation 1 N47E010", "elevation 1 N47E013", "elevation 2 N47E010",
        "elevation 2 N48E011",
      ])
  }

  @Test("a region without a raster fails, and says so; gc keeps what others need")
  func nothing() throws {
    try world.change(", { hgt: hgt }", to: "")
    let manifest = try manifest { $0.rasterTiles["east"] = [[]] }
    let summary = try run(manifest)
    #expect(summary.regions.map(\.status) == [.built, .failed])
    #expect(
      summary.failures.first?.message.contains("no raster covers region “east”")
        == true)
    let options = Orchestrator.Options(
      programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1)
    let collector = try GarbageCollector(
      Plan(manifest, selection: nil), OutputFolder(manifest), options)
    #expect(try collector.items().filter { !$0.what.contains("east") } == [])
  }
}
