// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// Finds the cheapest way through a routing database.
///
/// ```swift
/// let engine = RoutingEngine(store: store)
/// let route = try engine.findRoute(from: village, to: summit, via: [hut], mode: .hiking)
/// ```
///
/// The search is A* with the straight line as its estimate, times the least cost of a metre that
/// the database names, so that the result is a cheapest route. Of two routes of equal cost always
/// the same one is found.
public struct RoutingEngine: Sendable {
  /// How far from a point a route may begin or end, in metres.
  public var nearestNodeSearchRadiusMetres = RoutingCostConfig.nearestNodeSearchRadiusMetres
  let store: RoutingStore

  /// Makes an engine on an open store.
  public init(store: RoutingStore) { self.store = store }

  /// Finds a route from one point to another, through the via points in their order.
  ///
  /// Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for a point far from every node,
  /// ``RoutingError/noRouteFound(exploredNodes:closestApproachMetres:)`` where start and end are
  /// not connected, and ``RoutingError/viaPointNotReachable(index:)`` where a via point is not.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [],
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> ComputedRoute {
    try findRoute([start] + via + [end], mode: mode, profile: try profile(for: mode))
  }

  /// Finds a route by any profile that the database has, such as `family`; see
  /// ``findRoute(from:to:via:mode:)``.
  ///
  /// - Parameter avoidedEdges: Rows of `routing_edges` that the route must not use, in whatever
  ///   direction.
  ///
  /// Throws ``RoutingError/profileNotAvailable(_:available:)`` for a profile that it does not have.
  public func findRoute(
    from start: Coordinate, to end: Coordinate, via: [Coordinate] = [], profile: String,
    avoidedEdges: Set<Int64> = []
  ) throws(RoutingError) -> ComputedRoute {
    let names = try store.profileNames()
    guard names.contains(profile) else {
      throw .profileNotAvailable(profile, available: names)
    }
    return try findRoute(
      [start] + via + [end], mode: .hiking, profile: profile, avoidedEdges: avoidedEdges)
  }

  /// Finds a route through points by a profile, or, where it is nil, by the contract's columns in
  /// the sense of a mode.
  private func findRoute(
    _ points: [Coordinate], mode: RoutingMode, profile: String?, avoidedEdges: Set<Int64> = []
  ) throws(RoutingError) -> ComputedRoute {
    var stops: [RoutingNode] = []
    for point in points {
      let nearest = try store.nearestNode(
        to: point, radiusMetres: nearestNodeSearchRadiusMetres, profile: profile)
      guard let nearest else {
        throw .noNearbyNode(point, radiusMetres: nearestNodeSearchRadiusMetres)
      }
      stops.append(nearest)
    }
    let allowsSteps = profile != nil || mode != .cycling
    var search = AStarSearch(
      store: store, profile: profile, allowsSteps: allowsSteps, avoidedEdges: avoidedEdges,
      minimumCostPerMetre: try store.minimumCostPerMetre(profile: profile))
    let via = Array(points.dropFirst().dropLast())
    var nodes = [stops[0]]
    var edges: [RoutingEdge] = []
    for leg in 1..<stops.count {
      do throws(RoutingError) {
        for step in try search.path(from: stops[leg - 1], to: stops[leg]) {
          edges.append(step.edge)
          nodes.append(step.node)
        }
      } catch .noRouteFound where leg <= via.count {
        throw .viaPointNotReachable(index: leg - 1)
      }
    }
    return ComputedRoute(nodes: nodes, edges: edges, viaPoints: via, mode: mode)
  }

  /// The profile that serves a mode; nil for the contract's columns, in a database that has
  /// nothing else.
  private func profile(for mode: RoutingMode) throws(RoutingError) -> String? {
    let names = try store.profileNames()
    guard !names.isEmpty else { return nil }
    guard names.contains(mode.rawValue) else {
      throw .profileNotAvailable(mode.rawValue, available: names)
    }
    return mode.rawValue
  }
}
