// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Manifests
import Planning
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Profiles and variants of regions")
struct VariantTests {
  @Test("a variant shares everything but costs and validation, and joins the region's bundle")
  func built() throws {
    let world = try World()
    try world.change(
      "name: West,", to: "name: West, variants: [{ name: mine, profiles: [mine.yaml] }],")
    let summary = try world.run()
    #expect(summary.exitCode == .success)
    #expect(world.calls.filter { $0 == "decode-pbf" }.count == 1)
    #expect(world.calls.filter { $0 == "build-graph" }.count == 2)
    #expect(world.calls.filter { $0 == "compute-costs" }.count == 3)
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.variants == ["mine": "west.mine.routing.db"])
    #expect(
      bundle.files.keys.sorted() == ["region.json", "west.mine.routing.db", "west.routing.db"])
    #expect(try world.text("out/west/region.json").contains("west.mine.routing.db"))
    #expect(BundleRecord(inFolder: world.folder.file("out/east"))?.variants == nil)
    #expect(try world.run().isNothingToDo)
    let stages = try world.forecaster().plan.actions.map(\.stage.rawValue)
    #expect(stages.contains("compute-costs+mine") && stages.contains("validate+mine"))
    #expect(try collected(world).isEmpty)
  }

  @Test("a changed profile of a variant rebuilds the variant alone")
  func changed() throws {
    let world = try World()
    try world.folder.write("cairn-profile: 1\nname: fast\nspeed-kmh: 6\n", to: "fast.yaml")
    try world.change(
      "name: West,", to: "name: West, variants: [{ name: v, profiles: [fast.yaml] }],")
    try world.run()
    try world.folder.write("cairn-profile: 1\nname: fast\nspeed-kmh: 7\n", to: "fast.yaml")
    let lines = try world.forecaster(regions: ["west"]).lines()
    #expect(lines.first == "west: would compute-costs+v: profile fast.yaml changed")
    try world.run()
    #expect(world.calls == ["compute-costs", "validate"])
    #expect(try world.text("out/west/west.v.routing.db").contains("speed-kmh: 7"))
    #expect(try collected(world).count == 2, "the variant's earlier database and findings")
  }

  @Test(
    "a variant that was removed from the manifest leaves the bundle, and gc removes its results")
  func removed() throws {
    let world = try World()
    let variants = "variants: [{ name: v, profiles: [mine.yaml] }],"
    try world.change("name: West,", to: "name: West, \(variants)")
    try world.run()
    try world.change(" \(variants)", to: "")
    try world.run()
    #expect(!pathExists(world.folder.file("out/west/west.v.routing.db")))
    let removable = try collected(world)
    #expect(removable.contains { $0.contains("compute-costs+v of west") }, "\(removable)")
    #expect(removable.contains { $0.contains("validate+v of west") })
  }

  @Test("an invalid variant keeps the whole bundle back")
  func invalid() throws {
    let world = try World()
    try world.folder.write("cairn-profile: 1\nname: fast\nspeed-kmh: 6\n", to: "fast.yaml")
    try world.change(
      "name: West,", to: "name: West, variants: [{ name: v, profiles: [fast.yaml] }],")
    try world.run()
    let before = try world.publishedFiles
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.before(.validate, "grep -q speed-kmh \"$input\" && exit 1")
    let summary = try world.run()
    #expect(summary.failures.map(\.stage) == [.validateVariant("v")])
    for (name, bytes) in before where name.hasPrefix("west/") {
      #expect(try world.folder.read("out/\(name)") == bytes, "\(name)")
    }
    #expect(try world.text("out/east/east.routing.db").contains("changed"))
  }

  @Test("the limits of a stage hold for its variants")
  func resources() {
    let stage = Stage.computeVariant("v")
    #expect(stage.nameInManifest == "compute-costs" && stage.executable == "cairn-compute-costs")
    #expect(
      stage.rawValue == "compute-costs+v" && stage.formatVersion == Stage.computeCosts.formatVersion
    )
    #expect(Stage.validateVariant("v").printsProduct)
  }

  /// What gc would remove.
  private func collected(_ world: World) throws -> [String] {
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: nil)
    return try GarbageCollector(
      plan, OutputFolder(plan.manifest),
      Orchestrator.Options(
        programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1)
    ).items().map(\.what)
  }
}
