// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import Charts
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// `cairn elevation-profile DB`: the elevation profile of a route as a chart or as numbers.
struct ElevationProfileCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn elevation-profile",
    summary: "draw the elevation profile of a route",
    discussion: """
      Finds a route as cairn route does, and draws its elevation over distance, coloured by slope. \
      The curve has gaps where the elevation is unknown. Exits with 1 if there is no route. The \
      former name of this command, cairn profile DB, still works.
      """,
    positionals: [DatabaseChoice.positional],
    options: RouteRequest.options + [
      .option("title", "TEXT", help: "title of the chart (default: the names of places)"),
      .option("format", "FORMAT", help: "svg, json or csv (default svg)"),
      .option("output", "FILE", help: "file to write (default stdout)"),
    ],
    examples: [
      "cairn elevation-profile valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--output hike.svg"
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let formats = ElevationProfileFormat.allCases.map(\.rawValue)
    let format =
      try arguments.choice("format", of: formats).flatMap(ElevationProfileFormat.init) ?? .svg
    let (found, profile) = try withStore(request.databases, request.choice, points: request.points)
    {
      store -> (FoundRoute, ElevationProfile) in
      let found = try request.resolved(in: store).findRoute(store)
      return (found, try RoutingEngine(store: store).elevationProfile(of: found.route))
    }
    let isNamed = found.names.contains { $0 != nil }
    let title = arguments.value("title") ?? (isNamed ? found.title : nil)
    let text = try format.text(found.route, profile, title: title)
    if let output = arguments.outputFile {
      try AtomicOutput.write(Array(text.utf8), to: output, replacing: format.recognises)
    } else {
      try Console.write(text)
    }
    for note in found.notes(isText: false) { Console.note("\(definition.name): \(note)") }
    return .success
  }
}
