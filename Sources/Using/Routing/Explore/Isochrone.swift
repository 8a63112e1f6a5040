// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// What can be reached from a place within a time: parts of edges.
public struct Isochrone: Equatable, Sendable {
  /// A part of an edge that is reached.
  public struct Stretch: Equatable, Sendable {
    /// The row of the edge.
    public var edge: Int64
    /// Where the part begins: 0…1 of the edge's length in the direction of its row.
    public var start: Double
    /// Where it ends, beyond ``start``.
    public var end: Double
    /// Metres.
    public var distance: Double
    /// Its line in the direction of the row, cut at the exact shares; two points at the least.
    public var coordinates: [Coordinate]
  }

  /// The time, in seconds.
  public var limitSeconds: Double
  /// Where it begins: the place on an edge nearest to the point that was asked for.
  public var start: Coordinate
  /// What is reached, by rows of edges, and of one edge by where the parts begin. Parts of one edge
  /// do not touch. Edges of barriers, which have no length, are left out.
  public var stretches: [Stretch]
  /// How many nodes are reached.
  public var nodeCount: Int

  /// Metres of all that is reached, each edge counted once.
  public var totalDistance: Double { stretches.reduce(0) { $0 + $1.distance } }
}

extension RoutingEngine {
  /// What can be reached from a point within some times, by the quickest ways: edges take the
  /// seconds that the database stores for them in the direction of travel, and of an edge that is
  /// reached in part that share is passed which the rest of the time is of its seconds. What costs
  /// more than time, or is unpleasant, does not count.
  ///
  /// The search is Dijkstra's, once for the longest time.
  ///
  /// - Parameters:
  ///   - limitsSeconds: The times in seconds; within one that is negative, or no number, nothing is
  ///     reached. Each isochrone contains those of shorter times.
  ///   - profile: A profile that the database has; nil for the one that serves the mode.
  /// - Returns: An isochrone for each time, in their order.
  ///
  /// Throws ``RoutingError/noNearbyNode(_:radiusMetres:)`` for a point far from every path, and
  /// ``RoutingError/profileNotAvailable(_:available:)``.
  public func isochrones(
    from start: Coordinate, limitsSeconds: [Double], profile: String? = nil,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> [Isochrone] {
    let task = IsochroneTask(
      start: start, limits: limitsSeconds, radiusMetres: nearestNodeSearchRadiusMetres, mode: mode)
    return try perform(task, profile: profile, mode: mode)
  }
}

/// A search for isochrones.
private struct IsochroneTask: SearchTask {
  var start: Coordinate
  var limits: [Double]
  var radiusMetres: Double
  var mode: RoutingMode

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [Isochrone] {
    let stop = try view.stop(at: start, radiusMetres: radiusMetres)
    try view.begin()
    var search = ReachSearch(
      mode: mode, forbidsSteps: view.profile == nil && mode == .cycling,
      limitSeconds: limits.reduce(-1) { $1 > $0 ? $1 : $0 })
    try search.run(view, from: stop)
    var isochrones = limits.map { limit in
      Isochrone(
        limitSeconds: limit, start: stop.coordinate, stretches: [],
        nodeCount: search.nodeSeconds.count { $0 <= limit })
    }
    try search.forEachEdge { id, runs throws(RoutingError) in
      let parts = limits.map { limit in runs.compactMap { $0.part(within: limit) }.united() }
      guard parts.contains(where: { !$0.isEmpty }) else { return }
      let edge = try view.edge(id)
      guard !edge.isBarrier else { return }
      let line = try view.line(of: edge)
      for (place, parts) in parts.enumerated() {
        for part in parts {
          isochrones[place].stretches.append(
            Isochrone.Stretch(
              edge: id, start: part.lowerBound, end: part.upperBound,
              distance: edge.distance * (part.upperBound - part.lowerBound),
              coordinates: line.part(from: part.lowerBound, to: part.upperBound)))
        }
      }
    }
    return isochrones
  }
}
