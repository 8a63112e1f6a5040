// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Routing
import RoutingDatabase
import StageKit

/// How `cairn route` prints a route.
enum RouteFormat: String, CaseIterable {
  case text, json, geojson, gpx

  func text(_ route: ComputedRoute) throws(CairnError) -> String {
    switch self {
    case .text: RouteSheet(route).text
    case .json: String(decoding: try encodeJSON(route), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(RouteFeature(route)), as: UTF8.self)
    case .gpx: gpxTrack(route)
    }
  }
}

/// A route as a GeoJSON Feature: positions are [longitude, latitude] (RFC 7946).
private struct RouteFeature: Encodable {
  struct Geometry: Encodable {
    var type = "LineString"
    var coordinates: [[Double]]
  }
  struct Properties: Encodable {
    var totalDistance: Double
    var totalCost: Double
    var estimatedDuration: Double
    var elevationGain: Double
    var elevationLoss: Double
  }
  var type = "Feature"
  var geometry: Geometry
  var properties: Properties

  init(_ route: ComputedRoute) {
    // A line has two positions at the least, also where start and end are one.
    let first = route.coordinates.prefix(1)
    let line = route.coordinates.count == 1 ? first + first : route.coordinates[...]
    geometry = Geometry(coordinates: line.map { [$0.longitude, $0.latitude] })
    properties = Properties(
      totalDistance: route.totalDistance, totalCost: route.totalCost,
      estimatedDuration: route.estimatedDuration, elevationGain: route.elevationGain,
      elevationLoss: route.elevationLoss)
  }
}

/// A route as a GPX 1.1 track; the nodes carry their elevation.
private func gpxTrack(_ route: ComputedRoute) -> String {
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<gpx version="1.1" creator="cairn \#(cairnVersion)" "#
      + #"xmlns="http://www.topografix.com/GPX/1/1">"#,
    "  <trk>", "    <trkseg>",
  ]
  func add(_ latitude: Double, _ longitude: Double, _ elevation: Double?) {
    let place = #"      <trkpt lat="\#(decimal(latitude, 7))" lon="\#(decimal(longitude, 7))""#
    lines.append(place + (elevation.map { "><ele>\(decimal($0, 1))</ele></trkpt>" } ?? "/>"))
  }
  if let start = route.nodes.first { add(start.latitude, start.longitude, start.elevation) }
  // A barrier leads from a node to one at the same place.
  for (edge, end) in zip(route.edges, route.nodes.dropFirst()) where !edge.isBarrier {
    for point in edge.geometry { add(point.latitude, point.longitude, nil) }
    add(end.latitude, end.longitude, end.elevation)
  }
  lines += ["    </trkseg>", "  </trk>", "</gpx>"]
  return lines.joined(separator: "\n") + "\n"
}
