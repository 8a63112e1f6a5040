// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The keys that say more about a place than what it is.
enum PlaceKey: String, CaseIterable {
  case abandoned, access, beds, capacity, description, disused, ele, fee, fireplace, intermittent
  case name, network, operator_ = "operator", phone, population, ref, reservation, ruins, seasonal
  case website
  case altName = "alt_name"
  case contactPhone = "contact:phone"
  case contactWebsite = "contact:website"
  case drinkingWater = "drinking_water"
  case internationalName = "int_name"
  case localName = "loc_name"
  case openingHours = "opening_hours"
  case shelterType = "shelter_type"
  case winterRoom = "winter_room"
}

/// Looks up tags of points of interest.
struct PlaceTags {
  /// More of a text than this is no use to a reader, in characters.
  private static let longestText = 500

  private let points: PointsOfInterest
  private let strings: StringTable
  /// The index of each key, in the order of `PlaceKey.allCases`; nil for one that no object has.
  private let keys: [PlaceKey: UInt32]

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    strings = trails.strings
    var keys: [PlaceKey: UInt32] = [:]
    for key in PlaceKey.allCases { keys[key] = strings.index(of: key.rawValue) }
    self.keys = keys
  }

  /// The number of tags of a point.
  func count(of point: Int) -> Int { points.tags.tags(of: point).count }

  /// The value of a key, on the first of some points that has it.
  func index(of key: PlaceKey, on sources: [Int]) -> UInt32? {
    guard let key = keys[key] else { return nil }
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
