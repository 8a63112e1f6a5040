// SPDX-License-Identifier: Apache-2.0
import TuningSuites

/// A pair under both profiles.
package struct PairOutcome: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// Its number in the dataset, from 1.
  package var pair: Int
  /// What the suite calls it.
  package var name: String?
  /// The points that were asked for, `[latitude, longitude]`; left out where both profiles have a
  /// route.
  package var points: [[Double]]?
  /// Where the first and the last of them lie, as in ``ChangedRoute/where``.
  package var `where`: [String?]?
  /// Whether the candidate's route is another one; nil unless both have one.
  package var isChanged: Bool?
  /// The share of the base's route that the candidate's follows, too; nil unless both have one.
  package var overlap: Double?
  /// The base's route; nil where it has none.
  package var base: RouteTotals?
  /// The candidate's.
  package var candidate: RouteTotals?
  /// Why the base has none.
  package var baseFailure: String?
  /// Why the candidate has none.
  package var candidateFailure: String?
}

/// The totals of a route.
package struct RouteTotals: Codable, Equatable, Sendable {
  /// Its length.
  package var distanceMetres: Double
  /// Metres climbed; nil where unknown.
  package var ascentMetres: Double?
  /// Metres descended; nil where unknown, and in comparisons of earlier versions.
  package var descentMetres: Double?
  /// How steep it is; nil in comparisons of earlier versions.
  package var steepness: SteepnessFigures?
  /// Its time, without rests.
  package var seconds: Double
  /// How far its start or its end is from the point that was asked for, whichever is further.
  package var offNetworkMetres: Double?
}

/// An expectation under both profiles.
package struct ExpectationOutcome: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// What it is called: the name in the suite, or `FILE:LINE`.
  package var name: String
  /// Where its route begins and ends, as in ``ChangedRoute/where``.
  package var `where`: [String?]?
  /// The line of the suite.
  package var line: Int
  /// For each profile what is broken, in words; empty if all is kept.
  package var broken: Sides<[String]>
}

/// A reference time under both profiles.
package struct ReferenceTimeOutcome: Codable, Equatable, Sendable {
  /// The dataset, where it has one.
  package var dataset: String?
  /// What it is called: the name in the suite, or `FILE:LINE`.
  package var name: String
  /// Where its route begins and ends, as in ``ChangedRoute/where``; nil where only totals are known.
  package var `where`: [String?]?
  /// How long it took.
  package var seconds: Double
  /// Its length; nil where its route was not found.
  package var distanceMetres: Double?
  /// Its ascent.
  package var ascentMetres: Double?
  /// Its descent.
  package var descentMetres: Double?
  /// How long each profile says that it takes; nil where it has no route.
  package var estimates: Sides<Double?>
}

/// A reference track under both profiles.
package struct ReferenceTrackOutcome: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// Its name.
  package var name: String
  /// How much of it follows the network.
  package var matchedMetres: Double
  /// How much of that was compared with routes: not what is too short.
  package var comparedMetres: Double
  /// How much of that the profiles' routes follow, too.
  package var followedMetres: Sides<Double>
  /// Why it could not be compared.
  package var failure: String?
}

/// A threshold and what a candidate reached.
package struct ThresholdOutcome: Codable, Equatable, Sendable {
  /// What it limits, as in the suite.
  package var measure: ThresholdMeasure
  /// The dataset in which it holds; nil for one that holds over all of them together.
  package var dataset: String?
  /// At least this.
  package var atLeast: Double?
  /// At most this.
  package var atMost: Double?
  /// What the candidate reached; nil where there was nothing to measure, which keeps it.
  package var value: Double?
  /// The line of the suite; nil for one that holds although the suite does not say so.
  package var line: Int?
  /// Whether it is kept.
  package var isKept: Bool
}
