// SPDX-License-Identifier: Apache-2.0
import ProfileTrials

/// What fitting a profile to times and tracks of walks gave: what `cairn fit --json` prints. In JSON, keys are sorted, so
/// that `cairnFit` comes first.
package struct FitReport: Codable, Equatable, Sendable {
  /// The version of the format.
  package var cairnFit = 1
  /// The name of the profile.
  package var profile: String
  /// The keys in the order in which they were named.
  package var keys: [Key]
  /// How many timed walks were used.
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
  /// What fitting to the routes of tracks gave; nil where no key was to be fitted to them.
  package var routes: Routes?

  /// Whether all groups of keys that something depends on are improvements, and there is one.
  package var isImprovement: Bool {
    let groups = Set(keys.compactMap(\.fittedTo))
    return !groups.isEmpty && groups.allSatisfy { verdict(on: $0)?.isImprovement ?? false }
  }

  /// Whether any of them is one.
  package var hasImprovement: Bool {
    keys.contains { $0.fittedTo.flatMap(verdict(on:))?.isImprovement ?? false }
  }

  /// The verdict on a group of keys.
  package func verdict(on group: Group) -> Verdict? {
    group == .times ? verdict : routes?.verdict
  }

  /// What keys are fitted to.
  package enum Group: String, Codable, Sendable {
    /// The times of walks.
    case times
    /// The routes of tracks.
    case routes
  }

  /// What fitting to tracks gave. Agreements are shares of their length, 0…1.
  package struct Routes: Codable, Equatable, Sendable {
    /// How many tracks were compared, as files.
    package var tracks: Int
    /// How much of them.
    package var metres: Double
    /// The parts that were left out one after the other.
    package var folds: [Fold]
    /// The agreement of all tracks with the routes of a profile that was fitted to them.
    package var seen: Sides<Double>?
    /// The agreement with routes of profiles that were fitted to the other parts.
    package var unseen: Sides<Double>?
    /// Whether that is an improvement.
    package var verdict: Verdict
    /// The tracks that could not be compared.
    package var omissions: [TimedWalks.Omission]
  }

  /// A key that was to be fitted.
  package struct Key: Codable, Equatable, Sendable {
    /// The key.
    package var key: String
    /// Its value in the profile.
    package var before: Double
    /// Its fitted value.
    package var after: Double
    /// What it was fitted to: times where the time of any walk, or its range, depends on it, otherwise
    /// routes where that of any track does. Nil where nothing does; then it stays as it is.
    package var fittedTo: Group?
    /// Whether the fitted value is kept: that of a group that is no improvement is not.
    package var isKept = false

    /// Whether anything depends on it.
    package var matters: Bool { fittedTo != nil }
  }

  /// A part of the walks or tracks.
  package struct Fold: Codable, Equatable, Sendable {
    /// The dataset, or `part 1` ….
    package var name: String
    /// How many walks or tracks.
    package var walks: Int
  }

  /// Whether a fit is an improvement.
  package struct Verdict: Codable, Equatable, Sendable {
    /// Whether it is.
    package var isImprovement: Bool
    /// Why, in words.
    package var reason: String
    /// How many independent references were compared: walks, or files of several.
    package var references: Int
    /// How much better they are foretold on average: of times the difference of their scores, in
    /// natural logarithms of the likelihood, of routes that of the share of the track that is followed.
    package var meanGain: Double?
    /// The standard error of that mean.
    package var standardError: Double?
    /// How many standard errors the mean must exceed.
    package var neededErrors: Double?
  }
}
