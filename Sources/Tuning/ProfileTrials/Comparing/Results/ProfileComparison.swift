// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit

/// The effect of candidates on the routes of a suite, compared with a base, as printed by
/// `cairn compare --format json`.
///
/// In JSON, keys are sorted, so that `cairnComparison` comes first and identifies the file. Lengths
/// are metres, times are seconds, shares are 0…1, and coordinates are `[latitude, longitude]`.
/// Unknown values are left out, but null in lists.
package struct ProfileComparison: Codable, Equatable, Sendable {
  /// The version of the format.
  package static let formatVersion = 1

  /// The version of this format.
  package var cairnComparison = Self.formatVersion
  /// The comparison of each candidate with the base, in the order of the command line.
  package var candidates: [CandidateComparison]
  /// The base.
  package var comparedWith: ProfileRecord
  /// The datasets in the order of the suite.
  package var datasets: [DatasetRecord]
  /// The name of the suite.
  package var suite: String
  /// The path of its file as on the command line; nil if unknown.
  package var suiteFile: String?

  /// Puts a comparison together.
  package init(
    suite: String, file: String? = nil, datasets: [DatasetRecord], base: ProfileRecord,
    candidates: [CandidateComparison]
  ) {
    self.suite = suite
    suiteFile = file
    self.datasets = datasets
    comparedWith = base
    self.candidates = candidates
  }

  /// Whether a file with these first bytes is a comparison as Cairn writes it.
  package static func isComparison(head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self).filter { !$0.isWhitespace }
    return text.hasPrefix(#"{"cairnComparison":"#)
  }
}

/// A profile of a comparison.
package struct ProfileRecord: Codable, Equatable, Sendable {
  /// The label from the command line: a name or a path, and the changed keys.
  package var label: String
  /// The name of the profile.
  package var name: String
  /// The fingerprint of its definition.
  package var fingerprint: String
  /// All of its parameters as JSON, which is also a valid profile file.
  package var definition: String

  /// Describes a profile.
  package init(label: String, name: String, fingerprint: String, definition: String) {
    (self.label, self.name) = (label, name)
    (self.fingerprint, self.definition) = (fingerprint, definition)
  }
}

/// A dataset of a comparison.
package struct DatasetRecord: Codable, Equatable, Sendable {
  /// Its name in the suite.
  package var id: String
  /// The name of its file, without folders.
  package var database: String
  /// The number of pairs.
  package var pairs: Int
  /// The number of pairs to draw that could not be found.
  package var pairsNotFound: Int

  /// Describes a dataset.
  package init(id: String, database: String, pairs: Int, pairsNotFound: Int = 0) {
    (self.id, self.database) = (id, database)
    (self.pairs, self.pairsNotFound) = (pairs, pairsNotFound)
  }
}

/// A candidate compared with the base.
package struct CandidateComparison: Codable, Equatable, Sendable {
  /// Whether all thresholds are kept.
  package var isAccepted: Bool
  /// The candidate.
  package var profile: ProfileRecord
  /// All datasets together.
  package var total: ComparisonSummary
  /// Each dataset, in the order of the suite.
  package var datasets: [ComparisonSummary]
  /// The most changed routes: the ten of all datasets first, then those that are among the ten of
  /// their dataset; within both, most changed first.
  package var changedRoutes: [ChangedRoute]
  /// Every pair, in the order of the suite.
  package var pairs: [PairOutcome]
  /// Every expectation, in the order of the suite.
  package var expectations: [ExpectationOutcome]
  /// Every reference time, in the order of the suite.
  package var referenceTimes: [ReferenceTimeOutcome]
  /// Every reference track, in the order of the suite.
  package var referenceTracks: [ReferenceTrackOutcome]
  /// Every threshold, in the order of the suite.
  package var thresholds: [ThresholdOutcome]
}

/// A value under the base and one under the candidate.
package struct Sides<Value> {
  /// Under the base.
  package var base: Value
  /// Under the candidate.
  package var candidate: Value

  /// Makes both.
  package init(base: Value, candidate: Value) { (self.base, self.candidate) = (base, candidate) }

  /// Makes both of something of both.
  package func map<Result, Failure: Error>(_ body: (Value) throws(Failure) -> Result)
    throws(Failure) -> Sides<Result>
  {
    Sides<Result>(base: try body(base), candidate: try body(candidate))
  }
}

extension Sides: Sendable where Value: Sendable {}
extension Sides: Equatable where Value: Equatable {}
extension Sides: Encodable where Value: Encodable {}
extension Sides: Decodable where Value: Decodable {}
