// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGuidance
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests

/// `cairn route`: the best route between two points.
struct RouteCommand: Command {
  /// The format of a planned route, which contains more than a computed one.
  static let planned = "planned"

  static let definition = CommandDefinition(
    name: "cairn route",
    summary: "find a route in a .routing.db",
    discussion: """
      Snaps all points to the nearest path or road; the route may turn round at a via point. \
      \(RouteChoice.discussion) With --alternatives, prints the best route and up to N − 1 \
      alternatives that cost at most 40 % more and share at most 60 % of their length with a \
      better route; JSON is then an array, GeoJSON a FeatureCollection, and GPX has several \
      tracks. With --along, text and JSON list water, huts, lodging, food and stops beside the \
      route, from the .places.db beside the database. Open ways are judged for the day of the \
      database, or for --date or --depart. Coordinates are LAT,LON in degrees. Exits with 1 if \
      there is no route. \(DatabaseChoice.discussion)
      """,
    positionals: [DatabaseChoice.positional],
    options: RouteRequest.options + [
      .option(
        "alternatives", "N",
        help: "print up to N different routes, 1 to 3, best first"),
      .option("format", "FORMAT", help: "text, json, geojson, gpx or planned (default text)"),
      RouteOutput.option,
      .flag("instructions", help: "print turn instructions in place of the table of ways"),
      LanguageChoice.option,
      .flag("along", help: "list what there is along the route; implied by --stages"),
    ] + AlongOptions.options + RoutePlan.options,
    examples: [
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 --max-sac T2 "
        + "--format gpx",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--depart 2026-12-24T08:00",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--format planned --name Krähenjoch -o krähenjoch.json",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 --stages 3h",
      "cairn route build/sample --from 47.0301,10.0502 --to 47.0603,10.0990",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0603,10.0990 "
        + "--instructions --language ca",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let format = try RouteFormat(arguments, besides: [planned])
    let isPlanned = arguments.value("format") == planned
    if arguments.has("instructions"), isPlanned || format != .text {
      throw arguments.usageError(
        "--instructions needs --format text", hint: "--format planned includes instructions")
    }
    let language = try LanguageChoice.language(arguments, isText: !isPlanned && format == .text)
    let notes = LanguageChoice.ofNotes(arguments, language)
    let plan = try RoutePlan(arguments)
    let count = try arguments.integer("alternatives", in: 1...3)
    for name in ["via", "instructions"] where count != nil && arguments.has(name) {
      throw arguments.usageError("--alternatives and --\(name) cannot be combined")
    }
    if count != nil, isPlanned {
      throw arguments.usageError("--alternatives and --format planned cannot be combined")
    }
    let along = try along(arguments, isPlanned ? nil : format)
    let output = RouteOutput(arguments, isPlanned ? nil : format)
    if let count {
      let routes = try find(request, in: notes) { request, store in
        let found = try request.findAlternatives(store, count: count, for: format)
        guard format == .gpx else { return found }
        return try plan.withWaypoints(found, from: request.databases, request.databases.places)
      }
      try output.write(
        try format.text(routes, name: plan.name, columns: Console.columns, in: language))
      for (index, route) in routes.enumerated() {
        note(route, routes.count > 1 ? index + 1 : nil, format, in: notes)
      }
      return .success
    }
    guard isPlanned || arguments.has("instructions") else {
      let route = try find(request, in: notes) { request, store in
        let found = try routeWithPlaces(request, store, format, along)
        guard format == .gpx else { return found }
        return try plan.withWaypoints([found], from: request.databases, request.databases.places)[0]
      }
      try output.write(
        try format.text(route, name: plan.name, columns: Console.columns, in: language))
      note(route, nil, format, in: notes)
      return .success
    }
    let (found, route) = try find(request, in: notes) { request, store in
      let found = try routeWithPlaces(request, store, isPlanned ? nil : .text, along)
      return (found, try plan.planned(found.route, through: found.names, request.choice, store))
    }
    let places = found.along?.text(columns: Console.columns, in: language)
    try output.write(
      isPlanned
        ? String(decoding: route.json(), as: UTF8.self)
        : PlannedRouteSheet(route, of: found, in: language).text + (places.map { "\n" + $0 } ?? ""))
    note(found, nil, isPlanned ? nil : .text, in: notes)
    return .success
  }

  /// Runs `body` with a resolved request.
  private static func find<Result>(
    _ request: RouteRequest, in language: Language,
    _ body: (RouteRequest, RoutingStore) throws -> Result
  ) throws -> Result {
    try withStore(request.databases, request.choice, points: request.points, in: language) {
      try body(try request.resolved(in: $0), $0)
    }
  }

  /// The route, with the places along it if they are asked for.
  private static func routeWithPlaces(
    _ request: RouteRequest, _ store: RoutingStore, _ format: RouteFormat?, _ along: AlongOptions?
  ) throws -> FoundRoute {
    var found = try request.findRoute(store, for: format)
    if let along {
      let engine = try request.choice.engine(on: store)
      found.along = try along.along([found.route], request.databases, engine, request.choice)
    }
    return found
  }

  /// The places along the route; nil if not requested. Throws 64 for a format without room for
  /// them; a nil format is a planned route's.
  private static func along(_ arguments: Arguments, _ format: RouteFormat?) throws(CairnError)
    -> AlongOptions?
  {
    guard let along = try AlongOptions(of: arguments) else { return nil }
    guard format == .text || format == .json else {
      throw arguments.usageError("--along needs --format text or json")
    }
    if arguments.has("alternatives") {
      throw arguments.usageError("--alternatives and --along cannot be combined")
    }
    return along
  }

  /// Adds on stderr what the output leaves out, and the preferences that the route goes against.
  ///
  /// - Parameter number: The number of the route among several.
  private static func note(
    _ route: FoundRoute, _ number: Int?, _ format: RouteFormat?, in language: Language
  ) {
    for note in route.notes(isText: format != nil && format != .gpx, in: language) {
      let route = number.map { language.text(.routeNumber, ["number": "\($0)"]) }
      let text = route.map { language.text(.because, ["what": $0, "why": note]) } ?? note
      Console.note("\(definition.name): \(text)")
    }
  }
}
