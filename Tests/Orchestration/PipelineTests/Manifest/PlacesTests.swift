// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import RunSupport
import TestSupport
import Testing

@testable import Pipeline

@Suite("Waypoints and search in a run")
struct PlacesTests {
  /// A world in which both are on, which is the default.
  private func world() throws -> World {
    let world = try World()
    try world.change("waypoints: false\nsearch: false\n", to: "")
    return world
  }

  @Test("both are published beside the routing database, and named in region.json")
  func published() throws {
    let world = try world()
    let summary = try world.run()
    #expect(summary.exitCode == .success)
    #expect(world.calls.count { $0 == "collect-places" } == 2)
    #expect(world.calls.count { $0 == "index-places" } == 2)
    #expect(world.calls.count { $0 == "validate" } == 6)
    let files = try world.publishedFiles
    for id in ["west", "east"] {
      for name in ["waypoints.db", "places.db", "routing.db"] {
        #expect(files["\(id)/\(id).\(name)"] != nil, "\(id) \(name)")
      }
    }
    let record = try world.text("out/west/region.json")
    #expect(record.contains("\"waypointsDbFilename\" : \"west.waypoints.db\""))
    #expect(record.contains("\"placesDbFilename\" : \"west.places.db\""))
    #expect(try world.text("out/west/bundle.json").contains("west.places.db"))
    #expect(try world.run().isNothingToDo)
  }

  @Test("turning them on for existing bundles runs their stages and no others")
  func turnedOn() throws {
    let world = try World()
    try world.run()
    try world.change("waypoints: false\nsearch: false\n", to: "")
    try world.run()
    #expect(
      world.calls.sorted()
        == ["collect-places", "collect-places", "index-places", "index-places"]
        + Array(repeating: "validate", count: 4))
    try world.change("profiles:", to: "search: false\nprofiles:")
    try world.run()
    #expect(world.calls == [])
    let files = try world.publishedFiles
    #expect(files["west/west.places.db"] == nil)
    #expect(files["west/west.waypoints.db"] != nil)
  }

  @Test("a change of profiles leaves them as they are")
  func changedProfile() throws {
    let world = try world()
    try world.run()
    try world.folder.write(World.profile.replacing("8", with: "9"), to: "mine.yaml")
    try world.run()
    #expect(Set(world.calls) == ["compute-costs", "validate"])
    #expect(world.calls.count == 4)
  }

  @Test("where one is invalid the region is not published, and what was before is kept")
  func invalid() throws {
    let world = try world()
    try world.run(regions: ["west"])
    let before = try world.publishedFiles
    try world.folder.write("other\nsecond line\n", to: "valley.osm.pbf")
    try world.before(
      .validate,
      "case \"$words\" in *places.db*) echo '{\"valid\":false,\"errors\":[\"x\"]}'; exit 1;; esac")
    let summary = try world.run(regions: ["west"])
    #expect(summary.failures.map(\.stage) == [.validatePlaces])
    #expect(
      try world.publishedFiles.filter { $0.key.hasPrefix("west/") }
        == before.filter { $0.key.hasPrefix("west/") })
  }

  @Test("without elevations they are made of the decoded ways")
  func withoutElevation() throws {
    let world = try world()
    try world.change("elevation: [{ hgt: hgt }]", to: "elevation: none")
    try world.run(regions: ["west"])
    #expect(world.calls.contains("collect-places"))
    #expect(try world.publishedFiles["west/west.waypoints.db"] != nil)
  }

  @Test("a stage of the user's can read either, unless that is turned off")
  func customStage() throws {
    let stage = """
      stages:
        - { name: pins, command: [cp, "{input}", "{output}"], after: collect-places, outputs: [pins] }

      """
    let world = try world()
    try world.change("regions:", to: stage + "regions:")
    try world.run(regions: ["west"])
    #expect(
      try world.publishedFiles["west/pins"] == world.publishedFiles["west/west.waypoints.db"])
    try world.change("stages:", to: "waypoints: false\nstages:")
    #expect(throws: CairnError.self) { try world.run(regions: ["west"]) }
  }

  @Test("their names are taken, and their keys take true and false only")
  func refused() throws {
    func problems(_ line: String) throws -> [String] {
      try FullManifest().problems(FullManifest.good + "\n" + line + "\n")
    }
    #expect(try problems("search: false") == [])
    #expect(try problems("search: maybe").count == 1)
    #expect(try problems("waypoints: [a]").count == 1)
    for name in ["{region}.waypoints.db", "{region}.places.db-wal", "region.places.db"] {
      let text = FullManifest.good.replacing("outputs: [a, b]", with: "outputs: [a, \"\(name)\"]")
      #expect(try FullManifest().problems(text).count == 1, "\(name)")
    }
    let named = FullManifest.good.replacing("name: pack", with: "name: validate-places")
    #expect(try FullManifest().problems(named).count == 1)
  }
}
