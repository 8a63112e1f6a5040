// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import Manifests
import Pipeline
import Planning
import RunCommands
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Publishing

@Suite("Several manifests with one output")
struct SharedOutputTests {
  private static let own = ["west", "east"]

  /// Lets the manifest be one of the name, with these regions.
  private func become(_ name: String, _ regions: [String], _ world: World) throws {
    let lines = try world.text("m.yaml").split(separator: "\n").map(String.init)
    let head = lines.prefix { $0 != "regions:" }.map {
      $0.hasPrefix("name: ") ? "name: \(name)" : $0
    }
    let entries = regions.map { id in
      "  - { id: \(id), name: \(id), bbox: [10.00, 47.00, 10.10, 47.10] }"
    }
    try world.folder.write(
      (head + ["regions:"] + entries).joined(separator: "\n") + "\n", to: "m.yaml")
  }

  /// Runs two manifests, of a region each.
  private func runBoth(_ world: World) throws {
    for (name, region) in [("north", "a"), ("south", "b")] {
      try become(name, [region], world)
      try world.run()
    }
  }

  private func index(_ world: World) throws -> IndexRecord {
    try #require(IndexRecord(inFolder: world.folder.file("out")))
  }

  private func told(_ world: World) throws -> [String] {
    try index(world).regions.map { "\($0.manifest ?? "") \($0.id) \($0.status)" }
  }

  private func collect(_ world: World) throws -> [String] {
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: nil)
    let collector = try GarbageCollector(
      plan, OutputFolder(plan.manifest),
      Orchestrator.Options(
        programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1))
    let items = try collector.items()
    #expect(try collector.remove(items).isEmpty)
    return items.map(\.what)
  }

  @Test("the index has the regions of both, whichever ran last")
  func both() throws {
    let world = try World()
    try become("north", ["a", "b"], world)
    try world.run()
    try become("south", ["c"], world)
    try world.run()
    let expected = ["north a fresh", "north b fresh", "south c fresh"]
    #expect(try told(world) == expected)
    #expect(try index(world).name == "north, south")
    let bytes = try world.text("out/index.json")
    try become("north", ["a", "b"], world)
    #expect(try world.run().isNothingToDo)
    #expect(try world.text("out/index.json") == bytes)
    let total = try index(world).regions.reduce(0) { $0 + ($1.totalBytes ?? 0) }
    #expect(try index(world).totalBytes == total)
  }

  @Test("a region of another manifest is refused before anything runs, with both names")
  func conflict() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    try become("south", ["b", "a"], world)
    #expect {
      try world.run()
    } throws: {
      let error = $0 as? CairnError
      return error?.exitCode == .configuration && error?.message.contains("“north”") == true
        && error?.message.contains("“south”") == true
    }
    #expect(world.calls.isEmpty)
    #expect {
      try Manifest.load(world.folder.file("m.yaml")).checkOutput()
    } throws: { ($0 as? CairnError)?.exitCode == .configuration }
  }

  @Test("a region that left its manifest is named, stays, and is removed by gc alone")
  func left() throws {
    let world = try World()
    try become("north", ["a", "b"], world)
    try world.run()
    try become("south", ["c"], world)
    try world.run()
    try become("north", ["a"], world)
    #expect(RegionStatus(left: "b", try world.forecaster().publisher).state == .left)
    let summary = try world.run()
    #expect(summary.left == ["b"])
    #expect(summary.text().contains("no longer in the manifest is b: its bundle stays"))
    #expect(try told(world) == ["north a fresh", "north b left", "south c fresh"])
    #expect(pathExists(world.folder.file("out/b/b.routing.db")))
    try world.folder.write("mine", to: "out/b/notes.txt")
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: nil)
    var collector = try GarbageCollector(
      plan, OutputFolder(plan.manifest),
      Orchestrator.Options(
        programs: StagePrograms(folder: world.folder.file("bin")), parallelism: 1))
    collector.keepsLeft = true
    #expect(try collector.items().allSatisfy { !$0.what.contains("which left") })
    collector.keepsLeft = false
    let items = try collector.items()
    #expect(items.map(\.what).contains("the bundle of b, which left the manifest"))
    #expect(try collector.remove(items).count == 1, "a file of somebody's was in it")
    #expect(!pathExists(world.folder.file("out/b")))
    #expect(try world.text("out/.cairn/kept/b.1/notes.txt") == "mine")
    #expect(try told(world) == ["north a fresh", "south c fresh"])
    #expect(try world.run().left.isEmpty)
    // What the other manifest needs is still there.
    try become("south", ["c"], world)
    #expect(try world.run().isNothingToDo)
  }

  @Test("another manifest takes over a region that left")
  func takeover() throws {
    let world = try World()
    try become("north", ["a", "b"], world)
    try world.run()
    try runBoth(world)
    #expect(try told(world) == ["north a fresh", "south b fresh"])
    #expect(try collect(world).allSatisfy { !$0.contains("which left") })
    #expect(pathExists(world.folder.file("out/b/b.routing.db")))
    try become("north", ["a"], world)
    #expect(try world.run().left.isEmpty)
  }

  @Test("an index of an earlier version has regions of the manifest that it names")
  func earlierIndex() throws {
    let world = try World()
    try become("north", ["a", "b"], world)
    try world.run()
    let text = try world.text("out/index.json").replacing(#""manifest" : "north","#, with: "")
    try world.folder.write(text, to: "out/index.json")
    try become("north", ["a"], world)
    #expect(try world.run().left == ["b"])
  }

  @Test("a second run with the same output waits for nothing and leaves the index alone")
  func lock() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    let bytes = try world.text("out/index.json")
    let folder = OutputFolder(try Manifest.load(world.folder.file("m.yaml")))
    let lock = try folder.lock()
    try withExtendedLifetime(lock) {
      try become("south", ["c"], world)
      #expect {
        try world.run()
      } throws: { ($0 as? CairnError)?.exitCode == .temporaryFailure }
    }
    #expect(try world.text("out/index.json") == bytes)
  }

  private func failed(_ world: World) throws -> Set<String> {
    Set(RegionStatus.recorded(try world.forecaster()).filter { $1.status == .failed }.keys)
  }

  @Test("regions that no run has published are in no index, whatever becomes of their manifest")
  func ghosts() throws {
    let world = try World()
    try world.folder.write("65\n", to: "bin/cannot-a")
    try world.folder.write("65\n", to: "bin/cannot-b")
    try become("alps", ["a", "b", "c"], world)
    try world.run()
    #expect(try told(world) == ["alps c fresh"])
    #expect(try failed(world) == ["a", "b"])
    try become("alps", ["c", "d"], world)
    try world.run()
    #expect(try told(world) == ["alps c fresh", "alps d fresh"])
    #expect(try failed(world) == [])
  }

  @Test("an index of an earlier version loses the regions that nobody published")
  func earlierGhosts() throws {
    let world = try World()
    try become("mine", ["a"], world)
    try world.run()
    let ghost = #"{ "id": "g", "manifest": "alps", "name": "G", "status": "failed" },"#
    try world.folder.write(
      world.text("out/index.json").replacing("\"regions\" : [", with: "\"regions\" : [\(ghost)"),
      to: "out/index.json")
    #expect(try told(world) == ["alps g failed", "mine a fresh"])
    try world.run()
    #expect(try told(world) == ["mine a fresh"])
    #expect(try index(world).name == "mine")
  }

  @Test("a manifest that was renamed has its regions after gc was told its former name")
  func renamed() throws {
    let world = try World()
    try become("alps", ["a", "b"], world)
    try world.run()
    try become("mine", ["a", "c"], world)
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error?.hint?.contains("--former-name “alps”") == true)
    let manifest = world.folder.file("m.yaml")
    func gc(_ words: String...) -> ExitCode {
      CommandRunner.run(
        GCCommand.self, ["-q", "--bin", world.folder.file("bin"), manifest] + words)
    }
    #expect(gc("--former-name", "alpes") == .usage)
    #expect(gc("--former-name", "alps", "--dry-run") == .success)
    #expect(try told(world) == ["alps a fresh", "alps b fresh"])
    #expect(gc("--former-name", "alps", "--keep-left") == .success)
    #expect(try told(world) == ["mine a fresh", "mine b left"])
    #expect(gc() == .success)
    #expect(try told(world) == ["mine a fresh"])
    #expect(!pathExists(world.folder.file("out/b")))
    #expect(try world.run().exitCode == .success)
    #expect(try told(world) == ["mine a fresh", "mine c fresh"])
  }

  @Test("a damaged index is written again with the regions of all manifests, and told")
  func mendedIndex() throws {
    let world = try World()
    try runBoth(world)
    let before = try index(world)
    var bytes = try world.folder.read("out/index.json")
    bytes[3] = 0
    try world.folder.write(bytes, to: "out/index.json")
    #expect(try world.run().exitCode == .success)
    #expect(try index(world) == before)
    #expect(try world.folder.read("out/.cairn/kept/index.json.1") == bytes)
    #expect(
      world.events.contains {
        if case .note(_, let text) = $0 { text.contains("index.json was damaged") } else { false }
      })
    // The owner is known still.
    try world.folder.write(bytes, to: "out/index.json")
    try become("south", ["a"], world)
    #expect(throws: CairnError.self) { try world.run() }
    #expect(try index(world) == before)
    // After a run that was killed before it wrote the copy, the records of bundles count.
    try become("north", ["a"], world)
    let old = try world.folder.read("out/.cairn/published/index.json")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    let after = try index(world)
    try world.folder.write(old, to: "out/.cairn/published/index.json")
    try world.folder.write(bytes, to: "out/index.json")
    #expect(
      CommandRunner.run(RollbackCommand.self, ["-q", world.folder.file("m.yaml"), "a"]) == .success)
    try world.run(force: true)
    #expect(try index(world).regions.map(\.id) == after.regions.map(\.id))
    #expect(try world.run().exitCode == .success)
  }

  @Test("gc and manifest check take the copy of a damaged index, which gc writes again")
  func checksWithCopy() throws {
    let world = try World()
    try runBoth(world)
    let before = try index(world)
    let files = try world.publishedFiles
    let words = ["-q", "--bin", world.folder.file("bin"), world.folder.file("m.yaml")]
    func damage() throws { try world.folder.write("{", to: "out/index.json") }
    try damage()
    #expect(CommandRunner.run(GCCommand.self, words + ["-n"]) == .success)
    try Manifest.load(world.folder.file("m.yaml")).checkOutput()
    // Reading writes nothing.
    #expect(try world.text("out/index.json") == "{")
    #expect(CommandRunner.run(GCCommand.self, words) == .success)
    #expect(try index(world) == before)
    #expect(try world.publishedFiles == files)
    #expect(try world.text("out/.cairn/kept/index.json.1") == "{")
    // The owner is known still.
    try damage()
    try become("south", ["a"], world)
    #expect(throws: CairnError.self) {
      try Manifest.load(world.folder.file("m.yaml")).checkOutput()
    }
  }

  @Test("a region belongs to its manifest also while its bundle.json is damaged")
  func ownerOfDamaged() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    let before = try index(world)
    try world.folder.write("{", to: "out/a/bundle.json")
    try become("south", ["a"], world)
    #expect(throws: CairnError.self) { try world.run() }
    try become("south", ["b"], world)
    try world.run()
    #expect(try told(world).contains("north a stale"))
    try become("north", ["a"], world)
    try world.run()
    #expect(try index(world).regions.first { $0.id == "a" } == before.regions.first)
  }

  @Test("where the index cannot be restored, nothing is published over, and gc removes nothing")
  func damagedIndex() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    try become("south", ["a"], world)
    try FileManager.default.removeItem(atPath: world.folder.file("out/.cairn/published"))
    try world.folder.write("{", to: "out/index.json")
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error?.exitCode == .cannotCreate)
    #expect(
      CommandRunner.run(
        GCCommand.self, ["-q", "--bin", world.folder.file("bin"), world.folder.file("m.yaml")])
        == .cannotCreate)
    #expect(pathExists(world.folder.file("out/a/a.routing.db")))
  }

  @Test("gc keeps the earlier bundles of what is published, also if the index is gone")
  func missingIndex() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    try FileManager.default.removeItem(atPath: world.folder.file("out/index.json"))
    try become("south", ["b"], world)
    #expect(try !collect(world).contains("an earlier bundle of a"))
    try become("north", ["a"], world)
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(RollbackCommand.self, ["-q", manifest, "a"]) == .success)
  }

  @Test("the index says what is published of a region that was renamed and could not be built")
  func renamedRegion() throws {
    let world = try World()
    try become("north", ["a"], world)
    try world.run()
    try world.change("name: a", to: "name: Another")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.folder.write("65\n", to: "bin/cannot-a")
    try world.run()
    #expect(try told(world) == ["north a stale"])
    #expect(try index(world).regions.map(\.name) == ["a"])
  }

  @Test("each bundle is in the index as soon as it is published")
  func atOnce() throws {
    let world = try World()
    // The validator of one sees the bundle of the other, unless that takes a minute.
    try world.before(
      .validate,
      """
      case $words in *attempts/east.*) count=0
        until grep -q '"id" : "west"' "$here/../out/index.json" || [ $count = 6000 ]; do
          sleep 0.01; count=$((count + 1))
        done
        cp "$here/../out/index.json" "$here/seen";; esac
      """)
    try world.run()
    #expect(try world.text("bin/seen").contains(#""status" : "fresh""#))
    #expect(try told(world) == ["test west fresh", "test east fresh"])
  }
}
