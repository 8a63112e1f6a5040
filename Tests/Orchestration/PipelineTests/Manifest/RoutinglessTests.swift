// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import RunSupport
import TestSupport
import Testing

@testable import Pipeline

@Suite("Regions without routing, and of some highways")
struct RoutinglessTests {
  /// A world with waypoints, search and tiles whose west has no routing.
  private func world(_ more: String = "") throws -> World {
    let world = try World()
    try world.change("waypoints: false\nsearch: false\n", to: "tiles: [trails]\n")
    try world.change("id: west, name", to: "id: west, routing: false\(more), name")
    return world
  }

  @Test("its bundle is places and tiles alone, and says so")
  func published() throws {
    let world = try world()
    let summary = try world.run()
    #expect(summary.exitCode == .success)
    #expect(summary.regions.map(\.edges) == [nil, 100])
    // The graph, the costs and their validation are of the other region.
    for (stage, count) in [("build-graph", 1), ("compute-costs", 1), ("validate", 7)] {
      #expect(world.calls.count { $0 == stage } == count, "\(stage)")
    }
    let files = try world.publishedFiles.keys.filter { $0.hasPrefix("west/") }.sorted()
    #expect(
      files == [
        "west/bundle.json", "west/region.json", "west/west.places.db", "west/west.trails.mbtiles",
        "west/west.waypoints.db",
      ])
    let folder = try BundleFolder(world.folder.file("out/west"))
    #expect(folder.region?.hasRoutingData == false && !folder.record.hasRoutingData)
    #expect(folder.record.counts.edges == 0 && folder.record.safety == nil)
    // The stages of this world write no databases that could be opened; files and records are right.
    let found = try OutputVerification(world.folder.file("out"), threads: 1)
    let west = try #require(found.bundles.first { $0.region == "west" })
    #expect(west.findings.filter { $0.code != .database }.map(\.line) == [])
    let error = expectError("no-database", .dataError) { try folder.routingDatabase() }
    #expect(error?.hint == "the region was built with routing: false")
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(
      index.regions.map(\.routingDbFilename) == [nil, "east.routing.db"]
        || index.regions.map(\.routingDbFilename) == ["east.routing.db", nil])
    #expect(index.regions.first { $0.id == "west" }?.region?.hasRoutingData == false)
    #expect(try world.run().isNothingToDo)
  }

  @Test(
    "routing comes and goes with its key: what is not needed is not done, and drift is no obstacle")
  func changed() throws {
    let world = try world(", checks: { max-drift: 0.1 }")
    try world.run(regions: ["west"])
    try world.change("routing: false", to: "routing: true")
    #expect(try world.run(regions: ["west"]).exitCode == .success)
    #expect(world.calls.sorted() == ["build-graph", "compute-costs", "validate"])
    #expect(try world.publishedFiles["west/west.routing.db"] != nil)
    try world.change("routing: true", to: "routing: false")
    #expect(try world.run(regions: ["west"]).exitCode == .success)
    #expect(world.calls == [])
    #expect(try world.publishedFiles["west/west.routing.db"] == nil)
  }

  @Test("a stage of the user's that reads the graph is left out for it")
  func customStage() throws {
    let world = try world()
    try world.change(
      "regions:",
      to: "stages:\n  - { name: lines, command: [cp, \"{input}\", \"{output}\"], "
        + "after: build-graph, outputs: [lines] }\nregions:")
    #expect(try world.run().exitCode == .success)
    let files = try world.publishedFiles
    #expect(files["east/lines"] != nil && files["west/lines"] == nil)
  }

  @Test("the values of highway reach the decoder, and their change decodes again")
  func highways() throws {
    let world = try World()
    try world.run(regions: ["west"])
    #expect(try !world.text("bin/calls").contains("--highways"))
    try world.change("profiles:", to: "routable-highways: [track, path]\nprofiles:")
    try world.run(regions: ["west"])
    #expect(try world.text("bin/calls").contains("--highways path,track "))
    #expect(world.calls.first == "decode-pbf")
    try world.change("[track, path]", to: "[path, track]")
    #expect(try world.run(regions: ["west"]).isNothingToDo)
    #expect(world.calls == [])
  }
}
