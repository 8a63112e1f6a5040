// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

/// An edge as a search sees it: one direction of it, away from a node.
package struct Arc: Sendable {
  /// The cost in this direction, positive and finite.
  package let cost: Double
  /// The row of the edge.
  package let edge: Int64
  /// The number of the node that it leads to (in a list of arcs that arrive: comes from).
  package let node: Int32
  /// The traits, and in the highest bit whether this is the direction against the row.
  private let bits: UInt32

  /// Makes an arc.
  package init(cost: Double, edge: Int64, node: Int32, isReversed: Bool, traits: EdgeTraits) {
    self.cost = cost
    self.edge = edge
    self.node = node
    bits = traits.bits | (isReversed ? 1 << 31 : 0)
  }

  /// Whether this is the direction against the row.
  package var isReversed: Bool { bits & 1 << 31 != 0 }

  /// What preferences ask of the edge.
  package var traits: EdgeTraits { EdgeTraits(bits: bits) }
}

/// What no arc of a graph falls below: `metre` times the straight line between its ends, and more
/// where its end lies higher than its start, or lower.
package struct CostBound: Hashable, Sendable {
  /// Cost a metre of the straight line.
  package var metre: Double
  /// Further cost a metre that the end lies higher.
  package var metreUp: Double
  /// Further cost a metre that the end lies lower.
  package var metreDown: Double

  /// Makes a bound.
  package init(metre: Double, metreUp: Double = 0, metreDown: Double = 0) {
    self.metre = metre
    self.metreUp = metreUp
    self.metreDown = metreDown
  }

  /// Whether heights count.
  var needsElevations: Bool { metreUp > 0 || metreDown > 0 }
}

/// What a search needs of a graph. Nodes have numbers from 0 on; ``nodeCount`` may grow while
/// arcs are asked for.
protocol SearchGraph: AnyObject {
  /// How many nodes have a number.
  var nodeCount: Int { get }
  /// Where a node is.
  func position(_ node: Int32) -> SpherePoint
  /// Metres above sea level of a node; asked for only where the bound says something of heights.
  func elevation(_ node: Int32) -> Double
  /// The places of the arcs that lead away from a node; they hold until the next call.
  func arcs(from node: Int32) throws(RoutingError) -> Range<Int>
  /// An arc by its place.
  func arc(_ place: Int) -> Arc
}

/// All that a route is made of: the graph of one profile, and what its edges are like.
protocol RoutingView: SearchGraph {
  /// The name of the profile; nil for the contract's columns.
  var profile: String? { get }
  /// What no arc falls below.
  var bound: CostBound { get }

  /// Begins a search: numbers that were given before are void.
  func begin() throws(RoutingError)
  /// The place where a route from a point begins; see
  /// ``RoutingStore/nearestPointOnEdge(to:radiusMetres:profile:)``.
  func nearestPointOnEdge(to point: Coordinate, radiusMetres: Double) throws(RoutingError)
    -> EdgePoint?
  /// The number of a node.
  func number(ofNode id: Int64) throws(RoutingError) -> Int32
  /// A node by its number.
  func node(_ number: Int32) throws(RoutingError) -> RoutingNode
  /// An edge in the direction of its row, with the costs of the profile.
  func edge(_ id: Int64) throws(RoutingError) -> RoutingEdge
  /// What preferences ask of an edge.
  func traits(ofEdge id: Int64) throws(RoutingError) -> EdgeTraits
  /// How long an edge takes.
  func travelTimes(ofEdge id: Int64, mode: RoutingMode) throws(RoutingError) -> TravelTimes
  /// Whether the database says how its edges climb.
  func hasElevationProfiles() throws(RoutingError) -> Bool
  /// How an edge climbs; nil where that is not known.
  func elevations(ofEdge id: Int64) throws(RoutingError) -> EdgeElevation?
}

/// How long an edge takes in each direction, in seconds. That says nothing of whether it may be used.
struct TravelTimes {
  /// In the direction of the row.
  var ahead: Double
  /// In the other one.
  var back: Double
}
