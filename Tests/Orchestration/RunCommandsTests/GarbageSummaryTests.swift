// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Pipeline
import Planning
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import RunCommands

@Suite("What gc removes, by region")
struct GarbageSummaryTests {
  private func summary(_ world: World) throws -> GarbageSummary {
    let collector = try world.collector()
    return GarbageSummary(
      try collector.items(), regions: ["west", "east"], others: [], collector.publisher.index)
  }

  /// Two runs, the second one with another extract.
  private func rebuiltWorld() throws -> World {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    return world
  }

  private func removeEast(_ world: World) throws {
    let lines = try world.text("m.yaml").split(separator: "\n")
    try world.folder.write(
      lines.filter { !$0.contains("id: east") }.joined(separator: "\n"), to: "m.yaml")
  }

  @Test("each region has its number of results and their size, in the order of the manifest")
  func regions() throws {
    #expect(try summary(World()).table == "")
    let world = try rebuiltWorld()
    let items = try world.collector().items()
    let summary = try summary(world)
    #expect(summary.rows.map(\.region) == ["west", "east"])
    #expect(summary.rows.map(\.results) == [5, 5] && summary.rows.map(\.others) == [0, 0])
    #expect(summary.rows.reduce(0) { $0 + $1.bytes } == items.reduce(0) { $0 + $1.bytes })
    let bytes = removableBytes(items.map(\.path))
    #expect(summary.rows.reduce(0) { $0 + $1.bytes } == bytes.freed + bytes.shared)
    let lines = summary.table.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].contains(#/^region +results +other +size/#))
    #expect(lines[1].contains(#/^west +5 +0 +[0-9.]+ kB/#), "\(lines)")
  }

  @Test("what belongs to no region of the manifest is apart, and says what it is")
  func apart() throws {
    let world = try rebuiltWorld()
    let key = String(repeating: "a", count: 64)
    try makeFolders(world.folder.file("out/.cairn/downloads"))
    try world.folder.write("part", to: "out/.cairn/downloads/\(key).part")
    let damaged = try #require(
      try world.collector().items().first { $0.region == "west" && $0.isResult })
    try FileManager.default.removeItem(atPath: damaged.path + "/command.json")
    try removeEast(world)
    let collector = try world.collector()
    let now = GarbageSummary(
      try collector.items(), regions: ["west"], others: [], collector.publisher.index)
    #expect(now.rows.map(\.region) == ["west", "east", nil])
    #expect(now.rows[0].note == "" && now.rows[0].results == 4)
    #expect(now.rows[1].note == "not in the manifest, with its published bundle")
    // Both runs of its five stages; their records, its warnings and its bundles.
    #expect(now.rows[1].results == 10 && now.rows[1].others == 5 + 1 + 2)
    #expect(now.rows[2].results == 1 && now.rows[2].others == 1)
    #expect(now.rows[2].note == "of no region: a damaged result and an unfinished download")
    let other = GarbageSummary(
      try collector.items(), regions: ["west"], others: ["east"], collector.publisher.index)
    #expect(other.rows[1].note.hasPrefix("of another manifest"))
    #expect(now.table.split(separator: "\n").last?.hasPrefix("– ") == true)
  }

  @Test("every item of a region has it, whatever the item is")
  func kinds() throws {
    let world = try rebuiltWorld()
    try makeFolders(world.folder.file("out/.cairn/attempts/west.validate.1.1"))
    try removeEast(world)
    for item in try world.collector().items() {
      #expect(item.region == "east" || item.region == "west", "\(item)")
      #expect(
        item.region.map { item.what.contains($0) || item.what.contains("former region") } == true,
        "\(item)")
    }
  }

  @Test("the command takes --verbose and --quiet, and removes the same")
  func command() throws {
    for more in [[], ["-v"], ["-q"]] {
      let world = try rebuiltWorld()
      let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin")] + more
      #expect(CommandRunner.run(GCCommand.self, words + ["-n"]) == .success)
      #expect(try world.collector().items().count == 10)
      #expect(CommandRunner.run(GCCommand.self, words) == .success)
      #expect(try world.collector().items().isEmpty)
    }
  }
}
