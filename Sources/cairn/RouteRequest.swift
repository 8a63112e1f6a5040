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
    .option("profile", "NAME", help: "a profile of the database; cairn profiles DB lists them"),
  ]

  private let start: Coordinate
  private let end: Coordinate
  private let via: [Coordinate]
  private let mode: RoutingMode
  private let profile: String?

  /// Reads the options. Throws 64 for what is no coordinate or no mode, and for both a mode and a
  /// profile.
  init(_ arguments: Arguments) throws(CairnError) {
    start = try arguments.coordinate("from")
    end = try arguments.coordinate("to")
    var via: [Coordinate] = []
    for text in arguments.all("via") { via.append(try arguments.coordinate("via", text)) }
    self.via = via
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    profile = arguments.value("profile")
    if arguments.has("mode"), profile != nil {
      throw arguments.usageError("--mode and --profile exclude each other")
    }
  }

  /// Asks an engine.
  func findRoute(_ engine: RoutingEngine) throws(RoutingError) -> ComputedRoute {
    guard let profile else {
      return try engine.findRoute(from: start, to: end, via: via, mode: mode)
    }
    return try engine.findRoute(from: start, to: end, via: via, profile: profile)
  }
}
