// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Reports that a command writes")
struct ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  private func report(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["report"] + words)
  }

  @Test("a run and a comparison on it become pages, with the relief and ways of the run's manifest")
  func sample() throws {
    let root = packageRoot + "/pipelines"
    let manifest = try String(contentsOfFile: root + "/sample.yaml", encoding: .utf8)
      .replacing("../build/sample", with: folder.file("out"))
      .replacing("../sample-data", with: packageRoot + "/sample-data")
    let path = try folder.write(manifest, to: "sample.yaml")
    try Executables.succeed("cairn", ["run", path, "--progress", "plain"])

    let build = folder.file("build.html")
    for _ in 0..<2 { #expect(try report(path, "--output", build).status == 0) }
    let page = try text("build.html")
    #expect(page.contains("Build of sample.yaml") && page.contains("valley-west"))
    #expect(page.contains("✓ all regions published"))
    let other = folder.file("other.html")
    #expect(try report(folder.file("out"), "--output", other).status == 0)
    #expect(try text("other.html") == page)
    #expect(try report(path, "--run", "9", "--output", other).status == 66)

    let suite = try folder.write(
      """
      cairn-suite: 1
      name: valley
      datasets: [ { manifest: sample.yaml } ]
      pairs: [ { dataset: valley-west, draw: 40, seed: 2 } ]
      """, to: "suite.yaml")
    let comparison = folder.file("comparison.json")
    try Executables.succeed(
      "cairn",
      [
        "compare", "--suite", suite, "--base", "hiking", "--set", "highways.track=6", "--format",
        "json", "--output", comparison,
      ])
    let drawn = try report(comparison, "--map", "drawn", "--output", other)
    #expect(drawn.status == 0 && drawn.stderr.isEmpty, "\(drawn.stderr)")
    let whole = try text("other.html")
    #expect(whole.contains("href=\"data:image/png;base64,"))
    #expect(whole.contains("class=\"trails\"") && whole.contains("Changed routes"))

    // Without the suite there is nothing to lie on but what the command line names.
    try FileManager.default.moveItem(atPath: suite, toPath: folder.file("moved.yaml"))
    let bare = try report(comparison, "--map", "drawn", "--output", other)
    #expect(bare.status == 0 && bare.stderr.contains("give --suite"))
    #expect(try !text("other.html").contains("data:image/png"))
    let named = try report(
      comparison, "--map", "drawn", "--suite", folder.file("moved.yaml"), "--output", other)
    #expect(named.status == 0 && named.stderr.isEmpty)
    #expect(try text("other.html") == whole)
    try folder.write(
      try text("moved.yaml").replacing("name: valley", with: "name: hill"), to: "hill.yaml")
    #expect(
      try report(comparison, "--suite", folder.file("hill.yaml"), "--output", other).status == 64)
  }

  @Test("what is no run and no comparison, and files of others, are refused")
  func refused() throws {
    let output = folder.file("page.html")
    let other = try folder.write("{\"a\": 1}", to: "other.json")
    #expect(try report(other, "--output", output).status == 65)
    #expect(try report(folder.file("none.json"), "--output", output).status == 66)
    #expect(try report(folder.path, "--output", output).status == 66)
    let comparison = packageRoot + "/Tests/Fixtures/comparison.json"
    #expect(try report(comparison, "--run", "1", "--output", output).status == 64)
    #expect(try report(comparison, "--database", "x.db", "--output", output).status == 64)
    let mine = try folder.write("mine", to: "mine.html")
    #expect(try report(comparison, "--output", mine).status == 73)
    #expect(try text("mine.html") == "mine")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
