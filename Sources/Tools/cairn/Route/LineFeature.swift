// SPDX-License-Identifier: Apache-2.0
import Geodesy

/// A line as a GeoJSON Feature: positions are [longitude, latitude] (RFC 7946).
struct LineFeature<Properties: Encodable>: Encodable {
  struct Geometry: Encodable {
    var type = "LineString"
    var coordinates: [[Double]]
  }
  var type = "Feature"
  var geometry: Geometry
  var properties: Properties

  init(_ points: [Coordinate], _ properties: Properties) {
    // A LineString needs at least two positions, even if start and end coincide.
    let line = points.count == 1 ? points + points : points
    geometry = Geometry(coordinates: line.map { [$0.longitude, $0.latitude] })
    self.properties = properties
  }
}
