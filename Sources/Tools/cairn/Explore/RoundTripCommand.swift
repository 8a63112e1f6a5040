// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import Routing
import RoutingDatabase

/// `cairn round-trip`: a way out and home again.
struct RoundTripCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn round-trip",
    summary: "find a round trip of a wanted length",
    discussion: """
      Prints the best of the trips that were found: within 15 % of the wanted length where the \
      network has one, and going the same way twice as little as it can. What came out otherwise is \
      said on stderr. Another --seed gives another trip, the same one always the same. \
      \(RouteChoice.discussion) Coordinates are LAT,LON in degrees: latitude first.
      """,
    positionals: [.init("DB", help: "a routing database")],
    options: [
      .option("from", "LAT,LON", required: true, help: "where to start and to arrive"),
      .option("length-km", "KM", required: true, help: "how long it shall be, 0.2 to 200"),
      .option("seed", "N", help: "a whole number that chooses the directions (default 0)"),
    ] + RouteChoice.options + [
      .option("format", "FORMAT", help: "text, json, geojson or gpx (default text)")
    ],
    examples: [
      "cairn round-trip valley.routing.db --from 47.0301,10.0502 --length-km 12",
      "cairn round-trip valley.routing.db --from 47.0301,10.0502 --length-km 12 --seed 3 "
        + "--format gpx",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let start = try arguments.coordinate("from")
    guard let length = try arguments.number("length-km", in: 0.2...200) else {
      throw arguments.usageError("--length-km is missing")
    }
    let seed = try arguments.integer("seed", in: 0...Int(Int32.max)) ?? 0
    let choice = try RouteChoice(arguments)
    let format = try RouteFormat(arguments)
    let trips = try withStore(arguments.positionals[0]) { store throws(RoutingError) in
      try choice.configured(try choice.inMemory(store)).roundTrips(
        from: start, lengthMetres: length * 1000, profile: choice.profile, mode: choice.mode,
        seed: UInt64(seed), preferences: choice.preferences)
    }
    guard let trip = trips.first else { return .negative }
    try Console.write(try format.text(trip.route))
    for remark in remarks(trip) { Console.note("\(definition.name): \(remark)") }
    return .success
  }

  /// How much of a trip may lead where it has been before, without a word.
  private static let quietRepeatedShare = 0.2

  private static func remarks(_ trip: RoundTrip) -> [String] {
    var remarks: [String] = []
    if trip.deviation > RoundTrip.wantedDeviation {
      remarks.append(
        "no trip of \(kilometres(trip.wantedMetres)) was found, the nearest one is "
          + "\(kilometres(trip.route.totalDistance)) long")
    }
    if trip.repeatedShare > quietRepeatedShare {
      remarks.append(
        "\(kilometres(trip.repeatedMetres)) of it lead where it has been before")
    }
    return remarks
  }
}
