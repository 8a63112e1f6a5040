// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit

extension BundleComparison {
  /// The changes as a GeoJSON FeatureCollection: old and new lines, and the locations of routes and
  /// places.
  ///
  /// Properties are those of the JSON, and `side`: `old` or `new`.
  package var features: JSONValue {
    var features: [JSONValue] = []
    for change in ways {
      if !change.oldLines.isEmpty { features.append(feature(change, "old", change.oldLines)) }
      if !change.newLines.isEmpty { features.append(feature(change, "new", change.newLines)) }
    }
    for change in routes ?? [] {
      let side = change.kind == .removed ? "old" : "new"
      features.append(point(change.coordinate, change.json, "route", side))
    }
    for change in places ?? [] {
      let side = change.kind == .removed ? "old" : "new"
      if let before = change.coordinateBefore {
        features.append(point(before, change.json, "place", "old"))
      }
      features.append(point(change.coordinate, change.json, "place", side))
    }
    return .object([
      "creator": .text(geoJSONCreator), "type": "FeatureCollection",
      "features": .list(features),
    ])
  }

  private func feature(_ change: NetworkChange, _ side: String, _ lines: [[MapPoint]]) -> JSONValue
  {
    let coordinates = lines.map { line -> JSONValue in
      // A line has at least two positions.
      let points = line.count == 1 ? line + line : line
      return .list(points.map { position($0.coordinate) })
    }
    return .object([
      "type": "Feature",
      "geometry": .object(["type": "MultiLineString", "coordinates": .list(coordinates)]),
      "properties": .object(properties(change.json, "way", side)),
    ])
  }

  private func point(
    _ coordinate: Coordinate, _ json: [String: JSONValue], _ of: String, _ side: String
  ) -> JSONValue {
    .object([
      "type": "Feature",
      "geometry": .object(["type": "Point", "coordinates": position(coordinate)]),
      "properties": .object(properties(json, of, side)),
    ])
  }

  private func properties(_ json: [String: JSONValue], _ of: String, _ side: String) -> [String:
    JSONValue]
  {
    var properties = json
    properties["of"] = .text(of)
    properties["side"] = .text(side)
    return properties
  }

  private func position(_ coordinate: Coordinate) -> JSONValue {
    .list(
      [coordinate.longitude, coordinate.latitude].map { .number(($0 * 1e6).rounded() / 1e6) })
  }
}
