// SPDX-License-Identifier: Apache-2.0

/// What fitting a profile to walks gave: what `cairn fit --json` prints. In JSON, keys are sorted, so
/// that `cairnFit` comes first.
package struct FitReport: Codable, Equatable, Sendable {
  /// The version of the format.
  package var cairnFit = 1
  /// The name of the profile.
  package var profile: String
  /// The keys in the order in which they were named.
  package var keys: [Key]
  /// How many walks were used.
  package var walks: Int
  /// The parts that were left out one after the other: each is foretold by what was fitted to the
  /// others. Empty where there are too few walks to divide.
  package var folds: [Fold]
  /// Errors on the walks that the profile was fitted to.
  package var seen: Sides<FitErrors>?
  /// Errors on walks that it was not fitted to.
  package var unseen: Sides<FitErrors>?
  /// Whether that is an improvement.
  package var verdict: Verdict
  /// The walks that could not be used.
  package var omissions: [TimedWalks.Omission]

  /// A key that was to be fitted.
  package struct Key: Codable, Equatable, Sendable {
    /// The key.
    package var key: String
    /// Its value in the profile.
    package var before: Double
    /// Its fitted value.
    package var after: Double
    /// Whether the time of any walk, or its range, depends on it; otherwise it stays as it is.
    package var matters: Bool
  }

  /// A part of the walks.
  package struct Fold: Codable, Equatable, Sendable {
    /// The dataset, or `part 1` ….
    package var name: String
    /// How many walks.
    package var walks: Int
  }

  /// Whether a fit is an improvement.
  package struct Verdict: Codable, Equatable, Sendable {
    /// Whether it is.
    package var isImprovement: Bool
    /// Why, in words.
    package var reason: String
    /// How many independent references were compared: walks, or sources of several walks.
    package var references: Int
    /// How much better they are foretold on average: the difference of their scores, in natural
    /// logarithms of the likelihood.
    package var meanGain: Double?
    /// The standard error of that mean.
    package var standardError: Double?
    /// How many standard errors the mean must exceed.
    package var neededErrors: Double?
  }
}
