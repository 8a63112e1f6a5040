// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CommandLineKit

/// A line as a GeoJSON Feature: positions are [longitude, latitude] (RFC 7946).
package struct LineFeature<Properties: Encodable>: Encodable {
  private struct Geometry: Encodable {
    var type = "LineString"
    var coordinates: [[Double]]
  }
  private var creator = geoJSONCreator
  private var type = "Feature"
  private var geometry: Geometry
  private var properties: Properties

  /// A line of some points.
  package init(_ points: [Coordinate], _ properties: Properties) {
    // A LineString needs at least two positions, even if start and end coincide.
    let line = points.count == 1 ? points + points : points
    geometry = Geometry(coordinates: line.map { [$0.longitude, $0.latitude] })
    self.properties = properties
  }
}
