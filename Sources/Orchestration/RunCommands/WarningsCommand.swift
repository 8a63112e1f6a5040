// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Pipeline
import Planning
import SystemIO

/// `cairn warnings MANIFEST [REGION…]`: the warnings of the published bundles, with places.
package struct WarningsCommand: Command {
  /// Name, options and help.
  package static let definition = CommandDefinition(
    name: "cairn warnings",
    summary: "list the warnings of the published bundles, with positions",
    discussion: """
      For each region, lists the warnings of its published bundle, whichever run made it, including \
      the validator's, by stage and kind with the first examples; then those of a bundle that the \
      last run refused to publish. OpenStreetMap objects have positions if the region's database \
      contains them. Runs and writes nothing. Exit code 0: with or without warnings; 66: nothing \
      was ever run.
      """,
    positionals: [
      .manifest,
      .regions,
    ],
    options: [
      .option("limit", "N", help: "examples per kind, 1 to 20 (default 20)"),
      .flag("json", help: "print JSON"),
    ],
    examples: [
      "cairn warnings pipelines/sample.yaml", "cairn warnings pipelines/sample.yaml valley-west",
    ])

  /// Prints the warnings.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let (manifest, ids) = try Manifest.load(words: arguments.positionals)
    let plan = try Plan(manifest, selection: ids.isEmpty ? nil : ids)
    let limit = try arguments.integer("limit", in: 1...WarningTally.exampleLimit)
    guard OutputFolder(manifest).exists else {
      throw CairnError(
        "no-run", .noInput, "no run is recorded here", at: Location(file: manifest.output),
        hint: "run cairn run MANIFEST first")
    }
    let found = try plan.regions.map { region in
      try RegionWarnings(
        region.id, inOutput: manifest.output,
        database: joinPath(
          joinPath(manifest.output, region.id), "\(manifest.databaseStem(of: region)).routing.db"),
        limit: limit ?? WarningTally.exampleLimit)
    }
    if arguments.has("json") {
      let json = JSONValue.object(["regions": .list(found.map(\.json))])
      try Console.write(String(decoding: try encodeJSON(json), as: UTF8.self))
    } else {
      try Console.write(found.map(\.text).joined())
    }
    return .success
  }
}
