// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnWaypoints
import CommandLineKit
import FoundationEssentials
import Requests
import SystemIO

/// `cairn waypoints import`: waypoints of files.
struct WaypointsImportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn waypoints import",
    summary: "import waypoints from GPX, GeoJSON and CSV files",
    discussion: """
      The file name's extension gives the format unless --format does. All files are read before \
      the first waypoint is stored, and all waypoints are stored or none. Importing a waypoint \
      again replaces it and keeps its photo. In GPX, tracks and routes are ignored; the category \
      comes from type or sym. GeoJSON needs points. CSV needs a header with latitude and \
      longitude, and optionally id, altitude, timestamp, label, category, note and hike_id.
      """,
    positionals: [
      .init("STORE", help: "a database of waypoints, such as waypoints.db; created if missing"),
      .init("FILE", repeats: true, help: "a .gpx, .geojson or .csv file"),
    ],
    options: [.option("format", "FORMAT", help: "gpx, geojson or csv (default: by the name)")],
    examples: ["cairn waypoints import waypoints.db summer.gpx springs.csv"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let requested = try WaypointFormat.requested(arguments)
    var waypoints: [Waypoint] = []
    for path in arguments.positionals.dropFirst() {
      guard let format = requested ?? WaypointFormat(path: path) else {
        throw arguments.usageError(
          "cannot tell the format from the name “\(printable(path))”",
          hint: "give --format gpx, geojson or csv")
      }
      let found = try format.read(path, fallback: try currentTime())
      for (text, count) in found.remarks.sorted(by: { $0.key < $1.key }) {
        Console.note("cairn waypoints: \(path): \(text): \(grouped(count))")
      }
      waypoints += found.waypoints
    }
    guard !waypoints.isEmpty else {
      throw CairnError("no-waypoints", .dataError, "there are no waypoints to import")
    }
    try withWaypoints(arguments.positionals[0], readOnly: false) {
      store throws(WaypointStoreError) in
      try store.insert(contentsOf: waypoints)
    }
    Console.note("cairn waypoints: \(grouped(waypoints.count)) imported")
    return .success
  }
}

/// `cairn waypoints export`: a store as a file of another format.
struct WaypointsExportCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn waypoints export",
    summary: "export waypoints as GPX, GeoJSON or CSV",
    discussion: """
      GeoJSON has marker-color and marker-symbol by category. Photos are not exported. Importing \
      an export gives the same waypoints.
      """,
    positionals: [
      .init("STORE", help: "a database of waypoints, such as waypoints.db, or a bundle's folder")
    ],
    options: [
      .option("format", "FORMAT", help: "gpx, geojson or csv (default: by the name, or gpx)"),
      .option("category", "CATEGORY", help: "export only this category"),
      .option("output", "FILE", help: "file to write (default stdout)"),
    ],
    examples: ["cairn waypoints export waypoints.db --output waypoints.geojson"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let output = arguments.outputFile
    let format =
      try WaypointFormat.requested(arguments) ?? output.flatMap { WaypointFormat(path: $0) } ?? .gpx
    let category = try arguments.waypointCategory()
    let all = try withWaypoints(arguments.positionals[0], readOnly: true) {
      store throws(WaypointStoreError) in
      try store.fetchAll()
    }
    let text = try format.text(all.filter { category == nil || $0.category == category })
    if let output {
      try AtomicOutput.write(Array(text.utf8), to: output) { head in format.isOwn(head) }
    } else {
      try Console.write(text)
    }
    return .success
  }
}
