// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting

/// A drawing of elevation over distance, as a hiking map prints it below a route.
///
/// ```swift
/// let chart = ElevationChart(
///   points: [(0, 1010), (850, 1130), (1700, nil), (2400, 1275)], title: "Over the pass")
/// let picture = chart.svg
/// ```
///
/// The area under the curve is coloured by how steep the way is; where the elevation is unknown
/// the curve stops and the place is shaded. The same points give the same bytes.
package struct ElevationChart: Equatable, Sendable {
  /// A place along the way.
  struct Point: Equatable, Sendable {
    /// Metres from the start.
    var distance: Double
    /// Metres above sea level; nil where unknown.
    var elevation: Double?
  }

  /// The totals that the head of the drawing names.
  package struct Totals: Equatable, Sendable {
    /// Metres along the way.
    package var distanceMetres: Double
    /// Metres climbed.
    package var ascentMetres: Double
    /// Metres descended.
    package var descentMetres: Double
    /// Seconds that the way takes.
    package var seconds: Double

    /// Makes totals of their numbers.
    package init(
      distanceMetres: Double, ascentMetres: Double, descentMetres: Double, seconds: Double
    ) {
      self.distanceMetres = distanceMetres
      self.ascentMetres = ascentMetres
      self.descentMetres = descentMetres
      self.seconds = seconds
    }
  }

  /// Elevations that are no more than this from sea level are believed.
  static let plausibleMetres = -20_000.0...20_000.0
  /// No way is longer: ten times round the Earth.
  static let longestMetres = 400_000_000.0

  /// The size of the drawing in pixels of its own.
  static let width = 900.0
  static let height = 360.0

  let points: [Point]
  /// What stands above the drawing, any text.
  package var title: String?
  /// The totals below the title.
  package var totals: Totals?

  /// Makes a chart of places in the order of the way.
  ///
  /// A place whose distance is no number, negative, less than that of the place before it, or
  /// beyond reason is left out; an elevation that is no number or beyond reason is unknown.
  ///
  /// - Parameter points: Metres from the start, and metres above sea level, nil where unknown.
  package init(
    points: [(distanceMetres: Double, elevationMetres: Double?)], title: String? = nil,
    totals: Totals? = nil
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
  }

  /// The chart as a standalone SVG 1.1 file, 900 by 360, without scripts, ids or outside files, so
  /// that several of them may also stand in one page.
  package var svg: String { ElevationDrawing(self).svg }

  /// What a reader who does not see the drawing is told.
  var description: String {
    let known = points.compactMap(\.elevation)
    guard let lowest = known.min(), let highest = known.max() else {
      return "Elevation over distance: no elevation is known."
    }
    return "Elevation over distance, from \(metres(lowest)) to \(metres(highest))."
  }
}

extension ElevationChart.Totals {
  /// `8.1 km`, `1 116 m`, `18 m` and `3 h 23 min`.
  var words: (distance: String, ascent: String, descent: String, time: String) {
    (distance(distanceMetres), height(ascentMetres), height(descentMetres), duration(seconds))
  }
}

/// `850 m`, `8.1 km`, `312 km`; `–` for no length.
private func distance(_ length: Double) -> String {
  guard length.isFinite else { return "–" }
  if length < 999.5 { return metres(length) }
  return kilometres(length, places: length < 99_950 ? 1 : 0)
}

/// `1 116 m`; `–` for no height.
private func height(_ value: Double) -> String { value.isFinite ? metres(value) : "–" }
