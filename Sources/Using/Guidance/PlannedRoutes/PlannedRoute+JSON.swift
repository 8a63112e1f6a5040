// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A warning, if its kind and severity are known.
private struct KnownWarning: Decodable {
  var warning: RouteWarning?

  private enum CodingKeys: String, CodingKey { case kind, severity }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    guard HazardKind(rawValue: try values.decode(String.self, forKey: .kind)) != nil,
      HazardSeverity(rawValue: try values.decode(String.self, forKey: .severity)) != nil
    else { return }
    warning = try RouteWarning(from: decoder)
  }
}

extension PlannedRoute: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, mode, startCoordinate, endCoordinate, viaPoints, coordinates, turnInstructions
    case totalDistance, estimatedDuration, elevationGain, elevationLoss, createdAt, regionId
    case regionIds, elevationProfile, unknownClimbMetres, profile, viaDistances, durationRange
    case warnings, accessDate, departure
  }

  /// The field that keeps a `regionId` of an earlier version that is not a UUID.
  static let formerRegionField = "formerRegionId"

  /// Throws a `DecodingError` if a value is missing, a coordinate is invalid, or a number is beyond
  /// 10⁹.
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
    totalDistance = try values.quantity(forKey: .totalDistance)
    estimatedDuration = try values.quantity(forKey: .estimatedDuration)
    elevationGain = try values.quantity(forKey: .elevationGain)
    elevationLoss = try values.quantity(forKey: .elevationLoss)
    createdAt = try values.decode(Date.self, forKey: .createdAt)
    unknownFields = try UnknownFields(from: decoder) { CodingKeys(stringValue: $0) != nil }
    if let region = try values.decodeIfPresent(UnknownFields.Value.self, forKey: .regionId) {
      if case .string(let text) = region { regionId = UUID(uuidString: text) }
      if regionId == nil { unknownFields[Self.formerRegionField] = region }
    }
    regionIds = try values.decodeIfPresent([UUID].self, forKey: .regionIds)
    elevationProfile = try values.decodeIfPresent([ElevationPoint].self, forKey: .elevationProfile)
    unknownClimbMetres = try values.decodeIfPresent(Double.self, forKey: .unknownClimbMetres)
    profile = try values.decodeIfPresent(String.self, forKey: .profile)
    viaDistances = try values.decodeIfPresent([Double].self, forKey: .viaDistances)
    durationRange = try values.decodeIfPresent(DurationRange.self, forKey: .durationRange)
    // Later versions may add kinds.
    warnings = try values.decodeIfPresent([KnownWarning].self, forKey: .warnings)?
      .compactMap(\.warning)
    let others: [(CodingKeys, [Double])] = [
      (.warnings, (warnings ?? []).flatMap { [$0.fromMetres, $0.toMetres] }),
      (.unknownClimbMetres, [unknownClimbMetres].compactMap { $0 }),
      (.viaDistances, viaDistances ?? []),
      (.durationRange, durationRange.map { [$0.p10, $0.p50, $0.p90] } ?? []),
    ]
    for (key, numbers) in others {
      guard let bad = numbers.first(where: { !RouteNumber.isUsable($0) }) else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: values, debugDescription: RouteNumber.problem(bad))
    }
    for key in [CodingKeys.accessDate, .departure] {
      guard let text = try values.decodeIfPresent(String.self, forKey: key) else { continue }
      day = TravelDay(text)
      guard day == nil else { continue }
      throw DecodingError.dataCorruptedError(
        forKey: key, in: values, debugDescription: "“\(text)” is not a day")
    }
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
    try values.encodeIfPresent(regionIds, forKey: .regionIds)
    try values.encodeIfPresent(elevationProfile, forKey: .elevationProfile)
    try values.encodeIfPresent(unknownClimbMetres, forKey: .unknownClimbMetres)
    try values.encodeIfPresent(profile, forKey: .profile)
    try values.encodeIfPresent(viaDistances, forKey: .viaDistances)
    try values.encodeIfPresent(durationRange, forKey: .durationRange)
    try values.encodeIfPresent(warnings, forKey: .warnings)
    try values.encodeIfPresent(day?.date.description, forKey: .accessDate)
    if let day, day.departureMinute != nil {
      try values.encode(day.description, forKey: .departure)
    }
    try unknownFields.encode(to: encoder) { CodingKeys(stringValue: $0) != nil }
  }

  /// The route as JSON: sorted keys, ISO 8601 dates, a newline at the end.
  ///
  /// Throws an `EncodingError` if a number is infinite or NaN.
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
