// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import Glibc
import Manifests
import Planning
import RunCommands
import RunSupport
import SystemIO
import TestSupport
import Testing
import Validation

@testable import Publishing

@Suite("Publishing")
struct PublishingTests {
  @Test("a published file that was tampered with is replaced")
  func replacesTampered() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    try world.folder.write("rubbish", to: "out/west/west.routing.db")
    #expect(
      try world.orchestrator().forecast()
        == ["west: would publish: another bundle is published", "east: up to date"])
    let summary = try world.run()
    #expect(world.calls.isEmpty)
    #expect(summary.regions.map(\.status) == [.built, .cached])
    #expect(try world.publishedFiles == before)
  }

  @Test("a published database is the result itself; changed in place, it is made again")
  func sharesDatabase() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    let published = world.folder.file("out/west/west.routing.db")
    let key = try world.text("out/.cairn/latest/west.compute-costs").prefix { $0 != "\n" }
    let result = world.folder.file("out/.cairn/actions/\(key)/region.routing.db")
    var (one, other) = (stat(), stat())
    #expect(stat(published, &one) == 0 && stat(result, &other) == 0)
    #expect(one.st_ino == other.st_ino && one.st_nlink == 2)
    let descriptor = open(published, O_WRONLY)
    #expect(pwrite(descriptor, "RUBBISH", 7, 0) == 7)
    close(descriptor)
    #expect(
      try world.orchestrator().forecast().first == "west: would compute-costs: its result is gone")
    let summary = try world.run()
    #expect(world.calls == ["compute-costs"])
    #expect(summary.regions.map(\.status) == [.built, .cached])
    #expect(try world.publishedFiles == before)
  }

  @Test("a record that was published is known as it is read")
  func knowsRecords() throws {
    let world = try World()
    let orchestrator = try world.orchestrator()
    _ = try orchestrator.run()
    let record = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(orchestrator.publisher.index.published("west") == record)
  }

  @Test("an index that is encoded again with few changes is the same as one encoded anew")
  func encodesIndex() throws {
    let encoder = IndexEncoder()
    func region(_ id: String, _ files: [String: FileRecord]? = nil) -> IndexRecord.Region {
      .init(id: id, name: "a \"regions\" : [ ]\n] \(id)", status: .fresh, files: files)
    }
    let file = FileRecord(bytes: 7, sha256: "ab")
    for ids in [[], ["a"], ["a", "b"], ["b", "c", "a"], ["a"], []] {
      for files in [nil, [:], ["x": file], ["x": file, "y": file]] {
        let index = IndexRecord(
          regions: ids.map { region($0, $0 == "b" ? nil : files) }, of: "\"regions\" : [")
        #expect(try encoder.encode(index) == encodeJSON(index))
      }
    }
  }

  @Test("what a stage of the user's made is copied: its program may write to it later")
  func copiesForeignResults() throws {
    let world = try World()
    try world.writeExecutable("#!/bin/sh\necho own > \"$1\"\n", "own")
    try world.folder.write(
      world.text("m.yaml")
        + """

        stages:
          - name: own
            after: compute-costs
            command: [bin/own, "{output}"]
            outputs: ["{region}.own"]

        """, to: "m.yaml")
    try world.run()
    for (name, links) in [("west.own", 1), ("west.routing.db", 2)] {
      var status = stat()
      #expect(stat(world.folder.file("out/west/\(name)"), &status) == 0)
      #expect(Int(status.st_nlink) == links)
    }
  }

  @Test("a folder that is not a Cairn bundle is not touched")
  func refusesForeignFolder() throws {
    let world = try World()
    try makeFolders(world.folder.file("out/west"))
    try world.folder.write("mine", to: "out/west/notes.txt")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.failed, .built])
    #expect(summary.failures.first?.message.contains("is not a Cairn bundle") == true)
    #expect(try world.text("out/west/notes.txt") == "mine")
  }

  @Test("foreign files in a bundle are kept when it is replaced")
  func keepsForeignFiles() throws {
    let world = try World()
    try world.run()
    try world.folder.write("mine", to: "out/west/notes.txt")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    #expect(try world.text("out/west/west.routing.db").contains(" changed\n"))
    #expect(try world.text("out/.cairn/kept/west.1/notes.txt") == "mine")
    #expect(
      world.events.contains { if case .note(region: "west", _) = $0 { true } else { false } })
  }

  @Test(
    "a user's file, folder or link under the name of a file of the bundle is kept, and told",
    arguments: ["west.routing.db", "region.json"], [true, false])
  func keepsFilesUnderOurNames(name: String, isChanged: Bool) throws {
    for kind in ["file", "folder", "link"] {
      let world = try World()
      try world.run()
      let path = world.folder.file("out/west/" + name)
      try FileManager.default.removeItem(atPath: path)
      switch kind {
      case "file": try world.folder.write("mine", to: "out/west/" + name)
      case "folder":
        try makeFolders(path)
        try world.folder.write("mine", to: "out/west/\(name)/mine")
      default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "x")
      }
      if isChanged { try world.folder.write("changed\n", to: "valley.osm.pbf") }
      #expect(try world.run().exitCode == .success)
      #expect(
        try world.text("out/west/west.routing.db").contains(isChanged ? " changed\n" : " line"))
      #expect(isRealFile(path))
      let kept = "out/.cairn/kept/west.1/" + name
      switch kind {
      case "file": #expect(try world.text(kept) == "mine")
      case "folder": #expect(try world.text(kept + "/mine") == "mine")
      default: #expect(nameExists(world.folder.file(kept)))
      }
      let notes = world.events.compactMap {
        if case .note("west", let text) = $0 { text } else { nil }
      }
      #expect(notes.contains { $0.contains("kept/west.1") }, "\(kind): \(notes)")
    }
  }

  @Test(
    "a damaged or missing bundle.json is written again, and other files are not kept aside",
    arguments: [true, false], [true, false])
  func mendsRecord(isThere: Bool, isChanged: Bool) throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    if isThere {
      try world.folder.write("{", to: "out/west/bundle.json")
    } else {
      try FileManager.default.removeItem(atPath: world.folder.file("out/west/bundle.json"))
    }
    if isChanged { try world.folder.write("changed\n", to: "valley.osm.pbf") }
    let summary = try world.run()
    #expect(summary.exitCode == .success)
    #expect(BundleRecord(inFolder: world.folder.file("out/west")) != nil)
    if !isChanged { #expect(try world.publishedFiles == before) }
    let kept = world.folder.file("out/.cairn/kept/west.1")
    if isThere { #expect(try folderContents(kept) == ["bundle.json"]) }
    #expect(isThere == nameExists(kept))
    #expect(try world.run().regions.map(\.status) == [.cached, .cached])
  }

  @Test("without the record of the published bundle, drift is not unmeasured in silence")
  func driftWithoutRecord() throws {
    let world = try World()
    try world.change("min-edges: 50", to: "min-edges: 50, max-drift: 0.2")
    try world.run()
    try world.folder.write("{", to: "out/west/bundle.json")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    let failure = try #require(try world.run().failures.first)
    #expect(failure.message.contains("bundle.json: is damaged or missing"))
    #expect(failure.message.contains("--accept-drift west"))
    #expect(try world.text("out/west/west.routing.db").contains(" line"))
    try world.run { $0.regionsWithAcceptedDrift = ["west", "east"] }
    #expect(try world.text("out/west/west.routing.db").contains(" changed\n"))
  }

  @Test("a damaged database of Cairn's is replaced and not kept")
  func replacesDamaged() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    var bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 184)
    bytes.replaceSubrange(68..<72, with: "Crn1".utf8)
    try world.folder.write(bytes, to: "out/west/west.routing.db")
    try world.run()
    #expect(try world.publishedFiles == before)
    #expect(!nameExists(world.folder.file("out/.cairn/kept")))
  }

  @Test(
    "a damaged bundle does not push out the one to roll back to",
    arguments: ["west.routing.db", "region.json"], [nil, ""])
  func damagedPrevious(name: String, content: String?) throws {
    let world = try World()
    try world.run()
    try world.folder.write("second\n", to: "valley.osm.pbf")
    try world.run()
    let file = "out/west/\(name)"
    try FileManager.default.removeItem(atPath: world.folder.file(file))
    if let content { try world.folder.write(content, to: file) }
    try world.folder.write("third\n", to: "valley.osm.pbf")
    #expect(try world.run().exitCode == .success)
    #expect(
      CommandRunner.run(RollbackCommand.self, ["-q", world.folder.file("m.yaml"), "west"])
        == .success)
    let back = try world.text("out/west/west.routing.db")
    #expect(!back.contains(" second\n") && !back.contains(" third\n"))
  }

  @Test("a region without any elevation is published with a warning")
  func noElevation() throws {
    func notes(_ coverage: String) throws -> [String] {
      let world = try World()
      try world.change("min-edges: 50", to: "min-edges: 50, elevation-coverage: 0")
      let findings =
        #"{"valid":true,"nodes":7,"edges":100,"components":1,"elevationCoverage":\#(coverage)}"#
      try world.before(.validate, "echo '{\"stage\":\"x\"}' > $report; echo '\(findings)'; exit 0")
      #expect(try world.run().regions.map(\.status) == [.built, .built])
      return world.events.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }
    let told = try notes("0")
    #expect(told.count == 2 && told.allSatisfy { $0.contains("no node has an elevation") })
    #expect(try notes("0.5") == [])
  }

  @Test("a foreign index.json is not overwritten")
  func refusesForeignIndex() throws {
    let world = try World()
    try makeFolders(world.folder.file("out"))
    try world.folder.write("[1]", to: "out/index.json")
    let summary = try world.run()
    #expect(summary.indexFailure?.code == .outputIsForeign)
    #expect(summary.exitCode == .cannotCreate)
    #expect(summary.regions.map(\.status) == [.built, .built])
    #expect(try world.text("out/index.json") == "[1]")
  }

  @Test("a run of some regions leaves the others in the index")
  func keepsIndex() throws {
    let world = try World()
    try world.run()
    let before = try world.text("out/index.json")
    try world.run(regions: ["west"], force: true)
    #expect(try world.text("out/index.json") == before)
  }

  @Test("a region with too few edges is not published")
  func minimumOfEdges() throws {
    let world = try World()
    try world.folder.write("49\n", to: "bin/edges")
    let summary = try world.run()
    #expect(
      summary.failures.first?.message.hasPrefix(
        "check min-edges: 49 edges, at least 50 required; nothing is published")
        == true)
    #expect(!pathExists(world.folder.file("out/west")))
  }

  @Test("a stricter check fails a published region, which stays published")
  func stricterCheck() throws {
    let world = try World()
    try world.run()
    let before = try world.folder.read("out/west/bundle.json")
    try world.folder.write(
      world.text("m.yaml").replacing("min-edges: 50", with: "min-edges: 500"), to: "m.yaml")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast() == [
        "west: would publish: and fail: check min-edges: 100 edges, at least 500 required"
      ])
    #expect(try world.run().regions.map(\.status) == [.failed, .failed])
    #expect(try world.folder.read("out/west/bundle.json") == before)
  }

  @Test("a check that fails is looked for where it stands, in the defaults or at the region")
  func placeOfCheck() throws {
    let world = try World()
    try world.change("min-edges: 50", to: "min-edges: 500")
    try world.change(
      "10.20, 47.10] }", to: "10.20, 47.10],\n      checks: { min-edges: 600 } }")
    let text = try world.text("m.yaml")
    func place(_ words: String) -> String {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let line = lines.firstIndex { $0.contains(words) } ?? -1
      let column = lines[line].firstRange(of: words)?.lowerBound
      let distance = column.map { lines[line].distance(from: lines[line].startIndex, to: $0) } ?? -1
      return "\(world.folder.file("m.yaml")):\(line + 1):\(distance + 1 + "min-edges: ".count)"
    }
    let messages = try world.run().failures.map(\.message)
    #expect(messages.count == 2)
    #expect(
      messages.first?.hasSuffix(
        "(if the data is right, change the check at \(place("min-edges: 500")))") == true,
      "\(messages)")
    #expect(messages.last?.contains("change the check at \(place("min-edges: 600"))") == true)
  }

  @Test("what a database was made from is read in full, or the region fails")
  func unreadableProvenance() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    // The list of profiles ends within a page.
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    let database = try world.folder.read("bin/database")
    try world.folder.write(
      Array(database.prefix(4096)) + Array(repeating: 0, count: database.count - 4096),
      to: "bin/database")
    let summary = try world.run()
    #expect(summary.failures.map(\.stage) == [.publish, .publish])
    try world.folder.write(database, to: "bin/database")
    let after = try world.publishedFiles
    #expect(after["west/west.routing.db"] == before["west/west.routing.db"])
    #expect(after["west/bundle.json"] == before["west/bundle.json"])
  }

  @Test(
    "each check fails beyond its limit and not before",
    arguments: [
      (Manifest.Checks(minEdges: 100), []),
      (Manifest.Checks(minEdges: 101), ["check min-edges: 100 edges, at least 101 required"]),
      (Manifest.Checks(elevationCoverage: 0.9), []),
      (
        Manifest.Checks(elevationCoverage: 0.955),
        [
          "check elevation-coverage: 90 % of the nodes have an elevation, at least 95.5 % required"
        ]
      ),
      (
        Manifest.Checks(elevationCoverage: 0.9004),
        [
          "check elevation-coverage: 90 % of the nodes have an elevation, at least 90.04 % required"
        ]
      ),
      (Manifest.Checks(maxDrift: 0.2), []),
    ] as [(Manifest.Checks, [String])])
  func objections(checks: Manifest.Checks, expected: [String]) {
    let validation = ValidatorFindings(
      valid: true, nodes: 7, edges: 100, components: 1, elevationCoverage: 0.9)
    #expect(checks.objections(to: validation) == expected)
  }

  @Test("a published database that drift is to be measured from must be as it was published")
  func baselines() throws {
    let world = try World()
    try world.change("min-edges: 50", to: "min-edges: 50, max-drift: 0.2")
    try world.run()
    try world.folder.write("rubbish", to: "out/west/west.routing.db")
    try FileManager.default.removeItem(atPath: world.folder.file("out/east/east.routing.db"))
    let before = try world.publishedFiles
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.failed, .failed])
    #expect(summary.exitCode == .negative)
    let messages = summary.failures.map(\.message)
    #expect(
      messages[0].contains("west.routing.db: has changed since it was published"), "\(messages)")
    #expect(messages[0].contains("cairn run --accept-drift west"))
    #expect(messages[1].contains("east.routing.db: No such file"), "\(messages)")
    let after = try world.publishedFiles
    #expect(after.filter { $0.key != "index.json" } == before.filter { $0.key != "index.json" })
    try world.run { $0.regionsWithAcceptedDrift = ["west", "east"] }
    #expect(try world.text("out/west/west.routing.db").contains(" changed\n"))
  }

  @Test("what is held back is recorded beside the keys of its bundle, with the day when that began")
  func heldRecord() throws {
    let world = try World()
    try world.run()
    let publisher = OutputFolder(try Manifest.load(world.folder.file("m.yaml"))).publisher()
    let bundle = try #require(publisher.index.published("west"))
    let path = world.folder.file("out/.cairn/rejected/west.json")
    let drift = HeldBundle.Drift(limit: 0.2, findings: "check max-drift: nodes")
    try publisher.earlier.hold(HeldBundle(bundle, time: 86_400, drift: drift))
    #expect(BundleRecord(path) == bundle)
    let first = try #require(try publisher.earlier.held("west"))
    #expect(first.since == "1970-01-02T00:00:00Z" && first.drift == drift && first.bundle == bundle)
    #expect(
      first.text == "held back since 1970-01-02: check max-drift: nodes; the published bundle is "
        + "kept until the inputs change, or until cairn run --accept-drift west")
    #expect(!publisher.earlier.isRolledBack("west"))
    // The same bundle is held back since then, unless the limit is another one.
    try publisher.earlier.hold(HeldBundle(bundle, time: 9 * 86_400, drift: drift))
    #expect(try publisher.earlier.held("west")?.since == first.since)
    let other = HeldBundle.Drift(limit: 0.3, findings: "")
    try publisher.earlier.hold(HeldBundle(bundle, time: 9 * 86_400, drift: other))
    #expect(try publisher.earlier.held("west")?.since == "1970-01-10T00:00:00Z")
    publisher.earlier.forgetDrift("west")
    #expect(try publisher.earlier.held("west") == nil)
    // The record of an earlier version says that it was rolled back, and not when.
    try world.folder.write(encodeJSON(bundle), to: "out/.cairn/rejected/west.json")
    let old = try #require(try publisher.earlier.held("west"))
    #expect(old.text == "held back: \(HeldBundle.rolledBackReason)")
    publisher.earlier.forgetDrift("west")
    #expect(try publisher.earlier.held("west") == old, "a rollback stays")
  }

  @Test("what was rolled back is not published again because its record is damaged")
  func damagedRejection() throws {
    let world = try World()
    try world.run()
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.run()
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(RollbackCommand.self, ["-q", manifest, "west"]) == .success)
    let before = try world.text("out/west/west.routing.db")
    try world.folder.write("{", to: "out/.cairn/rejected/west.json")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.failed, .cached])
    #expect(summary.failures.first?.message.contains("cairn rollback --undo") == true)
    #expect(try world.text("out/west/west.routing.db") == before)
    #expect(
      CommandRunner.run(RollbackCommand.self, ["-q", manifest, "west", "--undo"]) == .success)
    #expect(try world.run().exitCode == .success)
    #expect(try world.text("out/west/west.routing.db").contains(" changed\n"))
  }
}
