// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Execution
import Manifests
import Planning
import TestSupport
import Testing

@testable import RunCommands

@Suite("Display of a run at work")
struct DisplayTests {
  private func display(expected: Double? = nil) throws -> RunDisplay {
    let folder = try TemporaryFolder()
    let text = """
      cairn: 1
      name: sample
      output: out
      sources: { valley: { pbf: valley.osm.pbf }, plain: { overpass: plain.osm.gz } }
      elevation: [{ hgt: hgt }]
      profiles: [hiking]
      waypoints: false
      search: false
      regions:
        - { id: west, name: West, source: valley, bbox: [10.00, 47.00, 10.10, 47.10] }
        - { id: east, name: East, source: plain, bbox: [10.10, 47.00, 10.20, 47.10] }
      """
    let manifest = try Manifest.load(folder.write(text, to: "m.yaml"))
    return RunDisplay(try Plan(manifest, selection: nil), processors: 2) { _, _ in expected }
  }

  private func start(_ region: String, _ stage: Stage, batch: Int) -> RunEvent {
    .started(region: region, stage: stage, reason: "", threads: 1, batch: batch)
  }

  @Test("each stage at work has a line, and so has the whole run")
  func lines() throws {
    var display = try display(expected: 10)
    display.update(start("west", .decodePBF, batch: 0), now: 100)
    display.update(start("east", .parseOverpass, batch: 6), now: 101)
    display.update(
      .progress(batch: 0, StageProgress(phase: "nodes", done: 1, total: 3)), now: 102)
    #expect(
      display.lines(now: 103, columns: 80) == [
        "west  decode-pbf      nodes 33 %, 3 s, about 7 s left",
        "east  parse-overpass  2 s, about 8 s left",
        "[0/12] 0 of 2 regions, about 48 s left",
      ])
    #expect(
      display.line(now: 103)
        == "[0/12] 0 of 2 regions, about 48 s left; west decode-pbf nodes 33 % 3 s; "
        + "east parse-overpass 2 s")
    display.update(
      .finished(region: "west", stage: .decodePBF, seconds: 3, isCached: false), now: 104)
    display.update(
      .failed(RunFailure(region: "east", stage: .parseOverpass, message: "")), now: 104)
    #expect(
      display.lines(now: 104, columns: 80) == ["[1/12] 0 of 2 regions, 1 FAILED, about 40 s left"])
    display.isStopping = true
    #expect(
      display.lines(now: 104, columns: 99).last
        == "[1/12] 0 of 2 regions, 1 FAILED, stopping (repeat the signal to kill running stages)"
    )
  }

  @Test("a stage that takes much longer than ever before leaves no guess at the rest")
  func late() throws {
    var display = try display(expected: 10)
    display.update(start("west", .decodePBF, batch: 0), now: 100)
    #expect(
      display.lines(now: 125, columns: 80) == [
        "west  decode-pbf  25 s", "[0/12] 0 of 2 regions, about 50 s left",
      ])
    #expect(
      display.lines(now: 126, columns: 80) == [
        "west  decode-pbf  26 s", "[0/12] 0 of 2 regions",
      ])
  }

  @Test("regions of one process share a line, and no line is longer than the terminal is wide")
  func sharedLine() throws {
    var display = try display()
    display.update(start("west", .decodePBF, batch: 0), now: 0)
    display.update(start("east", .decodePBF, batch: 0), now: 0)
    #expect(
      display.lines(now: 1, columns: 80) == [
        "west + 1 more  decode-pbf  1 s", "[0/12] 0 of 2 regions",
      ])
    #expect(display.lines(now: 1, columns: 25).allSatisfy { $0.count <= 24 })
    display.update(.retrying(region: "west", stage: .decodePBF, message: ""), now: 2)
    #expect(display.lines(now: 2, columns: 80).first == "east  decode-pbf  2 s")
  }
}
