// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Foundation
import Manifests
import Planning
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("A run redoes only what changed")
struct RunTests {
  private static let chain = [
    "decode-pbf", "sample-elevation", "build-graph", "compute-costs", "validate",
  ]

  @Test("a first run does every stage of every region and publishes")
  func firstRun() throws {
    let world = try World()
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.built, .built])
    #expect(summary.exitCode == .success)
    #expect(
      world.calls.sorted() == (Self.chain + Self.chain.dropFirst()).sorted(),
      "one process decodes both")
    #expect(
      try world.text("out/west/west.routing.db") == "10.0,47.0,10.1,47.1 first line\n"
        + World.profile)
    #expect(
      try world.folder.contents.contains("out")
        && world.publishedFiles.keys.sorted() == [
          "east/bundle.json", "east/east.routing.db", "east/region.json", "index.json",
          "west/bundle.json", "west/region.json", "west/west.routing.db",
        ])
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.licence == "ODbL-1.0")
    #expect(bundle.counts == .init(nodes: 7, edges: 100, components: 1))
    #expect(
      bundle.files["west.routing.db"]?.sha256
        == (try SHA256Digest.ofFile(world.folder.file("out/west/west.routing.db"))))
    #expect(
      try world.text("out/west/region.json").contains("\"routingDbFilename\" : \"west.routing.db\"")
    )
  }

  @Test("a second run does nothing and says so")
  func secondRun() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    let summary = try world.run()
    #expect(world.calls.isEmpty)
    #expect(summary.regions.map(\.status) == [.cached, .cached])
    #expect(summary.text().hasPrefix("2 regions up to date, nothing to do ("))
    #expect(try world.publishedFiles == before)
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
  }

  @Test("a changed value of a profile redoes the last stages only, a changed comment nothing")
  func changedProfile() throws {
    let world = try World()
    try world.run()
    try world.folder.write(World.profile + "# a comment\n", to: "mine.yaml")
    try world.folder.write(world.text("m.yaml") + "# another one\n", to: "m.yaml")
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
    let tuned = World.profile.replacing("climb-factor: 8", with: "climb-factor: 9")
    try world.folder.write(tuned, to: "mine.yaml")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast() == [
        "west: would compute-costs: profile mine.yaml changed",
        "west: would validate: after compute-costs",
        "west: would publish: after validate",
      ])
    let summary = try world.run(regions: ["west"])
    #expect(world.calls == ["compute-costs", "validate"])
    #expect(summary.regions.map(\.status) == [.built])
    #expect(try world.text("out/west/west.routing.db").hasSuffix("climb-factor: 9\n"))
    #expect(try !world.text("out/east/east.routing.db").hasSuffix("climb-factor: 9\n"))
  }

  @Test(
    "a profile with the same values in another form redoes nothing",
    arguments: [
      "climb-factor: 8\nname: mine # another order\nbased-on: hiking\ncairn-profile: 1\n",
      "# a comment\n" + World.profile
        + "surfaces: { gravel: 1.2 }\ncost-base: equivalent-distance\n",
      #"{"cairn-profile": 1, "name": "mine", "based-on": "hiking", "climb-factor": 8.0}"#,
    ])
  func sameProfile(text: String) throws {
    let world = try World()
    try world.run()
    try world.folder.write(text, to: "mine.yaml")
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
    try world.run()
    #expect(world.calls.isEmpty)
  }

  @Test("a changed time model redoes the last stages only")
  func changedTimeModel() throws {
    let world = try World()
    let profile = "cairn-profile: 1\nname: mine\nbased-on: none\ncost-base: time\ntime-model: "
    try world.folder.write(profile + "tobler\n", to: "mine.yaml")
    try world.run()
    try world.folder.write("# as before\n" + profile + "tobler\n", to: "mine.yaml")
    try world.run()
    #expect(world.calls.isEmpty)
    try world.folder.write(profile + "munter\n", to: "mine.yaml")
    try world.run(regions: ["west"])
    #expect(world.calls == ["compute-costs", "validate"])
  }

  @Test("stages after one with an unchanged result do not run")
  func earlyCutOff() throws {
    let world = try World()
    try world.run()
    try world.folder.write("first line\nanother second line\n", to: "valley.osm.pbf")
    try world.run(regions: ["west"])
    #expect(world.calls == ["decode-pbf", "sample-elevation", "build-graph"])
  }

  @Test("a new tile, a new executable and new arguments each redo what depends on them")
  func otherChanges() throws {
    let world = try World()
    try world.run(regions: ["west"])
    try world.folder.write("tile", to: "hgt/N47E011.hgt")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would sample-elevation: elevation folder 1 changed")
    try world.run(regions: ["west"])
    #expect(world.calls == ["sample-elevation"])
    let script = try world.text("bin/cairn-build-graph")
    try world.writeExecutable(script + "\n# new\n", "cairn-build-graph")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would build-graph: Cairn itself (stage build-graph) changed")
    try world.folder.write(
      world.text("m.yaml").replacing("10.10, 47.10] }", with: "10.11, 47.10] }"), to: "m.yaml")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would decode-pbf: bbox: now 10.0,47.0,10.11,47.1 (was 10.0,47.0,10.1,47.1)")
  }

  @Test("another date redoes the costs of its region")
  func changedDate() throws {
    let world = try World()
    try world.run()
    let manifest = try world.text("m.yaml")
    try world.folder.write(
      manifest.replacing("name: West,", with: "name: West, date: 2026-07-15,"), to: "m.yaml")
    try world.run()
    // The stand-in for the cost stage gives the same bytes again, which ends the redoing.
    #expect(world.calls == ["compute-costs"])
    try world.run()
    #expect(world.calls == [])
  }

  @Test("moving all files redoes nothing")
  func movedFolder() throws {
    let world = try World()
    try world.run()
    let moved = try TemporaryFolder()
    let target = moved.file("copy")
    #expect(try runProcess("cp", ["-a", world.folder.path, target]).status == 0)
    let plan = try Plan(Manifest.load(target + "/m.yaml"), selection: nil)
    let orchestrator = try Orchestrator(
      plan, .init(programs: StagePrograms(folder: target + "/bin"), parallelism: 2))
    #expect(orchestrator.forecast() == ["west: up to date", "east: up to date"])
  }

  @Test("--force redoes everything and ends with the same bytes")
  func forced() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    try world.run(force: true)
    #expect(world.calls.count == 2 * Self.chain.count - 1)
    #expect(try world.publishedFiles == before)
  }

  @Test("the published bytes do not depend on --jobs")
  func jobs() throws {
    let world = try World()
    try world.run(parallelism: 1)
    let before = try world.publishedFiles
    try FileManager.default.removeItem(atPath: world.folder.file("out"))
    try world.run(parallelism: 7)
    #expect(try world.publishedFiles == before)
  }

  @Test("two regions of one shape share their results, except databases, which hold their names")
  func sharedWork() throws {
    let world = try World()
    try world.giveBothRegionsOneShape()
    try world.run()
    #expect(world.calls.sorted() == (Self.chain + ["compute-costs"]).sorted())
  }

  @Test("a region with another name gets a new database and bundle, and nothing else is done")
  func renamed() throws {
    let world = try World()
    try world.run()
    try world.change("name: West", to: "name: Far West")
    try world.run()
    #expect(world.calls == ["compute-costs"])
    #expect(try world.text("out/west/region.json").contains("Far West"))
  }

  @Test("a dry run of a new manifest writes nothing")
  func dryRun() throws {
    let world = try World()
    let lines = try world.orchestrator().forecast()
    #expect(lines.first == "west: would decode-pbf: not built yet")
    #expect(lines.count == 12)
    #expect(try !world.folder.contents.contains("out"))
  }

  @Test("a region that the manifest does not have is a usage error with a suggestion")
  func unknownRegion() throws {
    let world = try World()
    let error = #expect(throws: CairnError.self) { try world.orchestrator(regions: ["wset"]) }
    #expect(error?.exitCode == .usage)
    #expect(error?.hint == "did you mean west?")
  }

  @Test("missing executables are reported before anything runs")
  func missingExecutables() throws {
    let world = try World()
    try FileManager.default.removeItem(atPath: world.folder.file("bin/cairn-validate"))
    let error = #expect(throws: CairnError.self) { try world.orchestrator() }
    #expect(error?.message == "has no cairn-validate")
    #expect(error?.exitCode == .noInput)
  }

  @Test("the region that took longest begins first")
  func longestFirst() throws {
    let world = try World()
    // However slow the machine is, the eastern region takes longer than the western one.
    let westEnds = "while ! grep -q '^validate.*west' \"$here/calls\"; do sleep 0.05; done"
    try world.before(.buildGraph, "case $words in *east*) \(westEnds); sleep 0.3;; esac")
    try world.run()
    // One after the other, the eastern region would wait forever.
    try world.before(.buildGraph, "")
    try world.run(force: true, parallelism: 1)
    let graphs = world.events.compactMap { event -> String? in
      if case .started(let region, .buildGraph, _, _, _) = event { region } else { nil }
    }
    #expect(graphs == ["east", "west"])
  }
}
