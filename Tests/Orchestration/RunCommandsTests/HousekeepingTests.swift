// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Planning
import Publishing
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline
@testable import RunCommands

@Suite("Room on the disk, and the way back")
struct HousekeepingTests {
  /// Two runs, the second one with another extract.
  private func rebuiltWorld() throws -> World {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    return world
  }

  private func words(_ world: World) throws -> [String] {
    try world.collector().items().map(\.what)
  }

  @Test("results of earlier inputs are removed, and those that the next run needs are kept")
  func earlierResults() throws {
    let world = try World()
    #expect(try world.collector().items().isEmpty, "nothing was ever made")
    try world.run()
    #expect(try world.collector().items().isEmpty)
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    let items = try world.collector().items()
    #expect(items.count { $0.what == "build-graph of west" } == 1)
    #expect(items.count == 10)
    #expect(items.allSatisfy { $0.bytes > 0 })
    #expect(try world.collector().remove(items).isEmpty)
    #expect(try world.collector().items().isEmpty)
    let before = try world.publishedFiles
    #expect(try world.run().isNothingToDo)
    #expect(try world.publishedFiles == before)
  }

  @Test("results that may be needed after a stage that must run are kept")
  func uncertainResults() throws {
    let world = try World()
    try world.run()
    try world.folder.write("first line\nanother second line\n", to: "valley.osm.pbf")
    #expect(try words(world).isEmpty)
  }

  @Test("nothing is removed that Cairn did not make, wherever it is")
  func foreign() throws {
    let world = try rebuiltWorld()
    try world.before(.validate, "exit 70")
    try world.run(force: true)
    // A kill has left two attempts.
    for name in ["west.validate.1.1/report.json", "west.decode-pbf.1.1/.region.trails.x.tmp"] {
      try makeFoldersAbove(world.folder.file("out/.cairn/attempts/" + name))
      try world.folder.write("{", to: "out/.cairn/attempts/" + name)
    }
    let root = world.folder.file("out")
    let folders = try FileManager.default.subpathsOfDirectory(atPath: root).map { root + "/" + $0 }
      .filter { (try? FileManager.default.contentsOfDirectory(atPath: $0)) != nil }
    let key = String(repeating: "a", count: 64)
    let names = ["notes.txt", ".hidden", "7", key, "mine.json", "folder/diary", "west.own"]
    for folder in folders + [root] {
      for name in names {
        let path = folder + "/" + name
        try makeFoldersAbove(path)
        try "mine".write(toFile: path, atomically: true, encoding: .utf8)
      }
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: world.folder.file("m.yaml"))
    }
    #expect(folders.count > 30)
    func count() throws -> Int {
      try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
        (names + ["link"]).contains { path.hasSuffix("/" + $0) || path == $0 }
      }.count
    }
    let before = try count()
    #expect(before == (folders.count + 1) * (names.count + 1))
    let items = try world.collector().items()
    #expect(items.count > 10)
    #expect(items.allSatisfy { !$0.path.hasSuffix("own") && !$0.path.hasSuffix(key) })
    #expect(try !world.collector().remove(items).isEmpty)
    #expect(try count() == before)
    #expect(try words(world) == [])
    // Nor does a run remove any, which replaces bundles and results.
    try world.before(.validate, "")
    try world.folder.write("changed once more\n", to: "valley.osm.pbf")
    #expect(try world.run(force: true).failures.isEmpty)
    #expect(try count() == before)
    #expect(try world.collector().remove(world.collector().items()).isEmpty == false)
    #expect(try count() == before)
  }

  private func makeFoldersAbove(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
  }

  @Test("of former regions nothing is kept, not even the published bundle")
  func formerRegion() throws {
    let world = try rebuiltWorld()
    let manifest = try world.text("m.yaml").split(separator: "\n").filter {
      !$0.contains("id: east")
    }
    try world.folder.write(manifest.joined(separator: "\n"), to: "m.yaml")
    let found = try words(world)
    #expect(found.contains("an earlier bundle of east"))
    #expect(found.count { $0 == "a record of a former region" } == 5)
    #expect(found.count { $0 == "the warnings of a former region" } == 1)
    #expect(try world.collector().remove(world.collector().items()).isEmpty)
    #expect(try words(world).isEmpty)
    #expect(pathExists(world.folder.file("out/west/west.routing.db")))
    #expect(!pathExists(world.folder.file("out/east")))
    #expect(!pathExists(world.folder.file("out/.cairn/previous/east")))
  }

  @Test("the log of the last failure is kept until the stage succeeds")
  func failedAttempt() throws {
    let world = try World()
    try world.before(.validate, "exit 70")
    let log = try #require(try world.run(regions: ["west"]).failures.first?.log)
    #expect(try words(world).isEmpty)
    #expect(pathExists(log))
    try FileManager.default.createDirectory(
      atPath: world.folder.file("out/.cairn/attempts/west.validate.1.1"),
      withIntermediateDirectories: true)
    #expect(try words(world) == ["an attempt at validate of west"])
  }

  @Test("the command removes nothing with --dry-run")
  func command() throws {
    let world = try rebuiltWorld()
    let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin"), "-q"]
    #expect(CommandRunner.run(GCCommand.self, words + ["-n"]) == .success)
    #expect(try world.collector().items().count == 10)
    #expect(CommandRunner.run(GCCommand.self, words) == .success)
    #expect(try world.collector().items().isEmpty)
  }

  @Test("what it says to be freed is freed, although earlier bundles share files with results")
  func freedBytes() throws {
    let world = try rebuiltWorld()
    func kept() -> Int {
      removableBytes(
        [".cairn/actions", ".cairn/previous", "west", "east"].map { world.folder.file("out/" + $0) }
      ).freed
    }
    let before = kept()
    let items = try world.collector().items()
    let bytes = removableBytes(items.map(\.path))
    #expect(bytes.freed > 0)
    #expect(bytes.shared > 0)
    #expect(items.reduce(0) { $0 + $1.bytes } == bytes.freed + bytes.shared)
    #expect(try world.collector().remove(items).isEmpty)
    #expect(before - kept() == bytes.freed)
  }

  private func rollBack(_ world: World, _ words: String...) -> ExitCode {
    CommandRunner.run(RollbackCommand.self, [world.folder.file("m.yaml")] + words + ["-q"])
  }

  @Test("after a run with failures gc keeps what the regions that failed may need again")
  func afterFailures() throws {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.folder.write("8\n", to: "bin/cannot-east")
    #expect(try world.run().exitCode == .negative)
    let first = try words(world)
    #expect(first.contains("decode-pbf of west"), "\(first)")
    #expect(!first.contains { $0.hasSuffix("of east") }, "\(first)")
    // A missing source says nothing about the last results, so they are kept.
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    #expect(try !words(world).contains { $0.hasSuffix("of east") })
    _ = try world.collector().remove(world.collector().items())
    try FileManager.default.removeItem(atPath: world.folder.file("bin/cannot-east"))
    try world.folder.write("first line\nsecond line\n", to: "valley.osm.pbf")
    try world.run(regions: ["east"])
    #expect(world.calls.isEmpty, "nothing of it was removed")
  }

  @Test("a bundle that was rolled back is not published until the inputs change")
  func rollback() throws {
    let world = try World()
    try world.run()
    let first = try world.text("out/west/west.routing.db")
    #expect(rollBack(world, "west") == .noInput, "there is no earlier one")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    #expect(rollBack(world, "west") == .success)
    #expect(try world.text("out/west/west.routing.db") == first)
    #expect(try world.text("out/east/east.routing.db").contains(" changed\n"))
    let summary = try world.run()
    #expect(summary.regions.map(\.isHeld) == [true, false])
    #expect(summary.exitCode == .success && !summary.isNothingToDo)
    #expect(try world.text("out/west/west.routing.db") == first)
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.map(\.status) == [.stale, .fresh])
    #expect(index.regions.first?.reason == HeldBundle.rolledBackReason)
    let status = RegionStatus(0, try world.forecaster(), [:])
    #expect(status.state == .stale)
    let held = try #require(try world.heldBack("west"))
    #expect(status.reason == held)
    #expect(held.contains(#/^held back since 20\d\d-\d\d-\d\d: its current bundle was rolled /#))
    #expect(rollBack(world, "west") == .noInput, "the rejected one is nothing to go back to")
    // The inputs of what is published are back: nothing is held back.
    try world.folder.write("first line\nsecond line\n", to: "valley.osm.pbf")
    #expect(try world.run(regions: ["west"]).isNothingToDo)
    let fresh = RegionStatus(0, try world.forecaster(), [:])
    #expect(fresh.state == .fresh && !fresh.isHeld)
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    #expect(try world.run().regions.map(\.isHeld) == [true, false])
    try world.folder.write("changed again\n", to: "valley.osm.pbf")
    #expect(try world.run().regions.map(\.isHeld) == [false, false])
    #expect(try world.text("out/west/west.routing.db").contains(" changed again\n"))
  }

  @Test("status, explain-run and the run's table show a rollback, and their exit codes agree")
  func visibleRollback() throws {
    let world = try rebuiltWorld()
    #expect(rollBack(world, "west") == .success)
    let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin")]
    func codes() -> [ExitCode] {
      [
        CommandRunner.run(StatusCommand.self, words),
        CommandRunner.run(ExplainRunCommand.self, words),
        CommandRunner.run(RunCommand.self, words + ["-q"]),
      ]
    }
    let held = try #require(try world.heldBack("west"))
    #expect(
      try world.orchestrator().forecast()
        == ["west: would not publish: \(held)", "east: up to date"])
    #expect(codes() == [.success, .success, .success])
    #expect(try world.run().text().contains(/west .* held back\n/))
    // Now the new data fails its checks, too.
    try world.change("min-edges: 50", to: "min-edges: 500")
    #expect(codes() == [.negative, .negative, .negative])
    let status = RegionStatus(0, try world.forecaster(), [:])
    #expect(status.isHeld && status.state == .stale)
    #expect(status.reason?.contains("check min-edges") == true)
    #expect(status.reason?.hasSuffix(PublishedIndex.rolledBack) == true)
    let summary = try world.run()
    #expect(summary.regions.map(\.isHeld) == [true, false])
    #expect(summary.text().contains(/west .* FAILED, rolled back\n/))
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.first?.reason?.hasSuffix(PublishedIndex.rolledBack) == true)
    #expect(index.regions.last?.reason?.contains(PublishedIndex.rolledBack) == false)
  }

  @Test("a rollback does not publish an incomplete bundle")
  func damagedPrevious() throws {
    let world = try World()
    for text in ["one\n", "two\n", "three\n"] {
      try world.folder.write(text, to: "valley.osm.pbf")
      _ = try world.orchestrator(change: { $0.keepPrevious = 2 }).run()
    }
    let home = world.folder.file("out/.cairn/previous/west")
    try FileManager.default.removeItem(atPath: home + "/2/west.routing.db")
    #expect(rollBack(world, "west") == .success)
    #expect(try world.text("out/west/west.routing.db").contains(" one\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
  }

  @Test("a rollback keeps an earlier bundle that cannot be read, and says so")
  func unreadablePrevious() throws {
    let world = try World()
    for text in ["one\n", "two\n"] {
      try world.folder.write(text, to: "valley.osm.pbf")
      try world.run()
    }
    let home = world.folder.file("out/.cairn/previous/west/1")
    var record = try #require(BundleRecord(inFolder: home))
    let file = try #require(record.files["west.routing.db"])
    record.files["west.routing.db"] = FileRecord(bytes: 0, sha256: file.sha256)
    try world.folder.write(encodeJSON(record), to: "out/.cairn/previous/west/1/bundle.json")
    try FileManager.default.removeItem(atPath: home + "/west.routing.db")
    // It can be opened, and no byte of it can be read.
    try FileManager.default.createSymbolicLink(
      atPath: home + "/west.routing.db", withDestinationPath: "/proc/self/mem")
    let before = try FileManager.default.contentsOfDirectory(atPath: home).sorted()
    #expect(rollBack(world, "west") == .ioError)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home).sorted() == before)
  }

  @Test("a rollback can be undone")
  func undo() throws {
    let world = try rebuiltWorld()
    let after = try world.publishedFiles
    #expect(rollBack(world, "west") == .success)
    #expect(rollBack(world, "west", "--undo") == .success)
    try world.run()
    #expect(world.calls.isEmpty)
    #expect(try world.publishedFiles == after)
    #expect(rollBack(world, "wset") == .usage)
  }

  @Test("as many earlier bundles are kept as requested", arguments: [0, 1, 2])
  func keepPrevious(count: Int) throws {
    let world = try World()
    for round in 0..<4 {
      try world.folder.write("\(round)\n", to: "valley.osm.pbf")
      try world.run(regions: ["west"]) { $0.keepPrevious = count }
    }
    let home = world.folder.file("out/.cairn/previous/west")
    let kept = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    #expect(kept.count == count)
    if count > 0 {
      #expect(rollBack(world, "west") == .success)
      #expect(try world.text("out/west/west.routing.db").contains(" 2\n"))
    }
  }
}

extension World {
  /// Since when and why a bundle of a region is held back.
  fileprivate func heldBack(_ id: String) throws -> String? {
    try forecaster().publisher.earlier.held(id)?.text
  }
}
