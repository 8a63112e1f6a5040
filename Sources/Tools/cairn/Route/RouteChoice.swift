// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import CostModel
import Diagnostics
import Geodesy
import ProfileTrials
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

  /// The options that need no properties of edges but their costs.
  static let profileOptions: [CommandDefinition.Option] = [
    .option("mode", "MODE", help: "hiking or cycling: the profile of that name, or the first one"),
    .option(
      "profile", "NAME",
      help: "a profile of the database (default: its first one; cairn profiles DB lists them), or "
        + "any other one, built in or a file: its costs are computed in memory"),
    .option(
      "set", "KEY=VALUE", repeats: true,
      help: "change a key of the profile, such as climb-factor=10 or surfaces.mud=3"),
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
  /// The profile as a file or on top of a stored one, if the database does not have it as it is.
  private(set) var trial: CostProfile?
  /// The profile of the database that the trial is made of, or one of the same vehicle; otherwise the
  /// profile itself.
  private(set) var storedProfile: String?
  private let settings: [ProfileSetting]
  private let hasMode: Bool
  private let prefersWaymarked: Bool

  /// Reads the options. Throws 64 for an invalid value, and if both a mode and a profile are given.
  init(_ arguments: Arguments) throws(CairnError) {
    let modes = RoutingMode.allCases.map(\.rawValue)
    mode = try arguments.choice("mode", of: modes).flatMap(RoutingMode.init) ?? .hiking
    profile = arguments.value("profile")
    var settings: [ProfileSetting] = []
    for text in arguments.all("set") { settings.append(try ProfileSetting(text)) }
    self.settings = settings
    if let profile, CostProfile.isPath(profile) { trial = try CostProfile(file: profile) }
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
  /// first one. Throws ``RoutingError/profileNotAvailable(_:available:)`` if there is none, and 65 if
  /// a profile that is to be changed cannot be read.
  func resolved(in store: RoutingStore) throws -> RouteChoice {
    let names = try store.profileNames()
    var choice = self
    if let word = profile, trial == nil, !names.contains(word) {
      choice.trial = CostProfile.builtIn.first { $0.name == word }
      if choice.trial != nil {
        Console.note("cairn: “\(word)” is not in the database; its costs are computed in memory")
      }
    }
    if choice.trial == nil, let first = names.first {
      let byMode = hasMode ? try store.profileName(for: mode) : first
      let name = profile ?? byMode
      guard let name, let mode = try store.mode(ofProfile: name) else {
        throw RoutingError.profileNotAvailable(name ?? mode.rawValue, available: names)
      }
      (choice.profile, choice.storedProfile, choice.mode) = (name, name, mode)
      if !settings.isEmpty { choice.trial = try Self.profile(name, of: store) }
    }
    if var trial = choice.trial {
      for setting in settings { try setting.apply(to: &trial) }
      choice.trial = trial
      (choice.profile, choice.mode) = (trial.name, trial.mode)
      if choice.storedProfile == nil {
        choice.storedProfile = names.isEmpty ? nil : try store.profileName(for: trial.mode)
      }
    } else if !settings.isEmpty {
      throw CairnError(
        "no-profiles", .dataError, "has no cost profiles, so there is none to change",
        at: Location(file: store.path), hint: "give one with --profile")
    }
    if prefersWaymarked { choice.preferences.preferredRoutes = choice.mode }
    return choice
  }

  /// The definition of a profile of a database.
  private static func profile(_ name: String, of store: RoutingStore) throws -> CostProfile {
    let stored = try store.profiles().first { $0.name == name }
    do throws(CairnError) { return try CostProfile(definition: stored?.definition ?? "") } catch {
      throw CairnError(
        "unreadable-profile", .dataError, "profile \(name) cannot be read: \(error.message)",
        at: Location(file: store.path), hint: "was the database built by a newer version of Cairn?")
    }
  }

  /// The profile with all of its keys, for a resolved choice; nil where the database has none. Throws
  /// 65 if it cannot be read.
  func definition(in store: RoutingStore) throws -> CostProfile? {
    if let trial { return trial }
    return try profile.map { try Self.profile($0, of: store) }
  }

  /// The engine for a resolved choice: on the database itself, or, for a profile that is not in it,
  /// on a graph in memory.
  func engine(on store: RoutingStore) throws -> RoutingEngine {
    guard let trial else { return configured(RoutingEngine(store: store)) }
    return configured(RoutingEngine(graphs: [try Self.graph(of: trial, store)]))
  }

  /// An engine with the profile in memory, for many searches; for a resolved choice.
  func inMemory(_ store: RoutingStore) throws -> RoutingEngine {
    // A database that has only the core tables has no profiles.
    configured(RoutingEngine(graphs: [try graph(store)]))
  }

  /// The graph of the profile; for a resolved choice.
  func graph(_ store: RoutingStore) throws -> ProfileGraph {
    if let trial { return try Self.graph(of: trial, store) }
    return try ProfileGraph(try RoadNetwork(reading: store), profile: profile, reading: store)
  }

  private static func graph(of trial: CostProfile, _ store: RoutingStore) throws -> ProfileGraph {
    guard let prices = try TrialPrices(try RoadNetwork(reading: store), reading: store) else {
      throw CairnError(
        "no-tags", .dataError, "lacks the tags that a profile prices its ways by",
        at: Location(file: store.path), hint: "rebuild it with this version of Cairn")
    }
    return try prices.graph(of: trial)
  }

  /// The engine with the requested radius.
  func configured(_ engine: RoutingEngine) -> RoutingEngine {
    var engine = engine
    engine.nearestNodeSearchRadiusMetres = radiusMetres
    return engine
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
