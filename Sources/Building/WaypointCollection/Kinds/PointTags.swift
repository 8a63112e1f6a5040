// SPDX-License-Identifier: Apache-2.0
import TrailData

/// The keys that say more about a point of interest than what it is.
enum PointKey: CaseIterable {
  case access, altName, beds, capacity, contactPhone, contactWebsite, description
  case drinkingWater, elevation, fee, fireplace, foot, intermittent, internationalName
  case localName, name, network, openingHours, operatingBody, phone, population, ref, reservation
  case seasonal, website, winterRoom

  /// The key as it is in the data.
  var text: String {
    switch self {
    case .access: "access"
    case .altName: "alt_name"
    case .beds: "beds"
    case .capacity: "capacity"
    case .contactPhone: "contact:phone"
    case .contactWebsite: "contact:website"
    case .description: "description"
    case .drinkingWater: "drinking_water"
    case .elevation: "ele"
    case .fee: "fee"
    case .fireplace: "fireplace"
    case .foot: "foot"
    case .intermittent: "intermittent"
    case .internationalName: "int_name"
    case .localName: "loc_name"
    case .name: "name"
    case .network: "network"
    case .openingHours: "opening_hours"
    case .operatingBody: "operator"
    case .phone: "phone"
    case .population: "population"
    case .ref: "ref"
    case .reservation: "reservation"
    case .seasonal: "seasonal"
    case .website: "website"
    case .winterRoom: "winter_room"
    }
  }
}

/// Looks up tags of points of interest. A class, as it is passed on for each of them.
final class PointTags: Sendable {
  private let points: PointsOfInterest
  private let strings: StringTable
  /// For each text of the file the key that it is; nil for any other.
  private let keys: [PointKey?]
  private let nameKey: UInt32?

  init(_ trails: TrailsFile) {
    points = trails.pointsOfInterest
    strings = trails.strings
    var keys = [PointKey?](repeating: nil, count: strings.count)
    for key in PointKey.allCases {
      if let index = strings.index(of: key.text) { keys[Int(index)] = key }
    }
    self.keys = keys
    nameKey = strings.index(of: PointKey.name.text)
  }

  /// The name of a point as a text of the file; nil for one without.
  func name(of point: Int) -> UInt32? { nameKey.flatMap { points.tags.value(of: $0, on: point) } }

  /// The values of all keys on a point; of those that it does not have, on the first of some others
  /// that has it.
  func values(on point: Int, or others: [Int]) -> PointValues {
    var values = PointValues()
    add(point, to: &values)
    for other in others { add(other, to: &values) }
    return values
  }

  private func add(_ point: Int, to values: inout PointValues) {
    for tag in points.tags.tags(of: point) {
      if let key = keys[Int(points.tags.key(tag))] { values.add(key, points.tags.value(tag)) }
    }
  }

  /// The value of a key in one line; nil where there is none.
  func text(of key: PointKey, _ values: PointValues) -> String? { values[key].flatMap(text) }

  /// More of a text than this is no use to a reader, in characters.
  private static let longestText = 500

  /// A text in one line; nil if nothing is left of it.
  func text(_ index: UInt32) -> String? {
    let utf8 = strings.utf8(Int(index))
    let isPlain =
      utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } && utf8.first != 0x20 && utf8.last != 0x20
      && utf8.count <= Self.longestText
    let text = strings[Int(index)]
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

/// The values of the keys of a point of interest, as texts of the file.
struct PointValues: Sendable {
  private var values: [(key: PointKey, value: UInt32)] = []

  fileprivate mutating func add(_ key: PointKey, _ value: UInt32) {
    if !values.contains(where: { $0.key == key }) { values.append((key, value)) }
  }

  /// The value of a key.
  subscript(key: PointKey) -> UInt32? {
    values.first { $0.key == key }?.value
  }
}
