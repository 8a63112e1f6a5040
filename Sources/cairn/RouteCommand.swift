// SPDX-License-Identifier: Apache-2.0
import Diagnostics
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
      .option("format", "FORMAT", help: "text, json, geojson or gpx (default text)"),
    ],
    examples: [
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403",
      "cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403 --max-sac T2 "
        + "--format gpx",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let format = try RouteFormat(arguments)
    guard let count = try arguments.integer("alternatives", in: 1...3) else {
      let route = try withStore(arguments.positionals[0]) { store throws(RoutingError) in
        try request.findRoute(RoutingEngine(store: store))
      }
      try Console.write(try format.text(route))
      return .success
    }
    if arguments.has("via") {
      throw arguments.usageError("--alternatives and --via exclude each other")
    }
    let routes = try withStore(arguments.positionals[0]) { store throws(RoutingError) in
      try request.findAlternatives(store, count: count)
    }
    try Console.write(try format.text(routes))
    return .success
  }
}

extension RoutingError {
  /// 1 where the answer is no, otherwise what is wrong with the database.
  var exitCode: ExitCode {
    switch self {
    case .noNearbyNode, .noRouteFound, .viaPointNotReachable, .noRoundTripFound,
      .profileNotAvailable:
      .negative
    case .databaseNotOpen: .software
    case .databaseUnreadable: .noInput
    case .databaseUnusable, .databaseCorrupted: .dataError
    }
  }
}
