// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
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
    options: [
      .option("from", "LAT,LON", required: true, help: "where to start"),
      .option("to", "LAT,LON", required: true, help: "where to go"),
      .option("via", "LAT,LON", repeats: true, help: "where to pass, in order"),
      .option("mode", "MODE", help: "hiking or cycling (default hiking)"),
      .option("format", "FORMAT", help: "text, json, geojson or gpx (default text)"),
    ],
    examples: ["cairn route valley.routing.db --from 47.0301,10.0502 --to 47.0512,10.1403"])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let start = try coordinate(arguments, "from", try arguments.required("from"))
    let end = try coordinate(arguments, "to", try arguments.required("to"))
    let via = try arguments.all("via").map { try coordinate(arguments, "via", $0) }
    let modes = RoutingMode.allCases.map(\.rawValue)
    let mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    let formats = RouteFormat.allCases.map(\.rawValue)
    let format = try arguments.choice("format", of: formats).flatMap(RouteFormat.init) ?? .text

    let store = RoutingStore(path: arguments.positionals[0])
    let route: ComputedRoute
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      route = try RoutingEngine(store: store).findRoute(
        from: start, to: end, via: via, mode: mode)
    } catch {
      throw CairnError(
        "route", error.exitCode, error.description, at: Location(file: store.path))
    }
    try Console.write(try format.text(route))
    return .success
  }

  private static func coordinate(_ arguments: Arguments, _ name: String, _ text: String)
    throws(CairnError) -> Coordinate
  {
    guard let coordinate = Coordinate(commandLine: text) else {
      throw arguments.usageError(
        "--\(name) takes LAT,LON in degrees, such as 47.03,10.05, not “\(text)”")
    }
    return coordinate
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
