// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnTravelModels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A walk as a profile foretells it.
struct Forecast: Sendable {
  /// The time estimated by the profile, in seconds.
  var estimate: Double
  /// The time that the walk took.
  var actual: Double
  /// The spread of the profile.
  var spread: Double

  /// The least spread used for a score: no time is certain.
  static let leastSpread = 0.02
  /// The number of spreads beyond which errors count linearly instead of squared (P. J. Huber,
  /// “Robust Estimation of a Location Parameter”, 1964), so that one walk with a long rest does not
  /// decide.
  static let bend = 2.0

  /// The logarithm of the actual time over the estimate.
  var error: Double { log(actual / estimate) }

  /// The prediction loss of the walk: the negative log-likelihood under the log-normal distribution
  /// of the profile's times, up to a constant, with Huber's loss. A range that is too narrow costs
  /// as well as one that is too wide.
  var score: Double {
    let spread = max(spread, Self.leastSpread)
    return log(spread) + Self.loss(error / spread, bend: Self.bend)
  }

  /// Whether the time lies from P10 to P90.
  var isInRange: Bool { abs(error) <= DurationRange.deviations90 * spread }

  /// Huber's loss: x²/2 near 0, linear beyond the bend.
  static func loss(_ x: Double, bend: Double) -> Double {
    let size = abs(x)
    return size <= bend ? size * size / 2 : bend * (size - bend / 2)
  }
}

/// The errors of estimated times: estimate minus actual time, in seconds.
package struct FitErrors: Codable, Equatable, Sendable {
  /// The number of walks.
  package var walks: Int
  /// The mean error: above 0 if estimates are too long.
  package var biasSeconds: Double
  /// The mean error in percent of the mean time.
  package var biasPercent: Double
  /// The mean absolute error.
  package var meanAbsoluteSeconds: Double
  /// The root of the mean squared error.
  package var rootMeanSquareSeconds: Double
  /// The share of walks from P10 to P90: four of five if the spread is right.
  package var coverage: Double

  /// Summarizes forecasts; nil if there are none.
  init?(_ forecasts: [Forecast]) {
    guard !forecasts.isEmpty else { return nil }
    let count = Double(forecasts.count)
    let errors = forecasts.map { $0.estimate - $0.actual }
    walks = forecasts.count
    biasSeconds = errors.reduce(0, +) / count
    biasPercent = 100 * biasSeconds * count / forecasts.reduce(0) { $0 + $1.actual }
    meanAbsoluteSeconds = errors.reduce(0) { $0 + abs($1) } / count
    rootMeanSquareSeconds = (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
    coverage = Double(forecasts.count(where: \.isInRange)) / count
  }
}
