// SPDX-License-Identifier: Apache-2.0
import TuningSuites

/// A pair under both profiles.
package struct PairOutcome: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// Its number in the dataset, from 1.
  package var pair: Int
  /// The name in the suite.
  package var name: String?
  /// The requested points, `[latitude, longitude]`; left out if both profiles have a route.
  package var points: [[Double]]?
  /// The locations of the first and the last, as in ``ChangedRoute/where``.
  package var `where`: [String?]?
  /// Whether the candidate's route differs; nil unless both have one.
  package var isChanged: Bool?
  /// The share of the base's route that the candidate's follows, too; nil unless both have one.
  package var overlap: Double?
  /// The base's route; nil if it has none.
  package var base: RouteTotals?
  /// The candidate's.
  package var candidate: RouteTotals?
  /// The reason why the base has none.
  package var baseFailure: String?
  /// The reason why the candidate has none.
  package var candidateFailure: String?
}

/// The totals of a route.
package struct RouteTotals: Codable, Equatable, Sendable {
  /// Its length.
  package var distanceMetres: Double
  /// Metres climbed; nil if unknown.
  package var ascentMetres: Double?
  /// Metres descended; nil if unknown, and in comparisons of earlier versions.
  package var descentMetres: Double?
  /// Its steepness; nil in comparisons of earlier versions.
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
  /// The name in the suite, or `FILE:LINE`.
  package var name: String
  /// The locations of its route's ends, as in ``ChangedRoute/where``.
  package var `where`: [String?]?
  /// The line of the suite.
  package var line: Int
  /// The checks that each profile breaks, in words; empty if all are kept.
  package var broken: Sides<[String]>
}

/// A reference time under both profiles.
package struct ReferenceTimeOutcome: Codable, Equatable, Sendable {
  /// The dataset, if any.
  package var dataset: String?
  /// The name in the suite, or `FILE:LINE`.
  package var name: String
  /// The locations of its route's ends, as in ``ChangedRoute/where``; nil if only totals are known.
  package var `where`: [String?]?
  /// How long it took.
  package var seconds: Double
  /// Its length; nil if its route was not found.
  package var distanceMetres: Double?
  /// Its ascent.
  package var ascentMetres: Double?
  /// Its descent.
  package var descentMetres: Double?
  /// The estimate of each profile; nil if it has no route.
  package var estimates: Sides<Double?>
}

/// A reference track under both profiles.
package struct ReferenceTrackOutcome: Codable, Equatable, Sendable {
  /// The dataset.
  package var dataset: String
  /// Its name.
  package var name: String
  /// The length that follows the network.
  package var matchedMetres: Double
  /// The length of it compared with routes, which excludes parts that are too short.
  package var comparedMetres: Double
  /// The length of it that the profiles' routes follow, too.
  package var followedMetres: Sides<Double>
  /// Why it could not be compared.
  package var failure: String?
}

/// A threshold and the value reached by a candidate.
package struct ThresholdOutcome: Codable, Equatable, Sendable {
  /// The limited measure, as in the suite.
  package var measure: ThresholdMeasure
  /// The dataset in which it applies; nil for all of them together.
  package var dataset: String?
  /// At least this.
  package var atLeast: Double?
  /// At most this.
  package var atMost: Double?
  /// The value reached by the candidate; nil if there was nothing to measure, which keeps the
  /// threshold.
  package var value: Double?
  /// The line of the suite; nil for a default threshold.
  package var line: Int?
  /// Whether it is kept.
  package var isKept: Bool
}
