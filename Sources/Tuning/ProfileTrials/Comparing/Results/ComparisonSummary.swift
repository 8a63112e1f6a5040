// SPDX-License-Identifier: Apache-2.0

/// What a candidate changes in one dataset or in all of them.
package struct ComparisonSummary: Codable, Equatable, Sendable {
  /// The dataset; nil for all of them.
  package var dataset: String?
  /// How many pairs there are.
  package var pairs = 0
  /// How many have a route under both profiles.
  package var routedByBoth = 0
  /// How many have one under the base only.
  package var onlyBase = 0
  /// How many have one under the candidate only.
  package var onlyCandidate = 0
  /// How many have none.
  package var neither = 0
  /// How many of those with a route under both have another one.
  package var changed = 0
  /// How many have an end of the candidate's route at least 50 m further from its point than of the
  /// base's, since the candidate closes the way that it lies on.
  package var movedEnds: Int?
  /// The share of the base's routes, by length, that the candidate's follow, too; nil without length.
  /// This and everything below is of the pairs with a route under both.
  package var overlap: Double?
  /// Candidate minus base, pair by pair; nil without pairs.
  package var differences: Differences?
  /// What the routes are made of.
  package var makeup = Sides(base: RouteMakeup(), candidate: RouteMakeup())
  /// How many expectations are kept and broken.
  package var expectations = Sides(base: ExpectationCount(), candidate: ExpectationCount())
  /// How many expectations the base keeps and the candidate breaks.
  package var newlyBroken = 0
  /// Errors against the reference times; nil where there are none.
  package var timeErrors: Sides<TimeErrors>?
  /// By length, the share of the reference tracks that routes follow; nil where there are none.
  package var trackAgreement: Sides<Double>?

  /// Differences, candidate minus base.
  package struct Differences: Codable, Equatable, Sendable {
    /// Metres.
    package var distanceMetres: Spread
    /// In percent of the base's.
    package var distancePercent: Spread
    /// Metres; nil where no ascent is known.
    package var ascentMetres: Spread?
    /// In percent of the base's; nil where it climbs nowhere.
    package var ascentPercent: Spread?
    /// Metres; nil where no descent is known, and in comparisons of earlier versions.
    package var descentMetres: Spread?
    /// In percent of the base's; nil where it descends nowhere.
    package var descentPercent: Spread?
    /// Metres that descend more steeply than 25 %; nil where no slope is known.
    package var steepDescentMetres: Spread?
    /// Seconds.
    package var timeSeconds: Spread
    /// In percent of the base's.
    package var timePercent: Spread
  }

  /// How many expectations are kept and broken.
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

  /// Sorts values; nil if there are none. Between two values, percentiles are interpolated.
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
  /// How many times there are.
  package var count: Int
  /// The mean error in seconds: above 0 if estimates are too long.
  package var biasSeconds: Double
  /// The mean error in percent of the mean reference time.
  package var biasPercent: Double
  /// The mean absolute error in seconds.
  package var meanAbsoluteSeconds: Double
  /// The root of the mean squared error in seconds.
  package var rootMeanSquareSeconds: Double
  /// The same by the slope of the walk, ascent and descent over distance; ranges without walks are
  /// left out, and so is everything within one range.
  package var bySlope: [SlopeRangeErrors]
}

/// Errors of times of walks that are about as steep.
package struct SlopeRangeErrors: Codable, Equatable, Sendable {
  /// From this slope on, in percent.
  package var fromPercent: Double
  /// Below this one; nil for the steepest range.
  package var belowPercent: Double?
  /// How many times there are.
  package var count: Int
  /// The mean error in seconds.
  package var biasSeconds: Double
  /// The mean absolute error in seconds.
  package var meanAbsoluteSeconds: Double
  /// The root of the mean squared error in seconds.
  package var rootMeanSquareSeconds: Double
}
