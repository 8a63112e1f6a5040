// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase

/// A question for a route, as the command line asks it.
struct RouteRequest {
  /// The options that ask for a route.
  static let options: [CommandDefinition.Option] =
    [
      .option("from", "LAT,LON", required: true, help: "where to start"),
      .option("to", "LAT,LON", required: true, help: "where to go"),
      .option("via", "LAT,LON", repeats: true, help: "where to pass, in order"),
    ] + RouteChoice.options

  private let points: [Coordinate]
  let choice: RouteChoice

  /// Reads the options. Throws 64 for what is no coordinate, and what ``RouteChoice`` throws.
  init(_ arguments: Arguments) throws(CairnError) {
    var points = [try arguments.coordinate("from")]
    for text in arguments.all("via") { points.append(try arguments.coordinate("via", text)) }
    points.append(try arguments.coordinate("to"))
    self.points = points
    choice = try RouteChoice(arguments)
  }

  /// Asks an engine.
  func findRoute(_ engine: RoutingEngine) throws(RoutingError) -> ComputedRoute {
    try choice.findRoute(choice.configured(engine), points)
  }

  /// Asks for the best route and others that differ, without via points.
  func findAlternatives(_ store: RoutingStore, count: Int) throws(RoutingError) -> [ComputedRoute] {
    guard let start = points.first, let end = points.last else { return [] }
    return try choice.configured(try choice.inMemory(store)).findAlternatives(
      from: start, to: end, count: count, profile: choice.profile, mode: choice.mode,
      preferences: choice.preferences)
  }
}
