// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRouting
import CairnRoutingDatabase
import CostModel
import TuningSuites

/// A reference time under the base and all candidates.
struct TimeMeasure: Sendable {
  /// Its index in the suite.
  var index: Int
  var distance: Double?
  var ascent: Double?
  var descent: Double?
  /// The estimate of each profile in seconds; nil if it has no route.
  var estimates: [Double?]
}

extension TimeMeasure {
  /// The estimates for totals: those of a path without tags that make it slower.
  init(
    _ index: Int, distance: Double, ascent: Double, descent: Double, _ profiles: [CostProfile]
  ) {
    self.index = index
    (self.distance, self.ascent, self.descent) = (distance, ascent, descent)
    estimates = profiles.map {
      let seconds = EdgeFormula($0).seconds(distance: distance, up: ascent, down: descent)
      return seconds.isFinite ? seconds : nil
    }
  }
}

extension PairRouter {
  /// The estimates for the routes of a trip; its length and climb are those of the base's route.
  func estimate(_ trip: TuningSuite.Trip, _ index: Int) throws(RoutingError) -> TimeMeasure {
    var measure = TimeMeasure(index: index, estimates: [])
    for profile in engines.indices {
      do throws(RoutingError) {
        let route = try find(trip, profile)
        measure.estimates.append(route.estimatedDuration)
        guard profile == 0 else { continue }
        measure.distance = route.totalDistance
        if route.isClimbKnown {
          (measure.ascent, measure.descent) = (route.elevationGain, route.elevationLoss)
        }
      } catch {
        guard error.exitCode == .negative else { throw error }
        measure.estimates.append(nil)
      }
    }
    return measure
  }
}

extension TimeErrors {
  /// A walk with its estimate.
  struct Walk {
    var reference: Double
    var estimate: Double
    /// Ascent and descent over distance in percent; nil if unknown.
    var slopePercent: Double?
  }

  /// The bounds of the classes of slope in percent.
  static let slopeBounds = [0.0, 5, 10, 20, 30]

  /// The errors of some walks; nil if there are none.
  init?(_ walks: [Walk]) {
    guard let all = Self.errors(walks) else { return nil }
    count = walks.count
    (biasSeconds, meanAbsoluteSeconds, rootMeanSquareSeconds) = all
    let reference = walks.reduce(0) { $0 + $1.reference } / Double(walks.count)
    biasPercent = reference > 0 ? biasSeconds / reference * 100 : 0
    bySlope = Self.slopeBounds.indices.compactMap { index in
      let low = Self.slopeBounds[index]
      let high = index + 1 < Self.slopeBounds.count ? Self.slopeBounds[index + 1] : nil
      let those = walks.filter { walk in
        walk.slopePercent.map { $0 >= low && $0 < high ?? .infinity } ?? false
      }
      guard let errors = Self.errors(those) else { return nil }
      return SlopeRangeErrors(
        fromPercent: low, belowPercent: high, count: those.count, biasSeconds: errors.bias,
        meanAbsoluteSeconds: errors.meanAbsolute, rootMeanSquareSeconds: errors.rootMeanSquare)
    }
  }

  private static func errors(_ walks: [Walk]) -> (
    bias: Double, meanAbsolute: Double, rootMeanSquare: Double
  )? {
    guard !walks.isEmpty else { return nil }
    let errors = walks.map { $0.estimate - $0.reference }
    let count = Double(walks.count)
    return (
      errors.reduce(0, +) / count, errors.reduce(0) { $0 + abs($1) } / count,
      (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    )
  }
}
