// SPDX-License-Identifier: Apache-2.0

import Formatting
import GPX

/// Tracks as a GeoJSON FeatureCollection: positions are [longitude, latitude, elevation if known].
struct TrackFeatures: Encodable {
  struct Feature: Encodable {
    var type = "Feature"
    var geometry: Geometry
    var properties: Properties
  }

  enum Geometry: Encodable {
    case line([[Double]])
    case lines([[[Double]]])

    private enum CodingKeys: String, CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      switch self {
      case .line(let positions):
        try container.encode("LineString", forKey: .type)
        try container.encode(positions, forKey: .coordinates)
      case .lines(let lines):
        try container.encode("MultiLineString", forKey: .type)
        try container.encode(lines, forKey: .coordinates)
      }
    }
  }

  struct Properties: Encodable {
    var name: Nullable<String>
    /// As many times as positions, by segment; a name that other programs know.
    var coordTimes: [[Nullable<String>]]?
  }

  var creator = geoJSONCreator
  var type = "FeatureCollection"
  var features: [Feature]

  init(_ tracks: [GPXFile.Line]) {
    features = tracks.map { track in
      // A LineString needs at least two positions, even if start and end coincide.
      let segments = track.segments.filter { !$0.isEmpty }.map { $0.count == 1 ? $0 + $0 : $0 }
      let lines = segments.map { $0.map(Self.position) }
      let hasTimes = segments.contains { $0.contains { $0.time != nil } }
      return Feature(
        geometry: lines.count == 1 ? .line(lines[0]) : .lines(lines),
        properties: Properties(
          name: Nullable(track.name),
          coordTimes: hasTimes
            ? segments.map { $0.map { Nullable($0.time.map(isoText)) } } : nil))
    }
  }

  private static func position(_ point: GPXFile.Point) -> [Double] {
    [point.coordinate.longitude, point.coordinate.latitude] + (point.elevation.map { [$0] } ?? [])
  }
}

/// Tracks as CSV, one point per line; what is unknown is empty.
struct TrackCSV {
  static let header = "track,segment,latitude,longitude,elevation_m,time\n"
  let text: String

  init(_ tracks: [GPXFile.Line]) {
    var text = Self.header
    for (track, line) in tracks.enumerated() {
      for (segment, points) in line.segments.enumerated() {
        for point in points {
          let place = point.coordinate
          text += "\(track + 1),\(segment + 1),\(decimal(place.latitude, 7)),"
          text += "\(decimal(place.longitude, 7)),"
          text += (point.elevation.map { shortDecimal($0, 3) } ?? "") + ","
          text += (point.time.map(isoText) ?? "") + "\n"
        }
      }
    }
    self.text = text
  }
}
