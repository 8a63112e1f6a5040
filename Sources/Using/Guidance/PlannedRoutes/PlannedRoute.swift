// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A route that is kept to be travelled: its line, instructions, elevation profile and totals. It
/// needs no database.
public struct PlannedRoute: Hashable, Sendable, Identifiable {
  /// Its identity, and the name of its file in a ``PlannedRouteStore``.
  public var id: UUID
  /// The name that the user sees.
  public var name: String
  /// The mode of travel.
  public var mode: RoutingMode
  /// The first coordinate of the line.
  public var startCoordinate: Coordinate
  /// The last coordinate of the line.
  public var endCoordinate: Coordinate
  /// The via points as they were requested.
  public var viaPoints: [Coordinate]
  /// The whole line, including start and end; at least one point.
  public var coordinates: [Coordinate]
  /// The instructions in the order of travel.
  public var turnInstructions: [TurnInstruction]
  /// The length in metres.
  public var totalDistance: Double
  /// The time of travel in seconds, without rests.
  public var estimatedDuration: Double
  /// Metres climbed; 0 where nothing is known, see ``unknownClimbMetres``.
  public var elevationGain: Double
  /// Metres descended; 0 where nothing is known.
  public var elevationLoss: Double
  /// When it was planned, in whole seconds.
  public var createdAt: Date
  /// The id of the region whose data it was planned on, if known.
  public var regionId: String?
  /// The elevation profile, with a point at least every 50 m where it is known; nil where there is
  /// none.
  public var elevationProfile: [ElevationPoint]?
  /// Metres of the route whose climb is unknown, and is not part of its totals and its duration; nil
  /// where all is known, and in files of earlier versions.
  public var unknownClimbMetres: Double?

  /// A point of an elevation profile.
  public struct ElevationPoint: Hashable, Sendable, Codable {
    /// Metres from the start.
    public var distance: Double
    /// Metres above sea level.
    public var elevation: Double

    /// Makes a point.
    public init(distance: Double, elevation: Double) {
      self.distance = distance
      self.elevation = elevation
    }
  }

  /// Makes a planned route from a computed one.
  ///
  /// - Parameters:
  ///   - instructions: Its instructions; see ``TurnInstructionGenerator``.
  ///   - profile: Its elevation profile; see `RoutingEngine.elevationProfile(of:)`.
  ///   - createdAt: When it was planned; parts of a second are dropped, as the JSON has none.
  public static func from(
    computedRoute route: ComputedRoute, name: String, mode: RoutingMode,
    instructions: [TurnInstruction], profile: ElevationProfile? = nil, regionId: String? = nil,
    id: UUID = UUID(), createdAt: Date = Date()
  ) -> PlannedRoute {
    let origin = route.coordinates.first ?? Coordinate(latitude: 0, longitude: 0)
    let known = profile?.points.compactMap { point in
      point.elevationMetres.map {
        ElevationPoint(distance: point.distanceMetres, elevation: $0)
      }
    }
    return PlannedRoute(
      id: id, name: name, mode: mode, startCoordinate: origin,
      endCoordinate: route.coordinates.last ?? origin, viaPoints: route.viaPoints,
      coordinates: route.coordinates.isEmpty ? [origin] : route.coordinates,
      turnInstructions: instructions, totalDistance: route.totalDistance,
      estimatedDuration: route.estimatedDuration, elevationGain: route.elevationGain,
      elevationLoss: route.elevationLoss, createdAt: wholeSeconds(createdAt), regionId: regionId,
      elevationProfile: known.flatMap { $0.count < 2 ? nil : $0 },
      unknownClimbMetres: route.unknownClimbMetres > 0 ? route.unknownClimbMetres : nil)
  }

  static func wholeSeconds(_ date: Date) -> Date {
    Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
  }
}

extension PlannedRoute: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, mode, startCoordinate, endCoordinate, viaPoints, coordinates, turnInstructions
    case totalDistance, estimatedDuration, elevationGain, elevationLoss, createdAt, regionId
    case elevationProfile, unknownClimbMetres
  }

  /// Reads a route; throws a `DecodingError` where a value is missing or a coordinate is invalid.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func points(_ key: CodingKeys) throws -> [Coordinate] {
      try values.decode([CoordinateRecord].self, forKey: key).map(\.coordinate)
    }
    id = try values.decode(UUID.self, forKey: .id)
    name = try values.decode(String.self, forKey: .name)
    mode = try values.decode(RoutingMode.self, forKey: .mode)
    startCoordinate = try values.decode(CoordinateRecord.self, forKey: .startCoordinate).coordinate
    endCoordinate = try values.decode(CoordinateRecord.self, forKey: .endCoordinate).coordinate
    viaPoints = try points(.viaPoints)
    coordinates = try points(.coordinates)
    turnInstructions = try values.decode([TurnInstruction].self, forKey: .turnInstructions)
    totalDistance = try values.decode(Double.self, forKey: .totalDistance)
    estimatedDuration = try values.decode(Double.self, forKey: .estimatedDuration)
    elevationGain = try values.decode(Double.self, forKey: .elevationGain)
    elevationLoss = try values.decode(Double.self, forKey: .elevationLoss)
    createdAt = try values.decode(Date.self, forKey: .createdAt)
    regionId = try values.decodeIfPresent(String.self, forKey: .regionId)
    elevationProfile = try values.decodeIfPresent([ElevationPoint].self, forKey: .elevationProfile)
    unknownClimbMetres = try values.decodeIfPresent(Double.self, forKey: .unknownClimbMetres)
    guard !coordinates.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .coordinates, in: values, debugDescription: "a route has at least one point")
    }
  }

  /// Writes the route.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(mode, forKey: .mode)
    try values.encode(CoordinateRecord(startCoordinate), forKey: .startCoordinate)
    try values.encode(CoordinateRecord(endCoordinate), forKey: .endCoordinate)
    try values.encode(viaPoints.map(CoordinateRecord.init), forKey: .viaPoints)
    try values.encode(coordinates.map(CoordinateRecord.init), forKey: .coordinates)
    try values.encode(turnInstructions, forKey: .turnInstructions)
    try values.encode(totalDistance, forKey: .totalDistance)
    try values.encode(estimatedDuration, forKey: .estimatedDuration)
    try values.encode(elevationGain, forKey: .elevationGain)
    try values.encode(elevationLoss, forKey: .elevationLoss)
    try values.encode(createdAt, forKey: .createdAt)
    try values.encodeIfPresent(regionId, forKey: .regionId)
    try values.encodeIfPresent(elevationProfile, forKey: .elevationProfile)
    try values.encodeIfPresent(unknownClimbMetres, forKey: .unknownClimbMetres)
  }

  /// The route as JSON: sorted keys, dates in ISO 8601, a newline at the end.
  ///
  /// Throws an `EncodingError` where a number is infinite or NaN.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Reads ``json()``. Throws a `DecodingError`.
  public init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    self = try decoder.decode(PlannedRoute.self, from: json)
  }
}
