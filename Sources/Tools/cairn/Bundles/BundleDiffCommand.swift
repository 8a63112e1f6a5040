// SPDX-License-Identifier: Apache-2.0

import BundleComparison
import BundleFolders
import CairnDiagnostics
import CommandLineKit
import SystemIO

/// `cairn bundle diff`: the changes between two bundles, as release notes.
struct BundleDiffCommand: Command {
  private enum Format: String, CaseIterable { case markdown, json, geojson }

  static let definition = CommandDefinition(
    name: "cairn bundle diff",
    summary: "list the changes between two bundles, as release notes",
    discussion: """
      Compares two bundles of a region, or two routing databases: kilometres and trails that were \
      added, removed, closed, reopened, rerouted, regraded, resurfaced, renamed or waymarked \
      differently; for bundles, also waymarked routes and places. Ways are matched by position, \
      then by OpenStreetMap id: a way that was split, joined or redrawn in the same place has not \
      changed. Closures are those of the first profile of the database. Exit code 0: compared, \
      with or without changes; 65: damaged data; 66: a file is missing.
      """,
    positionals: [
      .init("OLD", help: "the earlier bundle or .routing.db"),
      .init("NEW", help: "the later one"),
    ],
    options: [
      .option(
        "format", "FORMAT",
        help: "markdown, json, or geojson with the old and new lines (default markdown)"),
      .option("output", "FILE", letter: "o", help: "file to write (default stdout)"),
      .option(
        "tolerance", "METRES",
        help: "how far a way may move and still be the same (default 10)"),
      .option("limit", "N", help: "entries per list in Markdown (default 12)"),
    ],
    examples: [
      "cairn bundle diff build/2026-06/andorra build/2026-07/andorra",
      "cairn bundle diff old.routing.db new.routing.db --format geojson --output changes.geojson",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let formats = Format.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(Format.init) ?? .markdown
    let tolerance =
      try arguments.number("tolerance", in: 1...1000) ?? BundleComparison.standardTolerance
    let limit = try arguments.integer("limit", in: 1...1_000_000) ?? ChangeNotes.standardLimit
    let (old, new) = (arguments.positionals[0], arguments.positionals[1])
    guard folderExists(old) == folderExists(new) else {
      throw arguments.usageError(
        "compare two bundles or two databases, not a bundle with a "
          + "database")
    }
    let comparison = try BundleComparison(
      side(old), side(new), toleranceMetres: tolerance)
    let bytes: [UInt8] =
      switch format {
      case .markdown: Array(ChangeNotes(comparison, limit: limit).text.utf8)
      case .json: try encodeJSON(comparison.json)
      case .geojson: try encodeJSON(comparison.features, pretty: false)
      }
    guard let output = arguments.outputFile else {
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    }
    try AtomicOutput.write(bytes, to: output) { head in
      switch format {
      // It has no signature.
      case .markdown: false
      case .json: BundleComparison.isComparison(head: head)
      case .geojson: isGeoJSONOfCairn(head)
      }
    }
    return .success
  }

  private static func side(_ path: String) throws(CairnError) -> BundleComparison.Side {
    guard folderExists(path) else { return .init(routingDatabase: path) }
    let bundle = try BundleFolder(path)
    return .init(
      name: bundle.name, routingDatabase: try bundle.routingDatabase(),
      waypoints: bundle.waypointsDatabase, places: bundle.placesDatabase)
  }
}
