// SPDX-License-Identifier: Apache-2.0

import CommandLineKit
import Diagnostics
import Formatting
import GPX
import Routing
import RoutingDatabase

/// How `cairn route` prints a route.
enum RouteFormat: String, CaseIterable {
  case text, json, geojson, gpx

  /// The option of a command; text where it is not given or one of `others`. Throws 64 for
  /// anything else.
  init(_ arguments: Arguments, besides others: [String] = []) throws(CairnError) {
    let formats = Self.allCases.map(\.rawValue) + others
    self = try arguments.choice("format", of: formats).flatMap(Self.init) ?? .text
  }

  func text(_ route: ComputedRoute) throws(CairnError) -> String {
    switch self {
    case .text: RouteSheet(route).text
    case .json: String(decoding: try encodeJSON(route), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(route.feature), as: UTF8.self)
    case .gpx: gpxFile([route])
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
    case .gpx: gpxFile(routes)
    }
  }

  private func comparison(_ route: ComputedRoute, _ best: ComputedRoute) -> String {
    guard route != best else { return "the best one" }
    let further = route.totalDistance - best.totalDistance
    let longer = route.estimatedDuration - best.estimatedDuration
    return "\(kilometres(further.magnitude)) \(further < 0 ? "shorter" : "longer"), "
      + "\(duration(longer.magnitude)) \(longer < 0 ? "less" : "more")"
  }
}

/// Routes as a GeoJSON FeatureCollection.
private struct RouteFeatures: Encodable {
  var type = "FeatureCollection"
  var features: [LineFeature<RouteProperties>]

  init(_ routes: [ComputedRoute]) { features = routes.map(\.feature) }
}

/// What a GeoJSON Feature says of a route.
private struct RouteProperties: Encodable {
  var totalDistance: Double
  var totalCost: Double
  var estimatedDuration: Double
  var elevationGain: Double
  var elevationLoss: Double
}

extension ComputedRoute {
  fileprivate var feature: LineFeature<RouteProperties> {
    LineFeature(
      coordinates,
      RouteProperties(
        totalDistance: totalDistance, totalCost: totalCost,
        estimatedDuration: estimatedDuration, elevationGain: elevationGain,
        elevationLoss: elevationLoss))
  }
}

/// Routes as GPX 1.1 tracks; the nodes carry their elevation.
private func gpxFile(_ routes: [ComputedRoute]) -> String {
  gpxText(
    creator: "cairn \(cairnVersion)",
    tracks: routes.map { route in
      var points: [GPXFile.Point] = []
      func add(_ node: RoutingNode) {
        points.append(.init(coordinate: node.coordinate, elevation: node.elevation))
      }
      if let start = route.nodes.first { add(start) }
      // A barrier leads from a node to one at the same place.
      for (edge, end) in zip(route.edges, route.nodes.dropFirst()) where !edge.isBarrier {
        points += edge.geometry.map { .init(coordinate: $0) }
        add(end)
      }
      return GPXFile.Line(pieces: [points])
    })
}
