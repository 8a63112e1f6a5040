// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Execution
import Glibc
import Pipeline
import Publishing
import RunSupport
import TestSupport
import Testing

@testable import RunCommands

@Suite("Summary of a run")
struct SummaryTests {
  @Test("the table has a line for each region, and the counts below")
  func table() {
    let summary = RunSummary(
      regions: [
        RegionSummary(
          id: "valley-west", status: .built, edges: 12_345, bytes: 1_234_567,
          warnings: BundleWarnings(kinds: [
            .init(stage: "decode-pbf", kind: "missing-node", count: 2, examples: []),
            .init(stage: "sample-elevation", kind: "no-elevation", count: 1, examples: []),
          ]),
          stages: [
            .init(stage: .decodePBF, seconds: 0.25), .init(stage: .sampleElevation, seconds: 1.5),
          ]),
        RegionSummary(
          id: "east", status: .cached, edges: 7, bytes: 999,
          stages: [.init(stage: .parseOverpass, seconds: nil)]),
        RegionSummary(id: "north", status: .failed, edges: nil, bytes: nil),
        RegionSummary(id: "south", status: .cached, edges: 7, bytes: 999, isHeld: true),
      ],
      failures: [
        RunFailure(
          region: "north", stage: .buildGraph, message: "no luck", lastLines: ["a", "b"],
          log: "out/log")
      ], wallSeconds: 2)
    #expect(
      summary.text() == """
        region       decode  elevation   edges    size                 warnings
        valley-west  250 ms     1.50 s  12\u{A0}345  1.2 MB  2 missing-node, 1 other  built
        east              –          –       7   999 B                        –  cached
        north             –          –       –       –                        –  FAILED
        south             –          –       7   999 B                        –  held back
        1 built, 2 cached, 1 FAILED in 2.00 s
        cairn warnings MANIFEST lists the warnings and where they are

        """)
    #expect(
      summary.failureLines() == [
        "north: build-graph failed", "  no luck", "  | a", "  | b", "  log: out/log",
        "1 region failed; published bundles and finished results are kept: "
          + "fix the cause and run the same command again",
      ])
    let told = RunFailure(
      region: "north", stage: .buildGraph, message: "cairn-build-graph ended with 65: x: too short",
      lastLines: ["cairn-build-graph: warning: y", "cairn-build-graph: error: x: too short"])
    #expect(told.furtherLines == ["cairn-build-graph: warning: y"])
    let red = "\u{1B}[1;31mFAILED\u{1B}[0m"
    #expect(summary.text(Palette(isOn: true)).contains("–  \(red)\n"))
    #expect(summary.exitCode == .negative)
    #expect(summary.text(columns: 82) == summary.text())
    #expect(
      summary.text(columns: 81).hasPrefix(
        """
        region         time           slowest   edges    size                 warnings
        valley-west  1.75 s  elevation 1.50 s  12\u{A0}345  1.2 MB  2 missing-node, 1 other  built
        east              –                 –       7   999 B                        –  cached
        """))
  }

  @Test("the command runs a manifest and ends with the documented exit codes")
  func command() throws {
    let world = try World()
    let bin = ["--bin", world.folder.file("bin"), "--quiet"]
    let manifest = world.folder.file("m.yaml")
    #expect(CommandRunner.run(RunCommand.self, [manifest] + bin) == .success)
    #expect(CommandRunner.run(RunCommand.self, [manifest, "--force", "-j", "1"] + bin) == .success)
    #expect(CommandRunner.run(RunCommand.self, [manifest, "--regions", "none"] + bin) == .usage)
    #expect(CommandRunner.run(RunCommand.self, [manifest, "--regions", ","] + bin) == .usage)
    #expect(CommandRunner.run(RunCommand.self, [world.folder.file("none")] + bin) == .noInput)
    #expect(
      CommandRunner.run(RunCommand.self, [world.folder.file("mine.yaml")] + bin) == .configuration)
    try world.before(.validate, "exit 1")
    #expect(CommandRunner.run(RunCommand.self, [manifest, "--force"] + bin) == .negative)
  }
}
