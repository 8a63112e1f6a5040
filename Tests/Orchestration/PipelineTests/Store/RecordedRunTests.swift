// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Foundation
import ResultStore
import RunCommands
import RunSupport
import TestSupport
import Testing

@testable import Pipeline

@Suite("Records of runs are read again")
struct RecordedRunTests {
  private let world: World

  init() throws { world = try World() }

  /// Runs and records it, as `cairn run` does.
  private func run(force: Bool = false) throws {
    let store = ActionStore(root: world.folder.file("out/.cairn"))
    _ = try RunRecord(store: store).write(
      try world.run(force: force), manifest: world.folder.file("m.yaml"), startTime: 0)
  }

  @Test("what a run did is read by its manifest as by its output folder")
  func whole() throws {
    try run()
    for path in ["m.yaml", "out"] {
      let run = try RecordedRun(world.folder.file(path))
      #expect(run.number == 1 && run.previous == nil && run.failures.isEmpty)
      #expect(run.manifest == world.folder.file("m.yaml"))
      #expect(run.regions.map(\.id).sorted() == ["east", "west"])
      for region in run.regions {
        #expect(region.status == "built" && region.edges == 100 && region.before == nil)
        #expect(region.bundle?.nodes == 7 && region.bundle?.elevationCoverage == 0.9)
        #expect(region.stages.map(\.stage).contains("build-graph"))
        #expect(region.stages.allSatisfy { $0.seconds != nil && $0.start != nil })
      }
    }
  }

  @Test("a later run knows the figures of the one before; an earlier one is read by its number")
  func several() throws {
    try run()
    try world.folder.write("110", to: "bin/edges")
    try run(force: true)
    let last = try RecordedRun(world.folder.file("out"))
    #expect(last.number == 2 && last.previous == 1)
    #expect(last.regions.allSatisfy { $0.edges == 110 && $0.before?.edges == 100 })
    let first = try RecordedRun(world.folder.file("out"), number: 1)
    #expect(first.number == 1 && first.regions.allSatisfy { $0.edges == 100 })
    let error = expectError("no-run", .noInput) {
      try RecordedRun(world.folder.file("out"), number: 7)
    }
    #expect(error?.message == "run 7 is not recorded" && error?.hint == "runs 1 to 2 are")
  }

  @Test("a region that failed has its stage and what it said last")
  func failed() throws {
    try world.before(.buildGraph, "case $words in *east*) echo no more >&2; exit 65;; esac")
    try run()
    let run = try RecordedRun(world.folder.file("out"))
    #expect(run.failures.map(\.region) == ["east"])
    #expect(run.failures.first?.stage == "build-graph")
    #expect(run.failures.first?.lastLines?.contains("no more") == true)
    #expect(run.regions.first { $0.id == "east" }?.status == "failed")
    #expect(run.regions.first { $0.id == "east" }?.bundle == nil)
  }

  @Test("a folder without runs says what makes one")
  func none() throws {
    let error = expectError("no-run", .noInput) { try RecordedRun(world.folder.path) }
    #expect(error?.hint == "run cairn run MANIFEST first")
  }

  @Test(
    "a damaged record is an error, and names of regions and actions lead nowhere else",
    arguments: ["", "{", "[]", #"{"run": 1}"#])
  func damaged(text: String) throws {
    try run()
    let path = "out/.cairn/runs/1/report.json"
    let good = try world.text(path)
    try world.folder.write(text, to: path)
    expectError("damaged-record", .dataError) { try RecordedRun(world.folder.file("out")) }
    // Outside of the output there is a bundle, too, which is not read.
    let moved = good.replacing("\"west\"", with: "\"../out/west\"")
    try world.folder.write(moved, to: path)
    let run = try RecordedRun(world.folder.file("out"))
    #expect(run.regions.first { $0.id == "../out/west" }?.bundle == nil)
    #expect(run.regions.first { $0.id == "east" }?.bundle != nil)
  }

  @Test("two runs that end together have a record each")
  func together() throws {
    let words = [world.folder.file("m.yaml"), "--bin", world.folder.file("bin"), "-q"]
    let threads = 3
    let runs = 4
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      for _ in 0..<runs {
        // Another one has the folder.
        while CommandRunner.run(RunCommand.self, words) == .temporaryFailure { usleep(5000) }
      }
    }
    let record = RunRecord(store: ActionStore(root: world.folder.file("out/.cairn")))
    #expect(try record.numbers() == Array(1...threads * runs))
  }

  @Test("where the runs cannot be listed none is recorded over another one")
  func unlistable() async throws {
    await #expect(processExitsWith: .success) {
      // Root may list everything.
      if geteuid() == 0 { try #require(seteuid(65_534) == 0) }
      let folder = try TemporaryFolder()
      let records = RunRecord(store: ActionStore(root: folder.path))
      let summary = RunSummary(regions: [], failures: [], signal: nil, wallSeconds: 0)
      let path = try records.write(summary, manifest: "m.yaml", startTime: 0)
      let first = try bytesOfFile(path)
      try #require(chmod(records.store.runs, 0o300) == 0)
      expectError(.cannotRead, .noInput) {
        try records.write(summary, manifest: "other.yaml", startTime: 1)
      }
      try #require(chmod(records.store.runs, 0o700) == 0)
      #expect(try bytesOfFile(path) == first && records.numbers() == [1])
    }
  }
}
