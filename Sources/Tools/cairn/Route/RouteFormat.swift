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

  /// Reads `--format`; text if it is not given or is one of `others`. Throws 64 for anything else.
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

  /// Several routes between the same points, best first.
  func text(_ routes: [ComputedRoute]) throws(CairnError) -> String {
    switch self {
    case .text:
      routes.enumerated().map { index, route in
        "Route \(index + 1) of \(routes.count): \(comparison(route, routes[0]))\n"
          + RouteSheet(route).text
      }.joined(separator: "\n")
    case .json: String(decoding: try encodeJSON(routes), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(RouteFeatures(routes)), as: UTF8.self)
    case .gpx: gpxFile(routes)
    }
  }

  private func comparison(_ route: ComputedRoute, _ best: ComputedRoute) -> String {
    guard route != best else { return "best" }
    let further = route.totalDistance - best.totalDistance
    let longer = route.estimatedDuration - best.estimatedDuration
    return "\(kilometres(further.magnitude)) \(further < 0 ? "shorter" : "longer"), "
      + "\(duration(longer.magnitude)) \(longer < 0 ? "faster" : "slower")"
  }
}

/// Routes as a GeoJSON FeatureCollection.
private struct RouteFeatures: Encodable {
  var type = "FeatureCollection"
  var features: [LineFeature<RouteProperties>]

  init(_ routes: [ComputedRoute]) { features = routes.map(\.feature) }
}

/// The properties of a route as a GeoJSON Feature.
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

/// Routes as GPX 1.1 tracks; nodes have elevations.
private func gpxFile(_ routes: [ComputedRoute]) -> String {
  gpxText(
    creator: "cairn \(cairnVersion)",
    tracks: routes.map { route in
      var points: [GPXFile.Point] = []
      func add(_ node: RoutingNode) {
        points.append(.init(coordinate: node.coordinate, elevation: node.elevation))
      }
      if let start = route.nodes.first { add(start) }
      // The edge of a barrier connects two nodes with the same coordinate.
      for (edge, end) in zip(route.edges, route.nodes.dropFirst()) where !edge.isBarrier {
        points += edge.geometry.map { .init(coordinate: $0) }
        add(end)
      }
      return GPXFile.Line(pieces: [points])
    })
}
