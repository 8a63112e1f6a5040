// SPDX-License-Identifier: Apache-2.0

/// Something that happens during a run, for those who watch it.
enum RunEvent: Sendable {
  /// A stage begins, for a reason.
  case started(region: String, stage: Stage, reason: String, threads: Int)
  /// A stage failed in a way that may pass, and is run once more.
  case retrying(region: String, stage: Stage, message: String)
  /// A stage is done, or its result was there already (then it took no time).
  case finished(region: String, stage: Stage, seconds: Double, isCached: Bool)
  /// A stage failed for good.
  case failed(RunFailure)
  /// Something that the user should know.
  case note(region: String, message: String)
}

/// Why a region could not be finished.
struct RunFailure: Equatable, Sendable {
  /// The region.
  var region: String
  /// The stage.
  var stage: Stage
  /// What happened, in one sentence.
  var message: String
  /// The last lines of the stage's log.
  var lastLines: [String] = []
  /// The log, where there is one.
  var log: String?
}

/// What a run has done for one region.
struct RegionSummary: Equatable, Sendable {
  enum Status: String, Sendable {
    /// Something was made and published.
    case built
    /// All was there already.
    case cached
    /// Something went wrong; what was published before is still there.
    case failed
    /// The run was stopped before the region was finished.
    case stopped
  }

  var id: String
  var status: Status
  /// The number of edges, if it is known.
  var edges: Int?
  /// The size of the bundle's files in bytes, if there is a bundle.
  var bytes: Int?
  /// Seconds that the region's stages took in this run, added up.
  var wallSeconds: Double
}

/// What a run has done.
struct RunSummary: Sendable {
  var regions: [RegionSummary]
  var failures: [RunFailure]
  /// The signal that stopped the run, if one did.
  var signal: Int32?
  var wallSeconds: Double
}
