// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import CommandLineKit
import CostModel
import Presentation
import ProfileTrials

/// The options for profile, radius and preferences, shared by all commands that find routes.
package struct RouteChoice {
  /// The options.
  package static let options: [CommandDefinition.Option] =
    profileOptions + [
      .flag("avoid-steps", help: "avoid steps"),
      .option("max-sac", "GRADE", help: "avoid ways above this SAC grade, T1 to T6"),
      .flag(
        "prefer-waymarked", help: "prefer waymarked hiking routes, or cycling routes by bicycle"),
      .flag("prefer-paved", help: "prefer paved ways"),
      .option("max-slope", "PERCENT", help: "avoid ways with any steeper part, up or down"),
      .flag("strict", help: "forbid ways that go against the preferences above"),
    ]

  /// The options that need only the costs of edges.
  package static let profileOptions: [CommandDefinition.Option] =
    [
      .option(
        "mode", "MODE", help: "hiking or cycling: the profile of that name, or the first one"),
      .option(
        "profile", "NAME",
        help:
          "a profile of the database (default: its first; list them with cairn profiles DB), or a "
          + "built-in profile or a file, whose costs are computed in memory"),
      .option(
        "set", "KEY=VALUE", repeats: true,
        help: "change a key of the profile, such as climb-factor=10 or surfaces.mud=3"),
      .option(
        "radius", "METRES",
        help: "greatest distance from a point to a path or road (default 500)"),
    ] + TravelDay.options

  /// The help text about preferences.
  package static let discussion = """
    Ways that go against a preference, such as --max-sac or --avoid-steps, are used only if there \
    is no other route; a note on stderr says so. --strict forbids them.
    """

  /// The requested profile; ``chosen`` is the actual one.
  private let request: ProfileRequest
  /// The chosen profile, once the choice is ``resolved(in:)``.
  package private(set) var chosen: ChosenProfile?
  /// The greatest distance of a point from a path or road.
  package let radiusMetres: Double
  /// The day of the walk; nil for that of the database.
  package private(set) var day: TravelDay?
  /// The preferences of routes.
  package private(set) var preferences = RoutingPreferences()
  private let prefersWaymarked: Bool
  /// Whether the day is that of the database.
  private var isBuiltDay = false
  /// The day, unless it is that of the database; for a resolved choice.
  package var otherDay: TravelDay? { isBuiltDay ? nil : day }

  /// The mode of a resolved choice.
  package var mode: RoutingMode { chosen?.mode ?? .hiking }
  /// The profile of a resolved choice; nil for the core columns.
  package var profile: String? { chosen?.name }
  /// The profile, for a resolved choice, if the database does not have it unchanged.
  package var trial: CostProfile? { chosen?.trial }

  /// Reads the options. Throws 64 for an invalid value, and if both a mode and a profile are given.
  ///
  /// - Parameter usual: The default mode.
  package init(_ arguments: Arguments, mode usual: RoutingMode? = nil) throws(CairnError) {
    let modes = RoutingMode.allCases.map(\.rawValue)
    let given = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init)
    let mode = given ?? (arguments.has("profile") ? nil : usual)
    var settings: [ProfileSetting] = []
    for text in arguments.all("set") { settings.append(try ProfileSetting(text)) }
    request = try ProfileRequest(
      name: arguments.value("profile"), mode: mode, settings: settings)
    prefersWaymarked = arguments.has("prefer-waymarked")
    day = try TravelDay(arguments)
    if mode != nil, arguments.has("profile") {
      throw arguments.usageError("--mode and --profile cannot be combined")
    }
    radiusMetres =
      try arguments.number("radius", in: 0...100_000)
      ?? RoutingCostConfig.nearestNodeSearchRadiusMetres
    preferences.avoidsSteps = arguments.has("avoid-steps")
    if let text = arguments.value("max-sac") {
      guard let grade = SACScale(grade: text) else {
        throw arguments.usageError(
          "--max-sac takes a grade of the SAC scale, such as T2 or mountain_hiking, not “\(text)”")
      }
      preferences.maximumSACGrade = grade
    }
    if prefersWaymarked { preferences.preferredRoutes = mode ?? .hiking }
    preferences.prefersPaved = arguments.has("prefer-paved")
    preferences.maximumSlopePercent = try arguments.number("max-slope", in: 0...200)
    guard arguments.has("strict") else { return }
    guard preferences != RoutingPreferences() else {
      throw arguments.usageError(
        "--strict needs a preference, such as --max-sac T2 or --avoid-steps")
    }
    preferences.isStrict = true
  }

  /// The choice with its profile in a database; see `ProfileRequest`. Notes on stderr state if
  /// the database does not have it, and which changes it does not use.
  package func resolved(in store: RoutingStore, quietly: Bool = false) throws -> RouteChoice {
    var choice = self
    let chosen = try request.resolved(in: store)
    if let name = chosen.missingName, !quietly {
      Console.note("cairn: “\(name)” is not in the database; computing its costs in memory")
    }
    if !quietly { for remark in chosen.remarks { Console.note("cairn: \(remark)") } }
    choice.chosen = chosen
    if chosen.trial != nil, day?.departureMinute != nil {
      throw CairnError(
        "usage", .usage, "--depart needs a profile of the database",
        hint: "use --date for what is open at noon of a day")
    }
    // The day of the database needs no rules, which old databases lack.
    let built = try store.metadata()[RoutingMetadataKey.accessDate]
    if day?.description == built, chosen.trial == nil { choice.isBuiltDay = true }
    if prefersWaymarked { choice.preferences.preferredRoutes = chosen.mode }
    return choice
  }

  /// The engine for a resolved choice: on the database itself, or, for a profile not in it, on a
  /// graph in memory.
  package func engine(on store: RoutingStore) throws -> RoutingEngine {
    guard let trial else {
      let engine = configured(RoutingEngine(store: store))
      return try otherDay.map { try engine.on($0) } ?? engine
    }
    return configured(RoutingEngine(graphs: [try graph(of: trial, store)]))
  }

  /// An engine with the profile in memory, for many searches; for a resolved choice.
  package func inMemory(_ store: RoutingStore) throws -> RoutingEngine {
    // A database that has only the core tables has no profiles.
    configured(RoutingEngine(graphs: [try graph(store)]))
  }

  /// The graph of the profile; for a resolved choice.
  package func graph(_ store: RoutingStore) throws -> ProfileGraph {
    if let trial { return try graph(of: trial, store) }
    let graph = try ProfileGraph(
      try RoadNetwork(reading: store), profile: profile, reading: store)
    return try otherDay.map { try graph.on($0) } ?? graph
  }

  private func graph(of trial: CostProfile, _ store: RoutingStore) throws -> ProfileGraph {
    let network = try RoadNetwork(reading: store)
    guard let prices = try TrialPrices(network, reading: store, on: day?.date) else {
      throw CairnError(
        "no-tags", .dataError, "lacks the tags needed to compute costs",
        at: Location(file: store.path), hint: "rebuild it with this version of Cairn")
    }
    return try prices.graph(of: trial)
  }

  /// The engine with the requested radius.
  package func configured(_ engine: RoutingEngine) -> RoutingEngine {
    var engine = engine
    engine.nearestNodeSearchRadiusMetres = radiusMetres
    return engine
  }

  /// The rules on times on a route of an engine; for a resolved choice.
  package func rules(on route: ComputedRoute, _ engine: RoutingEngine) throws(RoutingError)
    -> RuleTally?
  {
    try RuleTally(route, engine, profile: chosen?.storedName, mode: mode)
  }

  /// The day of a route from a graph in memory, which has none if its profile is not in the
  /// database; for a resolved choice.
  package func dated(_ route: ComputedRoute) -> ComputedRoute {
    var route = route
    route.day = route.day ?? otherDay
    return route
  }

  /// Finds a route; for a resolved choice.
  package func findRoute(_ engine: RoutingEngine, _ points: [Coordinate]) throws(RoutingError)
    -> ComputedRoute
  {
    dated(try found(engine, points))
  }

  private func found(_ engine: RoutingEngine, _ points: [Coordinate]) throws(RoutingError)
    -> ComputedRoute
  {
    guard let start = points.first, let end = points.last, points.count > 1 else {
      throw .noRouteFound(exploredNodes: 0, closestApproachMetres: 0)
    }
    let via = Array(points.dropFirst().dropLast())
    guard let profile else {
      return try engine.findRoute(
        from: start, to: end, via: via, mode: mode, preferences: preferences)
    }
    return try engine.findRoute(
      from: start, to: end, via: via, profile: profile, preferences: preferences)
  }
}
