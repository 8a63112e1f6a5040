// SPDX-License-Identifier: Apache-2.0
import Diagnostics
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
}
