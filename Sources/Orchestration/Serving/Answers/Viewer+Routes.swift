// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnGuidance
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import FoundationEssentials
import Presentation
import Requests

// Answers about routes: the parameters are the options of commands, and the answers their JSON.
extension Viewer {
  /// The most via points.
  static let mostVias = 50

  private static let routeDefinition = CommandDefinition(
    name: "cairn route", summary: "",
    options: RouteRequest.options + [
      .option("alternatives", "N", help: ""), .option("format", "FORMAT", help: ""),
      RoutePlan.noWaypoints,
    ])
  private static let explainDefinition = CommandDefinition(
    name: "cairn explain", summary: "",
    options: RouteRequest.options.prefix(3) + RouteChoice.profileOptions)
  private static let isochroneDefinition = CommandDefinition(
    name: "cairn isochrone", summary: "",
    options: IsochroneRequest.options + RouteChoice.profileOptions)

  /// A route as `cairn route` prints it.
  func route(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let arguments = try request.arguments(for: Self.routeDefinition)
    let format = try arguments.choice("format", of: ["json", "geojson", "gpx", "planned"])
    let count = try arguments.integer("alternatives", in: 1...3)
    if count != nil, arguments.has("via") || format == "planned" {
      throw CairnError(
        .usage, .usage, "alternatives cannot be combined with via or format=planned")
    }
    let plan = RoutePlan(
      createdAt: Date(timeIntervalSince1970: 0),
      hasWaypoints: try RoutePlan.hasWaypoints(arguments))
    return try routing(request, arguments, data) { route, engine in
      let form = format.flatMap(RouteFormat.init) ?? .json
      if let count {
        var found = try route.findAlternatives(data.store, count: count, for: form, on: engine)
        if form == .gpx {
          found = try plan.withWaypoints(found, from: data.databases) { data.places }
        }
        return HTTPAnswer(try form.text(found, columns: nil), type: Self.type(form))
      }
      var found = try route.findRoute(data.store, for: form, on: engine)
      guard format != "planned" else {
        let planned = try plan.planned(
          found.route, through: found.names, route.choice, data.store)
        return HTTPAnswer([UInt8](try planned.json()))
      }
      if form == .gpx {
        found = try plan.withWaypoints([found], from: data.databases) { data.places }[0]
      }
      return HTTPAnswer(try form.text(found, columns: nil), type: Self.type(form))
    }
  }

  /// The answer of `body` to a request for a route, with the engine for it.
  private func routing(
    _ request: HTTPRequest, _ arguments: Arguments, _ data: ServedData,
    _ body: (RouteRequest, RoutingEngine) throws -> HTTPAnswer
  ) throws -> HTTPAnswer {
    let stops = try Self.stops(request, data)
    let choice = try Self.choice(arguments)
    return try data.answering(choice, stops.map(\.coordinate)) {
      let route = try RouteRequest(stops, in: data.databases, choice)
        .resolved(in: data.store, quietly: true)
      return try body(route, try data.engines.engine(route.choice, data.store))
    }
  }

  /// The reasons for a route, as printed by `cairn explain`.
  func explanation(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let arguments = try request.arguments(for: Self.explainDefinition)
    try TravelDay.refuseDeparture(arguments)
    return try routing(request, arguments, data) { route, engine in
      return HTTPAnswer(
        try encodeJSON(ExplanationRecord(try route.explanation(data.store, on: engine))))
    }
  }

  /// The reachable area, as printed by `cairn isochrone`.
  func isochrone(_ request: HTTPRequest, _ data: ServedData) throws -> HTTPAnswer {
    let arguments = try request.arguments(for: Self.isochroneDefinition)
    let start = try request.stop("from", data).coordinate
    let choice = try Self.choice(arguments)
    let isochrone = try IsochroneRequest(arguments, from: start, in: data.databases, choice)
    return try data.answering(choice, [start]) {
      let isochrone = try isochrone.resolved(in: data.store, quietly: true)
      let engine = try data.engines.engine(isochrone.choice, data.store)
      return HTTPAnswer(
        try encodeJSON(isochrone.features(data.store, on: engine).features, pretty: false))
    }
  }

  private static func stops(_ request: HTTPRequest, _ data: ServedData) throws(CairnError)
    -> [RequestedPoint]
  {
    guard request.query.count(where: { $0.name == "via" }) <= mostVias else {
      throw CairnError(.usage, .usage, "at most \(mostVias) via points are allowed")
    }
    let vias = try request.stops("via", data)
    return [try request.stop("from", data)] + vias + [try request.stop("to", data)]
  }

  /// The requested profile, day and preferences. Throws 64 also for a profile file: requests must
  /// not read arbitrary files.
  static func choice(_ arguments: Arguments) throws(CairnError) -> RouteChoice {
    if let name = arguments.value("profile"), CostProfile.isPath(name) {
      throw CairnError(.usage, .usage, "profile must be a name, not a file")
    }
    return try RouteChoice(arguments)
  }

  private static func type(_ format: RouteFormat) -> String {
    switch format {
    case .gpx: "application/gpx+xml"
    case .geojson: "application/geo+json"
    case .json, .text: HTTPAnswer.json
    }
  }
}

extension ServedData {
  /// The answer of `body`, with its errors turned into those of a command.
  func answering(
    _ choice: RouteChoice, _ points: [Coordinate], _ body: () throws -> HTTPAnswer
  ) throws(CairnError) -> HTTPAnswer {
    do { return try body() } catch RoutingError.cancelled {
      throw CairnError(
        "too-long", .temporaryFailure, "the request took too long and was ended",
        hint: "ask for a shorter route or less time")
    } catch { throw databases.commandError(error, store, choice, points: points) }
  }
}
