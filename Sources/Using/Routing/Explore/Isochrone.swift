// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The parts of edges that can be reached from a point within a time.
public struct Isochrone: Equatable, Sendable {
  /// A part of an edge that can be reached.
  public struct Stretch: Equatable, Sendable {
    /// The id of the edge.
    public var edge: Int64
    /// The beginning of the part, 0…1 of the edge's length in the direction of its row.
    public var start: Double
    /// The end of the part, beyond ``start``.
    public var end: Double
    /// The length of the part in metres.
    public var distance: Double
    /// Its line in the direction of the row, cut at ``start`` and ``end``; at least two points.
    public var coordinates: [Coordinate]
  }

  /// The time limit in seconds.
  public var limitSeconds: Double
  /// The start: the requested point, snapped to the nearest edge.
  public var start: Coordinate
  /// Whether that is another way than the nearest one, which is cut off from the network.
  public var startIsCutOff = false
  /// The kind of the way at the start if there is no other within reach.
  public var startLastResort: LastResortWay?
  /// The reachable parts, sorted by ``Stretch/edge`` and ``Stretch/start``. Parts of one edge do
  /// not touch. Barrier edges, which have no length, are left out.
  public var stretches: [Stretch]
  /// The number of nodes that can be reached.
  public var nodeCount: Int

  /// The length of all parts in metres, each edge counted once.
  public var totalDistance: Double { stretches.reduce(0) { $0 + $1.distance } }
}

extension RoutingEngine {
  /// Finds the area reachable from a point within several times, by the quickest paths. An edge
  /// takes its duration in the database for the direction of travel; a partly reached edge is cut
  /// where the profile's time model uses up the remaining time. Costs and preferences do not count.
  ///
  /// One search by Dijkstra's algorithm serves all times.
  ///
  /// - Parameters:
  ///   - start: The start.
  ///   - limitsSeconds: The time limits in seconds; a negative one or NaN reaches nothing. Each
  ///     isochrone contains those of shorter times.
  ///   - profile: A profile in the database; nil for the mode's.
  ///   - mode: On foot or by bicycle: chooses the profile if none is named, and how ways are timed.
  /// - Returns: An isochrone for each limit, in order.
  ///
  /// Throws `RoutingError.noNearbyNode(_:radiusMetres:)` for a point far from every path, and
  /// `RoutingError.profileNotAvailable(_:available:)`.
  public func isochrones(
    from start: Coordinate, limitsSeconds: [Double], profile: String? = nil,
    mode: RoutingMode = .hiking
  ) throws(RoutingError) -> [Isochrone] {
    let task = IsochroneTask(
      start: start, origin: originOfStart, limits: limitsSeconds,
      radiusMetres: nearestNodeSearchRadiusMetres, mode: mode)
    return try perform(task, profile: profile, mode: mode)
  }
}

/// A search for isochrones.
private struct IsochroneTask: SearchTask {
  var start: Coordinate
  var origin: PointOrigin
  var limits: [Double]
  var radiusMetres: Double
  var mode: RoutingMode

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> [Isochrone] {
    let stop = try view.stop(at: start, origin, radiusMetres: radiusMetres)
    let isCutOff = try !view.cutOff(stop, from: start, origin, radiusMetres: radiusMetres).isEmpty
    try view.begin()
    var search = ReachSearch(
      mode: mode, forbidsSteps: view.profile == nil && mode == .cycling,
      limitSeconds: limits.reduce(-1) { $1 > $0 ? $1 : $0 })
    try search.run(view, from: stop)
    var isochrones = limits.map { limit in
      Isochrone(
        limitSeconds: limit, start: stop.coordinate, startIsCutOff: isCutOff,
        startLastResort: stop.lastResort, stretches: [],
        nodeCount: search.nodeSeconds.count { $0 <= limit })
    }
    var (points, edges) = (0, 0)
    try search.forEachEdge { id, runs throws(RoutingError) in
      let isReached = limits.contains { limit in
        runs.contains { $0.part(within: limit, .even) != nil }
      }
      guard isReached else { return }
      let edge = try view.edge(id)
      guard !edge.isBarrier else { return }
      let isCut = limits.contains { limit in runs.contains { $0.isCut(by: limit) } }
      let times = isCut ? try view.timeSpread(ofEdge: id, mode: mode) : .even
      let parts = limits.map { limit in
        runs.compactMap { $0.part(within: limit, times) }.united()
      }
      let line = try view.line(of: edge)
      points += edge.geometry.count
      edges += 1
      guard EdgeGeometry.isPlausible(points: points, edges: edges) else {
        throw .databaseCorrupted("the geometries of its edges have too many points")
      }
      for (index, parts) in parts.enumerated() {
        for part in parts {
          isochrones[index].stretches.append(
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
