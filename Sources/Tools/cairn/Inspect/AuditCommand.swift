// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import Presentation
import Requests
import SystemIO
import Validation

/// `cairn audit`: the dangers to walkers in a region.
struct AuditCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn audit",
    summary: "list the dangers of a region: grades, hazards, closures, doubtful tags",
    discussion: """
      Lists kilometres by grade and visibility; paths without a grade above the tree line or on \
      steep ground; hazards, fords and equipment; what is closed at times, with the days of the \
      year from the access date of the database on; and contradictory tags. Today's date is not \
      used. Text shows the worst of each kind; JSON and GeoJSON show everything, with \
      OpenStreetMap objects. docs/safety.md describes what is counted. Objects in several \
      databases count once.
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option("format", "FORMAT", help: "text (default), json or geojson"),
      .option("output", "FILE", help: "file to write (default stdout)"),
      .option(
        "tree-line", "METRES",
        help: "elevation above which to list paths without a grade (default: by latitude, 85 m for "
          + "each degree to 70°)"),
      .option(
        "steep", "PERCENT",
        help: "slope above which to list paths without a grade (default 40)"),
      .option("limit", "N", help: "places per kind in text (default 10)"),
    ],
    examples: [
      "cairn audit valley.routing.db",
      "cairn audit build/sample/valley-west --format geojson --output hazards.geojson",
      "cairn audit valley.routing.db --tree-line 2200 --limit 50",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let format = try arguments.choice("format", of: ["text", "json", "geojson"]) ?? "text"
    let limits = AuditLimits(
      treeLineMetres: try arguments.number("tree-line", in: 0...9000),
      steepPercent: try arguments.number("steep", in: 1...1000)
        ?? AuditLimits.usualSteepPercent)
    let limit = try arguments.integer("limit", in: 0...1_000_000) ?? AuditListing.usualLimit
    let databases = try DatabaseChoice(arguments.positionals)
    let audit = try withStore(databases) { store in try RegionAudit(store, limits) }
    let listing = AuditListing(databases.title, audit, limit: limit)
    let bytes: [UInt8] =
      switch format {
      case "json": try encodeJSON(listing)
      case "geojson": try encodeJSON(AuditFeatures(audit), pretty: false)
      default: Array(listing.lines.map { $0 + "\n" }.joined().utf8)
      }
    guard let output = arguments.outputFile else {
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    }
    // Text and JSON have no signature, so an existing file stays.
    try AtomicOutput.write(bytes, to: output) { format == "geojson" && isGeoJSONOfCairn($0) }
    return .success
  }
}
