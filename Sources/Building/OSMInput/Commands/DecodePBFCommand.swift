// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit

/// `cairn-decode-pbf`: converts an OpenStreetMap PBF file to `.trails` files.
package enum DecodePBFCommand: StageCommand {
  /// The options of the command.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-decode-pbf",
    summary: "extract the routable ways of an OpenStreetMap PBF file",
    discussion:
      "Keeps every way for walking or cycling and every ferry that touches the region, with all "
      + "its nodes and the tags that matter for routing. Blobs may be uncompressed or compressed "
      + "with zlib, LZ4 or Zstandard. --changes are applied to the extract first; files and "
      + "versions older than the extract are skipped."
      + ExtractStage.severalRegions,
    options: ExtractStage.options(input: "the .osm.pbf file to read") + [
      .option(
        "changes", "PATH", repeats: true,
        help:
          "a change file, .osc or .osc.gz, or a folder of them; several are applied in order"),
      .option(
        "earlier", "ID=FILE", repeats: true,
        help: "the file of a region with other changes to the same extract, by the same program "
          + "and options, beside its report.json; linked if the same changes reach the region"),
    ],
    examples: [
      "cairn-decode-pbf --input andorra.osm.pbf --output andorra.trails",
      "cairn-decode-pbf --input alps.osm.pbf --bbox 10.0,47.0,10.1,47.1 --output valley.trails",
      "cairn-decode-pbf --input alps.osm.pbf --region west=10,47,10.1,47.1 --region east=east.geojson "
        + "--output-dir build",
      "cairn-decode-pbf --input alps.osm.pbf --changes updates/ --output alps.trails",
      "cairn-decode-pbf --input alps.osm.pbf --highways path,footway,track --output paths.trails",
    ])

  /// Runs the command.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    try ExtractStage.run(stage) { file, regions throws(CairnError) in
      var changes: [String] = []
      for path in stage.arguments.all("changes") { changes += try ChangeFolder.files(at: path) }
      let parser = try PBFParser(
        file, changes: changes, highways: ExtractStage.highways(stage.arguments),
        threads: stage.threads, progress: stage.progress)
      return { () throws(CairnError) in try parser.candidates(for: regions) }
    }
  }
}
