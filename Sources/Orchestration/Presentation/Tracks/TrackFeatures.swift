// SPDX-License-Identifier: Apache-2.0

import CairnGPX
import CommandLineKit

/// Tracks as a GeoJSON FeatureCollection: positions are [longitude, latitude, elevation if known].
package struct TrackFeatures: Encodable {
  private struct Feature: Encodable {
    var type = "Feature"
    var geometry: Geometry
    var properties: Properties
  }

  private enum Geometry: Encodable {
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

  private struct Properties: Encodable {
    var name: Nullable<String>
    /// As many times as positions, by segment; the name is a convention.
    var coordTimes: [[Nullable<String>]]?
  }

  private var creator = geoJSONCreator
  private var type = "FeatureCollection"
  private var features: [Feature]

  /// Draws some tracks.
  package init(_ tracks: [GPXFile.Line]) {
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
