// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnRouting
import Charts
import CommandLineKit

/// How the elevation profile is written.
package enum ElevationProfileFormat: String, CaseIterable {
  /// A chart.
  case svg
  /// Totals and points as an object.
  case json
  /// A line for each point.
  case csv

  /// The elevation profile of a route in this format.
  package func text(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?)
    throws(CairnError) -> String
  {
    switch self {
    case .svg:
      // An unknown climb is not a climb of 0 m.
      let chart = ElevationChart(
        points: profile.points.map { ($0.distanceMetres, $0.elevationMetres) }, title: title,
        totals: .init(
          distanceMetres: route.totalDistance,
          ascentMetres: route.isClimbKnown ? route.elevationGain : nil,
          descentMetres: route.isClimbKnown ? route.elevationLoss : nil,
          seconds: route.estimatedDuration),
        viaMetres: route.viaNodes.map { node in
          route.edges.prefix(node).reduce(0) { $0 + $1.distance }
        })
      return signedSVG(chart.svg)
    case .json:
      return String(
        decoding: try encodeJSON(
          ElevationProfileRecord(route, profile, title: title), pretty: false),
        as: UTF8.self)
    case .csv:
      return Self.csvHeader + "\n"
        + profile.points.map { point in
          decimal(point.distanceMetres, 1) + ","
            + (point.elevationMetres.map { decimal($0, 1) } ?? "") + "\n"
        }.joined()
    }
  }

  private static let csvHeader = "distance_m,elevation_m"

  /// Whether a file with these first bytes may have been written by this command in this format.
  package func recognises(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    return switch self {
    case .svg: isSVGOfCairn(head)
    case .json: text.hasPrefix(#"{"distanceMetres":"#)
    case .csv: text.hasPrefix(Self.csvHeader + "\n0.0,")
    }
  }
}

/// The elevation profile of a route as JSON.
private struct ElevationProfileRecord: Encodable {
  var title: String?
  var distanceMetres: Double
  var elevationGainMetres: Nullable<Double>
  var elevationLossMetres: Nullable<Double>
  var durationSeconds: Double
  var durationWithoutClimb: Bool
  /// Metres from the start, and metres above sea level or null.
  var points: [[Double?]]

  init(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?) {
    self.title = title
    distanceMetres = route.totalDistance
    elevationGainMetres = Nullable(route.isClimbKnown ? route.elevationGain : nil)
    elevationLossMetres = Nullable(route.isClimbKnown ? route.elevationLoss : nil)
    durationSeconds = route.estimatedDuration
    durationWithoutClimb = route.unknownClimbMetres > 0
    points = profile.points.map {
      [tenths($0.distanceMetres), $0.elevationMetres.map(tenths)]
    }
  }
}
