// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CommandLineKit
import Foundation
import ResultStore
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Unattended runs")
struct UnattendedRunTests {
  @Test("a stage that hangs is stopped with its child processes, and the error says so")
  func timeout() throws {
    let world = try World()
    try world.run()
    // Of all stages this one alone runs again: others would be stopped on a busy machine, too.
    try world.change("name: East,", to: "name: East, island-threshold-km: 3,")
    try world.before(.computeCosts, "trap '' TERM; sleep 600 & wait; sleep 600")
    let summary = try world.run { $0.attempts.timeoutSeconds = 0.3 }
    #expect(world.calls == ["compute-costs"], "it would only hang again")
    #expect(summary.regions.map(\.status) == [.cached, .failed])
    #expect(
      summary.failures.first?.message
        == "cairn-compute-costs did not end within 1 s and was stopped")
  }

  @Test("the manifest's time for a stage overrides that of the command line")
  func timeoutOfManifest() throws {
    let world = try World()
    try world.folder.write(
      world.text("m.yaml") + "\nresources: { build-graph: { time: 1 s } }\n", to: "m.yaml")
    try world.before(.buildGraph, "sleep 600")
    let summary = try world.run(regions: ["west"])
    #expect(summary.failures.first?.message.contains("did not end within 1 s") == true)
  }

  @Test("a run with far too little memory still succeeds")
  func littleMemory() throws {
    let world = try World()
    #expect(try world.run { $0.memoryBytes = 1 }.regions.map(\.status) == [.built, .built])
  }

  @Test("a crash is not tried again")
  func crash() throws {
    let world = try World()
    try world.before(.buildGraph, "kill -SEGV $$")
    let summary = try world.run(regions: ["west"])
    #expect(
      summary.failures.first?.message == "cairn-build-graph was ended by signal 11 (SIGSEGV)")
    #expect(world.calls.count { $0 == "build-graph" } == 1)
  }

  @Test("a stage whose mapped input is truncated ends by a signal, which the run explains")
  func truncatedInput() throws {
    let world = try World()
    try world.before(.buildGraph, "kill -BUS $$")
    let message = try world.run(regions: ["west"]).failures.first?.message
    #expect(
      message?.contains("a file may have been truncated while being read") == true,
      "\(message ?? "")")
  }

  @Test("a stage is tried again as often as the manifest says", arguments: [0, 3])
  func retries(number: Int) throws {
    let world = try World()
    try world.folder.write(world.text("m.yaml") + "\nretries: \(number)\n", to: "m.yaml")
    try world.before(.buildGraph, "exit 75")
    try world.run(regions: ["west"])
    #expect(world.calls.count { $0 == "build-graph" } == number + 1)
  }

  @Test("bad data and a bad configuration are not tried again", arguments: [65, 78])
  func neverRetried(exit: Int) throws {
    let world = try World()
    try world.folder.write(world.text("m.yaml") + "\nretries: 5\n", to: "m.yaml")
    try world.before(.buildGraph, "exit \(exit)")
    try world.run(regions: ["west"])
    #expect(world.calls.count { $0 == "build-graph" } == 1)
  }

  @Test("a very long log keeps its beginning and its end")
  func endlessLog() throws {
    let world = try World()
    try world.before(
      .buildGraph, "echo first >&2; yes 'so much to say' | head -n 400000; echo last >&2; exit 65")
    let summary = try world.run(regions: ["west"])
    let failure = try #require(summary.failures.first)
    #expect(failure.lastLines.last == "last")
    #expect(failure.lastLines.count == 20)
    let log = try String(contentsOfFile: #require(failure.log), encoding: .utf8)
    #expect(log.hasPrefix("first\nso much"))
    #expect(log.contains(" bytes left out …]\n"))
    #expect(log.utf8.count < BoundedLog.headLimit + BoundedLog.tailLimit + 100)
  }

  @Test("a stage that prints without end is stopped")
  func endlessResult() throws {
    let world = try World()
    try world.before(.validate, "yes")
    let summary = try world.run(regions: ["west"])
    #expect(
      summary.failures.first?.message == "cairn-validate prints more than 16.8 MB")
  }

  @Test("progress is shown and not logged, unlike all other output")
  func progress() throws {
    let world = try World()
    try world.before(
      .buildGraph,
      #"echo '{"event":"progress","command":"x","phase":"edges","done":3,"total":4}' >&2; "#
        + #"printf '{"event":"pro' >&2; echo 'blem"}' >&2; printf 'no end' >&2; exit 65"#)
    let summary = try world.run(regions: ["west"])
    #expect(summary.failures.first?.lastLines == [#"{"event":"problem"}"#, "no end"])
    let seen = world.events.compactMap { event -> StageProgress? in
      if case .progress(_, let progress) = event { progress } else { nil }
    }
    #expect(seen == [StageProgress(phase: "edges", done: 3, total: 4)])
    #expect(seen.first?.percent == 75)
  }

  @Test("the index says why a region is stale, until it is fresh again")
  func staleReason() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    let source = try world.folder.read("valley.osm.pbf")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.before(.validate, "exit 70")
    try world.run(regions: ["west"])
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.map(\.status) == [.stale, .fresh])
    #expect(
      index.regions.map(\.reason) == [
        "validate: cairn-validate ended with exit code 70 (a defect in Cairn)", nil,
      ])
    try FileManager.default.removeItem(atPath: world.folder.file("bin/before-validate"))
    try world.folder.write(source, to: "valley.osm.pbf")
    try world.run()
    #expect(try world.publishedFiles == before)
  }

  @Test("each run is recorded, and the last hundred records are kept")
  func records() throws {
    let world = try World()
    try world.before(.validate, "exit 70")
    let summary = try world.run()
    let record = RunRecord(store: ActionStore(root: world.folder.file("out/.cairn")))
    for _ in 0..<RunRecord.limit + 3 {
      _ = try record.write(summary, manifest: "m.yaml", startTime: 951_782_400)
    }
    #expect(try record.numbers() == Array(4...RunRecord.limit + 3))
    let bytes = Data(try world.folder.read("out/.cairn/runs/7/report.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    #expect(json["started"] as? String == "2000-02-29T00:00:00Z")
    #expect(json["exitCode"] as? Int == 1)
    #expect((json["failures"] as? [[String: Any]])?.first?["stage"] as? String == "validate")
    #expect((json["regions"] as? [[String: Any]])?.count == 2)
  }
}
