// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Regions that share a source")
struct BatchTests {
  private func decodings(_ world: World) throws -> [String] {
    guard pathExists(world.folder.file("bin/calls")) else { return [] }
    return try world.text("bin/calls").split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("decode-pbf ") }
  }

  private func regions(_ call: String) -> [String] {
    call.split(separator: " ").filter { $0.contains("=") }.map { String($0.prefix { $0 != "=" }) }
  }

  /// A world of as many regions in a row.
  private func world(regions count: Int) throws -> World {
    let world = try World()
    let head = try world.text("m.yaml").split(separator: "regions:")[0]
    let regions = (0..<count).map { number -> String in
      let west = Double(number) / 2
      return "  - { id: r\(number), name: R, bbox: [\(west), 47, \(west + 0.5), 48] }\n"
    }
    try world.folder.write(head + "regions:\n" + regions.joined(), to: "m.yaml")
    return world
  }

  @Test("regions of one source are decoded by one process, and each has its own result")
  func oneProcess() throws {
    let world = try World()
    try world.run()
    let calls = try decodings(world)
    #expect(calls.map(regions) == [["west", "east"]])
    #expect(calls.first?.contains(" --threads 2") == true, "alone, it has all processors")
    let alone = try World()
    try alone.run(regions: ["west"])
    try alone.run(regions: ["east"])
    #expect(try decodings(alone).map(regions) == [["east"]])
    #expect(try alone.publishedFiles == world.publishedFiles)
    try alone.run()
    #expect(try decodings(alone).isEmpty, "the key does not tell how a result was made")
  }

  @Test("each region has the folder that it would have alone")
  func folders() throws {
    let world = try World()
    try world.run()
    let latest = try world.text("out/.cairn/latest/east.decode-pbf").prefix { $0 != "\n" }
    let action = "out/.cairn/actions/\(latest)/"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: world.folder.file(action)).sorted()
        == ["command.json", "region.trails", "report.json", "result.json", "stderr.log"])
    #expect(try world.text(action + "command.json").contains("west=10.0,47.0,10.1,47.1"))
    let attempts = try FileManager.default.contentsOfDirectory(
      atPath: world.folder.file("out/.cairn/attempts"))
    #expect(attempts.isEmpty)
  }

  @Test("only the region that changed is decoded again")
  func oneChanged() throws {
    let world = try World()
    try world.run()
    try world.folder.write(
      world.text("m.yaml").replacing("10.20, 47.10]", with: "10.21, 47.10]"), to: "m.yaml")
    #expect(
      try world.orchestrator().forecast().prefix(2) == [
        "west: up to date",
        "east: would decode-pbf: bbox: now 10.1,47.0,10.21,47.1 (was 10.1,47.0,10.2,47.1)",
      ])
    let summary = try world.run()
    #expect(try decodings(world).map(regions) == [["east"]])
    #expect(summary.regions.map(\.status) == [.cached, .built])
  }

  @Test(
    "a region that cannot be decoded does not stop the others, and the failure has a reason",
    arguments: [65, 66])
  func oneFails(exit: Int) throws {
    let world = try world(regions: 4)
    try world.folder.write("\(exit)\n", to: "bin/cannot-r2")
    try world.before(.decodePBF, "echo 'r2 is bad' >&2")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.built, .built, .failed, .built])
    #expect(try decodings(world).count == 1, "bad data is not tried again")
    let failure = try #require(summary.failures.first)
    #expect(failure.region == "r2")
    #expect(failure.stage == .decodePBF)
    #expect(failure.message.hasPrefix("cairn-decode-pbf ended with exit code \(exit)"))
    #expect(failure.lastLines == ["cairn-decode-pbf: error: cannot r2"])
    #expect(
      try String(contentsOfFile: #require(failure.log), encoding: .utf8)
        == "cairn-decode-pbf: error: cannot r2\n")
    let other = try world.text("out/.cairn/latest/r1.decode-pbf").prefix { $0 != "\n" }
    #expect(try world.text("out/.cairn/actions/\(other)/stderr.log").isEmpty)
    try FileManager.default.removeItem(atPath: world.folder.file("bin/cannot-r2"))
    #expect(try world.run().regions.map(\.status) == [.cached, .cached, .built, .cached])
    #expect(try decodings(world).map(regions) == [["r2"]])
  }

  @Test("a region that fails for a temporary reason is tried once more, alone")
  func oneRetried() throws {
    let world = try world(regions: 3)
    try world.folder.write("74\n", to: "bin/cannot-r1")
    try world.before(
      .decodePBF, "case $words in *r0=*) ;; *) rm \"$here/cannot-r1\";; esac")
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.built, .built, .built])
    #expect(try decodings(world).map(regions) == [["r0", "r1", "r2"], ["r1"]])
  }

  @Test("a decoder that is killed is tried once more for all regions")
  func killed() throws {
    let world = try World()
    try world.before(
      .decodePBF, "[ -e \"$here/tried\" ] || { : > \"$here/tried\"; kill -9 $$; }")
    #expect(try world.run().regions.map(\.status) == [.built, .built])
    #expect(try decodings(world).map(regions) == [["west", "east"], ["west", "east"]])
  }

  @Test("a source that cannot be read fails each region with the decoder's message")
  func brokenSource() throws {
    let world = try World()
    try world.before(.decodePBF, "echo 'cut off' >&2; exit 65")
    let summary = try world.run()
    #expect(summary.failures.map(\.region) == ["west", "east"])
    #expect(summary.failures.map(\.lastLines) == [["cut off"], ["cut off"]])
    #expect(try decodings(world).count == 1)
  }

  @Test("a region that the decoder neither reports nor writes has failed")
  func silent() throws {
    let world = try World()
    try world.before(.decodePBF, "exit 0")
    let summary = try world.run()
    #expect(
      summary.failures.map(\.message)
        == Array(
          repeating: "cairn-decode-pbf: ended well but wrote no region.trails", count: 2))
  }

  @Test("one process decodes 256 regions at most")
  func manyRegions() throws {
    let world = try world(regions: 258)
    // What comes after decoding is of no interest here.
    try world.before(.sampleElevation, "exit 65")
    try world.run()
    #expect(try decodings(world).map { regions($0).count } == [256, 2])
  }

  @Test("two regions of one shape share a result, even if it cannot be made")
  func sameShape() throws {
    let world = try World()
    try world.giveBothRegionsOneShape()
    try world.run()
    #expect(try decodings(world).map(regions) == [["west"]])
    try world.folder.write("65\n", to: "bin/cannot-west")
    #expect(try world.run(force: true).regions.map(\.status) == [.failed, .built])
    #expect(try decodings(world).map(regions) == [["west"], ["east"]])
  }

  @Test("regions of two sources are decoded by one process for each source")
  func twoSources() throws {
    let world = try world(regions: 4)
    try world.folder.write("other\n", to: "other.osm.pbf")
    var manifest = try world.text("m.yaml").replacing(
      "valley.osm.pbf } }", with: "valley.osm.pbf }, other: { pbf: other.osm.pbf } }")
    for id in ["r1", "r3"] {
      manifest = manifest.replacing("id: \(id),", with: "id: \(id), source: other,")
    }
    try world.folder.write(manifest, to: "m.yaml")
    #expect(try world.run().exitCode == .success)
    #expect(
      Set(try decodings(world).map { Set(regions($0)) }) == [["r0", "r2"], ["r1", "r3"]])
    #expect(try world.text("out/r3/r3.routing.db").hasPrefix("1.5,47.0,2.0,48.0 other\n"))
  }
}
