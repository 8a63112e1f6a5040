// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Execution
import Foundation
import Manifests
import Planning
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import RunCommands

@Suite("Commands that change nothing")
struct CommandTests {
  @Test("the definitions of the commands are valid")
  func definitions() {
    let commands: [any Command.Type] = [
      RunCommand.self, ManifestCommand.self, InitCommand.self, PlanCommand.self,
      ExplainRunCommand.self, StatusCommand.self, DoctorCommand.self,
    ]
    for command in commands { #expect(command.definition.problems == []) }
  }

  @Test("what changed between two keys has the old and the new value")
  func changes() throws {
    func key(_ pairs: (String, String)...) throws -> ActionKey {
      ActionKey(pairs.map { ActionKey.Component(name: $0.0, value: $0.1) })
    }
    let digests = ["a", "b"].map { String(repeating: $0, count: 64) }
    let old = try key(("arguments", "--hgt\n@0\n--output"), ("input", digests[0]), ("gone", "x"))
    let new = try key(("arguments", "--hgt\n@0\n--void\n5"), ("input", digests[1]), ("more", "y"))
    let changes = new.changes(since: old.components)
    #expect(
      changes.map(\.description)
        == ["arguments changed", "input changed", "more is new", "gone is gone"])
    #expect(new.changes(since: new.components).map(\.description) == ["its result is gone"])
  }

  @Test("a forecast names an action whose input cannot be read, and those that follow it")
  func missingInput() throws {
    let world = try World()
    try world.run(regions: ["west"])
    try FileManager.default.removeItem(atPath: world.folder.file("hgt/N47E010.hgt"))
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    let lines = try world.forecaster(regions: ["west"]).lines()
    #expect(lines.first?.hasPrefix("west: would decode-pbf: and fail: ") == true)
    #expect(lines.first?.contains("valley.osm.pbf") == true)
    #expect(lines.dropFirst().first == "west: would sample-elevation: after decode-pbf")
  }

  private func status(_ world: World) throws -> [RegionStatus] {
    let forecaster = try world.forecaster()
    let recorded = RegionStatus.recorded(forecaster)
    return forecaster.plan.regions.indices.map { RegionStatus($0, forecaster, recorded) }
  }

  @Test("a region is new, fresh, stale or failed, each with a reason")
  func states() throws {
    let world = try World()
    #expect(try status(world).map(\.state) == [.new, .new])
    #expect(try status(world)[0].reason == "decode-pbf: not built yet")
    #expect(!pathExists(world.folder.file("out")))

    try world.before(.buildGraph, "case $words in *first*) ;; esac; exit 65")
    try world.run(regions: ["west"])
    let failed = try status(world)[0]
    #expect(failed.state == .failed)
    #expect(failed.reason == "cairn-build-graph ended with exit code 65 (bad input data)")
    #expect(failed.log.map(pathExists) == true)

    try world.before(.buildGraph, "")
    try world.run()
    #expect(try status(world).map(\.state) == [.fresh, .fresh])
    #expect(try status(world)[0].reason == nil)
    #expect(try status(world)[0].bundle?.counts.edges == 100)

    let tuned = World.profile.replacing("climb-factor: 8", with: "climb-factor: 9")
    try world.folder.write(tuned, to: "mine.yaml")
    let stale = try status(world)[1]
    #expect(stale.state == .stale)
    #expect(stale.reason == "compute-costs: profile mine.yaml changed")

    try world.before(.computeCosts, "exit 74")
    try world.run()
    let broken = try status(world)[0]
    #expect(broken.state == .stale, "the earlier bundle is kept")
    #expect(broken.reason?.hasPrefix("cairn-compute-costs ended with exit code 74") == true)
  }

  @Test("before the first run every region is new, even if its source is missing")
  func beforeFirstRun() throws {
    let world = try World()
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    let regions = try status(world)
    #expect(regions.map(\.state) == [.new, .new])
    #expect(regions[0].reason?.contains("valley.osm.pbf") == true)
    try world.run()
    #expect(try status(world).map(\.state) == [.failed, .failed])
  }

  @Test("after a failed download, the status says why, but not why another source failed")
  func failedDownload() throws {
    let world = try World()
    let url = "http://127.0.0.1:9/valley.osm.pbf"
    try world.change("{ pbf: valley.osm.pbf }", to: "{ url: \"\(url)\" }")
    func record(_ reason: String) throws {
      try FileManager.default.createDirectory(
        atPath: world.folder.file("out/.cairn"), withIntermediateDirectories: true)
      try world.folder.write(
        """
        { "cairn": 1, "name": "alps", "attribution": "", "licence": "", "totalBytes": 0,
          "regions": [{ "id": "west", "name": "West", "manifest": "alps", "status": "failed",
            "reason": "\(reason)" }] }
        """, to: "out/.cairn/index.json")
    }
    try record("fetch: \(url): cannot be downloaded")
    #expect(try status(world).map(\.state) == [.failed, .new])
    #expect(try status(world)[0].reason == "fetch: \(url): cannot be downloaded")
    #expect(try status(world)[1].reason == "its data has not been requested yet")
    try record("fetch: http://127.0.0.1:9/b.osm.pbf: cannot be downloaded")
    #expect(try status(world)[0].reason == "its data has not been requested yet")
  }

  @Test("the status of a region that fails its checks names them")
  func refused() throws {
    let world = try World()
    try world.change("min-edges: 50", to: "min-edges: 500")
    try world.run()
    let region = try status(world)[0]
    #expect(region.state == .failed)
    #expect(region.reason == "check min-edges: 100 edges, at least 500 required")
  }

  @Test("a bundle that was changed is stale")
  func touched() throws {
    let world = try World()
    try world.run()
    try world.folder.write("mine", to: "out/west/west.routing.db")
    #expect(try status(world).map(\.state) == [.stale, .fresh])
    #expect(try status(world)[0].reason == "the bundle was changed")
  }

  @Test("the age of data is counted from its timestamp")
  func age() throws {
    let world = try World()
    try world.run()
    var region = try status(world)[0]
    #expect(region.age(now: .now) == nil)
    region.bundle?.dataTimestamp = "2024-01-01T00:00:00Z"
    let now = try Date("2024-01-04T12:00:00Z", strategy: .iso8601)
    #expect(region.age(now: now).map { Int($0) } == 302_400)
    #expect(region.row(now: now)[5] == "2024-01-01\u{A0}(3\u{A0}d)")
    #expect(ageText(59 * 60) == "under 1 h")
    #expect(ageText(47 * 3600) == "47 h")
    region.bundle?.dataTimestamp = "yesterday"
    #expect(region.age(now: now) == nil)
  }

  @Test("a plan has every action in each format, with its dependencies")
  func plans() throws {
    let world = try World()
    try world.change("name: West", to: "name: 'We\"st'")
    let forecaster = try world.forecaster()
    let plan = forecaster.plan
    let outlook = PlanOutlook(forecaster, OutputFolder(plan.manifest).history())
    let text = plan.text(outlook).split(separator: "\n")
    #expect(text.count == 14)
    #expect(text[1].contains("decode-pbf") && text[1].contains("--region west=10.0,47.0,10.1,47.1"))
    #expect(text[6].contains("1,2,4,5"))
    #expect(text[13].hasPrefix("12 actions for 2 regions in 11 batches"))
    let json = try jsonText(String(decoding: encodeJSON(plan.json(outlook)), as: UTF8.self))
    let actions = try #require(json["actions"] as? [[String: Any]])
    #expect(actions.count == 12)
    #expect(actions[5]["after"] as? [Int] == [0, 1, 3, 4])
    #expect(actions[0]["job"] as? Int == actions[6]["job"] as? Int)
    let mermaid = plan.mermaid.split(separator: "\n")
    #expect(mermaid.first == "flowchart LR")
    #expect(mermaid.contains("  subgraph r0[\"We#quot;st\"]"))
    #expect(mermaid.contains("  s0 --> a0"))
    #expect(mermaid.contains("  a0 --> a1"))
    #expect(mermaid.count { $0.contains("-->") } == 2 + 18)
    let dot = plan.dot
    #expect(dot.contains("label=\"We\\\"st\";"))
    #expect(dot.split(separator: "\n").count { $0.contains("->") } == 2 + 18)
  }

  @Test("Graphviz reads the plan", .enabled(if: programInPath("dot") != nil))
  func graphviz() throws {
    let world = try World()
    let path = try world.folder.write(world.forecaster().plan.dot, to: "plan.dot")
    let result = try runProcess("dot", ["-Tcanon", path])
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("the starter is valid, its profile too, and nothing is overwritten")
  func initialises() throws {
    let folder = try TemporaryFolder()
    let target = folder.file("new/alps")
    #expect(CommandRunner.run(InitCommand.self, [target]) == .success)
    let manifest = try Manifest.load(target + "/cairn.yaml")
    #expect(manifest.regions.count == 2)
    try manifest.checkFiles(regions: manifest.regions, data: .skipped)
    #expect(CommandRunner.run(ManifestCommand.self, ["check", target + "/cairn.yaml"]) == .success)
    #expect(
      CommandRunner.run(ManifestCommand.self, ["check", "--data", target + "/cairn.yaml"])
        == .noInput)
    try folder.write("mine", to: "new/alps/profiles/easy.yaml")
    try FileManager.default.removeItem(atPath: target + "/cairn.yaml")
    #expect(CommandRunner.run(InitCommand.self, [target]) == .cannotCreate)
    #expect(try folder.read("new/alps/profiles/easy.yaml") == Array("mine".utf8))
    #expect(!pathExists(target + "/cairn.yaml"))
  }

  @Test("init takes an extract, a box and elevations, and calls them as the manifest's folder does")
  func initialisesRegion() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "Val d'Aran \"2\"-latest.osm.pbf")
    try makeFolders(folder.file("tiles"))
    let extract = folder.file("Val d'Aran \"2\"-latest.osm.pbf")
    func start(_ words: String...) -> (ExitCode, Manifest?) {
      let target = folder.file("new\(UInt32.random(in: .min ... .max))")
      let code = CommandRunner.run(InitCommand.self, [target] + words)
      return (code, try? Manifest.load(target + "/cairn.yaml"))
    }
    for (elevation, expected) in [
      ("copernicus-30", ["copernicus-30"]), ("skadi", ["skadi"]), ("none", []),
      (folder.file("tiles"), ["tiles"]), (folder.file("dem #1/*.tif"), ["dem #1"]),
    ] {
      let (code, manifest) = start(
        "--region", "0.6,42.6,1.05,42.9", "--pbf", extract, "--elevation", elevation)
      #expect(code == .success)
      let made = try #require(manifest)
      #expect(made.elevation.map(\.name) == expected)
      #expect(made.sources["val-d-aran-2"]?.path == extract)
      #expect(made.regions.map(\.id) == ["val-d-aran-2"])
      #expect(made.regions.map(\.name) == ["Val D Aran 2"])
      #expect(
        made.regions.map(\.shape) == [.box(.init(west: 0.6, south: 42.6, east: 1.05, north: 42.9))])
      #expect(made.regions[0].checks.elevationCoverage == (elevation == "none" ? nil : 0.95))
    }
    #expect(start("--region", "179,-17,-179,-16").1?.regions.count == 1)
    #expect(start("--elevation", "skadi").1?.regions.count == 2)
    #expect(start("--pbf", extract).0 == .usage)
    #expect(start("--region", "1,2,3").0 == .usage)
    #expect(start("--elevation", "copernicus30").0 == .usage)
  }

  @Test("the examples in the starter's comments are valid")
  func startersComments() throws {
    let folder = try TemporaryFolder()
    var isOptional = false
    let lines = Starter.manifest.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line -> Substring in
        if line.hasPrefix("# stages:") || line.hasPrefix("# resources:") { isOptional = true }
        if line.isEmpty { isOptional = false }
        return isOptional && line.hasPrefix("# ") ? line.dropFirst(2) : line
      }
    let path = try folder.write(lines.joined(separator: "\n"), to: "m.yaml")
    let manifest = try Manifest.load(path)
    #expect(manifest.stages.map(\.name) == ["contours"])
    #expect(manifest.resources(ofStage: "decode-pbf").memoryMiB == 8192)
    #expect(manifest.resources(ofStage: "validate").timeSeconds == 7200)
  }

  @Test("check reports the problems of every manifest and ends with the worst exit code")
  func checks() throws {
    let world = try World()
    let good = world.folder.file("m.yaml")
    let bad = try world.folder.write("cairn: 1\n", to: "bad.yaml")
    #expect(CommandRunner.run(ManifestCommand.self, ["check", "-q", good]) == .success)
    #expect(CommandRunner.run(ManifestCommand.self, ["check", "-q", bad, good]) == .configuration)
    #expect(CommandRunner.run(ManifestCommand.self, ["check"]) == .noInput)
    #expect(CommandRunner.run(ManifestCommand.self, ["chekc", good]) == .usage)
    try world.folder.write(World.profile + "climb-factr: 1\n", to: "mine.yaml")
    #expect(CommandRunner.run(ManifestCommand.self, ["check", "-q", good]) == .configuration)
  }

  @Test("the doctor finds programs that are missing, broken or of another version")
  func doctor() throws {
    let world = try World()
    let whole = try bytesOfFile(packageRoot + "/sample-data/valley.osm.pbf")
    try world.folder.write(whole, to: "valley.osm.pbf")
    try world.folder.write([UInt8](repeating: 0, count: 1201 * 1201 * 2), to: "hgt/N47E010.hgt")
    for name in ["cairn"] + Stage.processNames.map({ "cairn-\($0)" }) {
      try world.writeExecutable("#!/bin/sh\necho \"${0##*/} \(cairnVersion)\"\n", name)
    }
    func wrong() -> [Finding] {
      Checkup(binaries: world.folder.file("bin"), manifest: world.folder.file("m.yaml")).all
        .filter { $0.verdict == .wrong }
    }
    #expect(wrong() == [])
    try world.folder.write(Array(whole.dropLast(9)), to: "valley.osm.pbf")
    try world.folder.write("tile", to: "hgt/N47E010.hgt")
    #expect(wrong().map(\.subject) == ["source valley", "elevation of west"])
    try FileManager.default.removeItem(atPath: world.folder.file("bin/cairn-validate"))
    try world.writeExecutable("#!/bin/sh\necho lib.so: not found >&2; exit 127\n", "cairn-fetch")
    try world.writeExecutable("#!/bin/sh\necho cairn-build-graph 0.0.1\n", "cairn-build-graph")
    try world.folder.write("cairn: 2\n", to: "m.yaml")
    let found = wrong()
    #expect(
      found.map(\.subject) == ["cairn-fetch", "cairn-build-graph", "cairn-validate", "manifest"])
    #expect(found[0].message == "does not run: lib.so: not found")
    #expect(found[1].message == "is version 0.0.1, but this is \(cairnVersion)")
    #expect(found.allSatisfy { $0.fix != nil })
    #expect(found[0].text.contains("\n         fix: "))
    #expect(
      CommandRunner.run(
        DoctorCommand.self, ["--json", "--bin", world.folder.file("bin")]) == .negative)
  }
}
