// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnGuidance
import CairnLocationProviders
import CairnNavigation
import CairnRouting
import CommandLineKit
import FoundationEssentials
import Presentation
import Requests

/// `cairn navigate`: the messages to a walker along a planned route.
struct NavigateCommand: Command {
  private enum Format: String, CaseIterable { case table, jsonl }

  static let definition = CommandDefinition(
    name: "cairn navigate",
    summary: "replay or simulate a walk along a planned route and print the guidance",
    discussion: """
      Feeds the fixes of a recorded track, or of a simulated walk, to the guidance that apps use, \
      and prints each announcement: the time since the first fix, the position on the route, the \
      instruction or alarm, and the haptic pattern. With --db, leaving the route leads to a new \
      one. A track without times, or with times that make no sense, is walked at 1.2 m/s.

      --simulate walks the route itself with receiver errors of --noise metres along each axis, \
      and rates the guidance. Wrong turns follow other ways of the database (--db) for 150 m, or \
      else straight lines. The same --seed gives the same walk.
      """,
    positionals: [
      .init("ROUTE", help: "a planned route (.json), or a folder of planned routes"),
      .init(
        "NAME", required: false,
        help: "with a folder: the name of the route, or the first characters of its id"),
    ],
    options: [
      .option("track", "FILE", help: "a GPX file or a journal of recorded fixes; - for stdin"),
      .flag("simulate", help: "walk the route instead of replaying a track"),
    ] + SimulationChoice.options + [
      .option(
        "db", "DB", repeats: true,
        help: "a routing database, a bundle or an output folder, to find new routes from where the "
          + "route was left")
    ] + GuidanceChoice.options + [
      .option(
        "reroute-after", "SECONDS", help: "time off the route before rerouting (default 30)"),
      .option(
        "format", "FORMAT", help: "table, or jsonl: one JSON object per line (default table)"),
      LanguageChoice.option,
    ],
    examples: [
      "cairn navigate routes Krähenjoch --track hike.gpx",
      "cairn navigate routes Krähenjoch --track hike.gpx --language fr",
      "cairn navigate krähenjoch.json --simulate --noise 10 --wrong-turns 2 --db valley.routing.db",
    ])

  static func run(_ arguments: Arguments) throws -> ExitCode {
    let format =
      try arguments.choice("format", of: Format.allCases.map(\.rawValue)).flatMap(Format.init)
      ?? .table
    let simulation = try SimulationChoice(arguments)
    guard arguments.has("simulate") != arguments.has("track") else {
      throw arguments.usageError("give either --track FILE or --simulate")
    }
    if !arguments.has("simulate"), let option = simulation.firstOption {
      throw arguments.usageError("--\(option) needs --simulate")
    }
    var config = NavigationConfig()
    config.language = try LanguageChoice.language(arguments, isText: format == .table)
    config.guidance = try GuidanceChoice(arguments).config
    if let seconds = try arguments.number("reroute-after", in: 0...86_400) {
      guard arguments.has("db") else { throw arguments.usageError("--reroute-after needs --db") }
      config.rerouting.offRouteSeconds = seconds
    }
    let route = try PlannedRouteArgument(arguments.positionals).route
    let databases =
      arguments.has("db") ? try DatabaseChoice(arguments.all("db")) : nil
    var simulated: [SimulatedFix]?
    let fixes: [LocationFix]
    if arguments.has("simulate") {
      let walk = try walk(simulation, along: route, databases)
      simulated = walk
      fixes = walk.map(\.fix)
    } else {
      fixes = try WalkedTrack(try arguments.required("track"), definition).fixes
    }
    let run = try navigate(route, fixes, config, databases)
    let evaluation = simulated.map {
      EvaluatedWalk($0, along: route, config: config.guidance).evaluation
    }
    switch format {
    case .table:
      try Console.write(
        NavigationSheet(run, evaluation, in: config.language).text(columns: Console.columns))
    case .jsonl: try Console.write(try NavigationRecords(run, evaluation).text)
    }
    return .success
  }

  private static func walk(
    _ simulation: SimulationChoice, along route: PlannedRoute, _ databases: DatabaseChoice?
  ) throws -> [SimulatedFix] {
    guard let databases else { return try simulation.walk(along: route) }
    return try withStore(databases) { try simulation.walk(along: route, waysOf: $0) }
  }

  private static func navigate(
    _ route: PlannedRoute, _ fixes: [LocationFix], _ config: NavigationConfig,
    _ databases: DatabaseChoice?
  ) throws -> NavigationRun {
    do {
      guard let databases else { return try NavigationRun(route, fixes, config, planner: nil) }
      return try withStore(databases) { store in
        try NavigationRun(route, fixes, config, planner: RoutePlanner(store: store))
      }
    } catch let error as NavigationError {
      throw CairnError("unusable-route", .dataError, error.description)
    }
  }
}

/// The options for the distances of guidance.
struct GuidanceChoice {
  private static let settings:
    [(
      name: String, help: String,
      path: WritableKeyPath<RouteGuidanceConfig, Double> & Sendable
    )] = [
      ("off-route", "distance beyond which one is off the route", \.offRouteThresholdMetres),
      ("on-route", "distance within which one is on it again", \.offRouteClearThresholdMetres),
      ("approaching", "distance at which a turn is announced", \.approachingTurnDistanceMetres),
      ("at-turn", "distance at which one is told to turn", \.atTurnDistanceMetres),
      ("arrived", "distance to the end within which one has arrived", \.arrivedDistanceMetres),
    ]

  static var options: [CommandDefinition.Option] {
    let usual = RouteGuidanceConfig()
    return settings.map {
      .option(
        $0.name, "METRES", help: "\($0.help) (default \(Int(usual[keyPath: $0.path])))")
    }
  }

  private(set) var config = RouteGuidanceConfig()

  /// Reads the options. Throws 64 for invalid distances.
  init(_ arguments: Arguments) throws(CairnError) {
    for setting in Self.settings {
      guard let metres = try arguments.number(setting.name, in: 1...10_000) else { continue }
      config[keyPath: setting.path] = metres
    }
    guard config.offRouteClearThresholdMetres <= config.offRouteThresholdMetres else {
      throw arguments.usageError("--on-route must not be greater than --off-route")
    }
    guard config.atTurnDistanceMetres <= config.approachingTurnDistanceMetres else {
      throw arguments.usageError("--at-turn must not be greater than --approaching")
    }
  }
}
