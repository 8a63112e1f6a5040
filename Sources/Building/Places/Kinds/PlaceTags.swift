// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The keys that say more about a place than what it is.
enum PlaceKey: Int, CaseIterable {
  case abandoned, access, altName, beds, capacity, contactPhone, contactWebsite, description
  case disused, drinkingWater, elevation, fee, fireplace, intermittent, internationalName
  case localName, name, network, openingHours, operatingBody, phone, population, ref, reservation
  case ruins, seasonal, shelterType, website, winterRoom

  /// The key as it is in the data.
  var text: String {
    switch self {
    case .altName: "alt_name"
    case .contactPhone: "contact:phone"
    case .contactWebsite: "contact:website"
    case .drinkingWater: "drinking_water"
    case .elevation: "ele"
    case .internationalName: "int_name"
    case .localName: "loc_name"
    case .openingHours: "opening_hours"
    case .operatingBody: "operator"
    case .shelterType: "shelter_type"
    case .winterRoom: "winter_room"
    default: "\(self)"
    }
  }
}

/// Looks up tags of points of interest.
struct PlaceTags {
  /// More of a text than this is no use to a reader, in characters.
  private static let longestText = 500

  private let points: PointsOfInterest
  private let strings: StringTable
  /// The index of each key, by its raw value; nil for one that no object has.
  private let keys: [UInt32?]

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    strings = trails.strings
    keys = PlaceKey.allCases.map { [strings] in strings.index(of: $0.text) }
  }

  /// The number of tags of a point.
  func count(of point: Int) -> Int { points.tags.tags(of: point).count }

  /// The value of a key, on the first of some points that has it.
  func index(of key: PlaceKey, on sources: [Int]) -> UInt32? {
    guard let key = keys[key.rawValue] else { return nil }
    for point in sources {
      if let value = points.tags.value(of: key, on: point) { return value }
    }
    return nil
  }

  /// The value of a key in one line, on the first of some points that has it.
  func text(of key: PlaceKey, on sources: [Int]) -> String? {
    index(of: key, on: sources).flatMap(text)
  }

  /// A text in one line; nil if nothing is left of it.
  func text(_ index: UInt32) -> String? {
    let text = strings[Int(index)]
    let isPlain =
      text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && text.utf8.first != 0x20 && text.utf8.last != 0x20
      && text.utf8.count <= Self.longestText
    if isPlain { return text.isEmpty ? nil : text }
    let line = String(
      text.split {
        $0.isWhitespace
          || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
      }
      .joined(separator: " ").prefix(Self.longestText))
    return line.isEmpty ? nil : line
  }
}
