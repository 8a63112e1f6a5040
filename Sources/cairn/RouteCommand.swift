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
    discussion: "Ends with 1 where there is no route, and says why.",
    positionals: [.init("DB", help: "a routing database")],
    options: RouteRequest.options + [
      .option("format", "FORMAT", help: "text, json, geojson or gpx (default text)")
    ],
    examples: ["cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let request = try RouteRequest(arguments)
    let formats = RouteFormat.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(RouteFormat.init) ?? .text
    let route = try withStore(arguments.positionals[0]) { store throws(RoutingError) in
      try request.findRoute(RoutingEngine(store: store))
    }
    try Console.write(try format.text(route))
    return .success
  }
}

extension RoutingError {
  /// 1 where the answer is no, otherwise what is wrong with the database.
  var exitCode: ExitCode {
    switch self {
    case .noNearbyNode, .noRouteFound, .viaPointNotReachable, .profileNotAvailable: .negative
    case .databaseNotOpen: .software
    case .databaseUnreadable: .noInput
    case .databaseUnusable, .databaseCorrupted: .dataError
    }
  }
}
