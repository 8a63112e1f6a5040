// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// A junction or way end of the routing graph.
public struct RoutingNode: Hashable, Sendable, Codable {
  /// The OpenStreetMap id, or beyond ±2³⁹ that of a copy of a node at a barrier: the remainder of
  /// 2⁴⁰ is the OpenStreetMap id.
  public let id: Int64
  /// Degrees north.
  public let latitude: Double
  /// Degrees east.
  public let longitude: Double
  /// Metres above sea level; nil where unknown.
  public let elevation: Double?

  /// The id of a place inside an edge, where a route begins, ends or passes a via point.
  public static let insideEdge: Int64 = 0

  /// Makes a node.
  public init(id: Int64, latitude: Double, longitude: Double, elevation: Double?) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
    self.elevation = elevation
  }

  /// Where it is.
  public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// A piece of a way between two nodes of the routing graph, seen in one direction.
public struct RoutingEdge: Hashable, Sendable {
  /// The number of its row in the database.
  public let id: Int64
  /// The node that it leads from.
  public var fromNode: Int64
  /// The node that it leads to.
  public var toNode: Int64
  /// Metres along the geometry.
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
  /// The name, or the number of a road without one.
  public var name: String?
  /// The OpenStreetMap id of the way that it was cut from.
  public var osmWayID: Int64?
  /// The cost in this direction, in the metres of a flat good path that are as hard; infinite
  /// where it is impassable.
  public var cost: Double
  /// The cost in the other direction.
  public var reverseCost: Double
  /// Seconds in this direction; nil where the database does not say.
  public var duration: Double?
  /// Seconds in the other direction; nil where the database does not say.
  public var reverseDuration: Double?
  /// Whether it may be travelled in the direction of its row only.
  public var isOneway: Bool
  /// The points between the two nodes, in this direction.
  public var geometry: [Coordinate]
  /// Whether this is the direction against the row in the database.
  public var isReversed = false
  /// Which part of the row's edge this is; nil for all of it.
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

  /// Whether it stands for a barrier: it leads from a node to one at the same place.
  public var isBarrier: Bool { distance == 0 && part == nil && fromNode != toNode }

  /// The same edge in the other direction: ends, gain and loss, costs and points swapped.
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
  /// Where it begins, 0…1 of the whole edge in the direction of travel.
  public var start: Double
  /// Where it ends.
  public var end: Double
  /// Metres of the whole edge.
  public var wholeDistance: Double
  /// Metres climbed on the whole edge.
  public var wholeElevationGain: Double
  /// Metres descended on the whole edge.
  public var wholeElevationLoss: Double

  /// Describes a part.
  public init(
    start: Double, end: Double, wholeDistance: Double, wholeElevationGain: Double,
    wholeElevationLoss: Double
  ) {
    self.start = start
    self.end = end
    self.wholeDistance = wholeDistance
    self.wholeElevationGain = wholeElevationGain
    self.wholeElevationLoss = wholeElevationLoss
  }

  /// The share of the whole edge that it is.
  public var share: Double { end - start }

  func reversed() -> EdgePart {
    EdgePart(
      start: 1 - end, end: 1 - start, wholeDistance: wholeDistance,
      wholeElevationGain: wholeElevationLoss, wholeElevationLoss: wholeElevationGain)
  }
}

/// How one travels; each mode names the profile of a database that serves it.
public enum RoutingMode: String, Sendable, CaseIterable, Codable {
  /// On foot.
  case hiking
  /// By bicycle.
  case cycling
}
