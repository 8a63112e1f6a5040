// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CairnTagRules

/// Finds cheapest routes in a routing database. Safe to use from any thread.
///
/// ```swift
/// let engine = RoutingEngine(store: store)
/// let route = try engine.findRoute(from: village, to: summit, via: [hut], mode: .hiking)
/// ```
///
/// An engine on a store reads what it needs from the database and keeps little of it in memory. An
/// engine on ``ProfileGraph``s has everything in memory and is faster for many routes. Both find
/// the same routes.
///
/// The search is A*. Its estimate is the straight line times the least cost per metre of any edge,
/// so the result is a cheapest route. Among routes of equal cost the same one is always found.
public struct RoutingEngine: Sendable {
  /// The greatest distance of a route's start, end and via points from a passable edge, in metres.
  public var nearestNodeSearchRadiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  /// The indices of those points of a route that nobody chose, such as a position of the traveller: 0
  /// is the start, also that of an isochrone, followed by the via points and the end. They may lie on
  /// ways where nobody chooses a point, see ``LastResortWay``.
  public var fixes: Set<Int> = []
  private let source: Source

  /// The engines on other days.
  private let days = DayEngines()
  /// The day of the engine; nil for that of the build.
  private var day: TravelDay?

  private enum Source: Sendable {
    /// With the day shown by the store; nil for that of the build.
    case paged(RoutingStore, WorkerPool<PagedGraph>, Departure?)
    case memory([ProfileGraph], WorkerPool<ProfileGraph>)
  }

  /// Makes an engine on a store, which must be open when a route is requested.
  ///
  /// It caches the most recently read data: at most 5 MB per concurrent request, and during a
  /// search about 100 bytes for each node that the search meets.
  public init(store: RoutingStore) { self.init(store, nil) }

  /// Makes an engine on the databases of several regions, which must be open: a route may lead from
  /// one into another. See `RoutingStore(joining:)`.
  public init(stores: [RoutingStore]) { self.init(store: RoutingStore(joining: stores)) }

  private init(_ store: RoutingStore, _ departure: Departure?) {
    source = .paged(store, WorkerPool(), departure)
  }

  /// Makes an engine on graphs of one database in memory, each with the costs of a profile.
  public init(graphs: [ProfileGraph]) { source = .memory(graphs, WorkerPool()) }

  /// Reads an open database into memory and makes an engine on it.
  ///
  /// - Parameters:
  ///   - store: The open database.
  ///   - profiles: The names of the profiles to route with; nil for all.
  public static func inMemory(_ store: RoutingStore, profiles: [String]? = nil)
    throws(RoutingError) -> RoutingEngine
  {
    let network = try RoadNetwork(reading: store)
    let known = try store.profileNames()
    var names: [String?] = profiles ?? known
    if known.isEmpty, names.isEmpty { names = [nil] }
    var graphs: [ProfileGraph] = []
    for name in names {
      graphs.append(try ProfileGraph(network, profile: name, reading: store))
    }
    return RoutingEngine(graphs: graphs)
  }

  /// The engine for a day, on the same data: seasons, conditional access and opening hours are
  /// judged for it, as in a database built for that day. With a time, that of the arrival at each
  /// way decides. Keep the engine for many routes; the last days are cached as well.
  ///
  /// Throws `RoutingError.rulesNotAvailable(_:)` if the database has no rules on times, such as one
  /// of an earlier version.
  public func on(_ day: TravelDay) throws(RoutingError) -> RoutingEngine {
    switch source {
    case .paged(let store, _, _):
      guard let rules = try days.rules(store) else { throw .rulesNotAvailable(day.description) }
      return try days.engine(on: day) { () throws(RoutingError) in
        let (shown, departure) = try store.onDay(day, rules)
        return RoutingEngine(shown, departure)
      }.shown(on: day, as: self)
    case .memory(let graphs, _):
      return try days.engine(on: day) { () throws(RoutingError) in
        RoutingEngine(
          graphs: try graphs.map { graph throws(RoutingError) in try graph.on(day) })
      }.shown(on: day, as: self)
    }
  }

  private func shown(on day: TravelDay, as other: RoutingEngine) -> RoutingEngine {
    var engine = self
    engine.day = day
    engine.nearestNodeSearchRadiusMetres = other.nearestNodeSearchRadiusMetres
    engine.fixes = other.fixes
    return engine
  }

  /// The rules on times that may apply to a route; nil if its databases have none.
  func dayRules(on route: ComputedRoute) throws(RoutingError) -> DayRules? {
    switch source {
    // Databases outside the route need not be opened for it.
    case .paged(let store, _, _) where store.opensWhenReached:
      try DayRules(reading: store, ofEdges: route.edges.map(\.id))
    case .paged(let store, _, _): try days.rules(store)
    case .memory(let graphs, _): graphs.first?.network.rules
    }
  }

  /// Finds a route from one point to another, through the via points in order.
  ///
  /// All points are snapped to passable edges within ``nearestNodeSearchRadiusMetres``, and may lie
  /// inside them: to the nearest ones, or, near an island, to those that make the best route
  /// together. A way other than the nearest one is at most 100 m from its point, and
  /// ``ComputedRoute/cutOffStops`` names the point. Ferries, tunnels and distant bridges are left to
  /// ``fixes``, unless a point has no other way: then ``ComputedRoute/lastResortStops`` names it. The
  /// route may turn back at a via point.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The end.
  ///   - via: Points that the route visits in this order.
  ///   - mode: Chooses the profile of the same name, otherwise the first one of its vehicle. In a
  ///     database without profiles, the core columns serve either mode.
  ///   - preferences: The preferences on top of the stored costs.
  ///   - day: The day of the walk, optionally with its departure time; nil for the day for which
  ///     the database was built. See ``on(_:)``.
  ///
  /// Throws `RoutingError.noNearbyNode(_:radiusMetres:)` for a point far from every passable edge,
  /// `RoutingError.noRouteFound(exploredNodes:closestApproachMetres:obstacles:)` if start and end
  /// are not connected, `RoutingError.viaPointNotReachable(index:obstacles:)` if a via point is
  /// not, and `RoutingError.profileNotAvailable(_:available:)` for a mode that the database does
  /// not have.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [],
    mode: RoutingMode = .hiking, preferences: RoutingPreferences = RoutingPreferences(),
    on day: TravelDay? = nil
  ) throws(RoutingError) -> ComputedRoute {
    if let day {
      return try on(day).findRoute(
        from: start, to: end, via: via, mode: mode, preferences: preferences)
    }
    let profile = try profile(for: mode)
    let rules = SearchRules(
      preferences: preferences, forbidsSteps: profile == nil && mode == .cycling)
    return try findRoute([start] + via + [end], mode: mode, profile: profile, rules)
  }

  /// Finds a route by any profile in the database, such as `family`; see
  /// ``findRoute(from:to:via:mode:preferences:on:)``.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - end: The end.
  ///   - via: Points that the route visits in this order.
  ///   - profile: A profile in the database; nil for the core columns.
  ///   - avoidedEdges: Ids of edges that the route must not use in either direction, unless it
  ///     begins or ends inside one. Its ends are those of the route without avoided edges.
  ///   - preferences: The preferences on top of the stored costs.
  ///
  /// Throws `RoutingError.profileNotAvailable(_:available:)` for a profile that the database does
  /// not have.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], profile: String,
    avoidedEdges: Set<Int64> = [], preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> ComputedRoute {
    let names = try profileNames()
    guard names.contains(profile) else {
      throw .profileNotAvailable(profile, available: names)
    }
    let rules = SearchRules(preferences: preferences, avoidedEdges: avoidedEdges)
    return try findRoute(
      [start] + via + [end], mode: try mode(ofProfile: profile) ?? .hiking, profile: profile, rules)
  }

  /// Finds a route through points by a profile; nil for the core columns.
  private func findRoute(
    _ points: [Coordinate], mode: RoutingMode, profile: String?, _ rules: SearchRules
  ) throws(RoutingError) -> ComputedRoute {
    var route = try search(points, mode: mode, profile: profile, rules)
    route.day = day ?? route.day
    return route
  }

  private func search(
    _ points: [Coordinate], mode: RoutingMode, profile: String?, _ rules: SearchRules
  ) throws(RoutingError) -> ComputedRoute {
    let radius = nearestNodeSearchRadiusMetres
    switch source {
    case .paged(let store, let pool, let departure):
      return try pool.use(
        .init(profile: profile, withTraits: rules.needsTraits),
        make: {
          SearchWorker(
            PagedGraph(
              store, profile: profile, withTraits: rules.needsTraits, departure: departure))
        }
      ) { worker throws(RoutingError) in
        let route = try worker.findRoute(
          points, fixes: fixes, radiusMetres: radius, rules: rules, mode: mode)
        return try worker.view.finished(route, mode: mode)
      }
    case .memory(let graphs, let pool):
      guard let graph = graphs.first(where: { $0.profile == profile }) else {
        throw .profileNotAvailable(profile ?? mode.rawValue, available: try profileNames())
      }
      return try pool.use(
        .init(profile: profile, withTraits: true),
        make: { SearchWorker(graph) }
      ) { worker throws(RoutingError) in
        let route = try worker.findRoute(
          points, fixes: fixes, radiusMetres: radius, rules: rules, mode: mode)
        return try worker.view.finished(route, mode: mode)
      }
    }
  }

  /// Performs a task that searches more than once, with its own memory for searching.
  ///
  /// - Parameter profile: Nil for the mode's.
  func perform<Task: SearchTask>(_ task: Task, profile: String?, mode: RoutingMode)
    throws(RoutingError) -> Task.Result
  {
    let names = try profileNames()
    var chosen = profile
    if let profile, !names.contains(profile) {
      throw .profileNotAvailable(profile, available: names)
    }
    if profile == nil { chosen = try self.profile(for: mode) }
    switch source {
    case .paged(let store, let pool, let departure):
      func graph() -> PagedGraph {
        PagedGraph(store, profile: chosen, withTraits: task.needsTraits, departure: departure)
      }
      if task.needsTraits { return try task.run(graph()) }
      return try pool.use(
        .init(profile: chosen, withTraits: false), make: { SearchWorker(graph()) }
      ) { worker throws(RoutingError) in try task.run(worker.view) }
    case .memory(let graphs, _):
      guard let graph = graphs.first(where: { $0.profile == chosen }) else {
        throw .profileNotAvailable(chosen ?? mode.rawValue, available: names)
      }
      return try task.run(graph)
    }
  }

  /// Where the start of a search comes from.
  var originOfStart: PointOrigin { fixes.contains(0) ? .fix : .chosen }

  /// The profiles with costs in the database; empty if there are only the core columns.
  private func profileNames() throws(RoutingError) -> [String] {
    switch source {
    case .paged(let store, _, _): try store.profileNames()
    case .memory(let graphs, _): graphs.compactMap(\.profile)
    }
  }

  /// The profile that serves a mode; nil for the core columns, in a database with only
  /// the core tables.
  func profile(for mode: RoutingMode) throws(RoutingError) -> String? {
    let names = try profileNames()
    guard !names.isEmpty else { return nil }
    var name: String?
    switch source {
    case .paged(let store, _, _): name = try store.profileName(for: mode)
    case .memory(let graphs, _):
      let serving = graphs.filter { $0.mode == mode }
      name = (serving.first { $0.profile == mode.rawValue } ?? serving.first)?.profile
    }
    guard let name else { throw .profileNotAvailable(mode.rawValue, available: names) }
    return name
  }

  private func mode(ofProfile name: String) throws(RoutingError) -> RoutingMode? {
    switch source {
    case .paged(let store, _, _): try store.mode(ofProfile: name)
    case .memory(let graphs, _): graphs.first { $0.profile == name }?.mode
    }
  }

  /// Whether the database has elevation profiles of edges.
  func hasElevationProfiles() throws(RoutingError) -> Bool {
    switch source {
    case .paged(let store, _, _): try store.hasElevationProfiles()
    case .memory(let graphs, _): graphs.first?.network.hasElevationProfiles ?? false
    }
  }

  /// The elevation profile of an edge in the direction of its row; nil if unknown.
  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    switch source {
    case .paged(let store, _, _): try store.elevationProfile(ofEdge: id)
    case .memory(let graphs, _): try graphs.first?.elevations(ofEdge: id)
    }
  }
}
