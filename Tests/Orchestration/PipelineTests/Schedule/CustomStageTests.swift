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

@Suite("Custom stages in a run")
struct CustomStageTests {
  /// A world with a stage of the user's.
  private func worldWithStage(_ options: String = "") throws -> World {
    let world = try World()
    try world.writeExecutable(
      """
      #!/bin/sh
      here=${0%/*}; echo "own $*" >> "$here/calls"
      cat "$1" "$2" > "$3"; printf '%s|%s|%s\\n' "$4" "$5" "$6" >> "$3"
      """, "own.sh")
    try world.folder.write("style 1\n", to: "style")
    try world.change(
      "regions:",
      to: """
        stages:
          - name: own
            command: [bin/own.sh, "{input}", "{style}", "{output}", "{region}", "{bbox}", "{threads}"]
            after: build-graph
            inputs: { style: style }
            outputs: ["{region}.own"]
            \(options)
        regions:
        """)
    return world
  }

  @Test(
    "a custom stage gets the arguments that it asks for, and its outputs are added to the bundle")
  func ownStage() throws {
    let world = try worldWithStage()
    #expect(try world.run().failures.isEmpty)
    let lines = try world.text("out/west/west.own").split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("first line"))
    #expect(lines[1] == "style 1")
    #expect(lines[2].hasPrefix("west|10.0,47.0,10.1,47.1|"))
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.files.keys.sorted() == ["region.json", "west.own", "west.routing.db"])
    #expect(
      bundle.files["west.own"]?.sha256
        == (try SHA256Digest.ofFile(world.folder.file("out/west/west.own"))))
  }

  @Test("a custom stage gets the decoded ways beside its input")
  func trails() throws {
    let world = try World()
    try world.writeExecutable("#!/bin/sh\ncat \"$1\" \"$2\" > \"$3\"\n", "own.sh")
    try world.change(
      "regions:",
      to: """
        stages:
          - name: own
            command: [bin/own.sh, "{input}", "{trails}", "{output}"]
            after: sample-elevation
            outputs: ["{region}.own"]
        regions:
        """)
    #expect(try world.run().failures.isEmpty)
    let own = try world.text("out/west/west.own")
    #expect(own.split(separator: "\n").filter { $0.hasSuffix("first line") }.count == 2)
    #expect(try world.run().isNothingToDo)
    let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: ["west"])
    let stages = plan.actions.map(\.stage.rawValue)
    let action = try #require(plan.actions.first { $0.stage.rawValue == "own" })
    #expect(action.dependencies.map { stages[$0] } == ["decode-pbf", "sample-elevation"])
  }

  @Test("a custom stage runs again when its program, its inputs or its input change, and only then")
  func ownStageIsRedone() throws {
    let world = try worldWithStage()
    try world.run()
    #expect(try world.orchestrator().forecast() == ["west: up to date", "east: up to date"])
    try world.folder.write("style 2\n", to: "style")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast() == [
        "west: would own: input style changed", "west: would publish: after own",
      ])
    try world.run(regions: ["west"])
    #expect(world.calls == ["own"])
    #expect(try world.text("out/west/west.own").contains("style 2"))
    let script = try world.text("bin/own.sh")
    try world.writeExecutable(script + "\n# new\n", "own.sh")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would own: program changed")
    try world.change("\"{threads}\"", to: "more")
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would own: arguments of the command: now {input} {style} {output} west "
        + "10.0,47.0,10.1,47.1 more (was {input} {style} {output} west 10.0,47.0,10.1,47.1 "
        + "{threads}); program changed")
  }

  @Test("a region whose custom stage fails, or writes nothing, keeps its last bundle")
  func ownStageFails() throws {
    let world = try worldWithStage()
    try world.run(regions: ["west"])
    let before = try world.publishedFiles
    try world.writeExecutable("#!/bin/sh\necho no such luck >&2\nexit 65\n", "own.sh")
    let failure = try world.run(regions: ["west"]).failures.first
    #expect(failure?.stage.rawValue == "own")
    #expect(failure?.message == "own ended with exit code 65 (bad input data)")
    #expect(failure?.lastLines == ["no such luck"])
    try world.writeExecutable("#!/bin/sh\n", "own.sh")
    #expect(
      try world.run(regions: ["west"]).failures.first?.message
        == "own: ended well but wrote no west.own")
    let after = try world.publishedFiles
    #expect(after["west/bundle.json"] == before["west/bundle.json"])
    #expect(after["west/west.own"] == before["west/west.own"])
  }

  @Test("a file that no stage makes any more is removed from the bundle")
  func ownStageIsRemoved() throws {
    let world = try worldWithStage()
    try world.run()
    let text = try world.text("m.yaml")
    let start = try #require(text.range(of: "stages:"))
    let end = try #require(text.range(of: "\nregions:"))
    try world.folder.write(
      String(text[..<start.lowerBound]) + String(text[end.lowerBound...].dropFirst()), to: "m.yaml")
    #expect(try world.run().failures.isEmpty)
    #expect(!pathExists(world.folder.file("out/west/west.own")))
    let notes = world.events.compactMap { event -> String? in
      if case .note(_, let message) = event { return message }
      return nil
    }
    // Linux counts what its parent occupies as a program's peak, and all tests in one process may
    // take a gigabyte.
    #expect(notes.filter { !$0.hasPrefix("needs up to ") } == [])
  }

  @Test("what a custom stage does to its input is lost, and changes neither results nor bundles")
  func writesToItsInput() throws {
    let world = try World()
    try world.writeExecutable("#!/bin/sh\ncp \"$1\" \"$2\" && echo more >> \"$1\"\n", "own.sh")
    try world.change(
      "regions:",
      to: """
        stages:
          - name: own
            command: [bin/own.sh, "{input}", "{output}"]
            after: compute-costs
            outputs: ["{region}.own"]
        regions:
        """)
    #expect(try world.run().failures.isEmpty)
    let before = try world.publishedFiles
    #expect(before["west/west.own"] == before["west/west.routing.db"])
    // Now the result and the published database are one file.
    try world.writeExecutable(
      "#!/bin/sh\ncp \"$1\" \"$2\" && echo even more >> \"$1\"\n", "own.sh")
    #expect(try world.run().failures.isEmpty)
    #expect(try world.publishedFiles["west/west.routing.db"] == before["west/west.routing.db"])
    #expect(try world.run().isNothingToDo)
    let left = try folderContents(world.folder.file("out/.cairn/actions")).flatMap {
      try folderContents(world.folder.file("out/.cairn/actions/\($0)"))
    }
    #expect(!left.contains(".input"))
  }
}
