// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import TestSupport
import Testing

@testable import Pipeline

@Suite("Map tiles in a run")
struct MapTilesTests {
  /// A world whose manifest has a line about tiles.
  private func world(_ tiles: String) throws -> World {
    let world = try World()
    try world.change("profiles:", to: "\(tiles)\nprofiles:")
    return world
  }

  @Test("they are validated, published beside the databases and named in region.json")
  func published() throws {
    let world = try world("tiles: [trails]")
    #expect(try world.run().exitCode == .success)
    #expect(world.calls.count { $0 == "build-tiles" } == 2)
    #expect(world.calls.count { $0 == "validate" } == 4)
    #expect(try world.publishedFiles["west/west.trails.mbtiles"] != nil)
    #expect(
      try world.text("out/west/region.json")
        .contains("\"trailTilesFilename\" : \"west.trails.mbtiles\""))
    #expect(try world.run().isNothingToDo)
  }

  @Test("each kind is an archive of its own, and the terrain is drawn again only if it changes")
  func terrain() throws {
    let world = try world("tiles: [trails, hillshade, terrain-rgb, slopes]")
    #expect(try world.run(regions: ["west"]).exitCode == .success)
    let region = try world.text("out/west/region.json")
    for (key, name) in [
      ("trailTilesFilename", "trails"), ("hillshadeTilesFilename", "hillshade"),
      ("terrainTilesFilename", "terrain-rgb"), ("slopeTilesFilename", "slopes"),
    ] {
      #expect(try world.publishedFiles["west/west.\(name).mbtiles"] != nil)
      #expect(region.contains("\"\(key)\" : \"west.\(name).mbtiles\""))
    }
    try world.folder.write("another line\n", to: "valley.osm.pbf")
    try world.run(regions: ["west"])
    #expect(world.calls.count { $0 == "build-tiles" } == 1)
    try world.folder.write("another tile", to: "hgt/N47E010.hgt")
    try world.run(regions: ["west"])
    // The ways of this world do not get the elevations, so that trails stay as they are.
    #expect(world.calls.count { $0 == "build-tiles" } == 3)
    #expect(try world.run(regions: ["west"]).isNothingToDo)
  }

  @Test("the terrain is drawn of the region's box, and names whoever made the elevations")
  func terrainOptions() throws {
    let world = try world("tiles: { kinds: [slopes], zooms: [10, 14] }")
    try world.change("{ hgt: hgt }", to: "{ hgt: hgt, attribution: Survey of Nowhere }")
    try world.run(regions: ["east"])
    let call = try #require(
      try world.text("bin/calls").split(separator: "\n").first { $0.hasPrefix("build-tiles") })
    #expect(call.contains("--bbox 10.1,47.0,10.2,47.1 --hgt "))
    #expect(call.contains("--kind slopes --format mbtiles --zooms 10-14"))
    #expect(call.contains("--attribution=Survey of Nowhere"))
    #expect(try world.text("out/east/bundle.json").contains("Survey of Nowhere"))
  }

  @Test("turning them on for existing bundles runs their stages and no others")
  func turnedOn() throws {
    let world = try World()
    try world.run()
    #expect(try !world.text("out/west/region.json").contains("trailTilesFilename"))
    try world.change("profiles:", to: "tiles: [trails]\nprofiles:")
    try world.run()
    #expect(world.calls.sorted() == ["build-tiles", "build-tiles", "validate", "validate"])
  }

  @Test("format and zooms are the manifest's, and a change of them makes new tiles")
  func options() throws {
    let world = try world("tiles: { kinds: [trails], format: pmtiles, zooms: [10, 12] }")
    try world.run()
    #expect(try world.publishedFiles["west/west.trails.pmtiles"] != nil)
    try world.change("zooms: [10, 12]", to: "zooms: [10, 13]")
    try world.run()
    #expect(world.calls.filter { $0 != "validate" } == ["build-tiles", "build-tiles"])
  }

  @Test("tiles that are invalid keep the region from being published")
  func invalid() throws {
    let world = try world("tiles: [trails]")
    try world.before(
      .validate,
      "case \"$words\" in *mbtiles*) echo '{\"valid\":false,\"errors\":[\"x\"]}'; exit 1;; esac")
    let summary = try world.run(regions: ["west"])
    #expect(summary.failures.map(\.stage) == [.validateTiles(.trails)])
    #expect(try !world.publishedFiles.keys.contains { $0.hasPrefix("west/") })
  }

  @Test("what a manifest says wrong about them is refused")
  func problems() throws {
    let manifest = try FullManifest()
    func problems(_ line: String) -> [String] { manifest.problems(FullManifest.good + "\n" + line) }
    for line in [
      "tiles: []", "tiles: [trails]", "tiles: { kinds: [trails] }",
      "tiles: { kinds: [trails], format: pmtiles, zooms: [5, 16] }",
      "tiles: [slopes, hillshade, terrain-rgb]",
    ] {
      #expect(problems(line) == [], "\(line)")
    }
    for line in [
      "tiles: [trails, trails]", "tiles: [roads]", "tiles: trails", "tiles: { format: pmtiles }",
      "tiles: { kinds: [trails], zooms: [8] }", "tiles: { kinds: [trails], zooms: [14, 8] }",
      "tiles: { kinds: [trails], zooms: [8, 17] }", "tiles: { kinds: [trails], format: zip }",
    ] {
      #expect(problems(line).count == 1, "\(line): \(problems(line))")
    }
  }

  @Test("the terrain cannot be drawn without elevations")
  func noElevation() throws {
    let world = try world("tiles: [trails, slopes]")
    try world.change("elevation: [{ hgt: hgt }]\n", to: "")
    expectError(.invalidConfiguration, .configuration) { try world.run() }
    // Where it is said that there are none, these tiles are left out.
    try world.change("profiles:", to: "elevation: none\nprofiles:")
    #expect(try world.run().exitCode == .success)
    #expect(world.calls.count { $0 == "build-tiles" } == 2)
  }
}
