// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGPX
import CairnGeodesy
import CairnRouting
import CairnTracks
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

  /// An elevation profile in this format.
  package func text(_ profile: DrawnProfile) throws(CairnError) -> String {
    switch self {
    case .svg:
      let chart = ElevationChart(
        points: profile.points.map { ($0.distanceMetres, $0.elevationMetres) },
        title: profile.title, totals: profile.totals, viaMetres: profile.viaMetres)
      return signedSVG(chart.svg)
    case .json:
      return String(
        decoding: try encodeJSON(ElevationProfileRecord(profile), pretty: false), as: UTF8.self)
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

/// The elevation profile of a route or a track, with what is written beside it.
package struct DrawnProfile {
  let points: [ElevationProfile.Point]
  let title: String?
  let totals: ElevationChart.Totals
  let viaMetres: [Double]
  /// Whether the time lacks unknown climb.
  let isWithoutClimb: Bool

  /// The profile of a route.
  package init(_ route: ComputedRoute, _ profile: ElevationProfile, title: String?) {
    points = profile.points
    self.title = title
    // An unknown climb is not a climb of 0 m.
    totals = .init(
      distanceMetres: route.totalDistance,
      ascentMetres: route.isClimbKnown ? route.elevationGain : nil,
      descentMetres: route.isClimbKnown ? route.elevationLoss : nil,
      seconds: route.estimatedDuration)
    viaMetres = route.viaNodes.map { node in
      route.edges.prefix(node).reduce(0) { $0 + $1.distance }
    }
    isWithoutClimb = route.unknownClimbMetres > 0
  }

  /// The profile of a track, with ascent, descent and recorded time as `cairn track stats` finds them.
  /// The length is that of the line between its points.
  package init(_ track: GPXFile.Line, title: String?) {
    var points: [ElevationProfile.Point] = []
    var travelled = 0.0
    for segment in track.segments where !segment.isEmpty {
      // Nothing is known between two segments.
      if !points.isEmpty { points.append(.init(distanceMetres: travelled, elevationMetres: nil)) }
      var last: Coordinate?
      for point in segment {
        if let last { travelled += haversineDistance(last, point.coordinate) }
        last = point.coordinate
        points.append(.init(distanceMetres: travelled, elevationMetres: point.elevation))
      }
    }
    let total = TrackReport(segments: track.segments, smoothing: .standard, splitMetres: nil).total
    self.points = points
    self.title = title
    totals = .init(
      distanceMetres: travelled, ascentMetres: total.ascentMetres,
      descentMetres: total.descentMetres, seconds: total.recordedSeconds)
    viaMetres = []
    isWithoutClimb = false
  }
}

/// An elevation profile as JSON.
private struct ElevationProfileRecord: Encodable {
  var title: String?
  var distanceMetres: Double
  var elevationGainMetres: Nullable<Double>
  var elevationLossMetres: Nullable<Double>
  var durationSeconds: Nullable<Double>
  var durationWithoutClimb: Bool
  /// Metres from the start, and metres above sea level or null.
  var points: [[Double?]]

  init(_ profile: DrawnProfile) {
    title = profile.title
    distanceMetres = profile.totals.distanceMetres
    elevationGainMetres = Nullable(profile.totals.ascentMetres)
    elevationLossMetres = Nullable(profile.totals.descentMetres)
    durationSeconds = Nullable(profile.totals.seconds)
    durationWithoutClimb = profile.isWithoutClimb
    points = profile.points.map {
      [tenths($0.distanceMetres), $0.elevationMetres.map(tenths)]
    }
  }
}
