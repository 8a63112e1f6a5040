// SPDX-License-Identifier: Apache-2.0

/// The category of a waypoint.
///
/// The raw value is used by databases and transfers. A new category needs no migration: an unknown
/// name is read as ``custom``.
public enum WaypointCategory: String, CaseIterable, Hashable, Sendable, Identifiable {
  /// A sign or a mark along a trail.
  case trailMarker
  /// A place with a view.
  case viewpoint
  /// A spring or drinking water.
  case waterSource
  /// A place for a tent.
  case campsite
  /// Something to beware of.
  case danger
  /// Something to eat.
  case food
  /// A hut or a shelter.
  case shelter
  /// A place to leave a car.
  case parking
  /// Anything else.
  case custom

  /// Reads a category from a database; ``custom`` if the name is unknown.
  public init(named name: String) { self = Self(rawValue: name) ?? .custom }

  /// The raw value.
  public var id: String { rawValue }

  /// The name of its icon among SF Symbols.
  public var iconName: String {
    switch self {
    case .trailMarker: "signpost.right"
    case .viewpoint: "eye"
    case .waterSource: "drop.fill"
    case .campsite: "tent"
    case .danger: "exclamationmark.triangle"
    case .food: "fork.knife"
    case .shelter: "house"
    case .parking: "car"
    case .custom: "mappin"
    }
  }

  /// Its name for the user, in English.
  public var displayName: String {
    switch self {
    case .trailMarker: "Trail Marker"
    case .viewpoint: "Viewpoint"
    case .waterSource: "Water"
    case .campsite: "Campsite"
    case .danger: "Danger"
    case .food: "Food"
    case .shelter: "Shelter"
    case .parking: "Parking"
    case .custom: "Custom"
    }
  }

  /// Its colour, six hexadecimal digits of red, green and blue without `#`.
  public var colorHex: String {
    switch self {
    case .trailMarker: "4A90D9"
    case .viewpoint: "8E44AD"
    case .waterSource: "3498DB"
    case .campsite: "27AE60"
    case .danger: "E74C3C"
    case .food: "F39C12"
    case .shelter: "7F8C8D"
    case .parking: "2C3E50"
    case .custom: "E67E22"
    }
  }
}

extension WaypointCategory: Codable {
  /// Reads a category; ``custom`` if the name is unknown.
  public init(from decoder: any Decoder) throws {
    self.init(named: try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the raw value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}
