// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Guidance
import Routing
import RoutingDatabase
import StageKit

/// `cairn route`: the best way between two points.
struct RouteCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn route",
    summary: "find a route in a .routing.db",
    discussion: """
      The route begins and ends at the nearest places of paths and roads, and may turn round at a \
      via point. \(RouteChoice.discussion) Coordinates are LAT,LON in degrees: latitude first. \
      Ends with 1 where there is no route, and says why.
      """,
    positionals: [.init("DB", help: "a routing database")],
    options: RouteRequest.options + [
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
    let formats = RouteFormat.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(RouteFormat.init) ?? .text
    let isGuided = format == .planned || arguments.has("instructions")
    if arguments.has("instructions"), format != .text {
      throw arguments.usageError(
        "--instructions is for --format text", hint: "--format planned has them")
    }
    let plan = try RoutePlan(arguments)
    let (route, planned) = try withStore(arguments.positionals[0]) {
      store throws(RoutingError) -> (ComputedRoute, PlannedRoute?) in
      let engine = RoutingEngine(store: store)
      let route = try request.findRoute(engine)
      return (route, isGuided ? try plan.planned(route, request.choice, engine, store) : nil)
    }
    switch planned {
    case let planned? where format == .planned:
      try Console.write(String(decoding: try planned.json(), as: UTF8.self))
    case let planned?: try Console.write(PlannedSheet(planned).text)
    case nil: try Console.write(try format.text(route))
    }
    return .success
  }
}
