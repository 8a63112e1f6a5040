// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnGeodesy

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Waypoints as a GeoJSON FeatureCollection (RFC 7946), with the colours and symbols of simplestyle.
public struct WaypointGeoJSON: Codable, Sendable {
  /// Larger files are not read.
  public static let maximumBytes = 64 << 20

  // The first member of the text identifies its writer by name.
  private var creator: String?
  private var type = "FeatureCollection"
  private var features: [Feature]

  /// Makes a collection.
  ///
  /// - Parameters:
  ///   - waypoints: The waypoints to write, in this order.
  ///   - creator: The program that writes it.
  public init(_ waypoints: [Waypoint], creator: String) {
    self.creator = creator
    features = waypoints.map(Feature.init)
  }

  /// The collection as text, the same for the same waypoints.
  public func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }

  /// Reads a collection, or a single feature. Features other than points are left out.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - fallback: The time of waypoints without one.
  ///
  /// Throws ``WaypointImport/Failure``.
  public static func read(_ data: Data, fallback: Date) throws(WaypointImport.Failure)
    -> WaypointImport
  {
    guard data.count <= maximumBytes else {
      throw .init(line: nil, reason: "has more than \(grouped(maximumBytes)) bytes")
    }
    let file: Loose
    do { file = try JSONDecoder().decode(Loose.self, from: data) } catch {
      throw .init(line: nil, reason: "is not GeoJSON: \(text(error))")
    }
    var result = WaypointImport()
    for feature in file.features {
      guard let point = feature.point else {
        result.remark("features that are not points")
        continue
      }
      guard point.coordinate.isValid else {
        throw .init(
          line: nil,
          reason: "a position must be [longitude, latitude] in degrees, "
            + "not [\(point.coordinate.longitude), \(point.coordinate.latitude)]")
      }
      result.add(feature, point.coordinate, point.altitude, fallback)
    }
    return result
  }

  private static func text(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "“\(key.stringValue)” is missing"
    case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context):
      context.debugDescription
    default: "\(error)"
    }
  }
}

extension WaypointImport {
  fileprivate mutating func add(
    _ feature: WaypointGeoJSON.LooseFeature, _ coordinate: Coordinate, _ altitude: Double?,
    _ fallback: Date
  ) {
    let words = ["category", "marker-symbol", "symbol", "type"].compactMap { feature.text($0) }
    let time = feature.text("timestamp", "time")
    let names = ["name", "title", "label"]
    let label = feature.text(names)
    if label == nil, names.contains(where: feature.hasOther) {
      remark("names that are neither texts nor numbers")
    }
    add(
      Entry(
        id: feature.id.flatMap { UUID(uuidString: $0) }, coordinate: coordinate,
        altitude: altitude, timestamp: time.flatMap { parsedTimestamp($0) },
        label: label ?? "",
        category: words.lazy.compactMap { WaypointCategory(word: $0) }.first,
        note: feature.text("description", "desc", "note") ?? "",
        hikeId: feature.text("hikeId").flatMap { UUID(uuidString: $0) }), fallback: fallback)
  }
}

// Writing.
extension WaypointGeoJSON {
  private struct Feature: Codable {
    struct Geometry: Codable {
      var type = "Point"
      var coordinates: [Double]
    }

    struct Properties: Codable {
      var name: String
      var description: String
      var category: String
      var timestamp: String?
      var hikeId: String?
      var markerColour: String
      var markerSymbol: String

      enum CodingKeys: String, CodingKey {
        case name, description, category, timestamp, hikeId
        case markerColour = "marker-color"
        case markerSymbol = "marker-symbol"
      }
    }

    var type = "Feature"
    var id: String
    var geometry: Geometry
    var properties: Properties

    init(_ waypoint: Waypoint) {
      id = waypoint.id.uuidString
      geometry = Geometry(
        coordinates: [waypoint.longitude, waypoint.latitude]
          + (waypoint.altitude.map { [$0] } ?? []))
      properties = Properties(
        name: waypoint.label, description: waypoint.note, category: waypoint.category.rawValue,
        timestamp: timestampText(waypoint.timestamp), hikeId: waypoint.hikeId?.uuidString,
        markerColour: "#" + waypoint.category.colorHex,
        markerSymbol: waypoint.category.markerSymbol)
    }
  }
}

// Reading, including files from elsewhere with other members and types of values.
extension WaypointGeoJSON {
  private struct Loose: Decodable {
    var features: [LooseFeature]

    private enum CodingKeys: String, CodingKey { case type, features }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      let type = try values.decode(String.self, forKey: .type)
      switch type {
      case "FeatureCollection":
        features = try values.decode([LooseFeature].self, forKey: .features)
      case "Feature": features = [try LooseFeature(from: decoder)]
      default:
        throw DecodingError.dataCorruptedError(
          forKey: .type, in: values,
          debugDescription: "its type is “\(type.prefix(40))”, not FeatureCollection or Feature")
      }
    }
  }

  fileprivate struct LooseFeature: Decodable {
    var id: String?
    var point: (coordinate: Coordinate, altitude: Double?)?
    /// nil stands for null.
    private var properties: [String: LooseText?] = [:]

    private enum CodingKeys: String, CodingKey { case id, geometry, properties }
    private struct Geometry: Decodable {
      var type: String
      var coordinates: [Double]
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      id = try? values.decode(String.self, forKey: .id)
      properties = (try? values.decode([String: LooseText?].self, forKey: .properties)) ?? [:]
      guard let geometry = try? values.decode(Geometry.self, forKey: .geometry),
        geometry.type == "Point", geometry.coordinates.count >= 2
      else { return }
      let numbers = geometry.coordinates
      point = (Coordinate(latitude: numbers[1], longitude: numbers[0]), numbers.dropFirst(2).first)
    }

    /// The first of some properties that is a number or a text, and not empty.
    func text(_ names: String...) -> String? { text(names) }
    func text(_ names: [String]) -> String? {
      names.lazy.compactMap { properties[$0]??.text }.first { !$0.isEmpty }
    }

    /// Whether a property has a value of another type.
    func hasOther(_ name: String) -> Bool { properties[name]?.map { $0.text == nil } ?? false }
  }

  /// A value that is a text or a number, which is taken as its text, or anything else.
  private struct LooseText: Decodable {
    var text: String?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      text = (try? value.decode(String.self)) ?? (try? value.decode(Decimal.self))?.description
    }
  }
}
