// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnGuidance
import CairnNavigation
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import Presentation
import Requests

/// `cairn trails plan`: a waymarked route as planned routes or GPX.
struct TrailsPlanCommand: Command {
  static let definition = CommandDefinition(
    name: "cairn trails plan",
    summary: "make planned routes or GPX from a waymarked route",
    discussion: """
      \(TrailChoice.discussion) A route with remaining gaps has several pieces: GPX has one track \
      per piece; a planned route is the longest piece, unless you take all with --folder or choose \
      one with --piece. --stages gives one route per day.
      """,
    positionals: [DatabaseChoice.positional, TrailChoice.route],
    options: TrailChoice.options + AlongOptions.options + [
      .option("piece", "N", help: "use only this piece, counted from 1"),
      .option("format", "FORMAT", help: "planned or gpx (default planned)"),
      RouteOutput.option,
      .option("folder", "FOLDER", help: "save all pieces or stages in a folder of planned routes"),
    ] + RoutePlan.options,
    examples: [
      "cairn trails plan valley.routing.db Krähenjochweg --output krähenjoch.json",
      "cairn trails plan valley.routing.db Krähenjochweg --format gpx",
      "cairn trails plan valley.routing.db Krähenjochweg --stages 3h --folder routes",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let isGPX =
      try arguments.choice("format", of: [RouteCommand.planned, "gpx"]) == "gpx"
    let options = try AlongOptions(arguments)
    let plan = try RoutePlan(arguments)
    let number = try arguments.integer("piece", in: 1...1000)
    let folder = arguments.value("folder")
    if folder != nil, isGPX || arguments.has("output") {
      throw arguments.usageError("--folder cannot be combined with --format or --output")
    }
    if options.longestDay != nil, folder == nil, !isGPX {
      throw arguments.usageError("--stages needs --folder, or --format gpx")
    }
    let output = RouteOutput(arguments, isGPX ? .gpx : nil)
    let (choice, route) = try TrailChoice.named(arguments)
    let name = plan.name ?? route.title
    return try withStore(choice.databases) { store in
      let profile = try choice.profile(for: route, in: store)
      let engine = try profile.engine(on: store)
      let trail = try TrailPlanner(choice.routes, store: store, engine: engine)
        .trail(route, profile: profile.profile, mode: profile.mode)
      var pieces = trail.course.pieces.map(\.route)
      if let number {
        guard number <= pieces.count else {
          throw arguments.usageError("--piece: the route has \(counted(pieces.count, "piece"))")
        }
        pieces = [pieces[number - 1]]
      }
      guard !pieces.isEmpty else {
        Console.note("\(definition.name): the database has none of the ways of the route")
        return .negative
      }
      if options.longestDay != nil {
        let along = try options.along(pieces, choice.databases, engine, profile)
        pieces = along.stages?.map(\.route) ?? pieces
      }
      if isGPX {
        let found = try pieces.map {
          try FoundRoute($0, through: [], profile.preferences, store, rules: nil, for: .gpx)
        }
        let routes = try plan.withWaypoints(
          found, from: choice.databases, choice.databases.places)
        try output.write(try RouteFormat.gpx.text(routes, name: name, columns: nil))
      } else if let folder {
        try save(pieces, name, plan, profile, store, in: folder)
      } else {
        try write(pieces, name, plan, profile, store, to: output)
      }
      return .success
    }
  }

  /// Saves all routes, numbered if there are several.
  private static func save(
    _ routes: [ComputedRoute], _ name: String, _ plan: RoutePlan, _ choice: RouteChoice,
    _ store: RoutingStore, in folder: String
  ) throws {
    let planned = PlannedRouteStore(folder: folder)
    for (index, route) in routes.enumerated() {
      let title = routes.count > 1 ? "\(name) \(index + 1)" : name
      let route = try plan.named(title).planned(route, choice, store)
      do { try planned.save(route) } catch { throw cairnError(error) }
      try Console.write("\(route.id.uuidString)  \(printable(route.name))\n")
    }
  }

  /// Writes the longest of some routes.
  private static func write(
    _ routes: [ComputedRoute], _ name: String, _ plan: RoutePlan, _ choice: RouteChoice,
    _ store: RoutingStore, to output: RouteOutput
  ) throws {
    let order = routes.indices.sorted {
      (routes[$1].totalDistance, $0) < (routes[$0].totalDistance, $1)
    }
    let route = try plan.named(name).planned(routes[order[0]], choice, store)
    try output.write(String(decoding: try route.json(), as: UTF8.self))
    if routes.count > 1 {
      Console.note(
        "\(definition.name): the longest of \(routes.count) pieces, number \(order[0] + 1), "
          + kilometres(route.totalDistance, decimals: 1) + "; --folder saves all")
    }
  }
}
