// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase
import StageKit

/// A question for a route, as the command line asks it.
struct RouteRequest {
  /// The options that ask for a route.
  static let options: [CommandDefinition.Option] = [
    .option("from", "LAT,LON", required: true, help: "where to start"),
    .option("to", "LAT,LON", required: true, help: "where to go"),
    .option("via", "LAT,LON", repeats: true, help: "where to pass, in order"),
    .option("mode", "MODE", help: "hiking or cycling (default hiking)"),
  ]

  let start: Coordinate
  let end: Coordinate
  let via: [Coordinate]
  let mode: RoutingMode

  /// Reads the options. Throws 64 for what is no coordinate or no mode.
  init(_ arguments: Arguments) throws(CairnError) {
    func coordinate(_ name: String, _ text: String) throws(CairnError) -> Coordinate {
      guard let coordinate = Coordinate(commandLine: text) else {
        throw arguments.usageError(
          "--\(name) takes LAT,LON in degrees, such as 47.03,10.05, not “\(text)”")
      }
      return coordinate
    }
    start = try coordinate("from", try arguments.required("from"))
    end = try coordinate("to", try arguments.required("to"))
    var via: [Coordinate] = []
    for text in arguments.all("via") { via.append(try coordinate("via", text)) }
    self.via = via
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
  }

  /// Finds the route in a database, and asks something of the open database about it. Throws 1
  /// where there is no route, otherwise what is wrong with the database.
  func find<Answer>(
    in database: String,
    _ ask: (RoutingEngine, ComputedRoute) throws(RoutingError) -> Answer
  ) throws(CairnError) -> Answer {
    let store = RoutingStore(path: database)
    do throws(RoutingError) {
      try store.open()
      defer { store.close() }
      let engine = RoutingEngine(store: store)
      return try ask(engine, try engine.findRoute(from: start, to: end, via: via, mode: mode))
    } catch {
      throw CairnError("route", error.exitCode, error.description, at: Location(file: store.path))
    }
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
