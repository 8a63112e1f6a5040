// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Geodesy

/// What GeoJSON of Cairn begins with: a foreign member (RFC 7946, section 6.1) whose name comes
/// before all others, so that a command knows the files that it may replace.
let geoJSONCreator = "cairn \(cairnVersion)"

/// Whether a file with these first bytes is GeoJSON that this program wrote.
func isGeoJSONOfCairn(_ head: [UInt8]) -> Bool {
  let text = String(decoding: head, as: UTF8.self).filter { !$0.isWhitespace }
  return text.hasPrefix(#"{"creator":"cairn"#)
}

/// A line as a GeoJSON Feature: positions are [longitude, latitude] (RFC 7946).
struct LineFeature<Properties: Encodable>: Encodable {
  struct Geometry: Encodable {
    var type = "LineString"
    var coordinates: [[Double]]
  }
  var creator = geoJSONCreator
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
