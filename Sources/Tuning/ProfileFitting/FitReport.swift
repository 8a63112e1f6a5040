// SPDX-License-Identifier: Apache-2.0
import ProfileTrials

/// The results of fitting a profile to times and tracks of walks, as printed by `cairn fit --json`.
/// In JSON, keys are sorted, so that `cairnFit` comes first.
package struct FitReport: Codable, Equatable, Sendable {
  /// The version of the format.
  package var cairnFit = 1
  /// The name of the profile.
  package var profile: String
  /// The keys in the given order.
  package var keys: [Key]
  /// The number of timed walks used.
  package var walks: Int
  /// The parts left out in turn, each predicted from a fit to the others. Empty if there are too
  /// few walks to divide.
  package var folds: [Fold]
  /// Errors on the walks that the profile was fitted to.
  package var seen: Sides<FitErrors>?
  /// Errors on walks that it was not fitted to.
  package var unseen: Sides<FitErrors>?
  /// Whether that is an improvement.
  package var verdict: Verdict
  /// The walks that could not be used.
  package var omissions: [TimedWalks.Omission]
  /// The results of fitting to the routes of tracks; nil if no key was fitted to them.
  package var routes: Routes?

  /// Whether all groups of keys with an effect are improvements, and there is at least one.
  package var isImprovement: Bool {
    let groups = Set(keys.compactMap(\.fittedTo))
    return !groups.isEmpty && groups.allSatisfy { verdict(on: $0)?.isImprovement ?? false }
  }

  /// Whether any group is an improvement.
  package var hasImprovement: Bool {
    keys.contains { $0.fittedTo.flatMap(verdict(on:))?.isImprovement ?? false }
  }

  /// The verdict on a group of keys.
  package func verdict(on group: Group) -> Verdict? {
    group == .times ? verdict : routes?.verdict
  }

  /// The references to which keys are fitted.
  package enum Group: String, Codable, Sendable {
    /// The times of walks.
    case times
    /// The routes of tracks.
    case routes
  }

  /// The results of fitting to tracks. Agreements are shares of their length, 0…1.
  package struct Routes: Codable, Equatable, Sendable {
    /// The number of tracks compared, as files.
    package var tracks: Int
    /// The compared length.
    package var metres: Double
    /// The parts left out in turn.
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

  /// A key to fit.
  package struct Key: Codable, Equatable, Sendable {
    /// The key.
    package var key: String
    /// Its value in the profile.
    package var before: Double
    /// Its fitted value.
    package var after: Double
    /// The references to which it was fitted: times if the time of any walk, or its range, depends
    /// on it, otherwise routes if that of any track does. Nil if nothing does; then it stays
    /// unchanged.
    package var fittedTo: Group?
    /// Whether the fitted value is kept; it is not if its group is no improvement.
    package var isKept = false

    /// Whether anything depends on it.
    package var matters: Bool { fittedTo != nil }
  }

  /// A part of the walks or tracks.
  package struct Fold: Codable, Equatable, Sendable {
    /// The dataset, or `part 1` ….
    package var name: String
    /// The number of walks or tracks.
    package var walks: Int
  }

  /// Whether a fit is an improvement.
  package struct Verdict: Codable, Equatable, Sendable {
    /// Whether it is.
    package var isImprovement: Bool
    /// Why, in words.
    package var reason: String
    /// The number of independent references compared: walks, or files with several.
    package var references: Int
    /// The mean improvement of predictions: for times, the difference of their scores, in natural
    /// logarithms of the likelihood; for routes, that of the followed share of the track.
    package var meanGain: Double?
    /// The standard error of that mean.
    package var standardError: Double?
    /// The number of standard errors that the mean must exceed.
    package var neededErrors: Double?
  }
}
