// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Validation

/// What a run has done for one region.
struct RegionSummary: Equatable, Sendable {
  enum Status: String, Sendable {
    /// Something was made and published.
    case built
    /// Nothing had to be made.
    case cached
    /// Something failed; what was published before is kept.
    case failed
    /// The run was stopped before the region was finished.
    case stopped
  }

  /// What became of a stage.
  struct StageSummary: Equatable, Sendable {
    var stage: Stage
    /// Seconds that it took, nil if its result existed already.
    var seconds: Double?
    /// Seconds from the start of the run until it began, nil if its result existed already.
    var startSeconds: Double?
    /// The key under which its result is kept; nil if there is none, as of publishing.
    var key: String?
    /// Its largest resident memory in bytes, when its result was made.
    var peakBytes: Int?
    /// How many warnings it gave, when its result was made, by kind.
    var warningKinds: [String: Int] = [:]
    /// How many these are.
    var warnings: Int { warningKinds.values.reduce(0) { $0 &+ $1 } }
  }

  var id: String
  var status: Status
  /// The number of edges, if it is known.
  var edges: Int?
  /// The size of the bundle's files in bytes, if there is a bundle.
  var bytes: Int?
  /// The stages that were done, in order.
  var stages: [StageSummary] = []
  /// How its databases differ from those published before, if that was compared.
  var drift: [DriftReport] = []
  /// Whether an earlier bundle is published since a rollback.
  var isHeld = false

  /// Seconds that the region's stages took in this run, added up.
  var wallSeconds: Double { stages.reduce(0) { $0 + ($1.seconds ?? 0) } }
  /// How many warnings its stages gave.
  var warnings: Int { stages.reduce(0) { $0 &+ $1.warnings } }

  /// What these are, briefly: the most frequent kind, and how many others there are.
  var warningWords: String {
    let kinds = stages.reduce(into: [String: Int]()) { all, stage in
      all.merge(stage.warningKinds) { $0 &+ $1 }
    }
    guard let first = kinds.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }) else { return "–" }
    let words = "\(grouped(first.value)) \(first.key)"
    return kinds.count == 1 ? words : "\(words), \(grouped(warnings - first.value)) other"
  }
}

/// What a run has done.
struct RunSummary: Sendable {
  var regions: [RegionSummary]
  var failures: [RunFailure]
  /// The regions that the manifest does not have any more, and whose bundles are still there.
  var left: [String] = []
  /// Why the index of the output folder could not be written, if it could not.
  var indexFailure: CairnError?
  /// The signal that stopped the run, if one did.
  var signal: Int32?
  var wallSeconds: Double
}
