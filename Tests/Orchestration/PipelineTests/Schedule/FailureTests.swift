// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import Execution
import Foundation
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Pipeline

@Suite("Failures in a run")
struct FailureTests {
  @Test("a region that fails does not affect the others, and the failure names reason and log")
  func failingRegion() throws {
    let world = try World()
    try world.before(
      .buildGraph,
      """
      case $words in *out/.cairn/attempts/east*)
        echo 'cairn-build-graph: error: too steep' >&2; echo bye >&2; exit 65;; esac
      """)
    let summary = try world.run()
    #expect(summary.regions.map(\.status) == [.built, .failed])
    #expect(summary.exitCode == .negative)
    let failure = try #require(summary.failures.first)
    #expect(
      failure.message == "cairn-build-graph ended with exit code 65 (bad input data): too steep")
    let lines = ["cairn-build-graph: error: too steep", "bye"]
    #expect(failure.lastLines == lines)
    #expect(
      try String(contentsOfFile: #require(failure.log), encoding: .utf8)
        == lines.map { $0 + "\n" }.joined())
    #expect(world.calls.count { $0 == "build-graph" } == 2, "bad data is not tried again")
    #expect(!pathExists(world.folder.file("out/east")))
    let index = try #require(IndexRecord(inFolder: world.folder.file("out")))
    #expect(index.regions.map(\.id) == ["west"], "what is not published is not in it")
    #expect(index.regions.map(\.status) == [.fresh])
    try FileManager.default.removeItem(atPath: world.folder.file("bin/before-build-graph"))
    #expect(try world.run().regions.map(\.status) == [.cached, .built])
  }

  @Test("a region that fails keeps its last bundle and is marked stale")
  func staleRegion() throws {
    let world = try World()
    try world.run()
    let before = try world.text("out/east/east.routing.db")
    try world.folder.write("changed\n", to: "valley.osm.pbf")
    try world.before(.validate, "case $words in *--json*) exit 70;; esac")
    try world.run()
    #expect(try world.text("out/east/east.routing.db") == before)
    #expect(
      IndexRecord(inFolder: world.folder.file("out"))?.regions.map(\.status) == [.stale, .stale])
  }

  @Test("a temporary failure is tried once more", arguments: ["exit 75", "exit 74", "kill -9 $$"])
  func retries(fault: String) throws {
    let world = try World()
    let script = "[ -e \"$here/tried\" ] || { : > \"$here/tried\"; \(fault); }"
    try world.before(.buildGraph, script)
    let summary = try world.run(regions: ["west"])
    #expect(summary.regions.map(\.status) == [.built])
    #expect(world.calls.count { $0 == "build-graph" } == 2)
    #expect(
      world.events.contains {
        if case .retrying(region: "west", stage: .buildGraph, _) = $0 { true } else { false }
      })
  }

  @Test("a failure that persists is not tried a third time")
  func retryLimit() throws {
    let world = try World()
    try world.before(.buildGraph, "exit 75")
    let summary = try world.run(regions: ["west"])
    #expect(world.calls.count { $0 == "build-graph" } == 2)
    #expect(
      summary.failures.first?.message
        == "cairn-build-graph ended with exit code 75 (temporary fault, worth a retry)")
  }

  @Test("what several regions fail by is told once, with the regions that wait for it")
  func oneCause() throws {
    let world = try World()
    try world.before(
      .decodePBF, "echo 'cairn-decode-pbf: error: valley.osm.pbf: is truncated' >&2; exit 65")
    let summary = try world.run()
    #expect(summary.failures.map(\.region) == ["west", "east"])
    let lines = summary.failureLines()
    #expect(
      lines.prefix(2) == [
        "decode-pbf failed; 2 regions wait for that: west, east",
        "  cairn-decode-pbf ended with exit code 65 (bad input data): valley.osm.pbf: is truncated",
      ])
    #expect(lines.count == 4, "\(lines)")
  }

  @Test("a disk that is full is found once, and neither tried again nor in other regions")
  func fullDisk() throws {
    let world = try World()
    try world.before(
      .buildGraph,
      "echo 'cairn-build-graph: error: region.graph: cannot write: No space left on device' >&2; exit 74"
    )
    let summary = try world.run(parallelism: 1)
    #expect(world.calls.count { $0 == "build-graph" } == 1)
    #expect(summary.failures.map(\.region) == ["west", "east"])
    let lines = summary.failureLines()
    #expect(lines.first == "the disk is full; 2 regions wait for that: west, east")
    #expect(lines.count { $0.contains("No space left on device") } == 1, "\(lines)")
    #expect(summary.exitCode == .negative)
    try FileManager.default.removeItem(atPath: world.folder.file("bin/before-build-graph"))
    #expect(try world.run().exitCode == .success)
  }

  @Test("a bad night of many causes is a line for each, and what one check found stands below it")
  func manyCauses() {
    let failures = (1...12).map { number in
      RunFailure(
        region: "r\(number)", stage: .publish, message: "check max-drift: \(number)",
        lastLines: ["max-drift: \(number)", "x = 1", "x = 2", "x = 3", "x = 4"],
        refusal: number > 2
          ? .init(check: "max-drift at m:1:2", finding: "\(number)", isDrift: true) : nil)
    }
    func lines(_ failures: some Collection<RunFailure>) -> [String] {
      RunSummary(regions: [], failures: Array(failures), wallSeconds: 0)
        .failureLines(record: "report.json")
    }
    #expect(
      lines(failures).prefix(4) == [
        "r1: publish failed: check max-drift: 1", "r2: publish failed: check max-drift: 2",
        "publish failed by the check max-drift at m:1:2 "
          + "(or --accept-drift r3,r4,r5,r6,r7,r8,r9,r10,r11,r12):",
        "  r3: 3",
      ])
    #expect(lines(failures).count == 14)
    #expect(
      lines(failures.prefix(1)).dropLast() == [
        "r1: publish failed", "  check max-drift: 1", "  | x = 1", "  | x = 2",
        "  | 2 more in report.json",
      ])
  }

  @Test("with --quiet the warnings in the log of a stage that failed are not told")
  func quietWarnings() throws {
    let world = try World()
    try world.before(
      .sampleElevation,
      """
      for n in 1 2 3; do echo "cairn-sample-elevation: warning: void $n" >&2; done
      echo 'cairn-sample-elevation: error: no' >&2; exit 65
      """)
    let summary = try world.run(regions: ["west"])
    func warnings(_ isQuiet: Bool) -> Int {
      summary.failureLines(isQuiet: isQuiet).count { $0.contains("void") }
    }
    #expect(warnings(false) == 3 && warnings(true) == 0)
  }

  @Test("a stage that succeeds without an output is a failure")
  func noProduct() throws {
    let world = try World()
    try world.before(.buildGraph, "exit 0")
    let summary = try world.run(regions: ["west"])
    #expect(
      summary.failures.first?.message
        == "cairn-build-graph: ended well but wrote no region.graph")
  }

  @Test("what a killed run left unfinished is neither used nor published")
  func killedRun() throws {
    let world = try World()
    try world.run()
    let before = try world.publishedFiles
    let root = world.folder.file("out/.cairn")
    for key in try FileManager.default.contentsOfDirectory(atPath: root + "/actions") {
      // As after a loss of power: one record empty, one output cut short, one attempt half-done.
      for name in ["result.json", "region.graph"] {
        let path = "\(root)/actions/\(key)/\(name)"
        if pathExists(path) { truncate(path, 0) }
      }
    }
    try makeFolders(root + "/attempts/west.decode-pbf.1.1")
    try world.folder.write("half", to: "out/.cairn/attempts/west.decode-pbf.1.1/region.trails")
    try makeFolders(root + "/staging/west")
    try world.folder.write("half", to: "out/.cairn/staging/west/west.routing.db")
    try world.run()
    #expect(world.calls.count == 9)
    #expect(try world.publishedFiles == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/attempts").isEmpty)
    #expect(try world.run().isNothingToDo)
  }

  @Test("a second run on one output folder is refused and names the first one")
  func locked() throws {
    let world = try World()
    try makeFolders(world.folder.file("out/.cairn"))
    let lock = try FileLock(world.folder.file("out/.cairn/lock"))
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error?.exitCode == .temporaryFailure)
    #expect(error?.message == "is held by process \(getpid())")
    withExtendedLifetime(lock) {}
  }

  @Test(
    "an interruption stops the running stages, and the next run continues from there",
    arguments: ["sleep 600", "trap 'exit 0' TERM; sleep 600 & wait"])
  func interrupted(work: String) throws {
    let world = try World()
    try world.before(
      .buildGraph, "if [ ! -e \"$here/go\" ]; then : > \"$here/at-work\"; \(work); fi")
    let interruption = Interruption()
    let watcher = Thread {
      while !pathExists(world.folder.file("bin/at-work")) { usleep(2000) }
      // A shell that is about to start a program may lose SIGINT, but not SIGTERM.
      interruption.interrupt(SIGTERM)
    }
    watcher.start()
    let summary = try world.orchestrator(interruption: interruption).run()
    #expect(summary.regions.allSatisfy { $0.status == .stopped })
    #expect(summary.exitCode == .temporaryFailure)
    #expect(
      summary.failureLines() == [
        "stopped by SIGTERM; finished results are kept: run the same command again to continue"
      ])
    try world.folder.write("", to: "bin/go")
    #expect(try world.run().exitCode == .success)
    #expect(!world.calls.contains("decode-pbf") || world.calls.count { $0 == "decode-pbf" } == 1)
  }

  @Test("an output folder that cannot be written ends with 73")
  func unwritableOutput() throws {
    let world = try World()
    try world.folder.write("a file", to: "out")
    let error = #expect(throws: CairnError.self) { try world.run() }
    #expect(error?.exitCode == .cannotCreate)
  }
}
