// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Execution
import Manifests
import Pipeline
import RunSupport
import TestSupport
import Testing

@testable import RunCommands

@Suite("One cause is told once, before what follows from it")
struct CauseTests {
  private static let lack =
    "N47E010 is not in the folder FOLDER (add it, or set elevation: none for the region)"

  /// A world that was built once.
  private func world() throws -> World {
    let world = try World()
    try world.run()
    return world
  }

  /// Says what the elevation stage misses, and how many nodes have an elevation then.
  private func lose(_ tiles: [String], coverage: Double, in world: World) throws {
    try world.before(
      .sampleElevation,
      """
      cat "$input" > "$output"
      echo '{"stage":"sample-elevation","version":"1","input":{},
        "output":{"missingTiles":[\(tiles.map { "\"\($0)\"" }.joined(separator: ","))]},
        "warnings":[],"wallSeconds":0,"cpuSeconds":0,"peakBytes":0}' > "$report"
      exit 0
      """)
    let findings =
      #"{"valid":true,"nodes":7,"edges":100,"components":1,"elevationCoverage":\#(coverage)}"#
    try world.before(.validate, "echo '{\"stage\":\"x\"}' > $report; echo '\(findings)'; exit 0")
  }

  private func lack(_ world: World) -> String {
    Self.lack.replacing("FOLDER", with: world.folder.file("hgt"))
  }

  @Test("a missing tile is what is named, once for all regions, and then what follows from it")
  func cause() throws {
    let world = try world()
    try lose(["N47E010"], coverage: 0, in: world)
    let summary = try world.run(force: true)
    let follows =
      "check elevation-coverage: 0 % of the nodes have an elevation, at least 90 % required; "
      + "the published bundle is kept"
    #expect(
      summary.failures.map(\.message) == [String](repeating: "\(lack(world)); \(follows)", count: 2)
    )
    #expect(
      summary.failureLines().prefix(2) == [
        "publish failed; 2 regions wait for that: west, east", "  \(lack(world)); \(follows)",
      ])
    let status = RegionStatus(0, try world.forecaster(), [:])
    #expect(status.reason?.hasPrefix("\(lack(world)); check elevation-coverage: ") == true)
  }

  @Test("what follows in each region stands below the cause that they share")
  func consequences() {
    let failures = ["west", "east"].map { id in
      RunFailure(
        region: id, stage: .publish, message: "no tile; \(id) is flat", reason: "no tile")
    }
    let summary = RunSummary(
      regions: failures.map { RegionSummary(id: $0.region, status: .failed) }, failures: failures,
      wallSeconds: 1)
    #expect(
      summary.failureLines().dropLast() == [
        "publish failed; 2 regions wait for that: west, east", "  no tile",
        "  | west: west is flat", "  | east: east is flat",
      ])
  }

  @Test("without a missing tile the check is what is named, and how to change it")
  func voids() throws {
    let world = try world()
    try lose([], coverage: 0.5, in: world)
    let failure = try #require(try world.run(force: true).failures.first)
    #expect(failure.message.hasPrefix("check elevation-coverage: 50 %"))
    #expect(failure.message.contains("a lower share in checks: { elevation-coverage: … }"))
    #expect(failure.reason == nil)
  }

  @Test("a tile that is missing where enough nodes have an elevation is no failure")
  func harmless() throws {
    let world = try world()
    try lose(["N47E010"], coverage: 0.9, in: world)
    #expect(try world.run(force: true).exitCode == .success)
  }

  @Test("a check that the tile does not explain is named with its place")
  func otherCheck() throws {
    let world = try world()
    try lose(["N47E010"], coverage: 0, in: world)
    try world.change("min-edges: 50", to: "min-edges: 500")
    let failure = try #require(try world.run(force: true).failures.first)
    #expect(failure.message.hasPrefix(lack(world)))
    #expect(
      failure.message.contains("change the check at ") && failure.message.contains("m.yaml:9:"))
  }

  @Test("elevation: none for the regions is a remedy that works")
  func remedy() throws {
    let world = try world()
    try lose(["N47E010"], coverage: 0, in: world)
    try world.change("min-edges: 50", to: "min-edges: 50, elevation-coverage: 0.5")
    #expect(try world.run(force: true).failures.count == 2)
    for box in ["10.00, 47.00, 10.10, 47.10", "10.10, 47.00, 10.20, 47.10"] {
      try world.change("[\(box)] }", to: "[\(box)], elevation: none }")
    }
    #expect(try world.run().exitCode == .success)
    #expect(try world.text("bin/calls").contains("validate --input") == true)
    #expect(try world.text("bin/calls").contains("--without-elevation"))
  }

  @Test("one damaged file is one cause, whichever stages found it")
  func oneFile() {
    let text = "hgt/N47E010.hgt: has 1000 bytes"
    let stages: [(String, Stage)] = [
      ("a", .sampleElevation), ("b", .buildTiles(.trails)), ("c", .sampleElevation),
    ]
    let failures = stages.map { id, stage in
      RunFailure(
        region: id, stage: stage,
        message: "cairn-\(stage.rawValue) ended with exit code 65 (bad input data): \(text)",
        reason: text)
    }
    let summary = RunSummary(
      regions: failures.map { RegionSummary(id: $0.region, status: .failed) }, failures: failures,
      wallSeconds: 1)
    #expect(
      summary.failureLines().dropLast() == [
        "sample-elevation and build-tiles failed; 3 regions wait for that: a, b, c", "  \(text)",
      ])
  }

  @Test("after a full disk the regions that were not tried have failed, too")
  func fullDisk() throws {
    let world = try World()
    try world.before(
      .buildGraph,
      "echo 'cairn-build-graph: error: region.graph: cannot write: No space left on device' >&2; exit 74"
    )
    #expect(try world.run(parallelism: 1).failures.map(\.region) == ["west", "east"])
    #expect(world.calls.count { $0 == "build-graph" } == 1)
    func states() throws -> [RegionStatus] {
      let forecaster = try world.forecaster()
      let recorded = RegionStatus.recorded(forecaster)
      return (0..<2).map { RegionStatus($0, forecaster, recorded) }
    }
    for status in try states() {
      #expect(status.state == .failed)
      #expect(status.reason?.contains("No space left on device") == true, "\(status)")
    }
    // What was published stays, and is not new either.
    try world.before(.buildGraph, "")
    try world.run()
    #expect(try states().map(\.state) == [.fresh, .fresh])
  }

  @Test("many tiles are counted, and sources that are no folders are called so")
  func texts() throws {
    let world = try World()
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    let names = (1...7).map { "N47E00\($0)" }
    #expect(
      manifest.lack(of: names, in: manifest.regions[0]).hasPrefix(
        "N47E001, N47E002, N47E003, N47E004 and 3 more are not in the folder "))
    try world.change("{ hgt: hgt }", to: "{ hgt: hgt }, { url: \"http://u:secret@a/{tile}.hgt\" }")
    let two = try Manifest.load(world.folder.file("m.yaml"))
    let text = two.lack(of: ["N47E001"], in: two.regions[0])
    #expect(text.hasPrefix("N47E001 is in none of the sources ") && !text.contains("secret"))
  }
}
