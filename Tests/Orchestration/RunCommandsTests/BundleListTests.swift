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

@Suite("What a rollback can go back to")
struct BundleListTests {
  private func publisher(_ world: World) throws -> Publisher {
    OutputFolder(try Manifest.load(world.folder.file("m.yaml"))).publisher()
  }

  /// The kinds of the bundles of west, with the edges of each and what is noted.
  private func rows(_ world: World) throws -> [String] {
    try BundleList("west", publisher(world)).rows.map {
      "\($0.kind) \($0.record?.counts.edges ?? 0) \($0.note)"
    }
  }

  private func rollBack(_ world: World, _ words: String...) -> ExitCode {
    CommandRunner.run(RollbackCommand.self, [world.folder.file("m.yaml")] + words)
  }

  /// A world whose west was published with 60, 70 and 80 edges.
  private func world() throws -> World {
    let world = try World()
    for edges in [60, 70, 80] {
      try world.folder.write("\(edges)\n", to: "bin/edges")
      try world.folder.write("\(edges)\n", to: "valley.osm.pbf")
      try world.run(regions: ["west"]) { $0.keepPrevious = 2 }
    }
    return world
  }

  @Test("the current bundle is first, then the earlier ones as rollbacks publish them")
  func order() throws {
    let world = try world()
    #expect(try rows(world) == ["current 80 ", "earlier 70 ", "earlier 60 "])
    #expect(rollBack(world, "west", "-q") == .success)
    let held = try #require(try publisher(world).earlier.held("west")).text
    #expect(try rows(world) == ["current 70 ", "earlier 60 ", "held back 80 \(held)"])
    // What is published is not held back, whatever was rolled back before.
    #expect(rollBack(world, "west", "--undo", "-q") == .success)
    #expect(try rows(world) == ["current 70 ", "earlier 60 "])
  }

  @Test("a rollback passes over what is noted as damaged, and publishes the next one")
  func damaged() throws {
    let world = try world()
    try FileManager.default.removeItem(
      atPath: world.folder.file("out/.cairn/previous/west/2/west.routing.db"))
    #expect(
      try rows(world)
        == ["current 80 ", "earlier 70 damaged: a rollback passes over it", "earlier 60 "])
    #expect(rollBack(world, "west", "-q") == .success)
    #expect(try rows(world).first == "current 60 ")
  }

  @Test("what drift refused is listed with its finding, and a damaged record with its path")
  func heldBack() throws {
    let world = try world()
    let earlier = try publisher(world).earlier
    var bundle = try #require(BundleRecord(world.folder.file("out/west/bundle.json")))
    bundle.counts.edges = 9
    try earlier.hold(
      HeldBundle(bundle, time: 0, drift: .init(limit: 0.1, findings: "check max-drift: nodes")))
    #expect(
      try rows(world).last
        == "held back 9 held back since 1970-01-01: check max-drift: nodes; the published bundle "
        + "is kept until the inputs change, or until cairn run --accept-drift west")
    try world.folder.write("{", to: "out/.cairn/rejected/west.json")
    #expect(try rows(world).last?.contains("rejected/west.json: is damaged") == true)
  }

  @Test("the table has dates, edges and sizes as far as they are known")
  func table() throws {
    let world = try world()
    for folder in ["west", ".cairn/previous/west/1", ".cairn/previous/west/2"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 90_061)],
        ofItemAtPath: world.folder.file("out/\(folder)/bundle.json"))
    }
    let lists = try ["west", "east"].map { BundleList($0, try publisher(world)) }
    let size = try #require(lists[0].rows[0].record?.bytes)
    let lines = BundleList.table(lists).split(separator: "\n").map(String.init)
    #expect(lines[0].contains(#/^region +bundle +made \(UTC\) +data +edges +size/#))
    #expect(lines[1].contains(#/^west +current +1970-01-02 01:01 +– +80 +[0-9.]+ kB/#), "\(lines)")
    #expect(lines[3].contains(#/^west +earlier +1970-01-02 01:01 +– +60 /#))
    #expect(lines[4].contains(#/^east +none published +– +– +– +–/#))
    #expect(lines.count == 5 && size > 0)
  }

  @Test("the command lists one region or all, and writes nothing")
  func command() throws {
    let world = try World()
    #expect(rollBack(world, "--list") == .noInput)
    try world.run()
    let before = try FileManager.default.subpathsOfDirectory(atPath: world.folder.file("out"))
    #expect(rollBack(world, "--list") == .success)
    #expect(rollBack(world, "--list", "west") == .success)
    #expect(rollBack(world, "--list", "wset") == .usage)
    #expect(rollBack(world, "--list", "west", "east") == .usage)
    #expect(rollBack(world, "--list", "--undo", "west") == .usage)
    #expect(rollBack(world) == .usage)
    let after = try FileManager.default.subpathsOfDirectory(atPath: world.folder.file("out"))
    #expect(after.sorted() == before.sorted())
  }
}
