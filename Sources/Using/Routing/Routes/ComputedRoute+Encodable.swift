// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

// The JSON form of a route: the names of the properties, coordinates as [latitude, longitude]. A
// partly used edge has the part as `start` and `end`, 0…1 of the whole edge. Infinite values (the
// other direction of a one-way) and unknown ones are left out: JSON cannot express them. An unknown
// climb is null, and so is an unknown range of times.

extension ComputedRoute: Encodable {
  private enum CodingKeys: String, CodingKey {
    case totalDistance, totalCost, estimatedDuration, elevationGain, elevationLoss
    case unknownClimbMetres, durationWithoutClimb, durationRange
    case regions, warnings, coordinates, nodes, edges, viaPoints, viaNodes
  }

  /// Writes the route.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(totalDistance, forKey: .totalDistance)
    try values.encode(totalCost, forKey: .totalCost)
    try values.encode(estimatedDuration, forKey: .estimatedDuration)
    try values.encode(isClimbKnown ? elevationGain : nil, forKey: .elevationGain)
    try values.encode(isClimbKnown ? elevationLoss : nil, forKey: .elevationLoss)
    let unknownMetres = unknownClimbMetres
    try values.encode(unknownMetres, forKey: .unknownClimbMetres)
    try values.encode(unknownMetres > 0, forKey: .durationWithoutClimb)
    try values.encode(durationRange, forKey: .durationRange)
    try values.encode(regions, forKey: .regions)
    try values.encode(warnings, forKey: .warnings)
    try values.encode(coordinates.map(\.pair), forKey: .coordinates)
    try values.encode(nodes, forKey: .nodes)
    let records = edges.indices.map {
      EdgeRecord(edges[$0], isClimbKnown: isClimbKnown(ofEdge: $0))
    }
    try values.encode(records, forKey: .edges)
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
  var elevationGain: Climb
  var elevationLoss: Climb
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

  /// Metres, or null if unknown.
  struct Climb: Encodable {
    var metres: Double?

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      try value.encode(metres)
    }
  }

  init(_ edge: RoutingEdge, isClimbKnown: Bool) {
    id = edge.id
    fromNode = edge.fromNode
    toNode = edge.toNode
    distance = edge.distance
    elevationGain = Climb(metres: isClimbKnown ? edge.elevationGain : nil)
    elevationLoss = Climb(metres: isClimbKnown ? edge.elevationLoss : nil)
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
