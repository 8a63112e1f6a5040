// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A node of the routing graph: a junction or the end of a way.
public struct RoutingNode: Hashable, Sendable, Codable {
  /// The OpenStreetMap id. The n-th copy of a node at a barrier has n · 2⁴⁰ added to it.
  public let id: Int64
  /// Degrees north, −90…90.
  public let latitude: Double
  /// Degrees east, −180…180.
  public let longitude: Double
  /// Metres above sea level; nil where unknown.
  public let elevation: Double?

  /// The id of a node of a route inside an edge: its start, its end or a via point.
  public static let insideEdge: Int64 = 0

  /// Makes a node.
  public init(id: Int64, latitude: Double, longitude: Double, elevation: Double?) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.elevation = elevation
  }

  /// Its coordinate.
  public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

  /// The bits of an id that are OpenStreetMap's; those above count the copies of a node.
  package static let idBits: Int64 = 40

  /// The id in OpenStreetMap of a node or of a copy at a barrier.
  package static func openStreetMapID(_ id: Int64) -> Int64 { id & (1 << idBits - 1) }

  /// Whether two ids belong to a node and its copies.
  package static func isSame(_ one: Int64, _ other: Int64) -> Bool {
    openStreetMapID(one) == openStreetMapID(other)
  }
}

/// An edge of the routing graph, a piece of a way between two nodes, in one direction.
public struct RoutingEdge: Hashable, Sendable {
  /// Its id in the store, in that of one database counted from 1.
  public internal(set) var id: Int64
  /// The node that it leads from.
  public var fromNode: Int64
  /// The node that it leads to.
  public var toNode: Int64
  /// The length along the geometry in metres.
  public var distance: Double
  /// Metres climbed in this direction.
  public var elevationGain: Double
  /// Metres descended in this direction.
  public var elevationLoss: Double
  /// The value of `surface`, if tagged.
  public var surface: String?
  /// The value of `highway`.
  public var highwayType: String?
  /// The value of `sac_scale`, if tagged.
  public var sacScale: String?
  /// The value of `trail_visibility`, if tagged.
  public var trailVisibility: String?
  /// The tag `name`, or `ref` of a road without a name.
  public var name: String?
  /// The OpenStreetMap id of the way that it was cut from.
  public var osmWayID: Int64?
  /// The cost in this direction, in metres of flat good path; infinite if it is impassable.
  public var cost: Double
  /// The cost in the other direction; infinite if it is impassable.
  public var reverseCost: Double
  /// Seconds in this direction; nil if it is impassable or the database does not have them.
  public var duration: Double?
  /// Seconds in the other direction; nil if it is impassable or the database does not have them.
  public var reverseDuration: Double?
  /// Whether it may be travelled only in the direction of its row.
  public var isOneway: Bool
  /// The points between the two nodes, in this direction.
  public var geometry: [Coordinate]
  /// Whether this is the direction against the row in the database.
  public var isReversed = false
  /// Which part of the whole edge this is; nil for all of it.
  public var part: EdgePart?

  /// Makes an edge in the direction of its row.
  public init(
    id: Int64, fromNode: Int64, toNode: Int64, distance: Double, elevationGain: Double = 0,
    elevationLoss: Double = 0, surface: String? = nil, highwayType: String? = nil,
    sacScale: String? = nil, trailVisibility: String? = nil, name: String? = nil,
    osmWayID: Int64? = nil, cost: Double, reverseCost: Double, isOneway: Bool = false,
    geometry: [Coordinate] = []
  ) {
    self.id = id
    self.fromNode = fromNode
    self.toNode = toNode
    self.distance = distance
    self.elevationGain = elevationGain
    self.elevationLoss = elevationLoss
    self.surface = surface
    self.highwayType = highwayType
    self.sacScale = sacScale
    self.trailVisibility = trailVisibility
    self.name = name
    self.osmWayID = osmWayID
    self.cost = cost
    self.reverseCost = reverseCost
    self.isOneway = isOneway
    self.geometry = geometry
  }

  /// Whether it represents a barrier: it joins two nodes at the same coordinate and has no length.
  public var isBarrier: Bool { distance == 0 && part == nil && fromNode != toNode }

  /// The same edge in the other direction: nodes, gain and loss, costs, durations and points
  /// reversed.
  public consuming func reversed() -> RoutingEdge {
    var edge = self
    swap(&edge.fromNode, &edge.toNode)
    swap(&edge.elevationGain, &edge.elevationLoss)
    swap(&edge.cost, &edge.reverseCost)
    swap(&edge.duration, &edge.reverseDuration)
    edge.geometry.reverse()
    edge.isReversed.toggle()
    edge.part = edge.part?.reversed()
    return edge
  }
}

/// Which part of an edge a route uses, where it begins or ends inside it.
public struct EdgePart: Hashable, Sendable {
  /// Its start, 0…1 of the whole edge in the direction of travel.
  public var start: Double
  /// Its end, 0…1, beyond ``start``.
  public var end: Double
  /// Metres of the whole edge.
  public var wholeDistance: Double
  /// Metres climbed on the whole edge.
  public var wholeElevationGain: Double
  /// Metres descended on the whole edge.
  public var wholeElevationLoss: Double
  /// Its shares of the whole edge's cost and time.
  public var shares: Shares
  /// The same in the other direction.
  public var reverseShares: Shares

  /// Shares of the cost and the time of a whole edge, 0…1. They differ from the share of the length
  /// if the climb is uneven.
  public struct Shares: Hashable, Sendable {
    /// The share of the cost.
    public var cost: Double
    /// The share of the time.
    public var time: Double

    /// Makes shares.
    public init(cost: Double, time: Double) {
      self.cost = cost
      self.time = time
    }
  }

  /// Makes a part.
  ///
  /// - Parameters:
  ///   - shares: nil for those of the length.
  ///   - reverseShares: nil for those of the length.
  public init(
    start: Double, end: Double, wholeDistance: Double, wholeElevationGain: Double,
    wholeElevationLoss: Double, shares: Shares? = nil, reverseShares: Shares? = nil
  ) {
    let even = Shares(cost: end - start, time: end - start)
    self.shares = shares ?? even
    self.reverseShares = reverseShares ?? even
    self.start = start
    self.end = end
    self.wholeDistance = wholeDistance
    self.wholeElevationGain = wholeElevationGain
    self.wholeElevationLoss = wholeElevationLoss
  }

  /// The share of the whole edge's length that it is.
  public var share: Double { end - start }

  func reversed() -> EdgePart {
    EdgePart(
      start: 1 - end, end: 1 - start, wholeDistance: wholeDistance,
      wholeElevationGain: wholeElevationLoss, wholeElevationLoss: wholeElevationGain,
      shares: reverseShares, reverseShares: shares)
  }
}

/// A mode of travel, served by the profile of the same name or the first one of its vehicle.
public enum RoutingMode: String, Sendable, CaseIterable, Codable {
  /// On foot.
  case hiking
  /// By bicycle.
  case cycling
}
