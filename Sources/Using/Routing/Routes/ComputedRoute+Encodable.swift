// SPDX-License-Identifier: Apache-2.0
import Geodesy
import RoutingDatabase

// The form of a route in JSON: the names of the properties, coordinates as [latitude, longitude].
// An edge of which only a part is used has the part as `start` and `end`, 0…1 of the whole edge.
// Infinite values (the other direction of a one-way) and unknown ones are left out: JSON cannot
// express them.

extension ComputedRoute: Encodable {
  private enum CodingKeys: String, CodingKey {
    case totalDistance, totalCost, estimatedDuration, elevationGain, elevationLoss
    case coordinates, nodes, edges, viaPoints, viaNodes
  }

  /// Writes the route.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(totalDistance, forKey: .totalDistance)
    try values.encode(totalCost, forKey: .totalCost)
    try values.encode(estimatedDuration, forKey: .estimatedDuration)
    try values.encode(elevationGain, forKey: .elevationGain)
    try values.encode(elevationLoss, forKey: .elevationLoss)
    try values.encode(coordinates.map(\.pair), forKey: .coordinates)
    try values.encode(nodes, forKey: .nodes)
    try values.encode(edges.map(EdgeRecord.init), forKey: .edges)
    try values.encode(viaPoints.map(\.pair), forKey: .viaPoints)
    try values.encode(viaNodes, forKey: .viaNodes)
  }
}

extension Coordinate {
  fileprivate var pair: [Double] { [latitude, longitude] }
}

/// An edge of a route in the direction of travel.
private struct EdgeRecord: Encodable {
  var id: Int64
  var fromNode: Int64
  var toNode: Int64
  var distance: Double
  var elevationGain: Double
  var elevationLoss: Double
  var surface: String?
  var highwayType: String?
  var sacScale: String?
  var trailVisibility: String?
  var name: String?
  var osmWayId: Int64?
  var cost: Double
  var reverseCost: Double?
  var duration: Double?
  var isOneway: Bool
  var isReversed: Bool
  var start: Double?
  var end: Double?

  init(_ edge: RoutingEdge) {
    id = edge.id
    fromNode = edge.fromNode
    toNode = edge.toNode
    distance = edge.distance
    elevationGain = edge.elevationGain
    elevationLoss = edge.elevationLoss
    surface = edge.surface
    highwayType = edge.highwayType
    sacScale = edge.sacScale
    trailVisibility = edge.trailVisibility
    name = edge.name
    osmWayId = edge.osmWayID
    cost = edge.cost
    reverseCost = edge.reverseCost.isFinite ? edge.reverseCost : nil
    duration = edge.duration
    isOneway = edge.isOneway
    isReversed = edge.isReversed
    start = edge.part?.start
    end = edge.part?.end
  }
}
