// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A hike that was recorded and saved, as a watch sends it to a phone.
public struct SavedRoute: Hashable, Sendable, Identifiable {
  /// Its identity.
  public var id: UUID
  /// The name that the user sees.
  public var name: String
  /// Degrees north of the start.
  public var startLatitude: Double
  /// Degrees east of the start.
  public var startLongitude: Double
  /// Degrees north of the end.
  public var endLatitude: Double
  /// Degrees east of the end.
  public var endLongitude: Double
  /// When it began.
  public var startTime: Date
  /// When it ended.
  public var endTime: Date
  /// Its length in metres.
  public var totalDistance: Double
  /// Metres climbed.
  public var elevationGain: Double
  /// Metres descended.
  public var elevationLoss: Double
  /// Seconds in movement.
  public var walkingTime: Double
  /// Seconds of rest.
  public var restingTime: Double
  /// Beats a minute; nil if unknown.
  public var averageHeartRate: Double?
  /// Beats a minute; nil if unknown.
  public var maxHeartRate: Double?
  /// Kilocalories; nil if unknown.
  public var estimatedCalories: Double?
  /// The user's comment; may be empty.
  public var comment: String
  /// The region that it was walked in; nil if unknown.
  public var regionId: UUID?
  /// The recorded points, packed by the app that recorded them; not looked into here.
  public var trackData: Data

  /// Makes a hike between two points. Figures are 0 and texts empty until set.
  public init(
    id: UUID, name: String, from start: Coordinate, to end: Coordinate, startTime: Date,
    endTime: Date, trackData: Data
  ) {
    self.id = id
    self.name = name
    (startLatitude, startLongitude) = (start.latitude, start.longitude)
    (endLatitude, endLongitude) = (end.latitude, end.longitude)
    self.startTime = startTime
    self.endTime = endTime
    self.trackData = trackData
    (totalDistance, elevationGain, elevationLoss) = (0, 0, 0)
    (walkingTime, restingTime) = (0, 0)
    comment = ""
  }
}

extension SavedRoute: Codable {
  /// Reads ``json()``, including times with fractions of a second. Throws a `DecodingError` if a
  /// value is missing, a coordinate is out of range, or a number is beyond 10⁹.
  public init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      guard let time = parsedTimestamp(try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "is not a time in ISO 8601")
      }
      return time
    }
    self = try decoder.decode(SavedRoute.self, from: json)
    let numbers = [
      totalDistance, elevationGain, elevationLoss, walkingTime, restingTime, averageHeartRate ?? 0,
      maxHeartRate ?? 0, estimatedCalories ?? 0,
    ]
    let places = [(startLatitude, startLongitude), (endLatitude, endLongitude)]
    guard numbers.allSatisfy({ abs($0) <= 1e9 }),
      places.allSatisfy({ Coordinate(latitude: $0.0, longitude: $0.1).isValid })
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "a coordinate or a number is out of range"))
    }
  }

  /// The hike as JSON: sorted keys, ISO 8601 times in whole seconds, a newline at the end. Throws
  /// an `EncodingError` if a number is infinite or NaN.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }
}
