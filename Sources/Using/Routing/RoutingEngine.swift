import Geodesy
import RoutingDatabase
// SPDX-License-Identifier: Apache-2.0
import TagRules

/// Finds the cheapest way through a routing database. May be used from any thread.
///
/// ```swift
/// let engine = RoutingEngine(store: store)
/// let route = try engine.findRoute(from: village, to: summit, via: [hut], mode: .hiking)
/// ```
///
/// An engine on a store reads what it needs from the database and keeps little of it in memory; one
/// on ``ProfileGraph``s has all of it there and is for many routes. Both find the same routes.
///
/// The search is A* with the straight line as its estimate, times the least cost of a metre that
/// there is, so that the result is a cheapest route. Of several routes of equal cost always the
/// same one is found.
public struct RoutingEngine: Sendable {
  /// How far from a path or road a route may begin or end, in metres.
  public var nearestNodeSearchRadiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  private let source: Source

  private enum Source: Sendable {
    case paged(RoutingStore, WorkerPool<PagedGraph>)
    case memory([ProfileGraph], [ContractionHierarchy], WorkerPool<ProfileGraph>)
  }

  /// Makes an engine on a store, which must be open when a route is asked for.
  ///
  /// It keeps what it read last: at most 5 MB for each thread that asks at once, and about 100
  /// bytes for each node that a search comes across while it lasts.
  public init(store: RoutingStore) { source = .paged(store, WorkerPool()) }

  /// Makes an engine on graphs of one database in memory.
  ///
  /// - Parameter hierarchies: Hierarchies of some of these graphs. Routes without preferences are
  ///   found through them; of several routes of equal cost that need not be the one that is found
  ///   without.
  public init(graphs: [ProfileGraph], hierarchies: [ContractionHierarchy] = []) {
    source = .memory(graphs, hierarchies, WorkerPool())
  }

  /// Reads an open database into memory and makes an engine on that.
  ///
  /// - Parameters:
  ///   - profiles: Those that routes will be asked for; nil for all that it has.
  ///   - hierarchies: A file made from this database, whose hierarchies are used as far as it has
  ///     them. Throws ``RoutingError/hierarchyUnusable(_:)`` if it was made from another one.
  public static func inMemory(
    _ store: RoutingStore, profiles: [String]? = nil, hierarchies: HierarchyFile? = nil
  ) throws(RoutingError) -> RoutingEngine {
    let network = try RoadNetwork(reading: store)
    let known = try store.profileNames()
    var names: [String?] = profiles ?? known
    if known.isEmpty, names.isEmpty { names = [nil] }
    var graphs: [ProfileGraph] = []
    for name in names {
      graphs.append(try ProfileGraph(network, profile: name, reading: store))
    }
    var prepared: [ContractionHierarchy] = []
    for graph in graphs {
      if let hierarchy = try hierarchies?.hierarchy(of: graph) { prepared.append(hierarchy) }
    }
    return RoutingEngine(graphs: graphs, hierarchies: prepared)
  }

  /// Finds a route from one point to another, through the via points in their order.
  ///
  /// The route begins and ends at the nearest places of paths and roads, also inside an edge. At a
  /// via point it may turn round.
  ///
  /// Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for a point far from every path,
  /// ``RoutingError/noRouteFound(exploredNodes:closestApproachMetres:)`` where start and end are
  /// not connected, and ``RoutingError/viaPointNotReachable(index:)`` where a via point is not.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [],
    mode: RoutingMode = .hiking, preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> ComputedRoute {
    let profile = try profile(for: mode)
    let rules = SearchRules(
      preferences: preferences, forbidsSteps: profile == nil && mode == .cycling)
    return try findRoute([start] + via + [end], mode: mode, profile: profile, rules)
  }

  /// Finds a route by any profile that the database has, such as `family`; see
  /// ``findRoute(from:to:via:mode:preferences:)``.
  ///
  /// - Parameter avoidedEdges: Rows of `routing_edges` that the route must not use, in whatever
  ///   direction, unless it begins or ends inside one.
  ///
  /// Throws ``RoutingError/profileNotAvailable(_:available:)`` for a profile that it does not have.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], profile: String,
    avoidedEdges: Set<Int64> = [], preferences: RoutingPreferences = RoutingPreferences()
  ) throws(RoutingError) -> ComputedRoute {
    let names = try profileNames()
    guard names.contains(profile) else {
      throw .profileNotAvailable(profile, available: names)
    }
    let rules = SearchRules(preferences: preferences, avoidedEdges: avoidedEdges)
    return try findRoute([start] + via + [end], mode: .hiking, profile: profile, rules)
  }

  /// Finds a route through points by a profile, or, where it is nil, by the contract's columns in
  /// the sense of a mode.
  private func findRoute(
    _ points: [Coordinate], mode: RoutingMode, profile: String?, _ rules: SearchRules
  ) throws(RoutingError) -> ComputedRoute {
    let radius = nearestNodeSearchRadiusMetres
    switch source {
    case .paged(let store, let pool):
      return try pool.use(
        .init(profile: profile, withTraits: rules.needsTraits),
        make: {
          SearchWorker(PagedGraph(store, profile: profile, withTraits: rules.needsTraits))
        }
      ) { worker throws(RoutingError) in
        try worker.findRoute(points, radiusMetres: radius, rules: rules, mode: mode)
      }
    case .memory(let graphs, let hierarchies, let pool):
      guard let graph = graphs.first(where: { $0.profile == profile }) else {
        throw .profileNotAvailable(profile ?? mode.rawValue, available: try profileNames())
      }
      return try pool.use(
        .init(profile: profile, withTraits: true),
        make: { SearchWorker(graph, hierarchy: hierarchies.first { $0.graph === graph }) }
      ) { worker throws(RoutingError) in
        try worker.findRoute(points, radiusMetres: radius, rules: rules, mode: mode)
      }
    }
  }

  /// Lets a task that asks for more than one route search with memory of its own.
  ///
  /// - Parameter profile: nil for the one that serves the mode.
  func perform<Task: SearchTask>(_ task: Task, profile: String?, mode: RoutingMode)
    throws(RoutingError) -> Task.Result
  {
    let names = try profileNames()
    var wanted = profile
    if let profile, !names.contains(profile) {
      throw .profileNotAvailable(profile, available: names)
    }
    if profile == nil { wanted = try self.profile(for: mode) }
    switch source {
    case .paged(let store, _):
      return try task.run(PagedGraph(store, profile: wanted, withTraits: true))
    case .memory(let graphs, _, _):
      guard let graph = graphs.first(where: { $0.profile == wanted }) else {
        throw .profileNotAvailable(wanted ?? mode.rawValue, available: names)
      }
      return try task.run(graph)
    }
  }

  /// The profiles that there are costs for; empty where there are only the contract's columns.
  private func profileNames() throws(RoutingError) -> [String] {
    switch source {
    case .paged(let store, _): try store.profileNames()
    case .memory(let graphs, _, _): graphs.compactMap(\.profile)
    }
  }

  /// The profile that serves a mode; nil for the contract's columns, in a database that has
  /// nothing else.
  private func profile(for mode: RoutingMode) throws(RoutingError) -> String? {
    let names = try profileNames()
    guard !names.isEmpty else { return nil }
    guard names.contains(mode.rawValue) else {
      throw .profileNotAvailable(mode.rawValue, available: names)
    }
    return mode.rawValue
  }

  /// Whether the database says how its edges climb.
  func hasElevationProfiles() throws(RoutingError) -> Bool {
    switch source {
    case .paged(let store, _): try store.hasElevationProfiles()
    case .memory(let graphs, _, _): graphs.first?.network.hasElevationProfiles ?? false
    }
  }

  /// How an edge climbs in the direction of its row; nil where that is not known.
  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation? {
    switch source {
    case .paged(let store, _): try store.elevationProfile(ofEdge: id)
    case .memory(let graphs, _, _): try graphs.first?.elevations(ofEdge: id)
    }
  }
}
