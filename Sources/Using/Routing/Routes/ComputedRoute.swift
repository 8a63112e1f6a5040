// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A route: edges from a start to a destination through via points, and its totals.
public struct ComputedRoute: Equatable, Sendable {
  /// The nodes in the order of travel, including start and end. A start, an end or a via point
  /// inside an edge is also a node, with the id `RoutingNode.insideEdge`.
  public var nodes: [RoutingNode]
  /// The edges between them, each in the direction of travel: `edges[i]` leads from `nodes[i]` to
  /// `nodes[i + 1]`. A barrier edge has no length, and the first and the last edge between two
  /// stops may be parts of edges, see `RoutingEdge.part`.
  public var edges: [RoutingEdge]
  /// The whole line: the nodes and the points of the edges between them.
  public var coordinates: [Coordinate]
  /// The length in metres.
  public var totalDistance: Double
  /// The sum of the edges' stored costs, in metres of flat good path; preferences do not count.
  public var totalCost: Double
  /// The time of travel in seconds, without rests: the sum of the times of the edges. If the
  /// profile's time model is a rule for totals, such as DIN 33466, they are scaled so that the time
  /// of each leg, from one stop to the next, is that of its totals.
  public var estimatedDuration: Double
  /// The spread of the route's profile: the standard deviation of the logarithm of people's times.
  /// Nil if unknown. See ``DurationRange``.
  public var timeSpread: Double?
  /// Metres climbed.
  public var elevationGain: Double
  /// Metres descended.
  public var elevationLoss: Double
  /// The via points as given, not snapped.
  public var viaPoints: [Coordinate]
  /// The index in ``nodes`` of each via point, in their order.
  public var viaNodes: [Int]
  /// The stops at which the route uses another way than the nearest one, which is cut off from the
  /// route; in order.
  public var cutOffStops: [CutOffStop] = []
  /// The stops on a ferry, in a tunnel or on a distant bridge, since there is no other way within
  /// reach; in order.
  public var lastResortStops: [LastResortStop] = []

  /// The warnings along the route, in the order of travel.
  public var warnings: [RouteWarning] = []

  /// The regions whose databases it needs, as few as possible.
  public var regions: [StoreRegion] = []

  /// The day of the request; nil for the one for which the database was built.
  public var day: TravelDay?

  /// The database that it was found in.
  package var origin = RouteOrigin()

  /// A stop near a way that is cut off from the route.
  public struct CutOffStop: Hashable, Sendable {
    /// The index of the stop: 0 is the start, followed by the via points and the end.
    public var index: Int
    /// Metres between the requested point and the route.
    public var distanceMetres: Double
  }

  /// A stop on a way that is taken only if there is no other.
  public struct LastResortStop: Hashable, Sendable {
    /// The index of the stop: 0 is the start, followed by the via points and the end.
    public var index: Int
    /// The kind of the way.
    public var way: LastResortWay

    init?(index: Int, _ point: EdgePoint) {
      guard let way = point.lastResort else { return nil }
      (self.index, self.way) = (index, way)
    }
  }

  /// Sums up a chain of edges that starts at the first node. There is one node more than edges.
  init(
    nodes: [RoutingNode], edges: [RoutingEdge], viaPoints: [Coordinate], viaNodes: [Int],
    mode: RoutingMode
  ) {
    self.nodes = nodes
    self.edges = edges
    self.viaPoints = viaPoints
    self.viaNodes = viaNodes
    coordinates = nodes.first.map { [$0.coordinate] } ?? []
    for (edge, end) in zip(edges, nodes.dropFirst()) {
      coordinates += edge.geometry
      // The edge of a barrier joins two nodes at the same coordinate.
      if coordinates.last != end.coordinate { coordinates.append(end.coordinate) }
    }
    totalDistance = edges.reduce(0) { $0 + $1.distance }
    totalCost = edges.reduce(0) { $0 + $1.cost }
    elevationGain = edges.reduce(0) { $0 + $1.elevationGain }
    elevationLoss = edges.reduce(0) { $0 + $1.elevationLoss }
    estimatedDuration = edges.reduce(0) { $0 + ($1.duration ?? mode.seconds($1)) }
  }
}

/// The database and the profile by which a route was found. Routes that differ in nothing else are
/// equal.
package struct RouteOrigin: Equatable, Sendable {
  /// The database, which may be closed by now; nil if unknown.
  package var store: RoutingStore?
  /// The profile; nil for the core columns.
  package var profile: String?

  /// Whatever they are.
  package static func == (one: RouteOrigin, other: RouteOrigin) -> Bool { true }
}

extension RoutingMode {
  /// Seconds for an edge without a duration in the database.
  func seconds(_ edge: RoutingEdge) -> Double {
    seconds(distance: edge.distance, gain: edge.elevationGain)
  }
}
