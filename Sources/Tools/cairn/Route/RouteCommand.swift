// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Guidance
import Routing
import RoutingDatabase

/// `cairn route`: the best way between two points.
struct RouteCommand: Command {
  /// The format that is more than a route.
  private static let planned = "planned"

  static let definition = CommandDefinition(
    name: "cairn route",
    summary: "find a route in a .routing.db",
    discussion: """
      The route begins and ends at the nearest places of paths and roads, and may turn round at a \
      via point. \(RouteChoice.discussion) With --alternatives there are fewer routes than asked \
      for where no more of them are at most 40 % dearer than the best one and share at most 60 % \
      of their length with a better one; JSON is a list then, GeoJSON a FeatureCollection and \
      GPX has several tracks. Coordinates are LAT,LON in degrees: latitude first. \
      Ends with 1 where there is no route, and says why.
      """,
    positionals: [.init("DB", help: "a routing database")],
    options: RouteRequest.options + [
      .option(
        "alternatives", "N",
        help: "print up to N routes, 1 to 3, that differ: the best one first"),
      .option("format", "FORMAT", help: "text, json, geojson, gpx or planned (default text)"),
      .flag("instructions", help: "say where to turn, in place of the ways"),
    ] + RoutePlan.options,
    examples: [
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403 --max-sac T2 "
        + "--format gpx",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403 "
        + "--format planned --name Krähenjoch > krähenjoch.json",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let format = try RouteFormat(arguments, besides: [planned])
    let isPlanned = arguments.value("format") == planned
    if arguments.has("instructions"), isPlanned || format != .text {
      throw arguments.usageError(
        "--instructions is for --format text", hint: "--format planned has them")
    }
    let plan = try RoutePlan(arguments)
    let count = try arguments.integer("alternatives", in: 1...3)
    for name in ["via", "instructions"] where count != nil && arguments.has(name) {
      throw arguments.usageError("--alternatives and --\(name) exclude each other")
    }
    if count != nil, isPlanned {
      throw arguments.usageError("--alternatives and --format planned exclude each other")
    }
    let path = arguments.positionals[0]
    if let count {
      let routes = try withStore(path) { store throws(RoutingError) in
        try request.findAlternatives(store, count: count)
      }
      try Console.write(try format.text(routes))
      return .success
    }
    guard isPlanned || arguments.has("instructions") else {
      let route = try withStore(path) { store throws(RoutingError) in
        try request.findRoute(RoutingEngine(store: store))
      }
      try Console.write(try format.text(route))
      return .success
    }
    let route = try withStore(path) { store throws(RoutingError) in
      let engine = RoutingEngine(store: store)
      return try plan.planned(request.findRoute(engine), request.choice, engine, store)
    }
    try Console.write(
      isPlanned ? String(decoding: route.json(), as: UTF8.self) : PlannedSheet(route).text)
    return .success
  }
}
