// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Foundation
import Manifests
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Inputs that change or are missing")
struct ChangedInputTests {
  @Test(
    "a missing source fails its own regions only, and the index marks them stale with the reason")
  func missingSource() throws {
    let world = try World()
    try world.folder.write("other\n", to: "other.osm.pbf")
    try world.change(
      "{ valley: { pbf: valley.osm.pbf } }",
      to: "{ valley: { pbf: valley.osm.pbf }, other: { pbf: other.osm.pbf } }")
    try world.change("name: East,", to: "name: East, source: other,")
    try world.run()
    let before = try world.text("out/west/west.routing.db")
    try FileManager.default.removeItem(atPath: world.folder.file("valley.osm.pbf"))
    try world.folder.write("other again\n", to: "other.osm.pbf")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.failed, .built])
    #expect(summary.exitCode == .negative)
    #expect(try world.text("out/west/west.routing.db") == before)
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.map(\.status) == [.stale, .fresh])
    #expect(index.regions.first?.reason?.contains("valley.osm.pbf") == true)
  }

  /// A world in which every kind of input shows in what is published.
  private func transparentWorld() throws -> World {
    let world = try World()
    try world.before(
      .sampleElevation,
      #"echo '{}' > "$report"; cat "$input" "$here"/../hgt/* > "$output"; exit 0"#)
    try world.before(.buildGraph, #"echo '{}' > "$report"; cat "$input" > "$output"; exit 0"#)
    try world.writeExecutable("#!/bin/sh\ncat \"$2\" \"$3\" \"$4\" > \"$5\"\n", "own.sh")
    try world.folder.write("style\n", to: "style")
    try world.folder.write("undeclared\n", to: "undeclared")
    try world.folder.write("<osm/>\n", to: "east.osm")
    try world.folder.write(Self.polygon("10.1"), to: "east.geojson")
    try world.change(
      "{ valley: { pbf: valley.osm.pbf } }",
      to: "{ valley: { pbf: valley.osm.pbf }, xml: { overpass: east.osm } }")
    try world.change(
      "bbox: [10.10, 47.00, 10.20, 47.10] }", to: "source: xml, polygon: east.geojson }")
    try world.change(
      "regions:",
      to: """
        stages:
          - name: own
            command: [bin/own.sh, -, "{input}", "{style}",
              \(world.folder.file("undeclared")), "{output}"]
            after: build-graph
            inputs: { style: style }
            outputs: ["{region}.own"]
        regions:
        """)
    return world
  }

  private static func polygon(_ west: String) -> String {
    """
    {"type": "Polygon", "coordinates":
      [[[\(west), 47.0], [10.2, 47.0], [10.2, 47.1], [\(west), 47.1], [\(west), 47.0]]]}
    """
  }

  @Test("after a change of any input a run gives the same as a fresh build")
  func everyInput() throws {
    let world = try transparentWorld()
    let changes: [(String, String)] = [
      ("valley.osm.pbf", "first again\n"), ("east.osm", "<osm version='0.6'/>\n"),
      ("hgt/N47E010.hgt", "another"), ("hgt/N47E010.SRTMGL1.hgt.zip", "new"),
      ("hgt/N47E010.SRTMGL1.hgt.zip", "replaced"), ("hgt/s01w001.HGT.GZ", "new"),
      ("hgt/N46E010_v3.hgt", "new"), ("hgt/N46E010_v3.hgt", "replaced"),
      ("east.geojson", Self.polygon("10.15")),
      ("mine.yaml", World.profile.replacing("climb-factor: 8", with: "climb-factor: 9")),
      ("style", "another style\n"), ("undeclared", "also another\n"),
      ("bin/own.sh", try world.text("bin/own.sh") + "echo more >> \"$5\"\n"),
    ]
    #expect(try world.run().failures.isEmpty)
    var results: [[String: [UInt8]]] = [try world.publishedFiles]
    for (name, content) in changes {
      if name.hasPrefix("bin/") {
        try world.writeExecutable(content, String(name.dropFirst(4)))
      } else {
        try world.folder.write(content, to: name)
      }
      #expect(try world.run().failures.isEmpty, "\(name)")
      results.append(try world.publishedFiles)
      let isChanged = results.last != results.dropLast().last
      #expect(isChanged, "\(name)")
    }
    try FileManager.default.removeItem(atPath: world.folder.file("out"))
    try world.run()
    let isSame = try world.publishedFiles == results.last
    #expect(isSame)
  }

  @Test("a source that is replaced before it is read is digested again and decoded again")
  func replacedBeforeReading() throws {
    let world = try World()
    try world.before(
      .decodePBF,
      #"[ -e "$here/swapped" ] || { : > "$here/swapped"; echo replaced > "$here/../valley.osm.pbf"; }"#
    )
    #expect(try world.run().failures.isEmpty)
    #expect(world.calls.count { $0 == "decode-pbf" } == 2)
    let digest = SHA256Digest.ofText("replaced\n")
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.source.sha256 == digest)
    let published = try world.publishedFiles
    #expect(try world.run().isNothingToDo)
    try FileManager.default.removeItem(atPath: world.folder.file("out"))
    try world.run()
    #expect(try world.publishedFiles == published)
  }

  @Test("a source that keeps changing is a temporary failure, and nothing of it is kept")
  func changesAllTheTime() throws {
    let world = try World()
    try world.folder.write(world.text("m.yaml") + "\nretries: 0\n", to: "m.yaml")
    try world.before(.decodePBF, #"echo more >> "$here/../valley.osm.pbf""#)
    let failure = try #require(try world.run(regions: ["west"]).failures.first)
    #expect(world.calls == ["decode-pbf", "decode-pbf"])
    #expect(failure.exitCode == ExitCode.temporaryFailure.rawValue)
    #expect(failure.message.contains("valley.osm.pbf: changed while cairn-decode-pbf"))
    let actions = world.folder.file("out/.cairn/actions")
    #expect(try FileManager.default.contentsOfDirectory(atPath: actions).isEmpty)
  }

  @Test("a bundle names the source that was decoded, even if it is replaced before publishing")
  func replacedAfterReading() throws {
    let world = try World()
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    try world.before(.validate, #"echo later > "$here/../valley.osm.pbf""#)
    #expect(try world.run(regions: ["west"]).failures.isEmpty)
    let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/west")))
    #expect(bundle.source.sha256 == digest)
  }

  @Test(
    "a region whose inputs change after a stage has read them is not published",
    arguments: [
      (Stage.buildGraph, "hgt/N47E010.hgt", "other"), (.validate, "hgt/N47E010.hgt", "other"),
      (.validate, "hgt/N46E010.hgt", "new"), (.validate, "mine.yaml", profileOfOtherPrice),
    ])
  func changedAfterReading(_ stage: Stage, _ name: String, _ content: String) throws {
    let world = try transparentWorld()
    try world.folder.write("first\n", to: "valley.osm.pbf")
    #expect(try world.run().failures.isEmpty)
    let before = try world.publishedFiles
    try world.folder.write(content, to: "later")
    try world.folder.write("second\n", to: "valley.osm.pbf")
    try world.folder.write("<osm version='0.6'/>\n", to: "east.osm")
    try world.before(
      stage, #"cp "$here/../later" "$here/../new"; mv "$here/../new" "$here/../\#(name)""#)
    let summary = try world.run(regions: ["east"], parallelism: 1)
    let failure = try #require(summary.failures.first)
    #expect(failure.stage == .publish)
    #expect(failure.exitCode == ExitCode.temporaryFailure.rawValue)
    #expect(failure.message.contains(" changed"), "\(failure.message)")
    #expect(failure.message.contains("the published bundle is kept"))
    for (file, bytes) in before where file.hasPrefix("east/") {
      #expect(try world.folder.read("out/" + file) == bytes)
    }
    // The next run has what a fresh build gives.
    try world.before(stage, "")
    #expect(try world.run().failures.isEmpty)
    let published = try world.publishedFiles
    try FileManager.default.removeItem(atPath: world.folder.file("out"))
    try world.run()
    #expect(try world.publishedFiles == published)
  }

  @Test(
    "what a stage made of a file that was exchanged and put back meanwhile is not kept",
    arguments: [
      (Stage.decodePBF, "valley.osm.pbf"), (.sampleElevation, "hgt/N47E010.hgt"),
      (.computeCosts, "mine.yaml"),
    ])
  func exchangedAndPutBack(_ stage: Stage, _ name: String) throws {
    let world = try transparentWorld()
    let before = "bin/before-\(stage.rawValue)"
    let usual = try? world.text(before)
    try world.before(
      stage,
      #"""
      [ -e "$here/exchanged" ] || {
        : > "$here/exchanged"; exchanged="$here/../\#(name)"
        mv "$exchanged" "$here/aside"
        sed 's/8/9/; s/first/other/; s/tile/flat/' "$here/aside" > "$exchanged"
        trap 'mv "$here/aside" "$exchanged"' EXIT
      }
      \#(usual ?? "")
      """#)
    #expect(try world.run(parallelism: 1).failures.isEmpty)
    let calls = world.calls.count { $0 == stage.rawValue }
    let published = try world.publishedFiles
    try FileManager.default.removeItem(atPath: world.folder.file("out"))
    try world.run(parallelism: 1)
    #expect(calls == world.calls.count { $0 == stage.rawValue } + 1)
    #expect(try world.publishedFiles == published)
  }

  private static let profileOfOtherPrice = World.profile.replacing(
    "climb-factor: 8", with: "climb-factor: 9")

  /// Replaces the decoder by one that says what the digest of its source is, in shell script.
  private func decode(_ world: World, saying digest: String) throws {
    try world.writeExecutable(
      """
      #!/bin/sh
      while [ $# -gt 0 ]; do
        case $1 in --report) report=$2;; --output-dir) folder=$2;; --input) input=$2;; esac
        shift
      done
      echo decode-pbf >> "${0%/*}/calls"
      for region in west east; do cat "$input" > "$folder/$region.trails"; done
      echo '{"stage":"x","version":"1","input":{"sha256":"'"\(digest)"'"},
        "output":{"regions":{"west":{},"east":{}}},
        "warnings":[],"wallSeconds":0,"cpuSeconds":0,"peakBytes":0}' > "$report"
      """, "cairn-decode-pbf")
  }

  @Test("data whose decoder read another source than the key says are not used")
  func otherProvenance() throws {
    let world = try World()
    // In the second run the region has been built, so that its source is digested first.
    try decode(world, saying: "0")
    for _ in 0..<2 {
      let failure = try #require(try world.run(regions: ["west"]).failures.first)
      #expect(failure.exitCode == ExitCode.temporaryFailure.rawValue)
      #expect(failure.message.contains("changed while cairn-decode-pbf was reading it"))
      try decode(world, saying: "$(sha256sum < \"$input\" | cut -c -64)")
      #expect(try world.run(regions: ["west"]).failures.isEmpty)
      try world.folder.write("replaced\n", to: "valley.osm.pbf")
      try decode(world, saying: String(repeating: "0", count: 64))
    }
  }

  @Test("a source is read once for a first build: the key has the digest that the decoder tells")
  func readOnce() throws {
    let world = try World()
    try decode(world, saying: "$(sha256sum < \"$input\" | cut -c -64)")
    // The same content under another name and the same shape: one result.
    try world.folder.write(try world.text("valley.osm.pbf"), to: "copy.osm.pbf")
    try world.change(
      "{ valley: { pbf: valley.osm.pbf } }",
      to: "{ valley: { pbf: valley.osm.pbf }, copy: { pbf: copy.osm.pbf } }")
    try world.change("name: East,", to: "name: East, source: copy,")
    try world.giveBothRegionsOneShape()
    #expect(try world.run().failures.isEmpty)
    let digest = try SHA256Digest.ofFile(world.folder.file("valley.osm.pbf"))
    for region in ["west", "east"] {
      let bundle = try #require(BundleRecord(inFolder: world.folder.file("out/\(region)")))
      #expect(bundle.source.sha256 == digest)
    }
    // Whoever knows the digest beforehand comes to the same keys.
    let published = try world.publishedFiles
    #expect(try world.run().isNothingToDo)
    let store = ActionStore(ofOutput: world.folder.file("out"))
    let key = store.lastKey(region: "west", stage: .decodePBF)
    #expect(try world.run(force: true).failures.isEmpty)
    #expect(store.lastKey(region: "west", stage: .decodePBF) == key)
    #expect(try world.publishedFiles == published)
  }

  @Test("data appended to the program of a custom stage counts")
  func wholeProgram() throws {
    let world = try World()
    let copy = try runProcess("install", ["-m", "755", "/bin/cp", world.folder.file("bin/own")])
    #expect(copy.status == 0)
    try world.change(
      "regions:",
      to: """
        stages:
          - { name: own, command: [bin/own, "{input}", "{output}"], after: build-graph,
              outputs: [own] }
        regions:
        """)
    #expect(try world.run(regions: ["west"]).failures.isEmpty)
    let script = "printf payload >> \"$0\""
    #expect(try runProcess("sh", ["-c", script, world.folder.file("bin/own")]).status == 0)
    #expect(
      try world.orchestrator(regions: ["west"]).forecast().first
        == "west: would own: program changed")
  }
}
