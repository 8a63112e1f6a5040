// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Glibc
import Manifests
import SystemIO

/// An event of a run, for observers.
package enum RunEvent: Sendable {
  /// A stage begins, for a reason. `batch` is the same for all regions in one process.
  case started(region: String, stage: Stage, reason: String, threads: Int, batch: Int)
  /// How far the stage of a batch is.
  case progress(batch: Int, StageProgress)
  /// A stage failed for a temporary reason, and is run again.
  case retrying(region: String, stage: Stage, message: String)
  /// A stage is done, or its result existed already (with no time taken).
  case finished(region: String, stage: Stage, seconds: Double, isCached: Bool)
  /// A stage failed for good.
  case failed(RunFailure)
  /// Something that the user should know.
  case note(region: String, message: String)
}

/// The messages of the system and SQLite for a full disk or an exceeded quota.
private let fullDiskMessages = [
  systemMessage(ENOSPC), systemMessage(EDQUOT), "database or disk is full",
]

extension RunFailure {
  /// Whether it failed because of a full disk, as far as it states so.
  package var isOfFullDisk: Bool {
    fullDiskMessages.contains { words in
      message.contains(words) || lastLines.contains { $0.contains(words) }
    }
  }
}

extension CairnError {
  /// Whether a disk was full, as far as it states so.
  package var isOfFullDisk: Bool { fullDiskMessages.contains(where: message.contains) }
}

/// Why a region could not be finished.
package struct RunFailure: Equatable, Sendable {
  /// The region.
  package var region: String
  /// The stage.
  package var stage: Stage
  /// A one-sentence description.
  package var message: String
  /// The cause in words, which failures of other regions and stages may share; nil if it is not
  /// known. A message that begins with it goes on with what follows from it.
  package var reason: String?
  /// The exit status of the stage, or that of the error that kept it from running.
  package var exitCode: Int32?
  /// The last lines of the stage's log, or the differences of a database from the published one.
  package var lastLines: [String] = []
  /// The failed check, if it is the only one.
  package var refusal: Refusal?
  /// The log, if any.
  package var log: String?

  package init(
    region: String, stage: Stage, message: String, reason: String? = nil, exitCode: Int32? = nil,
    lastLines: [String] = [], refusal: Refusal? = nil, log: String? = nil
  ) {
    self.region = region
    self.stage = stage
    self.message = message
    self.reason = reason
    self.exitCode = exitCode
    self.lastLines = lastLines
    self.refusal = refusal
    self.log = log
  }

  /// A check that keeps a region from being published.
  package struct Refusal: Equatable, Sendable {
    /// The check, and its location.
    package var check: String
    /// Its finding, briefly.
    package var finding: String
    /// A further remedy if the data is right.
    package var isDrift: Bool

    package init(check: String, finding: String, isDrift: Bool) {
      self.check = check
      self.finding = finding
      self.isDrift = isDrift
    }
  }
}
