// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase
import TagRules

/// The options that choose by what a route is found, for all commands that find routes.
struct RouteChoice {
  static let options: [CommandDefinition.Option] =
    profileOptions + [
      .flag("avoid-steps", help: "keep off steps"),
      .option("max-sac", "GRADE", help: "keep off ways above this grade, T1 to T6"),
      .flag("prefer-waymarked", help: "prefer waymarked hiking routes; by bicycle, cycling routes"),
      .flag("prefer-paved", help: "prefer paved ways"),
      .option("max-slope", "PERCENT", help: "keep off ways with a steeper stretch, up or down"),
    ]

  /// Those of them that choose costs as they are stored.
  static let profileOptions: [CommandDefinition.Option] = [
    .option("mode", "MODE", help: "hiking or cycling (default hiking)"),
    .option("profile", "NAME", help: "a profile of the database; cairn profiles DB lists them"),
    .option(
      "radius", "METRES",
      help: "how far from a path or road a point may lie (default 500)"),
  ]

  /// What the help pages say about preferences.
  static let discussion = """
    What is kept off is still used where there is no other way.
    """

  let mode: RoutingMode
  let profile: String?
  let radiusMetres: Double
  private(set) var preferences = RoutingPreferences()

  /// The name of the profile, by whatever option.
  var profileName: String { profile ?? mode.rawValue }

  /// Reads the options. Throws 64 for what is no mode, no grade or no number, and where a mode and
  /// a profile are named.
  init(_ arguments: Arguments) throws(CairnError) {
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    profile = arguments.value("profile")
    if arguments.has("mode"), profile != nil {
      throw arguments.usageError("--mode and --profile exclude each other")
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
    if arguments.has("prefer-waymarked") {
      preferences.preferredRoutes = profile == "cycling" || mode == .cycling ? .cycling : .hiking
    }
    preferences.prefersPaved = arguments.has("prefer-paved")
    preferences.maximumSlopePercent = try arguments.number("max-slope", in: 0...200)
  }

  /// An engine with the wanted radius.
  func configured(_ engine: RoutingEngine) -> RoutingEngine {
    var engine = engine
    engine.nearestNodeSearchRadiusMetres = radiusMetres
    return engine
  }

  /// An engine with the wanted profile in memory, for many searches.
  func inMemory(_ store: RoutingStore) throws(RoutingError) -> RoutingEngine {
    // A database with the contract's tables alone has no profiles.
    try .inMemory(store, profiles: try store.profileNames().isEmpty ? nil : [profileName])
  }

  /// Finds a route by these options.
  func findRoute(_ engine: RoutingEngine, _ points: [Coordinate]) throws(RoutingError)
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
