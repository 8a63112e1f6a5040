// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Waypoint: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, latitude, longitude, altitude, timestamp, label, category, note, hasPhoto, hikeId
  }

  /// Reads a waypoint. Throws a `DecodingError` if a value is missing or out of range; values that
  /// may be empty may be missing. The time is a text in ISO 8601, or what the decoder reads as a
  /// date.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let timestamp: Date
    if let text = try? values.decode(String.self, forKey: .timestamp) {
      guard let time = parsedTimestamp(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: .timestamp, in: values, debugDescription: "is not a time in ISO 8601")
      }
      timestamp = time
    } else {
      timestamp = try values.decode(Date.self, forKey: .timestamp)
      guard timestampText(timestamp) != nil else {
        throw DecodingError.dataCorruptedError(
          forKey: .timestamp, in: values, debugDescription: "the year is out of range")
      }
    }
    self.init(
      id: try values.decode(UUID.self, forKey: .id),
      latitude: try values.decode(Double.self, forKey: .latitude),
      longitude: try values.decode(Double.self, forKey: .longitude),
      altitude: try values.decodeIfPresent(Double.self, forKey: .altitude), timestamp: timestamp,
      label: try values.decodeIfPresent(String.self, forKey: .label) ?? "",
      category: try values.decodeIfPresent(WaypointCategory.self, forKey: .category) ?? .custom,
      note: try values.decodeIfPresent(String.self, forKey: .note) ?? "",
      hasPhoto: try values.decodeIfPresent(Bool.self, forKey: .hasPhoto) ?? false,
      hikeId: try values.decodeIfPresent(UUID.self, forKey: .hikeId))
    guard coordinate.isValid else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: values, debugDescription: "the coordinate is out of range")
    }
  }

  /// Writes the waypoint; its time as ISO 8601 with milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(latitude, forKey: .latitude)
    try values.encode(longitude, forKey: .longitude)
    try values.encodeIfPresent(altitude, forKey: .altitude)
    guard let text = timestampText(timestamp) else {
      throw EncodingError.invalidValue(
        timestamp,
        .init(
          codingPath: encoder.codingPath, debugDescription: "is outside of the years 0001 to 9999"))
    }
    try values.encode(text, forKey: .timestamp)
    try values.encode(label, forKey: .label)
    try values.encode(category, forKey: .category)
    try values.encode(note, forKey: .note)
    try values.encode(hasPhoto, forKey: .hasPhoto)
    try values.encodeIfPresent(hikeId, forKey: .hikeId)
  }
}

extension Waypoint {
  /// The waypoint as property-list values, for a transfer between devices: strings, numbers and
  /// Booleans under the names of the properties, with the time as seconds since 1970. Unknown
  /// values are left out.
  public func toDictionary() -> [String: Any] {
    var dictionary: [String: Any] = [
      "id": id.uuidString, "latitude": latitude, "longitude": longitude,
      "timestamp": timestamp.timeIntervalSince1970, "label": label, "category": category.rawValue,
      "note": note, "hasPhoto": hasPhoto,
    ]
    if let altitude { dictionary["altitude"] = altitude }
    if let hikeId { dictionary["hikeId"] = hikeId.uuidString }
    return dictionary
  }

  /// Reads the result of ``toDictionary()``; nil if id, coordinate or time is missing or invalid.
  /// The time may be a text in ISO 8601, seconds since 1970 or a date.
  public static func fromDictionary(_ dictionary: [String: Any]) -> Waypoint? {
    guard let id = (dictionary["id"] as? String).flatMap({ UUID(uuidString: $0) }),
      let latitude = dictionary["latitude"] as? Double,
      let longitude = dictionary["longitude"] as? Double,
      Coordinate(latitude: latitude, longitude: longitude).isValid,
      let timestamp = time(dictionary["timestamp"]), timestampText(timestamp) != nil
    else { return nil }
    return Waypoint(
      id: id, latitude: latitude, longitude: longitude,
      altitude: (dictionary["altitude"] as? Double).flatMap { $0.isFinite ? $0 : nil },
      timestamp: timestamp, label: dictionary["label"] as? String ?? "",
      category: WaypointCategory(named: dictionary["category"] as? String ?? ""),
      note: dictionary["note"] as? String ?? "",
      hasPhoto: dictionary["hasPhoto"] as? Bool ?? false,
      hikeId: (dictionary["hikeId"] as? String).flatMap { UUID(uuidString: $0) })
  }

  private static func time(_ value: Any?) -> Date? {
    if let text = value as? String { return parsedTimestamp(text) }
    if let seconds = value as? Double {
      return seconds.isFinite ? Date(timeIntervalSince1970: seconds) : nil
    }
    return value as? Date
  }
}
