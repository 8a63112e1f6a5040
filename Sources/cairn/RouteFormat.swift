// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Routing
import RoutingDatabase
import StageKit

/// How `cairn route` prints a route.
enum RouteFormat: String, CaseIterable {
  case text, json, geojson, gpx

  /// The option of a command; text where it is not given. Throws 64 for anything else.
  init(_ arguments: Arguments) throws(CairnError) {
    let formats = Self.allCases.map(\.rawValue)
    self = try arguments.choice("format", of: formats).flatMap(Self.init) ?? .text
  }

  func text(_ route: ComputedRoute) throws(CairnError) -> String {
    switch self {
    case .text: RouteSheet(route).text
    case .json: String(decoding: try encodeJSON(route), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(RouteFeature(route)), as: UTF8.self)
    case .gpx: gpxTracks([route])
    }
  }

  /// Several routes between the same points, the best one first.
  func text(_ routes: [ComputedRoute]) throws(CairnError) -> String {
    switch self {
    case .text:
      routes.enumerated().map { place, route in
        "Route \(place + 1) of \(routes.count): \(comparison(route, routes[0]))\n"
          + RouteSheet(route).text
      }.joined(separator: "\n")
    case .json: String(decoding: try encodeJSON(routes), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(RouteFeatures(routes)), as: UTF8.self)
    case .gpx: gpxTracks(routes)
    }
  }

  private func comparison(_ route: ComputedRoute, _ best: ComputedRoute) -> String {
    guard route != best else { return "the best one" }
    let further = route.totalDistance - best.totalDistance
    let longer = route.estimatedDuration - best.estimatedDuration
    return "\(kilometres(further.magnitude)) \(further < 0 ? "shorter" : "longer"), "
      + "\(hours(longer.magnitude)) \(longer < 0 ? "less" : "more")"
  }
}

/// Routes as a GeoJSON FeatureCollection.
private struct RouteFeatures: Encodable {
  var type = "FeatureCollection"
  var features: [RouteFeature]

  init(_ routes: [ComputedRoute]) { features = routes.map { RouteFeature($0) } }
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

/// Routes as GPX 1.1 tracks; the nodes carry their elevation.
private func gpxTracks(_ routes: [ComputedRoute]) -> String {
  var lines = [
    #"<?xml version="1.0" encoding="UTF-8"?>"#,
    #"<gpx version="1.1" creator="cairn \#(cairnVersion)" "#
      + #"xmlns="http://www.topografix.com/GPX/1/1">"#,
  ]
  func add(_ latitude: Double, _ longitude: Double, _ elevation: Double?) {
    let place = #"      <trkpt lat="\#(decimal(latitude, 7))" lon="\#(decimal(longitude, 7))""#
    lines.append(place + (elevation.map { "><ele>\(decimal($0, 1))</ele></trkpt>" } ?? "/>"))
  }
  for route in routes {
    lines += ["  <trk>", "    <trkseg>"]
    if let start = route.nodes.first { add(start.latitude, start.longitude, start.elevation) }
    // A barrier leads from a node to one at the same place.
    for (edge, end) in zip(route.edges, route.nodes.dropFirst()) where !edge.isBarrier {
      for point in edge.geometry { add(point.latitude, point.longitude, nil) }
      add(end.latitude, end.longitude, end.elevation)
    }
    lines += ["    </trkseg>", "  </trk>"]
  }
  return lines.joined(separator: "\n") + "\n</gpx>\n"
}
