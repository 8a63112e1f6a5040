// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A command line that must fail: what is wrong with its input, and how it must fail.
private struct BadInput: CustomTestStringConvertible, Sendable {
  var what: String
  var executable: String
  /// The name of the input file and its content; nil for a file that does not exist.
  var name: String
  var content: [UInt8]?
  var options: [String] = []
  var status: Int32
  /// What the error must say.
  var says: String

  var testDescription: String { "\(executable): \(what)" }

  init(
    _ what: String, _ executable: String, _ name: String, _ content: [UInt8]?,
    options: [String] = [], status: Int32, says: String
  ) {
    self.what = what
    self.executable = executable
    self.name = name
    self.content = content
    self.options = options
    self.status = status
    self.says = says
  }
}

private func sample(_ name: String) -> [UInt8] {
  (try? bytesOfFile("\(packageRoot)/sample-data/\(name)")) ?? []
}

private let pbf = "cairn-decode-pbf"
private let xml = "cairn-parse-overpass"
private let cases: [BadInput] = [
  .init("a missing file", pbf, "a.osm.pbf", nil, status: 66, says: "no such file"),
  .init("an empty file", pbf, "a.osm.pbf", [], status: 65, says: "empty"),
  .init(
    "a truncated PBF", pbf, "a.osm.pbf", Array(sample("valley.osm.pbf").dropLast(1000)),
    status: 65, says: "at byte"),
  .init(
    "an HTML page instead of a PBF", pbf, "a.osm.pbf", Array("<html><body>404".utf8),
    status: 65, says: "a.osm.pbf"),
  .init("a missing file", xml, "a.osm", nil, status: 66, says: "no such file"),
  .init("an empty file", xml, "a.osm", [], status: 65, says: "empty"),
  .init(
    "an HTML page instead of OSM XML", xml, "a.osm",
    Array("<!DOCTYPE html><html><head><title>504 Gateway Timeout</title></head></html>".utf8),
    status: 65, says: "504 Gateway Timeout"),
  .init(
    "XML cut off in the middle", xml, "a.osm",
    Array("<?xml version='1.0'?>\n<osm version='0.6'>\n<node id='1' lat='4".utf8),
    status: 65, says: "a.osm:3:"),
  .init(
    "a query that timed out", xml, "a.osm",
    Array("<osm version='0.6'><remark>runtime error: Query timed out</remark></osm>".utf8),
    status: 65, says: "Query timed out"),
  .init(
    "a file of another stage", "cairn-build-graph", "a.elevated",
    Array("CAIRNGRF".utf8) + [UInt8](repeating: 0, count: 100), status: 65,
    says: ".elevated or .trails"),
  .init(
    "a graph that is cut off", "cairn-compute-costs", "a.graph", Array("CAIRNGRF".utf8),
    options: ["--profile", "hiking"], status: 65, says: "damaged"),
  .init(
    "an unknown profile", "cairn-compute-costs", "a.graph", Array("CAIRNGRF".utf8),
    options: ["--profile", "hikking"], status: 78, says: "did you mean hiking?"),
]

@Suite("Bad input fails with a reason and leaves nothing behind")
struct BadInputTests {
  @Test(
    "the exit code is right, the error says what and where, and there is no output",
    arguments: cases)
  fileprivate func badInput(_ input: BadInput) throws {
    let folder = try TemporaryFolder()
    if let content = input.content { try folder.write(content, to: input.name) }
    let before = try folder.contents
    let result = try Executables.run(
      input.executable,
      ["--input", folder.file(input.name), "--output", folder.file("out")] + input.options)
    #expect(result.status == input.status, "\(result.stderr)")
    #expect(result.stderr.contains(input.says), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
    #expect(try folder.contents == before)
  }

  @Test("an elevation tile of the wrong size is refused by name")
  func wrongTile() throws {
    let folder = try TemporaryFolder()
    let trails = folder.file("r.trails")
    try Executables.succeed(
      "cairn-decode-pbf",
      ["--input", "\(packageRoot)/sample-data/valley.osm.pbf", "--output", trails, "-q"])
    let tiles = try TemporaryFolder()
    try tiles.write([UInt8](repeating: 0, count: 1000), to: "N47E010.hgt")
    let result = try Executables.run(
      "cairn-sample-elevation",
      ["--input", trails, "--hgt", tiles.path, "--output", folder.file("out")])
    #expect(result.status == 65)
    #expect(result.stderr.contains("N47E010.hgt"), "\(result.stderr)")
    #expect(try folder.contents == ["r.trails"])
  }

  @Test("an output that cannot be written gives exit code 73")
  func unwritableOutput() throws {
    let folder = try TemporaryFolder()
    let result = try Executables.run(
      "cairn-decode-pbf",
      [
        "--input", "\(packageRoot)/sample-data/valley.osm.pbf", "--output",
        folder.file("missing/r.trails"),
      ])
    #expect(result.status == 73, "\(result.stderr)")
    #expect(result.stderr.contains("missing/r.trails"))
  }

  @Test(
    "an output beyond the limit of file sizes gives exit code 74 and leaves nothing",
    .disabled(if: Executables.areSanitized, "sanitizers do not start with such a limit"))
  func fileSizeLimit() throws {
    let folder = try TemporaryFolder()
    let output = folder.file("valley.trails")
    let result = try runProcess(
      "bash",
      [
        "-c", #"ulimit -f 4; exec "$@""#, "bash", "\(Executables.folder)/cairn-decode-pbf",
        "--input", "\(packageRoot)/sample-data/valley.osm.pbf", "--output", output, "-q",
      ])
    #expect(result.status == 74, "\(result.stderr)")
    #expect(result.stderr.contains("ulimit -f"), "\(result.stderr)")
    #expect(try folder.contents.isEmpty)
  }

  @Test("a file that Cairn did not write is not overwritten")
  func foreignOutput() throws {
    let folder = try TemporaryFolder()
    let diary = try folder.write("Dear diary, today I walked far.", to: "diary.txt")
    let result = try Executables.run(
      "cairn-decode-pbf",
      ["--input", "\(packageRoot)/sample-data/valley.osm.pbf", "--output", diary])
    #expect(result.status == 73)
    #expect(try folder.read("diary.txt") == Array("Dear diary, today I walked far.".utf8))
  }

  @Test("a manifest with an unknown key is refused with line, column and a suggestion")
  func unknownManifestKey() throws {
    let folder = try TemporaryFolder()
    let manifest = try folder.write(
      """
      cairn: 1
      name: broken
      output: out
      regoins: []
      """, to: "m.yaml")
    let result = try Executables.run("cairn", ["run", manifest])
    #expect(result.status == 78)
    #expect(result.stderr.contains("m.yaml:4:1"), "\(result.stderr)")
    #expect(result.stderr.contains("regions"), "\(result.stderr)")
    #expect(try folder.contents == ["m.yaml"])
  }

  @Test("a mistyped option is refused with a suggestion")
  func unknownOption() throws {
    let result = try Executables.run("cairn-decode-pbf", ["--inptu", "x"])
    #expect(result.status == 64)
    #expect(result.stderr.contains("--input"))
  }

  @Test("a mistyped command is refused with a suggestion")
  func unknownCommand() throws {
    let result = try Executables.run("cairn", ["rout"])
    #expect(result.status == 64)
    #expect(result.stderr.contains("did you mean route?"), "\(result.stderr)")
  }
}
