// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Glibc
import Manifests
import SystemIO

/// Something that happens during a run, for those who watch it.
package enum RunEvent: Sendable {
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
  package var isOfFullDisk: Bool {
    fullDiskMessages.contains { words in
      message.contains(words) || lastLines.contains { $0.contains(words) }
    }
  }
}

extension CairnError {
  /// Whether a disk was full, as far as it says so.
  package var isOfFullDisk: Bool { fullDiskMessages.contains(where: message.contains) }
}

/// Why a region could not be finished.
package struct RunFailure: Equatable, Sendable {
  /// The region.
  package var region: String
  /// The stage.
  package var stage: Stage
  /// What happened, in one sentence.
  package var message: String
  /// The exit status of the stage, or that of the error which kept it from running.
  package var exitCode: Int32?
  /// The last lines of the stage's log, or how a database differs from the published one.
  package var lastLines: [String] = []
  /// The check that failed, if it is one alone.
  package var refusal: Refusal?
  /// The log, where there is one.
  package var log: String?

  package init(
    region: String, stage: Stage, message: String, exitCode: Int32? = nil,
    lastLines: [String] = [], refusal: Refusal? = nil, log: String? = nil
  ) {
    self.region = region
    self.stage = stage
    self.message = message
    self.exitCode = exitCode
    self.lastLines = lastLines
    self.refusal = refusal
    self.log = log
  }

  /// A check that keeps a region from being published.
  package struct Refusal: Equatable, Sendable {
    /// The check, and where it stands.
    package var check: String
    /// What it found, briefly.
    package var finding: String
    /// What else to do if the data is right.
    package var isDrift: Bool

    package init(check: String, finding: String, isDrift: Bool) {
      self.check = check
      self.finding = finding
      self.isDrift = isDrift
    }
  }
}
