// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline

/// `cairn doctor [MANIFEST]`: whether this machine can build regions, with remedies.
package struct DoctorCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn doctor",
    summary: "check whether this machine can build: programs, libraries, disk, memory, limits",
    discussion: """
      With a manifest, also checks its files, whether they are whole, the servers of its sources, \
      the elevation tiles of its regions, and its output folder. Prints a fix for each problem. \
      Exit code 0: no problems; 1: problems found.
      """,
    positionals: [
      .init(
        "MANIFEST", required: false,
        help: "the manifest to build, or a folder with a \(Manifest.usualName)")
    ],
    options: [.flag("json", help: "print JSON"), Orchestrator.Options.binaryOption],
    examples: ["cairn doctor pipelines/sample.yaml"])

  /// Prints the findings.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let options = try Orchestrator.Options(arguments)
    let findings = Checkup(binaries: options.programs.folder, manifest: arguments.positionals.first)
      .all
    if arguments.has("json") {
      let json = JSONValue.object(["findings": .list(findings.map(\.json))])
      try Console.write(String(decoding: try encodeJSON(json), as: UTF8.self))
    } else {
      try Console.write(findings.map(\.text).joined())
      let wrong = findings.count { $0.verdict == .wrong }
      try Console.write(
        wrong == 0
          ? "no problems found\n" : "\(wrong) \(wrong == 1 ? "thing is" : "things are") wrong\n")
    }
    return findings.contains { $0.verdict == .wrong } ? .negative : .success
  }
}
