import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics

/// `cairn-parse-overpass`: from OpenStreetMap XML to a `.trails` file.
package enum ParseOverpassCommand: StageCommand {
  /// The options of the command.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-parse-overpass",
    summary: "keep the routable ways of OpenStreetMap XML, as Overpass gives it",
    discussion:
      "Keeps every way to walk or ride on and every ferry that touches the region, complete with "
      + "all its nodes and the tags that decide a route. The file may be packed with gzip. An "
      + "answer in which Overpass reports a failure is refused."
      + ExtractStage.onManyRegions,
    options: ExtractStage.options(input: "the .osm or .osm.gz file to read"),
    examples: [
      "cairn-parse-overpass --input valley.osm.gz --output valley.trails"
    ])

  /// Reads, keeps and writes.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    try ExtractStage.run(stage) { path, _ throws(CairnError) in
      let parser = try OverpassParser(
        path, threads: stage.threads, progress: stage.progress)
      return { () throws(CairnError) in try parser.candidates() }
    }
  }
}
