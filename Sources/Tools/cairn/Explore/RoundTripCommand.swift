// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests

/// `cairn round-trip`: a route that ends where it begins.
struct RoundTripCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn round-trip",
    summary: "find a round trip of a given length",
    discussion: """
      Prints the best round trip found: within 15 % of the requested length if the network allows, \
      with as little repetition as possible. A note on stderr says if the trip falls short. \
      Another --seed gives another trip; the same seed always gives the same one. \
      \(RouteChoice.discussion) Coordinates are LAT,LON in degrees.
      """,
    positionals: [DatabaseChoice.positional],
    options: [
      .option(
        "from", "LAT,LON", required: true,
        help: "start and destination; \(RouteRequest.namedPlace)"),
      .option("length-km", "KM", required: true, help: "requested length, 0.2 to 200"),
      .option("seed", "N", help: "integer that selects the directions to try (default 0)"),
    ] + RouteChoice.options + [
      .option("format", "FORMAT", help: "text, json, geojson, gpx or planned (default text)"),
      RouteOutput.option, LanguageChoice.option,
    ] + RoutePlan.options,
    examples: [
      "cairn round-trip valley.routing.db --from 47.0301,10.0502 --length-km 12",
      "cairn round-trip valley.routing.db --from 47.0301,10.0502 --length-km 12 --seed 3 "
        + "--format gpx",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let databases = try DatabaseChoice(arguments.positionals)
    let start = try arguments.point("from", beside: databases.paths)
    guard let length = try arguments.number("length-km", in: 0.2...200) else {
      throw arguments.usageError("--length-km is required")
    }
    let seed = try arguments.integer("seed", in: 0...Int(Int32.max)) ?? 0
    let requested = try RouteChoice(arguments)
    try TravelDay.refuseDeparture(arguments)
    let format = try RouteFormat(arguments, besides: [RouteCommand.planned])
    let isPlanned = arguments.value("format") == RouteCommand.planned
    let language = try LanguageChoice.language(arguments, isText: !isPlanned && format == .text)
    let notes = LanguageChoice.ofNotes(arguments, language)
    let output = RouteOutput(arguments, isPlanned ? nil : format)
    let plan = try RoutePlan(arguments)
    let best = try withStore(databases, requested, points: [start.coordinate], in: notes) {
      store -> (RoundTrip, FoundRoute, String)? in
      let choice = try requested.resolved(in: store)
      let engine = try choice.inMemory(store)
      let trips = try engine.roundTrips(
        from: start.coordinate, lengthMetres: length * 1000, profile: choice.profile,
        mode: choice.mode,
        seed: UInt64(seed), preferences: choice.preferences)
      guard let trip = trips.first else { return nil }
      let route = choice.dated(trip.route)
      var found = try FoundRoute(
        route, through: [start.coordinate], choice.preferences, store,
        rules: choice.rules(on: route, engine),
        for: format)
      found.names = [start.name]
      if format == .gpx {
        found = try plan.withWaypoints([found], from: databases, databases.places)[0]
      }
      let text =
        isPlanned
        ? String(
          decoding: try plan.planned(route, through: found.names, choice, store).json(),
          as: UTF8.self)
        : try format.text(found, name: plan.name, columns: Console.columns, in: language)
      return (trip, found, text)
    }
    guard let (trip, found, text) = best else { return .negative }
    try output.write(text)
    let isText = !isPlanned && format != .gpx
    for remark in remarks(trip, notes) + found.notes(isText: isText, in: notes) {
      Console.note("\(definition.name): \(remark)")
    }
    return .success
  }

  /// The share of a trip that may repeat the same ways without a note.
  private static let quietRepeatedShare = 0.2

  private static func remarks(_ trip: RoundTrip, _ language: Language) -> [String] {
    var remarks: [String] = []
    if trip.deviation > RoundTrip.toleratedDeviation {
      remarks.append(
        language.text(
          .tripOffLength,
          [
            "length": language.length(kilometresOf: trip.requestedMetres),
            "closest": language.length(kilometresOf: trip.route.totalDistance),
          ]))
    }
    if trip.repeatedShare > quietRepeatedShare {
      remarks.append(
        language.text(
          .tripRepeats, ["length": language.length(kilometresOf: trip.repeatedMetres)]))
    }
    return remarks
  }
}
