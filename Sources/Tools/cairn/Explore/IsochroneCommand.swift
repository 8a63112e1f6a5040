// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CommandLineKit
import Presentation
import Requests
import SystemIO

/// `cairn isochrone`: the area within reach in a time.
struct IsochroneCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn isochrone",
    summary: "compute what can be reached from a point within a time, as GeoJSON",
    discussion: """
      Prints one feature per time limit with the area reached within it, by the travel times \
      stored in the database: the cells of a 100 m grid that contain a reached way; cellMetres \
      states the cell size, which is larger for very large areas. With --ways, prints the ways \
      themselves, cut where the time runs out. Each feature contains those of shorter limits. \
      Coordinates on the command line are LAT,LON in degrees; in GeoJSON, longitude comes first. \
      offNetworkMetres is the distance from the start to the path or road that it was snapped to; \
      a note on stderr reports more than 20 m. accessDate and departure state for when open ways \
      were judged.
      """,
    positionals: [DatabaseChoice.positional],
    options: IsochroneRequest.options + [
      .option("output", "FILE", help: "file to write (default stdout)")
    ] + RouteChoice.profileOptions,
    examples: [
      "cairn isochrone valley.routing.db --from 47.0301,10.0502 --minutes 30,60,90",
      "cairn isochrone valley.routing.db --from 47.0301,10.0502 --minutes 120 --ways "
        + "--output reach.geojson",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try IsochroneRequest(arguments)
    let (features, offNetwork) = try withStore(
      request.databases, request.choice, points: [request.start]
    ) { store in
      try request.resolved(in: store).features(store)
    }
    for line in FoundRoute.lines(offNetwork.map { [$0] } ?? []) {
      Console.note("\(definition.name): \(line)")
    }
    let bytes = try encodeJSON(features, pretty: false)
    guard let output = arguments.outputFile else {
      try Console.write(String(decoding: bytes, as: UTF8.self))
      return .success
    }
    try AtomicOutput.write(bytes, to: output, replacing: isGeoJSONOfCairn)
    return .success
  }
}
