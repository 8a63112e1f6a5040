// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Manifests
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Elevation of single regions")
struct RegionElevationTests {
  /// A world with a hillshade whose eastern region says something about its elevation.
  private func world(east: String) throws -> World {
    let world = try World()
    try world.change(
      "[10.10, 47.00, 10.20, 47.10] }", to: "[10.10, 47.00, 10.20, 47.10], \(east) }")
    try world.change("profiles:", to: "tiles: [trails, hillshade]\nprofiles:")
    try world.change("{ hgt: hgt }", to: "{ hgt: hgt, licence: Alpine, attribution: Alps Survey }")
    return world
  }

  @Test("a region without elevation has no stage for it, no relief, and no licence of it")
  func none() throws {
    let world = try world(east: "elevation: none")
    #expect(try world.run().exitCode == .success)
    #expect(world.calls.count { $0 == "sample-elevation" } == 1)
    #expect(world.calls.count { $0 == "build-tiles" } == 3)
    let files = try world.publishedFiles
    #expect(files["west/west.hillshade.mbtiles"] != nil)
    #expect(files["east/east.hillshade.mbtiles"] == nil && files["east/east.trails.mbtiles"] != nil)
    #expect(try world.text("out/west/bundle.json").contains("Alps Survey"))
    #expect(try !world.text("out/east/bundle.json").contains("Alps Survey"))
    #expect(
      !world.events.contains { if case .note = $0 { true } else { false } }, "nothing is to be said"
    )
    #expect(try world.run().isNothingToDo)
  }

  @Test("a region has its own tiles, those of its source, or those of the manifest")
  func ownTiles() throws {
    let world = try world(east: "elevation: [{ hgt: fine }], source: other")
    for name in ["fine", "third"] { try makeFolders(world.folder.file(name)) }
    try world.folder.write("fine tile", to: "fine/N47E010.hgt")
    try world.folder.write("a third tile", to: "third/N47E010.hgt")
    try world.change(
      "sources: { valley: { pbf: valley.osm.pbf } }",
      to: """
        sources:
          valley: { pbf: valley.osm.pbf }
          other: { pbf: valley.osm.pbf, elevation: [{ hgt: third, attribution: Third }] }
        """)
    #expect(try world.run().exitCode == .success)
    func folders(_ region: String) throws -> [String] {
      let line = try world.text("bin/calls").split(separator: "\n").first {
        $0.hasPrefix("sample-elevation") && $0.contains("/attempts/\(region).")
      }
      let words = line?.split(separator: " ").map(String.init) ?? []
      return zip(words, words.dropFirst()).filter { $0.0 == "--hgt" }.map { splitPath($0.1).name }
    }
    #expect(try folders("west") == ["hgt"] && folders("east") == ["fine"])
    try world.change("elevation: [{ hgt: fine }], source: other", to: "source: other")
    #expect(try world.run().regions.map(\.status) == [.cached, .built])
    #expect(try folders("east") == ["third"])
    let bundle = try world.text("out/east/bundle.json")
    #expect(bundle.contains("Third") && !bundle.contains("Alps Survey"))
  }

  @Test("a folder of tiles that cannot be listed keeps its licence")
  func unlistedFolder() throws {
    let world = try world(east: "elevation: [{ hgt: gone, attribution: Gone }]")
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    let east = try #require(manifest.regions.first { $0.id == "east" })
    #expect(manifest.drawnElevation(of: east).map(\.attribution) == ["Gone"])
    try makeFolders(world.folder.file("gone"))
    #expect(manifest.drawnElevation(of: east).isEmpty)
  }

  @Test("where no tile is known there is no relief in the bundle, and no licence of it")
  func emptyRelief() throws {
    let world = try world(east: "checks: {}")
    try world.change("[10.10, 47.00, 10.20, 47.10]", to: "[11.40, 50.00, 11.50, 50.10]")
    try world.before(
      .buildTiles(.trails),
      """
      case $words in *11.4,*hillshade*)
        echo nothing > "$output"
        echo '{"stage":"build-tiles","version":"1","input":{},
          "output":{"tiles":0},"warnings":[],"wallSeconds":0,"cpuSeconds":0,"peakBytes":0}' > "$report"
        exit 0;; esac
      """)
    // Nothing of the databases is of a tile that is there, either.
    let changed = try runProcess(
      "sed", ["-i", "s/N47E010.hgt/S47E010.hgt/", world.folder.file("bin/database")])
    #expect(changed.status == 0)
    #expect(try world.run().exitCode == .success)
    let files = try world.publishedFiles
    #expect(files["west/west.hillshade.mbtiles"] != nil)
    #expect(files["east/east.hillshade.mbtiles"] == nil)
    #expect(try !world.text("out/east/region.json").contains("hillshadeTilesFilename"))
    #expect(try !world.text("out/east/bundle.json").contains("Alps Survey"))
    let call = try world.text("bin/calls").split(separator: "\n").first { $0.contains("11.4,50.0") }
    #expect(call?.contains("--attribution") == false)
  }

  @Test("regions with elevations must have nine tenths of them, unless a check says another share")
  func standardCoverage() throws {
    func shares(_ east: String, _ change: (World) throws -> Void = { _ in }) throws -> [Double?] {
      let world = try world(east: east)
      try change(world)
      return try Manifest.load(world.folder.file("m.yaml")).regions.map(\.checks.elevationCoverage)
    }
    #expect(try shares("checks: {}") == [0.9, 0.9])
    #expect(try shares("checks: { elevation-coverage: 0 }") == [0.9, 0])
    #expect(try shares("checks: { elevation-coverage: 0.95 }") == [0.9, 0.95])
    #expect(try shares("elevation: none") == [0.9, nil])
    let none = try shares("checks: {}") { world in
      try world.change("tiles: [trails, hillshade]\n", to: "")
      try world.change(
        "elevation: [{ hgt: hgt, licence: Alpine, attribution: Alps Survey }]\n", to: "")
    }
    #expect(none == [nil, nil])
  }

  @Test("where it says that there are no elevations, a check of the defaults does not count")
  func defaultCheck() throws {
    let world = try world(east: "elevation: none")
    try world.change("min-edges: 50 }", to: "min-edges: 50, elevation-coverage: 0.5 }")
    func shares() throws -> [Double?] {
      try Manifest.load(world.folder.file("m.yaml")).regions.map(\.checks.elevationCoverage)
    }
    #expect(try shares() == [0.5, nil])
    #expect(try world.run().exitCode == .success)
    try world.change(
      "elevation: [{ hgt: hgt, licence: Alpine, attribution: Alps Survey }]", to: "elevation: none")
    #expect(try shares() == [nil, nil])
    #expect(try world.run().exitCode == .success)
    #expect(try world.publishedFiles["west/west.hillshade.mbtiles"] == nil)
  }

  @Test("a check of elevations is refused at the line where it stands, for a region without any")
  func coverage() throws {
    let world = try world(east: "elevation: none, checks: { elevation-coverage: 0.5 }")
    let error = #expect(throws: CairnError.self) { try Manifest.load(world.folder.file("m.yaml")) }
    #expect(error?.message.contains("region “east” cannot pass the check") == true)
    let lines = try world.text("m.yaml").split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines.firstIndex { $0.contains("elevation-coverage") }
    guard case .line(let found, _)? = error?.location?.position else {
      Issue.record("no line: \(String(describing: error))")
      return
    }
    #expect(line.map { $0 + 1 } == found)
    try world.change("elevation-coverage: 0.5", to: "elevation-coverage: 0")
    _ = try Manifest.load(world.folder.file("m.yaml"))
  }

  @Test(
    "what is wrong with the elevation of a region or a source is refused",
    arguments: [
      "elevation: []", "elevation: low", "elevation: { sources: [{ hgt: a }] }",
      "elevation: [{ licence: a }]",
    ])
  func problems(text: String) throws {
    let world = try world(east: text)
    expectError(.invalidConfiguration, .configuration) {
      try Manifest.load(world.folder.file("m.yaml"))
    }
  }
}
