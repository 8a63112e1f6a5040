// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A step shortly after an instruction and part of it: “…, then turn left onto Kirchgasse”.
public struct FollowingTurn: Hashable, Sendable {
  /// The place of the step.
  public var coordinate: Coordinate
  /// The direction of the step.
  public var direction: TurnDirection
  /// The bearing of the route after it, in degrees clockwise from north, 0..<360.
  public var bearing: Double
  /// Metres from the start of the route.
  public var cumulativeDistance: Double
  /// The name of the way after it, if any.
  public var trailName: String?
  /// The text for it alone, a sentence without a full stop.
  public var description: String
  /// The language-independent form of ``description``; nil if it was stored without.
  public var phrase: InstructionPhrase?
  /// Fields of later versions.
  public var unknownFields = UnknownFields()

  /// Makes one.
  public init(
    coordinate: Coordinate, direction: TurnDirection, bearing: Double, cumulativeDistance: Double,
    trailName: String? = nil, description: String, phrase: InstructionPhrase? = nil
  ) {
    self.coordinate = coordinate
    self.direction = direction
    self.bearing = bearing
    self.cumulativeDistance = cumulativeDistance
    self.trailName = trailName
    self.description = description
    self.phrase = phrase
  }
}

extension FollowingTurn: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinate, direction, bearing, cumulativeDistance, trailName, description
    case phrase
  }

  /// Throws a `DecodingError` if a value is missing or has the wrong type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    coordinate = try values.decode(CoordinateRecord.self, forKey: .coordinate).coordinate
    direction = try values.decode(TurnDirection.self, forKey: .direction)
    bearing = try values.quantity(forKey: .bearing)
    cumulativeDistance = try values.quantity(forKey: .cumulativeDistance)
    trailName = try values.decodeIfPresent(String.self, forKey: .trailName)
    description = try values.decode(String.self, forKey: .description)
    let read = try InstructionPhrase.read(values, .phrase)
    phrase = read
    unknownFields = try UnknownFields(from: decoder) { name in
      CodingKeys(stringValue: name).map { read != nil || $0 != .phrase } ?? false
    }
  }

  /// Writes it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(CoordinateRecord(coordinate), forKey: .coordinate)
    try values.encode(direction, forKey: .direction)
    try values.encode(bearing, forKey: .bearing)
    try values.encode(cumulativeDistance, forKey: .cumulativeDistance)
    try values.encodeIfPresent(trailName, forKey: .trailName)
    try values.encode(description, forKey: .description)
    try values.encodeIfPresent(phrase, forKey: .phrase)
    try unknownFields.encode(to: encoder) { name in
      CodingKeys(stringValue: name).map { phrase != nil || $0 != .phrase } ?? false
    }
  }
}
