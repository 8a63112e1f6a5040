// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// An instruction at one point of a route.
public struct TurnInstruction: Hashable, Sendable {
  /// The point at which to follow it.
  public var coordinate: Coordinate
  /// The direction to take.
  public var direction: TurnDirection
  /// The bearing of the route after it, in degrees clockwise from north, 0..<360.
  public var bearing: Double
  /// Metres from the previous instruction; 0 for the first one.
  public var distanceFromPrevious: Double
  /// Metres from the start of the route.
  public var cumulativeDistance: Double
  /// The name of the way after it, if any.
  public var trailName: String?
  /// The instruction in English, a sentence without a full stop, including those of ``then``.
  public var description: String
  /// The steps that follow closely and belong to this instruction, in the order of travel.
  public var then: [FollowingTurn] = []
  /// The language-independent form of ``description`` without ``then``; nil if it was stored
  /// without.
  public var phrase: InstructionPhrase?
  /// Fields of later versions.
  public var unknownFields = UnknownFields()

  /// Makes an instruction.
  public init(
    coordinate: Coordinate, direction: TurnDirection, bearing: Double,
    distanceFromPrevious: Double, cumulativeDistance: Double, trailName: String? = nil,
    description: String, then: [FollowingTurn] = [], phrase: InstructionPhrase? = nil
  ) {
    self.coordinate = coordinate
    self.direction = direction
    self.bearing = bearing
    self.distanceFromPrevious = distanceFromPrevious
    self.cumulativeDistance = cumulativeDistance
    self.trailName = trailName
    self.description = description
    self.then = then
    self.phrase = phrase
  }
}

extension TurnInstruction: Codable {
  private enum CodingKeys: String, CodingKey {
    case coordinate, direction, bearing, distanceFromPrevious, cumulativeDistance, trailName
    case description, then, phrase
  }

  /// Throws a `DecodingError` if a value is missing or has the wrong type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    coordinate = try values.decode(CoordinateRecord.self, forKey: .coordinate).coordinate
    direction = try values.decode(TurnDirection.self, forKey: .direction)
    bearing = try values.quantity(forKey: .bearing)
    distanceFromPrevious = try values.quantity(forKey: .distanceFromPrevious)
    cumulativeDistance = try values.quantity(forKey: .cumulativeDistance)
    trailName = try values.decodeIfPresent(String.self, forKey: .trailName)
    description = try values.decode(String.self, forKey: .description)
    then = try values.decodeIfPresent([FollowingTurn].self, forKey: .then) ?? []
    let read = try InstructionPhrase.read(values, .phrase)
    phrase = read
    unknownFields = try UnknownFields(from: decoder) { name in
      CodingKeys(stringValue: name).map { read != nil || $0 != .phrase } ?? false
    }
  }

  /// Writes the instruction.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(CoordinateRecord(coordinate), forKey: .coordinate)
    try values.encode(direction, forKey: .direction)
    try values.encode(bearing, forKey: .bearing)
    try values.encode(distanceFromPrevious, forKey: .distanceFromPrevious)
    try values.encode(cumulativeDistance, forKey: .cumulativeDistance)
    try values.encodeIfPresent(trailName, forKey: .trailName)
    try values.encode(description, forKey: .description)
    if !then.isEmpty { try values.encode(then, forKey: .then) }
    try values.encodeIfPresent(phrase, forKey: .phrase)
    try unknownFields.encode(to: encoder) { name in
      CodingKeys(stringValue: name).map { phrase != nil || $0 != .phrase } ?? false
    }
  }
}

extension KeyedDecodingContainer {
  /// Reads a number of metres, seconds or degrees. Throws a `DecodingError` beyond
  /// ``RouteNumber/greatest``: such numbers are useless to a traveller, and their sums and products
  /// overflow.
  func quantity(forKey key: Key) throws -> Double {
    let value = try decode(Double.self, forKey: key)
    guard RouteNumber.isUsable(value) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: RouteNumber.problem(value))
    }
    return value
  }
}

/// The range of numbers in a planned route.
enum RouteNumber {
  /// The greatest absolute value.
  static let greatest = 1e9

  static func isUsable(_ value: Double) -> Bool { value.magnitude <= greatest }

  static func problem(_ value: Double) -> String {
    "\(value) is not a number of metres, seconds or degrees up to 1e9"
  }
}

/// A coordinate in JSON: `{"latitude": …, "longitude": …}`.
struct CoordinateRecord: Codable {
  var latitude: Double
  var longitude: Double

  init(_ coordinate: Coordinate) {
    latitude = coordinate.latitude
    longitude = coordinate.longitude
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    latitude = try values.decode(Double.self, forKey: .latitude)
    longitude = try values.decode(Double.self, forKey: .longitude)
    guard coordinate.isValid else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "\(latitude), \(longitude) is not a valid coordinate"))
    }
  }

  var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}
