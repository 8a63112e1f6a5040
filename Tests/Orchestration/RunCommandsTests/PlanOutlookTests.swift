// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Planning
import Publishing
import RunSupport
import TestSupport
import Testing

@testable import RunCommands

@Suite("What a run would do, and how long that takes")
struct PlanOutlookTests {
  private func outlook(_ world: World) throws -> PlanOutlook {
    let forecaster = try world.forecaster()
    return PlanOutlook(forecaster, OutputFolder(forecaster.plan.manifest).history())
  }

  /// Records that each stage of a region took so many seconds.
  private func record(_ world: World, _ id: String, seconds: Double, but missing: String? = nil)
    throws
  {
    let plan = try world.forecaster().plan
    let history = OutputFolder(plan.manifest).history()
    for action in plan.actions where plan.regions[action.region].id == id {
      guard action.stage.isProcess, action.stage.rawValue != missing else { continue }
      history.add(
        .init(wallSeconds: seconds, peakBytes: 1, inputBytes: 1, outputBytes: 1), region: id,
        stage: action.stage.rawValue)
    }
    try history.save()
  }

  private func lines(_ world: World) throws -> [String] {
    let outlook = try outlook(world)
    return (outlook.table + outlook.sum).split(separator: "\n").map(String.init)
  }

  @Test("before the first run all is new and takes an unknown time")
  func new() throws {
    let world = try World()
    let text = try lines(world)
    #expect(text.count == 4)
    #expect(text[1].contains(#/^west +new +– +decode-pbf and 5 more: not built yet$/#), "\(text)")
    #expect(text[3] == "2 of 2 regions to do: the time of 2 regions is unknown")
    #expect(!FileManager.default.fileExists(atPath: world.folder.file("out")))
  }

  @Test("each region has its state, what is to do and its own time, and there is a sum")
  func changed() throws {
    let world = try World()
    try world.run()
    #expect(try lines(world).last == "2 regions, nothing to do")
    #expect(try lines(world)[1].contains(#/^west +up to date *$/#))
    try record(world, "west", seconds: 100)
    try record(world, "east", seconds: 7)
    try world.folder.write(
      World.profile.replacing("climb-factor: 8", with: "climb-factor: 9"), to: "mine.yaml")
    var text = try lines(world)
    #expect(
      text[1].contains(
        #/^west +changed +3 min +compute-costs and 2 more: profile mine.yaml changed$/#), "\(text)")
    #expect(text[2].contains(#/^east +changed +14 s +compute-costs and 2 more: profile /#))
    #expect(text[3] == "2 of 2 regions to do: 4 min one after another")
    // The time of another region is none of its own.
    try world.change(
      "regions:",
      to: """
        regions:
          - { id: south, name: South, bbox: [10.00, 46.90, 10.10, 47.00] }
        """)
    text = try lines(world)
    #expect(text[1].contains(#/^south +new +– +decode-pbf and 5 more: not built yet$/#), "\(text)")
    #expect(
      text[4] == "3 of 3 regions to do: 4 min one after another; the time of 1 region is "
        + "unknown")
    try world.run(regions: ["south"])
    #expect(try lines(world).last?.hasPrefix("2 of 3 regions to do: 4 min one") == true)
  }

  @Test("a region with a part that never ran there takes an unknown time")
  func partlyUnknown() throws {
    let world = try World()
    try world.run()
    try FileManager.default.removeItem(atPath: world.folder.file("out/.cairn/history.json"))
    try record(world, "west", seconds: 1, but: "validate")
    try record(world, "east", seconds: -1)
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    var outlook = try outlook(world)
    #expect(outlook.regions.map(\.seconds) == [nil, nil])
    let seconds = outlook.regions[0].actions.map(\.seconds)
    #expect(seconds == [1, 1, 1, 1, nil, nil])
    #expect(outlook.sum == "2 of 2 regions to do: the time of 2 regions is unknown\n")
    // Nobody records how long publishing takes, which alone is to do here.
    try world.run()
    try world.folder.write("mine", to: "out/west/west.routing.db")
    outlook = try self.outlook(world)
    #expect(outlook.regions.map(\.state) == [.changed, .upToDate])
    #expect(outlook.regions.map(\.seconds) == [nil, 0])
    #expect(outlook.sum == "1 of 2 regions to do: the time of 1 region is unknown\n")
  }

  @Test("what is held back, refused or blocked is nothing to do, and says why")
  func withheld() throws {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(RollbackCommand.self, ["-q", manifest, "west"]) == .success)
    var text = try lines(world)
    #expect(text[1].contains(#/^west +held back +held back since 20.*its current bundle was /#))
    #expect(text[3] == "2 regions, nothing to do")
    try world.change("min-edges: 50", to: "min-edges: 500")
    text = try lines(world)
    #expect(text[2].contains(#/^east +refused +.*check min-edges: 100 edges/#), "\(text)")
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    text = try lines(world)
    #expect(text[1].contains(#/^west +blocked +– +.*valley.osm.pbf/#), "\(text)")
    #expect(text[3] == "2 regions, nothing to do")
  }

  @Test("the formats of the command agree, and it needs no earlier run")
  func command() throws {
    let world = try World()
    let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin")]
    for more in [[], ["-v"], ["--format", "json"], ["--format", "dot"], ["--format", "mermaid"]] {
      #expect(CommandRunner.run(PlanCommand.self, words + more) == .success, "\(more)")
    }
    try world.run()
    try record(world, "west", seconds: 2)
    try world.change("profiles: [hiking, mine.yaml]", to: "profiles: [hiking]")
    let forecaster = try world.forecaster()
    let outlook = try outlook(world)
    let json = try jsonText(
      String(decoding: encodeJSON(forecaster.plan.json(outlook)), as: UTF8.self))
    let regions = try #require(json["regions"] as? [[String: Any]])
    #expect(regions[0]["id"] as? String == "west" && regions[0]["state"] as? String == "changed")
    #expect(regions[0]["seconds"] as? Double == 4)
    #expect(regions[0]["toDo"] as? [String] == ["compute-costs", "validate", "publish"])
    #expect(regions[0]["reason"] as? String == "profiles: now hiking (was hiking, mine.yaml)")
    let actions = try #require(json["actions"] as? [[String: Any]])
    #expect(
      actions.prefix(6).map { $0["state"] as? String } == [
        "up to date", "up to date", "up to date", "changed", "follows", "follows",
      ])
    let table = forecaster.plan.text(outlook).split(separator: "\n")
    #expect(table[4].contains(#/ compute-costs +3 +changed +2 s +--input/#), "\(table)")
    #expect(table[1].contains(#/ decode-pbf +up to date +--input/#), "\(table)")
  }
}
