// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit

/// `cairn-parse-overpass`: converts OpenStreetMap XML to `.trails` files.
package enum ParseOverpassCommand: StageCommand {
  /// The options of the command.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-parse-overpass",
    summary: "extract the routable ways of OpenStreetMap XML, such as Overpass answers",
    discussion:
      "Keeps every way for walking or cycling and every ferry that touches the region, with all "
      + "its nodes and the tags that matter for routing. The file may be compressed with gzip. "
      + "Overpass answers that report an error are refused."
      + ExtractStage.severalRegions,
    options: ExtractStage.options(input: "the .osm or .osm.gz file to read"),
    examples: [
      "cairn-parse-overpass --input valley.osm.gz --output valley.trails"
    ])

  /// Runs the command.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    try ExtractStage.run(stage) { file, _ throws(CairnError) in
      let parser = OverpassParser(
        file, highways: try ExtractStage.highways(stage.arguments), threads: stage.threads,
        progress: stage.progress)
      return { () throws(CairnError) in try parser.candidates() }
    }
  }
}
