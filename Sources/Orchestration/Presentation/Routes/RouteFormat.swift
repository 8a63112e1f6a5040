// SPDX-License-Identifier: Apache-2.0

import CairnDiagnostics
import CairnFormatting
import CairnPhrases
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit

/// How `cairn route` prints a route.
package enum RouteFormat: String, CaseIterable {
  /// Totals and a table of ways.
  case text
  /// The route with all of its nodes and edges.
  case json
  /// The line with totals.
  case geojson
  /// A track with elevations.
  case gpx

  /// A route in this format.
  ///
  /// - Parameters:
  ///   - name: The name of the route in files, if given.
  ///   - columns: The width of the terminal for text; nil without one.
  ///   - language: The language of text.
  package func text(
    _ route: FoundRoute, name: String? = nil, columns: Int?, in language: Language = .english
  ) throws(CairnError) -> String {
    let route = FoundRoute.titled([route], name)[0]
    return switch self {
    case .text: RouteSheet(route, in: language).text(columns: columns)
    case .json: String(decoding: try encodeJSON(route), as: UTF8.self)
    case .geojson: String(decoding: try encodeJSON(route.feature), as: UTF8.self)
    case .gpx: RouteTrack.gpx([route], name: name)
    }
  }

  /// Several routes between the same points, best first.
  package func text(
    _ routes: [FoundRoute], name: String? = nil, columns: Int?, in language: Language = .english
  ) throws(CairnError) -> String {
    switch self {
    case .text:
      routes.enumerated().map { index, route in
        let comparison = comparison(route.route, routes[0].route, language)
        return language.sentence(
          .routeOf,
          ["number": "\(index + 1)", "count": "\(routes.count)", "comparison": comparison]) + "\n"
          + RouteSheet(route, in: language).text(columns: columns)
      }.joined(separator: "\n")
    case .json: String(decoding: try encodeJSON(FoundRoute.titled(routes, name)), as: UTF8.self)
    case .geojson:
      String(
        decoding: try encodeJSON(RouteFeatures(FoundRoute.titled(routes, name))), as: UTF8.self)
    case .gpx: RouteTrack.gpx(routes, name: name)
    }
  }

  private func comparison(
    _ route: ComputedRoute, _ best: ComputedRoute, _ language: Language
  ) -> String {
    guard route != best else { return language.text(.best) }
    let further = route.totalDistance - best.totalDistance
    let longer = route.estimatedDuration - best.estimatedDuration
    return language.text(
      further < 0 ? .shorter : .longer,
      ["distance": language.length(kilometresOf: further.magnitude)]) + ", "
      + language.text(longer < 0 ? .faster : .slower, ["time": duration(longer.magnitude)])
  }
}

/// Routes as a GeoJSON FeatureCollection.
private struct RouteFeatures: Encodable {
  var creator = geoJSONCreator
  var type = "FeatureCollection"
  var features: [LineFeature<RouteProperties>]

  init(_ routes: [FoundRoute]) { features = routes.map(\.feature) }
}

/// The properties of a route as a GeoJSON Feature.
private struct RouteProperties: Encodable {
  var name: String
  var totalDistance: Double
  var totalCost: Double
  var estimatedDuration: Double
  var durationRange: Nullable<DurationRange>
  var durationWithoutClimb: Bool
  var elevationGain: Nullable<Double>
  var elevationLoss: Nullable<Double>
  var unknownClimbMetres: Double
  var warnings: [RouteWarning]
  var hardestStretch: Nullable<FoundRoute.StretchRecord>
  var shorterWay: Nullable<ShorterWay>
  var quickerRoute: Nullable<QuickerRoute>
  var unmet: [FoundRoute.StretchRecord]
  var offNetwork: [FoundRoute.OffNetwork]
  var accessDate: Nullable<String>
  var departure: Nullable<String>
  var end: Nullable<WalkEndRecord>
  var rules: Nullable<RuleTally>

  init(_ found: FoundRoute) {
    name = found.title
    let (route, remarks) = (found.route, found.remarks)
    totalDistance = route.totalDistance
    totalCost = route.totalCost
    estimatedDuration = route.estimatedDuration
    durationRange = Nullable(route.durationRange)
    unknownClimbMetres = route.unknownClimbMetres
    durationWithoutClimb = unknownClimbMetres > 0
    elevationGain = Nullable(route.isClimbKnown ? route.elevationGain : nil)
    elevationLoss = Nullable(route.isClimbKnown ? route.elevationLoss : nil)
    warnings = route.warnings
    hardestStretch = remarks.hardestStretch
    (shorterWay, quickerRoute) = (remarks.shorterWay, remarks.quickerRoute)
    unmet = remarks.unmet
    offNetwork = remarks.offNetwork
    (accessDate, departure, rules) = (remarks.accessDate, remarks.departure, remarks.rules)
    end = remarks.end
  }
}

extension FoundRoute {
  fileprivate var feature: LineFeature<RouteProperties> {
    LineFeature(route.coordinates, RouteProperties(self))
  }
}
