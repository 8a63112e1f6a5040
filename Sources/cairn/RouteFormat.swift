// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import GPX
import Routing
import RoutingDatabase
import StageKit

/// How `cairn route` prints a route.
enum RouteFormat: String, CaseIterable {
  case text, json, geojson, gpx
  /// With instructions, see ``RoutePlan``.
  case planned

  func text(_ route: ComputedRoute) throws(CairnError) -> String {
    switch self {
    case .text, .planned: RouteSheet(route).text
    case .json: String(decoding: try encodeJSON(route), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(RouteFeature(route)), as: UTF8.self)
    case .gpx: route.gpx
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

extension ComputedRoute {
  /// A GPX track; the nodes carry their elevation.
  fileprivate var gpx: String {
    var points: [GPXFile.Point] = []
    func add(_ node: RoutingNode) {
      points.append(.init(coordinate: node.coordinate, elevation: node.elevation))
    }
    if let start = nodes.first { add(start) }
    // A barrier leads from a node to one at the same place.
    for (edge, end) in zip(edges, nodes.dropFirst()) where !edge.isBarrier {
      points += edge.geometry.map { .init(coordinate: $0) }
      add(end)
    }
    return gpxTrack(creator: "cairn \(cairnVersion)", points: points)
  }
}
