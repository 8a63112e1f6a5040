// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnPlaceDatabase
import CommandLineKit
import SystemIO
import TrailData

/// `cairn-index-places`: a `.trails` file, with or without its `.elevated` file, becomes a
/// `.places.db`.
package struct IndexPlacesCommand: StageCommand {
  /// Name, options and help.
  package static let stageDefinition = CommandDefinition(
    name: "cairn-index-places",
    summary: "index the names of places, trails and routes for offline search",
    discussion: """
      Writes settlements, points of interest, waymarked routes and named ways to a database that \
      cairn search and apps use directly. It finds all names in OpenStreetMap, ignoring accents \
      and case, by the beginnings of words, and with one typo. Ways of one name that touch or lie \
      near each other are one entry.
      """,
    options: TrailsFile.inputOptions(withoutElevations: "to index without elevations") + [
      .option("output", "FILE.places.db", required: true, help: "the database"),
      .option("region-id", "ID", help: "the region's id, for the metadata"),
      .option("region-name", "NAME", help: "the region's name, for the metadata"),
    ],
    examples: [
      "cairn-index-places --input valley.elevated --trails valley.trails --output valley.places.db"
    ])

  /// Runs the stage.
  package static func run(_ stage: StageRun) throws -> ExitCode {
    keepFreedMemory()
    let trails = try TrailsFile(stage.arguments, threads: stage.threads)
    // Names have neither ids of nodes nor profiles.
    trails.nodeIDs.releasePages()
    trails.elevations?.releasePages()
    trails.sampleRefs?.releasePages()
    trails.sampleElevations?.releasePages()
    let output = try AtomicOutput(
      try stage.arguments.required("output"), replacing: PlaceSchema.recognises)
    stage.input["ways"] = .integer(trails.wayIDs.count)
    stage.input["points"] = .integer(trails.pointsOfInterest.count)
    stage.input["routes"] = .integer(trails.routes.ids.count)
    var builder = PlaceIndexBuilder(trails, threads: stage.threads)
    builder.regionID = stage.arguments.value("region-id")
    builder.regionName = stage.arguments.value("region-name")
    stage.progress.begin("writing", total: 0)
    try builder.write(to: output)
    try output.commit()
    let counts = builder.counts
    stage.output["places"] = .integer(counts.values.reduce(0, +))
    stage.output["names"] = .integer(builder.nameCount)
    stage.output["kinds"] = .object(
      Dictionary(uniqueKeysWithValues: counts.map { ($0.rawValue, .integer($1)) }))
    stage.output["addresses"] = .integer(builder.addressCount)
    stage.output["namelessPoints"] = .integer(builder.namelessCount)
    stage.summary =
      "\(grouped(counts.values.reduce(0, +))) places with \(grouped(builder.nameCount)) names"
    return .success
  }
}
