// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// One direction of an edge in a search.
package struct Arc: Sendable {
  /// The cost in this direction, positive and finite.
  package let cost: Double
  /// The id of the edge.
  package let edge: Int64
  /// The index of the node at its end.
  package let node: Int32
  /// The traits, and in the highest bit whether this is the direction against the row.
  private let bits: UInt32
  private static let reversedBit: UInt32 = 1 << 31

  /// Makes an arc.
  package init(cost: Double, edge: Int64, node: Int32, isReversed: Bool, traits: EdgeTraits) {
    self.cost = cost
    self.edge = edge
    self.node = node
    bits = traits.bits | (isReversed ? Self.reversedBit : 0)
  }

  /// Whether this is the direction against the row.
  package var isReversed: Bool { bits & Self.reversedBit != 0 }

  /// The properties of the edge for preferences.
  package var traits: EdgeTraits { EdgeTraits(bits: bits) }
}

/// A lower bound of the cost of every arc: `metre` for each metre of the straight line between its
/// ends, and more if its end lies higher or lower than its start.
package struct CostBound: Hashable, Sendable {
  /// Cost per metre of the straight line.
  package var metre: Double
  /// Further cost per metre by which the end is higher.
  package var metreUp: Double
  /// Further cost per metre by which the end is lower.
  package var metreDown: Double

  /// Makes a bound.
  package init(metre: Double, metreUp: Double = 0, metreDown: Double = 0) {
    self.metre = metre
    self.metreUp = metreUp
    self.metreDown = metreDown
  }

  /// Makes a bound by what climbing costs on top of each metre.
  init(metre: Double, _ climbs: ClimbCosts) {
    self.init(metre: metre, metreUp: climbs.up, metreDown: climbs.down)
  }

  /// Whether elevations count.
  var needsElevations: Bool { metreUp > 0 || metreDown > 0 }
}

/// A graph for a search. Nodes have indices from 0; ``nodeCount`` may grow while arcs are read.
protocol SearchGraph: AnyObject {
  /// The number of nodes with an index.
  var nodeCount: Int { get }
  /// The point of a node.
  func position(_ node: Int32) -> SpherePoint
  /// Metres above sea level of a node; needed only if the bound depends on elevations.
  func elevation(_ node: Int32) -> Double
  /// The indices of the arcs that lead away from a node; valid until the next call.
  func arcs(from node: Int32) throws(RoutingError) -> Range<Int>
  /// An arc by its index.
  func arc(_ index: Int) -> Arc
}

/// The graph of one profile with its nodes and edges, from which routes are assembled.
protocol RoutingView: SearchGraph {
  /// The name of the profile; nil for the core columns.
  var profile: String? { get }
  /// The database, as it is on the day of the build; the graph may have outlived it.
  var database: RoutingStore { get }
  /// A lower bound of the cost of every arc.
  var bound: CostBound { get }
  /// The day of the graph; nil for the day of the build.
  var day: TravelDay? { get }
  /// The costs that depend on the time of arrival; nil if none does.
  var timed: TimedPrices? { get }

  /// Begins a search, which invalidates all indices of nodes.
  func begin() throws(RoutingError)
  /// The point on an edge at which a route from a point begins; see
  /// ``RoutingStore/nearestPointOnEdge(to:radiusMetres:profile:)``.
  func nearestPointOnEdge(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> EdgePoint?
  /// The candidate points on edges for a point of a route, the nearest one first; see
  /// ``SnapChoice/candidates``.
  func snapCandidates(to point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> [SnapCandidate]
  /// The nearest points on all passable edges within a radius, the nearest one first; for a chosen
  /// point without those that are a last resort. An edge that only leads to an island counts as one
  /// of the network.
  func pointsOnEdges(near point: Coordinate, _ origin: PointOrigin, radiusMetres: Double)
    throws(RoutingError) -> [SnapCandidate]
  /// Whether the database says which nodes lie on islands.
  func knowsIslands() throws(RoutingError) -> Bool
  /// The island that a node lies on; nil for the network.
  func island(ofNode id: Int64) throws(RoutingError) -> Island?
  /// All edges at a node, each in the direction away from it, closed ones included.
  func allEdges(at node: Int64) throws(RoutingError) -> [RoutingEdge]
  /// The same edges with the values for a search.
  func nodeEdges(at node: Int64) throws(RoutingError) -> [NodeEdge]
  /// The other copies of the same OpenStreetMap node, on the other sides of a barrier; ascending.
  func copies(ofNode id: Int64) throws(RoutingError) -> [Int64]
  /// The kind of the barrier at a node; nil if the database does not have it.
  func barrierKind(ofNode id: Int64) throws(RoutingError) -> String?
  /// The index of a node.
  func index(ofNode id: Int64) throws(RoutingError) -> Int32
  /// A node by its index.
  func node(_ index: Int32) throws(RoutingError) -> RoutingNode
  /// An edge in the direction of its row, with the costs of the profile.
  func edge(_ id: Int64) throws(RoutingError) -> RoutingEdge
  /// The values that the shares of an edge depend on.
  func measures(ofEdge id: Int64) throws(RoutingError) -> EdgeMeasures
  /// The properties of an edge for preferences.
  func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits
  /// The travel times of an edge.
  func travelTimes(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> TravelTimes
  /// The formula of times and costs by climb: from the profile's definition or, for the core
  /// columns, from the rule of a mode.
  func formula(mode: RoutingMode) throws(RoutingError) -> ProfileFormula
  /// Whether the database has elevation profiles of edges.
  func hasElevationProfiles() throws(RoutingError) -> Bool
  /// The elevation profile of an edge; nil if it is unknown.
  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation?
  /// The hazards of some edges for a mode, by their indices, ascending; edges without hazards are
  /// left out.
  func hazards(ofEdges edges: [RoutingEdge], mode: RoutingMode) throws(RoutingError)
    -> [(edge: Int, hazards: HazardsOfEdge)]
  /// The regions that some edges need.
  func regions(ofEdges ids: [Int64]) throws(RoutingError) -> RegionsOfEdges
}

/// The seconds of an edge in each direction, also if impassable.
struct TravelTimes {
  /// In the direction of the row.
  var ahead: Double
  /// In the other direction.
  var back: Double
}
