// SPDX-License-Identifier: Apache-2.0

/// A measure limited by a threshold of a suite; its raw value is the key in the file.
package enum ThresholdMeasure: String, Sendable, CaseIterable, Codable {
  /// The share of pairs with another route, in percent.
  case changedPercent = "changed-percent"
  /// The share of the base's routes, by length, that the candidate's follow, in percent.
  case overlapPercent = "overlap-percent"
  /// Pairs for which only the base has a route.
  case lostRoutes = "lost-routes"
  /// The median of the differences in length, in percent.
  case distanceMedianPercent = "distance-median-percent"
  /// The median of the differences in ascent, in percent.
  case ascentMedianPercent = "ascent-median-percent"
  /// The median of the differences in descent, in percent.
  case descentMedianPercent = "descent-median-percent"
  /// The share of descents steeper than 25 % in the length of the candidate's routes.
  case steepDescentPercent = "steep-descent-percent"
  /// The median of the differences in time, in percent.
  case timeMedianPercent = "time-median-percent"
  /// Expectations that the candidate breaks.
  case brokenExpectations = "broken-expectations"
  /// Expectations that the candidate breaks and the base keeps; none by default.
  case newlyBrokenExpectations = "newly-broken-expectations"
  /// The mean error against reference times, in percent of them.
  case timeBiasPercent = "time-bias-percent"
  /// The mean absolute error against reference times, in minutes.
  case timeErrorMinutes = "time-error-minutes"
  /// The share of the reference tracks' length that routes follow, in percent.
  case trackAgreementPercent = "track-agreement-percent"

  /// The meaning of a single number in the file.
  package enum Limit: Sendable {
    /// At most this, and at least 0.
    case atMost
    /// At least this, and at most 100 %.
    case atLeast
    /// Only a range makes sense.
    case range
  }

  /// The meaning of a single number in the file.
  package var limit: Limit {
    switch self {
    case .overlapPercent, .trackAgreementPercent: .atLeast
    case .distanceMedianPercent, .ascentMedianPercent, .descentMedianPercent, .timeMedianPercent,
      .timeBiasPercent:
      .range
    default: .atMost
    }
  }

  /// Whether it is a share or a change in percent.
  package var isPercent: Bool { rawValue.hasSuffix("percent") }
  /// Whether it counts something.
  package var isCount: Bool {
    switch self {
    case .lostRoutes, .brokenExpectations, .newlyBrokenExpectations: true
    default: false
    }
  }

  /// Its phrase in messages: `routes changed`.
  package var phrase: String {
    switch self {
    case .changedPercent: "routes changed"
    case .overlapPercent: "overlap with the base's routes"
    case .lostRoutes: "pairs that lose their route"
    case .distanceMedianPercent: "median difference of distance"
    case .ascentMedianPercent: "median difference of ascent"
    case .descentMedianPercent: "median difference of descent"
    case .steepDescentPercent: "descent steeper than 25 %"
    case .timeMedianPercent: "median difference of time"
    case .brokenExpectations: "broken expectations"
    case .newlyBrokenExpectations: "expectations that only the candidate breaks"
    case .timeBiasPercent: "mean error of times"
    case .timeErrorMinutes: "mean absolute error of times"
    case .trackAgreementPercent: "agreement with tracks"
    }
  }
}
