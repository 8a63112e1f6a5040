// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Waypoints read from a file of another format.
public struct WaypointImport: Hashable, Sendable {
  /// The waypoints in the order of the file.
  ///
  /// A waypoint without an id gets one derived from its content, so that the same file always gives
  /// the same ids.
  public internal(set) var waypoints: [Waypoint] = []
  /// The values left out or replaced, with their numbers.
  public internal(set) var remarks: [String: Int] = [:]

  /// Why a file cannot be read.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1, if there is one.
    public var line: Int?
    /// The problem.
    public var reason: String

    /// The error as one line for a log or a terminal.
    public var description: String { (line.map { "line \($0): " } ?? "") + reason }
  }

  /// Makes an empty import.
  public init() {}

  /// Above or below sea level; the limit of GPX readers.
  static let greatestAltitudeMetres = 100_000.0

  mutating func remark(_ text: String) { remarks[text, default: 0] += 1 }

  /// A UUID from the content of a waypoint: version 8 (RFC 9562), from 128 bits of FNV-1a.
  static func id(latitude: Double, longitude: Double, label: String, timestamp: Date?) -> UUID {
    let text = "\(latitude) \(longitude) \(timestamp.flatMap(timestampText) ?? "") \(label)"
    var high: UInt64 = 0xcbf2_9ce4_8422_2325
    var low: UInt64 = 0x6c62_272e_07bb_0142
    for byte in text.utf8 {
      high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      low = (low ^ UInt64(byte) ^ (high >> 29)) &* 0x0000_0100_0000_01b3
    }
    var bytes = [high, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64(7 - $0))) }
    }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// A waypoint as given in a file.
  struct Entry {
    var id: UUID?
    var coordinate: Coordinate
    /// Metres above sea level.
    var altitude: Double?
    var timestamp: Date?
    var label: String
    var category: WaypointCategory?
    var note: String
    var hikeId: UUID?
  }

  /// Adds a waypoint of a file.
  ///
  /// - Parameter fallback: Its time if it has none.
  mutating func add(_ entry: Entry, fallback: Date) {
    if entry.timestamp == nil { remark("waypoints without a time") }
    let isOnEarth = entry.altitude.map { abs($0) <= Self.greatestAltitudeMetres } ?? true
    if !isOnEarth { remark("altitudes that are not on Earth") }
    let (latitude, longitude) = (entry.coordinate.latitude, entry.coordinate.longitude)
    waypoints.append(
      Waypoint(
        id: entry.id
          ?? Self.id(
            latitude: latitude, longitude: longitude, label: entry.label,
            timestamp: entry.timestamp),
        latitude: latitude, longitude: longitude, altitude: isOnEarth ? entry.altitude : nil,
        timestamp: entry.timestamp ?? fallback, label: entry.label,
        category: entry.category ?? .custom, note: entry.note, hikeId: entry.hikeId))
  }
}

extension WaypointCategory {
  /// The category for a word of another format: a category's name, or a symbol used by receivers
  /// and maps; nil if unknown.
  init?(word: String) {
    let key = word.lowercased().filter { $0.isLetter || $0.isNumber }
    let named = Self.allCases.first {
      $0.rawValue.lowercased() == key || $0.displayName.lowercased().filter(\.isLetter) == key
        || $0.gpxSymbol.lowercased().filter(\.isLetter) == key
        || $0.markerSymbol.filter(\.isLetter) == key
    }
    guard let category = named ?? Self.otherWords[key] else { return nil }
    self = category
  }

  private static let otherWords: [String: WaypointCategory] = [
    "scenicarea": .viewpoint, "scenicviewpoint": .viewpoint, "drinkingwater": .waterSource,
    "spring": .waterSource, "springs": .waterSource, "fountain": .waterSource, "camp": .campsite,
    "camping": .campsite, "hazard": .danger, "warning": .danger, "skullandcrossbones": .danger,
    "fastfood": .food, "cafe": .food, "bar": .food, "pizza": .food, "hut": .shelter,
    "alpinehut": .shelter, "wildernesshut": .shelter, "building": .shelter, "cabin": .shelter,
    "car": .parking, "guidepost": .trailMarker, "trailmarker": .trailMarker,
  ]

  /// The symbol in GPX that receivers use for it.
  var gpxSymbol: String {
    switch self {
    case .trailMarker: "Trail Head"
    case .viewpoint: "Scenic Area"
    case .waterSource: "Drinking Water"
    case .campsite: "Campground"
    case .danger: "Danger Area"
    case .food: "Restaurant"
    case .shelter: "Lodge"
    case .parking: "Parking Area"
    case .custom: "Flag, Blue"
    }
  }

  /// Its Maki icon, for `marker-symbol` of simplestyle.
  var markerSymbol: String {
    switch self {
    case .trailMarker: "information"
    case .viewpoint: "viewpoint"
    case .waterSource: "drinking-water"
    case .campsite: "campsite"
    case .danger: "danger"
    case .food: "restaurant"
    case .shelter: "shelter"
    case .parking: "parking"
    case .custom: "marker"
    }
  }
}
