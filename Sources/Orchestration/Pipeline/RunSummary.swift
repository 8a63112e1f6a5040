// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import Execution
import Manifests
import Publishing
import Validation

/// The results of a run for one region.
package struct RegionSummary: Equatable, Sendable {
  package enum Status: String, Sendable {
    /// Something was made and published.
    case built
    /// Nothing had to be made.
    case cached
    /// Something failed; the published version is kept.
    case failed
    /// The run was stopped before the region was finished.
    case stopped
  }

  /// The outcome of a stage.
  package struct StageSummary: Equatable, Sendable {
    package var stage: Stage
    /// Seconds that it took, nil if its result existed already.
    package var seconds: Double?
    /// Seconds from the start of the run until it began, nil if its result existed already.
    var startSeconds: Double?
    /// The key of its result; nil if there is none, as for publishing.
    var key: String?
    /// Its largest resident memory in bytes, when its result was made.
    var peakBytes: Int?
    /// The number of warnings when its result was made.
    package var warnings = 0

    package init(
      stage: Stage, seconds: Double? = nil, startSeconds: Double? = nil, key: String? = nil,
      peakBytes: Int? = nil, warnings: Int = 0
    ) {
      self.stage = stage
      self.seconds = seconds
      self.startSeconds = startSeconds
      self.key = key
      self.peakBytes = peakBytes
      self.warnings = warnings
    }
  }

  package var id: String
  package var status: Status
  /// The number of edges of the published bundle, if there is one.
  package var edges: Int?
  /// The size of its files in bytes.
  package var bytes: Int?
  /// Its warnings; nil if they are not recorded.
  package var warnings: BundleWarnings?
  /// The stages that were done, in order.
  package var stages: [StageSummary] = []
  /// The differences of its databases from those published before, if compared.
  package var drift: [DriftReport] = []
  /// Whether its current bundle stays back as before, or, if it was not finished, an earlier bundle is
  /// published since a rollback.
  package var isHeld = false
  /// Since when and why its current bundle stays back; nil if it does not.
  package var heldBack: String?

  package init(
    id: String, status: Status, edges: Int? = nil, bytes: Int? = nil,
    warnings: BundleWarnings? = nil, stages: [StageSummary] = [],
    drift: [DriftReport] = [], isHeld: Bool = false
  ) {
    self.id = id
    self.status = status
    self.edges = edges
    self.bytes = bytes
    self.warnings = warnings
    self.stages = stages
    self.drift = drift
    self.isHeld = isHeld
  }

  /// Seconds that the region's stages took in this run, added up.
  package var wallSeconds: Double { stages.reduce(0) { $0 + ($1.seconds ?? 0) } }
  /// A brief summary: the most frequent kind, and the number of others.
  package var warningWords: String {
    guard let warnings else { return "–" }
    let kinds = warnings.kinds.reduce(into: [String: Int]()) { all, kind in
      all[kind.kind, default: 0] &+= kind.count
    }
    guard let first = kinds.min(by: { ($1.value, $0.key) < ($0.value, $1.key) }) else { return "–" }
    let words = "\(grouped(first.value)) \(first.key)"
    return kinds.count == 1 ? words : "\(words), \(grouped(warnings.total - first.value)) other"
  }
}

/// The results of a run.
package struct RunSummary: Sendable {
  package var regions: [RegionSummary]
  package var failures: [RunFailure]
  /// The regions that left the manifest but whose bundles are still there.
  package var left: [String] = []
  /// Why the index of the output folder could not be written, if it could not.
  package var indexFailure: CairnError?
  /// The signal that stopped the run, if any.
  package var signal: Int32?
  package var wallSeconds: Double

  package init(
    regions: [RegionSummary], failures: [RunFailure], left: [String] = [],
    indexFailure: CairnError? = nil, signal: Int32? = nil, wallSeconds: Double
  ) {
    self.regions = regions
    self.failures = failures
    self.left = left
    self.indexFailure = indexFailure
    self.signal = signal
    self.wallSeconds = wallSeconds
  }
}
