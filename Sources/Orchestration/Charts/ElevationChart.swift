// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting

/// A chart of an elevation profile: elevation over distance, as on hiking maps.
///
/// ```swift
/// let chart = ElevationChart(
///   points: [(0, 1010), (850, 1130), (1700, nil), (2400, 1275)], title: "Over the pass")
/// let picture = chart.svg
/// ```
///
/// The area under the curve is coloured by slope. Where the elevation is unknown, the curve has a
/// shaded gap. The same points give the same bytes.
package struct ElevationChart: Equatable, Sendable {
  /// A point of the profile.
  struct Point: Equatable, Sendable {
    /// Metres from the start.
    var distance: Double
    /// Metres above sea level; nil if unknown.
    var elevation: Double?
  }

  /// The totals of the route, shown above the chart.
  package struct Totals: Equatable, Sendable {
    /// The length in metres.
    package var distanceMetres: Double
    /// Metres climbed; left out if unknown.
    package var ascentMetres: Double?
    /// Metres descended; left out if unknown.
    package var descentMetres: Double?
    /// The duration in seconds; left out if unknown.
    package var seconds: Double?

    /// Makes totals.
    package init(
      distanceMetres: Double, ascentMetres: Double?, descentMetres: Double?, seconds: Double?
    ) {
      self.distanceMetres = distanceMetres
      self.ascentMetres = ascentMetres
      self.descentMetres = descentMetres
      self.seconds = seconds
    }
  }

  /// Plausible elevations in metres.
  static let plausibleMetres = -20_000.0...20_000.0
  /// The maximum length: ten times round the Earth.
  static let longestMetres = 400_000_000.0

  /// The size of the chart in its own pixels.
  static let width = 900.0
  static let height = 360.0

  let points: [Point]
  /// The title above the chart, any text.
  package var title: String?
  /// The totals below the title.
  package var totals: Totals?
  /// The positions of the via points, in metres from the start. Those outside the route are not
  /// drawn.
  package var viaMetres: [Double]

  /// Makes a chart of points in the order of the route.
  ///
  /// Points whose distance is NaN, negative, implausible or less than that of the previous point are
  /// dropped; elevations that are NaN or implausible count as unknown.
  ///
  /// - Parameter points: Metres from the start, and metres above sea level or nil if unknown.
  package init(
    points: [(distanceMetres: Double, elevationMetres: Double?)], title: String? = nil,
    totals: Totals? = nil, viaMetres: [Double] = []
  ) {
    var kept: [Point] = []
    kept.reserveCapacity(points.count)
    for (distance, elevation) in points {
      guard distance >= kept.last?.distance ?? 0, distance <= Self.longestMetres else { continue }
      let isKnown = elevation.map(Self.plausibleMetres.contains) ?? false
      kept.append(Point(distance: distance, elevation: isKnown ? elevation : nil))
    }
    self.points = kept
    self.title = title
    self.totals = totals
    self.viaMetres = viaMetres
  }

  /// The chart as a standalone SVG 1.1 file, 900 by 360, without scripts, ids or references to other
  /// files, so that a page may embed several of them.
  package var svg: String { ElevationDrawing(self).svg }

  /// The text alternative of the chart.
  var description: String {
    let known = points.compactMap(\.elevation)
    guard let lowest = known.min(), let highest = known.max() else {
      return "Elevation profile without known elevations."
    }
    return "Elevation profile from \(metres(lowest)) to \(metres(highest))."
  }
}

extension ElevationChart.Totals {
  /// `8.1 km`, `1 116 m`, `18 m` and `3 h 23 min`; nil for an unknown climb.
  var words: (distance: String, ascent: String?, descent: String?, time: String?) {
    (
      distance(distanceMetres), ascentMetres.flatMap(height), descentMetres.flatMap(height),
      seconds.map(duration)
    )
  }
}

/// `850 m`, `8.1 km`, `312 km`; `–` for no length.
private func distance(_ length: Double) -> String {
  guard length.isFinite else { return "–" }
  if length < 999.5 { return metres(length) }
  return kilometres(length, decimals: length < 99_950 ? 1 : 0)
}

/// `1 116 m`; nil if not finite.
private func height(_ value: Double) -> String? { value.isFinite ? metres(value) : nil }
