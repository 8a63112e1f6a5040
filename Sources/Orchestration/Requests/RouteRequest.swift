// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation

/// A request for a route from the command line.
package struct RouteRequest {
  /// The options that describe a route.
  package static let options: [CommandDefinition.Option] =
    [
      .option("from", "LAT,LON", required: true, help: "start; \(namedPlace)"),
      .option("to", "LAT,LON", required: true, help: "destination"),
      .option("via", "LAT,LON", repeats: true, help: "via point; several are visited in order"),
    ] + RouteChoice.options

  /// The help text about places instead of coordinates.
  package static let namedPlace = "or the name of a place, with a .places.db beside the database"

  /// The start, the via points and the destination.
  package let stops: [RequestedPoint]
  /// The coordinates of ``stops``.
  package var points: [Coordinate] { stops.map(\.coordinate) }
  /// The databases to search.
  package let databases: DatabaseChoice
  /// Profile, day and preferences.
  package private(set) var choice: RouteChoice

  /// Reads the options. Throws 64 for an invalid coordinate, and the errors of ``RouteChoice``.
  package init(_ arguments: Arguments) throws(CairnError) {
    databases = try DatabaseChoice(arguments.positionals)
    stops = try Self.stops(arguments, databases)
    choice = try RouteChoice(arguments)
  }

  /// Makes a request of what was read elsewhere.
  package init(_ stops: [RequestedPoint], in databases: DatabaseChoice, _ choice: RouteChoice) {
    (self.stops, self.databases, self.choice) = (stops, databases, choice)
  }

  /// The start, the via points and the destination. Throws 64 for an invalid point.
  package static func stops(_ arguments: Arguments, _ databases: DatabaseChoice) throws(CairnError)
    -> [RequestedPoint]
  {
    var stops = [try arguments.point("from", beside: databases.paths)]
    for text in arguments.all("via") {
      stops.append(try arguments.point("via", text, beside: databases.paths))
    }
    return stops + [try arguments.point("to", beside: databases.paths)]
  }

  /// The request with the profile that it means in a database.
  package func resolved(in store: RoutingStore, quietly: Bool = false) throws -> RouteRequest {
    var request = self
    request.choice = try choice.resolved(in: store, quietly: quietly)
    return request
  }

  /// Finds the route; for a request that is ``resolved(in:)``.
  ///
  /// - Parameter engine: The engine of the choice, if kept for many requests.
  package func findRoute(
    _ store: RoutingStore, for format: RouteFormat? = nil, on engine: RoutingEngine? = nil
  ) throws -> FoundRoute {
    let engine = try engine ?? choice.engine(on: store)
    let route = try choice.findRoute(engine, points)
    var found = try FoundRoute(
      route, through: points, choice.preferences, store, rules: choice.rules(on: route, engine),
      for: format)
    found.names = stops.map(\.name)
    found.quickerRoute = try choice.quickerRoute(beside: route, engine)
    found.shorterWay = try choice.shorterWay(beside: route, engine, store)
    return found
  }

  /// Finds the best route and alternatives, ignoring via points; for a request that is
  /// ``resolved(in:)``.
  package func findAlternatives(
    _ store: RoutingStore, count: Int, for format: RouteFormat, on engine: RoutingEngine? = nil
  ) throws -> [FoundRoute] {
    guard let start = points.first, let end = points.last else { return [] }
    let engine = try engine ?? choice.inMemory(store)
    let routes = try engine.findAlternatives(
      from: start, to: end, count: count, profile: choice.profile, mode: choice.mode,
      preferences: choice.preferences)
    return try routes.map(choice.dated).map {
      var found = try FoundRoute(
        $0, through: [start, end], choice.preferences, store, rules: choice.rules(on: $0, engine),
        for: format)
      found.names = [stops[0].name, stops[stops.count - 1].name]
      return found
    }
  }
}
