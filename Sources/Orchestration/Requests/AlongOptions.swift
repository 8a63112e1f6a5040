// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnNavigation
import CairnRouting
import CairnSearch
import CommandLineKit
import Presentation

/// The options for places along a route.
package struct AlongOptions {
  /// The options.
  package static let options: [CommandDefinition.Option] = [
    .option(
      "within", "M",
      help:
        "greatest distance from the route to water, huts, lodging, food and stops, in metres "
        + "(default "
        + "\(Int(RouteSupplies.defaultMetres)))"),
    .option(
      "stages", "TIME",
      help:
        "split the route at huts and lodging into days of at most this time, such as 7h or 6h30"),
  ]

  private let metres: Double
  /// The longest day in seconds; nil for no stages.
  package let longestDay: Double?

  /// Reads the options. Throws 64 for an invalid value.
  package init(_ arguments: Arguments) throws(CairnError) {
    metres =
      try arguments.number("within", in: 0...5000) ?? RouteSupplies.defaultMetres
    longestDay = try arguments.value("stages").map { text throws(CairnError) in
      guard let seconds = AlongRoute.seconds(text) else {
        throw arguments.usageError(
          "--stages takes a time from 30min to 48h, such as 7h or 6h30, not “\(printable(text))”")
      }
      return seconds
    }
  }

  /// The options of a command for which places along the route are optional; nil if not requested.
  package init?(of arguments: Arguments) throws(CairnError) {
    if !["along", "within", "stages"].contains(where: arguments.has) { return nil }
    self = try AlongOptions(arguments)
  }

  /// The places along the pieces of a route, from the databases beside the routing databases.
  package func along(
    _ pieces: [ComputedRoute], _ databases: DatabaseChoice, _ engine: RoutingEngine,
    _ choice: RouteChoice
  ) throws -> AlongRoute {
    let paths = try placesPaths(databases.paths)
    do {
      return try AlongRoute(
        pieces, try SearchSet(paths: paths), within: metres, longestDay: longestDay
      ) { route, start, end throws(RoutingError) in
        try engine.part(of: route, from: start, to: end, profile: choice.profile, mode: choice.mode)
      }
    } catch let error as SearchError { throw error.ofCommand(at: title(of: paths)) }
  }
}
