// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import Geodesy
import Routing
import RoutingDatabase
import TagRules

/// The options for profile, radius and preferences, shared by all commands that find routes.
struct RouteChoice {
  static let options: [CommandDefinition.Option] =
    profileOptions + [
      .flag("avoid-steps", help: "avoid steps"),
      .option("max-sac", "GRADE", help: "avoid ways above this SAC grade, T1 to T6"),
      .flag(
        "prefer-waymarked", help: "prefer waymarked hiking routes, or cycling routes by bicycle"),
      .flag("prefer-paved", help: "prefer paved ways"),
      .option("max-slope", "PERCENT", help: "avoid ways that are steeper anywhere, up or down"),
      .flag("strict", help: "forbid what goes against the preferences above"),
    ]

  /// The options that work with the stored costs alone.
  static let profileOptions: [CommandDefinition.Option] = [
    .option("mode", "MODE", help: "hiking or cycling: the profile of that name, or the first one"),
    .option(
      "profile", "NAME",
      help: "a profile of the database (default: its first one); cairn profiles DB lists them"),
    .option(
      "radius", "METRES",
      help: "how far a point may be from a path or road (default 500)"),
  ]

  /// What the help pages say about preferences.
  static let discussion = """
    Ways that go against a preference, such as --max-sac or --avoid-steps, are still used if there \
    is no other route, and a note on stderr says so. With --strict they are forbidden.
    """

  /// The mode: as requested, or that of the profile once the choice is ``resolved(in:)``.
  private(set) var mode: RoutingMode
  /// The profile: as requested, or what the database has for the mode; nil for the core columns.
  private(set) var profile: String?
  let radiusMetres: Double
  private(set) var preferences = RoutingPreferences()
  private let hasMode: Bool
  private let prefersWaymarked: Bool

  /// Reads the options. Throws 64 for an invalid value, and if both a mode and a profile are given.
  init(_ arguments: Arguments) throws(CairnError) {
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    profile = arguments.value("profile")
    hasMode = arguments.has("mode")
    prefersWaymarked = arguments.has("prefer-waymarked")
    if arguments.has("mode"), profile != nil {
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
    if prefersWaymarked { preferences.preferredRoutes = mode }
    preferences.prefersPaved = arguments.has("prefer-paved")
    preferences.maximumSlopePercent = try arguments.number("max-slope", in: 0...200)
    guard arguments.has("strict") else { return }
    guard preferences != RoutingPreferences() else {
      throw arguments.usageError(
        "--strict needs a preference, such as --max-sac T2 or --avoid-steps")
    }
    preferences.isStrict = true
  }

  /// The choice with the profile that it means in a database: of several without an option the
  /// first one. Throws ``RoutingError/profileNotAvailable(_:available:)`` if there is none.
  func resolved(in store: RoutingStore) throws(RoutingError) -> RouteChoice {
    let names = try store.profileNames()
    guard let first = names.first else { return self }
    var choice = self
    let byMode = hasMode ? try store.profileName(for: mode) : first
    let name = profile ?? byMode
    guard let name, let mode = try store.mode(ofProfile: name) else {
      throw .profileNotAvailable(name ?? mode.rawValue, available: names)
    }
    choice.profile = name
    choice.mode = mode
    if prefersWaymarked { choice.preferences.preferredRoutes = mode }
    return choice
  }

  /// The engine with the requested radius.
  func configured(_ engine: RoutingEngine) -> RoutingEngine {
    var engine = engine
    engine.nearestNodeSearchRadiusMetres = radiusMetres
    return engine
  }

  /// An engine with the profile in memory, for many searches; for a resolved choice.
  func inMemory(_ store: RoutingStore) throws(RoutingError) -> RoutingEngine {
    // A database that has only the core tables has no profiles.
    try .inMemory(store, profiles: profile.map { [$0] })
  }

  /// Finds a route; for a resolved choice.
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
