// SPDX-License-Identifier: Apache-2.0

/// A measure examined while keys are varied. All except the shares are compared with the unchanged
/// profile.
package enum SweepMeasure: String, CaseIterable, Sendable, Codable {
  /// The root of the mean squared error against reference times, in minutes.
  case timeRMSE = "time-rmse"
  /// The mean error against reference times, in percent.
  case timeBias = "time-bias"
  /// The share of the reference tracks that routes follow, in percent.
  case trackAgreement = "track-agreement"
  /// The share of routes that change, in percent.
  case changed
  /// The median of the differences in distance, in percent.
  case distance
  /// The median of the differences in ascent, in percent.
  case ascent
  /// The median of the differences in descent, in percent.
  case descent
  /// The median of the differences in time, in percent.
  case time
  /// The share of main roads in the routes' length, in percent: trunk, primary, secondary, tertiary.
  case mainRoads = "main-roads"
  /// The share of waymarked routes in the length, in percent.
  case waymarked
  /// The share of descents steeper than 25 % in the routes' length, in percent.
  case steepDescent = "steep-descent"
  /// Expectations that are broken.
  case broken
  /// Pairs without a route.
  case unrouted

  /// The unit of its values; nil for counts.
  package var unit: String? {
    switch self {
    case .timeRMSE: "min"
    case .broken, .unrouted: nil
    default: "%"
    }
  }

  /// Its name with its unit, for a chart.
  package var title: String {
    switch self {
    case .timeRMSE: "error of times (RMSE), min"
    case .timeBias: "mean error of times, %"
    case .trackAgreement: "tracks that routes follow, %"
    case .changed: "routes that change, %"
    case .distance: "difference in distance (median), %"
    case .ascent: "difference in ascent (median), %"
    case .descent: "difference in descent (median), %"
    case .time: "difference in time (median), %"
    case .mainRoads: "main roads, % of length"
    case .waymarked: "waymarked, % of length"
    case .steepDescent: "descent steeper than 25 %, % of length"
    case .broken: "broken expectations"
    case .unrouted: "pairs without a route"
    }
  }

  /// Its value for a candidate; nil if the suite has nothing to measure it on.
  package func value(_ comparison: CandidateComparison) -> Double? {
    let total = comparison.total
    let makeup = total.makeup.candidate
    func percent(_ metres: Double) -> Double? {
      makeup.metres > 0 ? metres / makeup.metres * 100 : nil
    }
    switch self {
    case .timeRMSE: return total.timeErrors.map { $0.candidate.rootMeanSquareSeconds / 60 }
    case .timeBias: return total.timeErrors.map(\.candidate.biasPercent)
    case .trackAgreement: return total.trackAgreement.map { $0.candidate * 100 }
    case .changed:
      return total.routedByBoth > 0
        ? Double(total.changed) / Double(total.routedByBoth) * 100 : nil
    case .distance: return total.differences?.distancePercent.median
    case .ascent: return total.differences?.ascentPercent?.median
    case .descent: return total.differences?.descentPercent?.median
    case .time: return total.differences?.timePercent.median
    case .mainRoads:
      return percent(
        makeup.roadClasses.filter { Self.mainRoadClasses.contains($0.name) }.reduce(0) {
          $0 + $1.metres
        })
    case .waymarked: return percent(makeup.waymarkedMetres)
    case .steepDescent: return makeup.steepDescentShare.map { $0 * 100 }
    case .broken:
      let count = total.expectations.candidate
      return count.kept + count.broken > 0 ? Double(count.broken) : nil
    case .unrouted: return total.pairs > 0 ? Double(total.onlyBase + total.neither) : nil
    }
  }

  private static let mainRoadClasses: Set<String> = [
    "trunk", "trunk_link", "primary", "primary_link", "secondary", "secondary_link", "tertiary",
    "tertiary_link",
  ]
}
