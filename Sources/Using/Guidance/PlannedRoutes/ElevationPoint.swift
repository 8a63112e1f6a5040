// SPDX-License-Identifier: Apache-2.0
extension PlannedRoute {
  /// A point of an elevation profile.
  public struct ElevationPoint: Hashable, Sendable {
    /// Metres from the start.
    public var distance: Double
    /// Metres above sea level.
    public var elevation: Double
    /// Fields of later versions.
    public var unknownFields = UnknownFields()

    /// Makes a point.
    public init(distance: Double, elevation: Double) {
      self.distance = distance
      self.elevation = elevation
    }
  }
}

extension PlannedRoute.ElevationPoint: Codable {
  private enum CodingKeys: String, CodingKey { case distance, elevation }

  /// Throws a `DecodingError` if a number is missing.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    distance = try values.quantity(forKey: .distance)
    elevation = try values.quantity(forKey: .elevation)
    unknownFields = try UnknownFields(from: decoder) { CodingKeys(stringValue: $0) != nil }
  }

  /// Writes the point.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(distance, forKey: .distance)
    try values.encode(elevation, forKey: .elevation)
    try unknownFields.encode(to: encoder) { CodingKeys(stringValue: $0) != nil }
  }
}
