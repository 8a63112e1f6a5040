// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import SystemIO

/// Something that happens during a run, for those who watch it.
enum RunEvent: Sendable {
  /// A stage begins, for a reason. `batch` is the same for all regions that one process does.
  case started(region: String, stage: Stage, reason: String, threads: Int, batch: Int)
  /// How far the stage of a batch is.
  case progress(batch: Int, StageProgress)
  /// A stage failed for a temporary reason, and is run again.
  case retrying(region: String, stage: Stage, message: String)
  /// A stage is done, or its result existed already (then it took no time).
  case finished(region: String, stage: Stage, seconds: Double, isCached: Bool)
  /// A stage failed for good.
  case failed(RunFailure)
  /// Something that the user should know.
  case note(region: String, message: String)
}

/// What the system and SQLite say where there is no room on a disk, or no more is allowed.
private let fullDiskMessages = [
  systemMessage(ENOSPC), systemMessage(EDQUOT), "database or disk is full",
]

extension RunFailure {
  /// Whether it failed because a disk was full, as far as it says so.
  var isOfFullDisk: Bool {
    fullDiskMessages.contains { words in
      message.contains(words) || lastLines.contains { $0.contains(words) }
    }
  }
}

extension CairnError {
  /// Whether a disk was full, as far as it says so.
  var isOfFullDisk: Bool { fullDiskMessages.contains(where: message.contains) }
}

/// Why a region could not be finished.
struct RunFailure: Equatable, Sendable {
  /// The region.
  var region: String
  /// The stage.
  var stage: Stage
  /// What happened, in one sentence.
  var message: String
  /// The exit status of the stage, or that of the error which kept it from running.
  var exitCode: Int32?
  /// The last lines of the stage's log, or how a database differs from the published one.
  var lastLines: [String] = []
  /// The check that failed, if it is one alone.
  var refusal: Refusal?
  /// The log, where there is one.
  var log: String?

  /// A check that keeps a region from being published.
  struct Refusal: Equatable, Sendable {
    /// The check, and where it stands.
    var check: String
    /// What it found, briefly.
    var finding: String
    /// What else to do if the data is right.
    var isDrift: Bool
  }
}
