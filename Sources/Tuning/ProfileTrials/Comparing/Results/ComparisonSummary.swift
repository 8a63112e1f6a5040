// SPDX-License-Identifier: Apache-2.0

/// The changes by a candidate in one dataset or in all of them.
package struct ComparisonSummary: Codable, Equatable, Sendable {
  /// The dataset; nil for all of them.
  package var dataset: String?
  /// The number of pairs.
  package var pairs = 0
  /// The number with a route under both profiles.
  package var routedByBoth = 0
  /// The number with a route under the base only.
  package var onlyBase = 0
  /// The number with a route under the candidate only.
  package var onlyCandidate = 0
  /// The number without a route.
  package var neither = 0
  /// The number with different routes under both.
  package var changed = 0
  /// The number with an end of the candidate's route at least 50 m further from its point than the
  /// base's, since the candidate closes the way there.
  package var movedEnds: Int?
  /// The share of the base's routes, by length, that the candidate's follow, too; nil without
  /// length. This and everything below covers the pairs with a route under both.
  package var overlap: Double?
  /// Candidate minus base, pair by pair; nil without pairs.
  package var differences: Differences?
  /// The makeup of the routes.
  package var makeup = Sides(base: RouteMakeup(), candidate: RouteMakeup())
  /// The numbers of kept and broken expectations.
  package var expectations = Sides(base: ExpectationCount(), candidate: ExpectationCount())
  /// The number of expectations kept by the base and broken by the candidate.
  package var newlyBroken = 0
  /// Errors against the reference times; nil if there are none.
  package var timeErrors: Sides<TimeErrors>?
  /// The share of the reference tracks, by length, that routes follow; nil if there are none.
  package var trackAgreement: Sides<Double>?

  /// Differences, candidate minus base.
  package struct Differences: Codable, Equatable, Sendable {
    /// Metres.
    package var distanceMetres: Spread
    /// In percent of the base's.
    package var distancePercent: Spread
    /// Metres; nil if no ascent is known.
    package var ascentMetres: Spread?
    /// In percent of the base's; nil if it climbs nowhere.
    package var ascentPercent: Spread?
    /// Metres; nil if no descent is known, and in comparisons of earlier versions.
    package var descentMetres: Spread?
    /// In percent of the base's; nil if it descends nowhere.
    package var descentPercent: Spread?
    /// Metres that descend more steeply than 25 %; nil if no slope is known.
    package var steepDescentMetres: Spread?
    /// Seconds.
    package var timeSeconds: Spread
    /// In percent of the base's.
    package var timePercent: Spread
  }

  /// The numbers of kept and broken expectations.
  package struct ExpectationCount: Codable, Equatable, Sendable {
    /// Kept.
    package var kept = 0
    /// Broken.
    package var broken = 0
  }
}

/// The median and the 5th and 95th percentile of some values.
package struct Spread: Codable, Equatable, Sendable {
  /// 5 % are below.
  package var percentile5: Double
  /// Half are below.
  package var median: Double
  /// 95 % are below.
  package var percentile95: Double

  /// Sorts values; nil if there are none. Percentiles are interpolated between values.
  package init?(_ values: [Double]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      let position = share * Double(sorted.count - 1)
      let index = Int(position)
      let rest = position - Double(index)
      guard rest > 0, index + 1 < sorted.count else { return sorted[index] }
      return sorted[index] + rest * (sorted[index + 1] - sorted[index])
    }
    (percentile5, median, percentile95) = (at(0.05), at(0.5), at(0.95))
  }
}

/// How far estimated times are from reference times: estimate minus reference.
package struct TimeErrors: Codable, Equatable, Sendable {
  /// The number of times.
  package var count: Int
  /// The mean error in seconds: above 0 if estimates are too long.
  package var biasSeconds: Double
  /// The mean error in percent of the mean reference time.
  package var biasPercent: Double
  /// The mean absolute error in seconds.
  package var meanAbsoluteSeconds: Double
  /// The root of the mean squared error in seconds.
  package var rootMeanSquareSeconds: Double
  /// The same by the slope of the walk, ascent and descent over distance. Ranges without walks are
  /// left out; empty if all are in one range.
  package var bySlope: [SlopeRangeErrors]
}

/// Errors of times of walks that are about as steep.
package struct SlopeRangeErrors: Codable, Equatable, Sendable {
  /// From this slope on, in percent.
  package var fromPercent: Double
  /// The upper bound; nil for the steepest range.
  package var belowPercent: Double?
  /// The number of times.
  package var count: Int
  /// The mean error in seconds.
  package var biasSeconds: Double
  /// The mean absolute error in seconds.
  package var meanAbsoluteSeconds: Double
  /// The root of the mean squared error in seconds.
  package var rootMeanSquareSeconds: Double
}
