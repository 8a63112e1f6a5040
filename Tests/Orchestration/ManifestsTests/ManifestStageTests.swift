// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import RunCommands
import RunSupport
import SystemIO
import TestSupport
import Testing

@testable import Manifests

@Suite("Custom stages of a manifest")
struct ManifestStageTests {
  @Test("custom stages are read in order, with paths relative to the manifest")
  func stages() throws {
    let full = try FullManifest()
    let manifest = try full.load(FullManifest.good)
    #expect(manifest.stages.map(\.name) == ["contours", "pack"])
    #expect(manifest.stages[0].inputs.map(\.path) == [full.folder.file("style.json")])
  }

  @Test(
    "an invalid stage is reported with line and column",
    arguments: [
      (
        "name: contours", "name: validate", "12:11: “name” is the name of another stage: “validate”"
      ),
      ("after: sample-elevation", "after: sample-elevatio", "14:12: “after” must be one of"),
      (
        "{style}\"", "{styl}\"",
        "13:46: value 3 of “command” contains an unknown placeholder: {styl} (did you mean {style}?)"
      ),
      (
        "[\"{region}.contours\"]", "[\"{region}.routing.db\"]",
        "16:15: value 1 of “outputs” is the name of another file: “{region}.routing.db”"
      ),
      (
        "outputs: [a, b]", "outputs: [../a, b]",
        "17:78: value 1 of “outputs” must be a file name of"
      ),
      (
        ", \"{output}\"]", "]",
        "13:14: “command” does not contain the path of its output (add {output}"
      ),
      (
        "{output-dir}", "{output}",
        "17:28: “command” contains {output}, but the stage has several outputs (use {output-dir}, their folder)"
      ),
      ("[./contours.sh", "[\"{input}\"", "13:15: value 1 of “command” must be the program"),
    ])
  func namesWrongValues(good: String, bad: String, problem: String) throws {
    let found = try FullManifest().problems(FullManifest.good.replacing(good, with: bad))
    #expect(found.first?.hasPrefix("m.yaml:" + problem) == true, "\(found)")
  }

  /// A manifest of one region with custom stages, each a flow mapping.
  private func manifest(stages: [String]) -> String {
    """
    cairn: 1
    name: test
    output: out
    sources: { valley: { pbf: valley.osm.pbf } }
    elevation: [{ hgt: hgt }]
    profiles: [hiking]
    regions: [{ id: r0, name: R, source: valley, bbox: [10, 47, 11, 48] }]
    stages:

    """ + stages.map { "  - \($0)\n" }.joined()
  }

  @Test(
    "an output may not have the name of a part of the bundle or of another stage's output",
    arguments: [
      "\"{region}.routing.db-journal\"", "\"{region}.routing.db-wal\"", "r0.routing.db",
      "r0.routing.db-shm", "bundle.json", "region.json", "r0.own", "Bundle.JSON", "r0.OWN",
      "\"{region}.Routing.db\"",
    ])
  func namesCollisions(output: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      manifest(stages: [
        "{ name: a, command: [sh, \"{output}\"], after: validate, outputs: [\"{region}.own\"] }",
        "{ name: b, command: [sh, \"{output}\"], after: validate, outputs: [\(output)] }",
      ]), to: "m.yaml")
    let error = #expect(throws: CairnError.self) { try Manifest.load(folder.file("m.yaml")) }
    #expect(error?.description.contains("is the name of another file") == true)
  }

  @Test("manifest check refuses words of a command that are files but not inputs")
  func namesUndeclaredFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("echo\n", to: "t.sh")
    func check(_ word: String) throws -> ExitCode {
      try folder.write(
        manifest(stages: [
          "{ name: a, command: [sh, \(word), \"{output}\"], after: validate, outputs: [a] }"
        ]), to: "m.yaml")
      return CommandRunner.run(ManifestCommand.self, ["check", "-q", folder.file("m.yaml")])
    }
    #expect(try check("./t.sh") == .configuration)
    #expect(try check("--script=t.sh") == .configuration)
    #expect(try check("./other.sh") == .success)
  }

  @Test("a missing program and missing files of a stage are reported")
  func namesMissingFiles() throws {
    let full = try FullManifest()
    let folder = full.folder
    let manifest = try full.load(FullManifest.good)
    try makeFolders(folder.file("hgt"))
    let error = expectError(.cannotRead, .noInput) { try manifest.checkFiles(regions: []) }
    let lines = error?.description.replacing(folder.path + "/", with: "").split(separator: "\n")
    #expect(lines?.count == 2)
    #expect(lines?[0].hasPrefix("m.yaml:13:14: program “./contours.sh” not found") == true)
    #expect(lines?[1].hasPrefix("m.yaml:15:22: style.json does not exist") == true)
  }

  @Test("the words of a command are split at placeholders, and braces can be escaped")
  func splitsWords() {
    #expect(
      commandParts("a{input}b{x-1}")
        == [.text("a"), .placeholder("input"), .text("b"), .placeholder("x-1")])
    #expect(commandParts("{{input}") == [.text("{input}")])
    #expect(commandParts("{print $1} {} {") == [.text("{print $1} {} {")])
    #expect(commandParts("") == [])
  }
}
