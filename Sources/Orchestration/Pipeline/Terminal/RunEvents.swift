// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Glibc

/// Something that happens during a run, for those who watch it.
enum RunEvent: Sendable {
  /// A stage begins, for a reason. `job` is the same number for all regions that one process
  /// does.
  case started(region: String, stage: Stage, reason: String, threads: Int, job: Int)
  /// How far the stage of a job is.
  case progress(job: Int, StageProgress)
  /// A stage failed in a way that may pass, and is run again.
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
  /// The exit status of the stage, or that of the error which kept it from running.
  var exitCode: Int32?
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

  /// What became of a stage.
  struct StageSummary: Equatable, Sendable {
    var stage: Stage
    /// Seconds that it took, nil if its result was there already.
    var seconds: Double?
    /// Its largest resident memory in bytes, when its result was made.
    var peakBytes: Int?
    /// How many warnings it gave, when its result was made.
    var warnings = 0
  }

  var id: String
  var status: Status
  /// The number of edges, if it is known.
  var edges: Int?
  /// The size of the bundle's files in bytes, if there is a bundle.
  var bytes: Int?
  /// The stages that were done, in order.
  var stages: [StageSummary] = []
  /// Whether what was published before stays although it is not what the inputs give now.
  var isHeld = false

  /// Seconds that the region's stages took in this run, added up.
  var wallSeconds: Double { stages.reduce(0) { $0 + ($1.seconds ?? 0) } }
  /// How many warnings its stages gave.
  var warnings: Int { stages.reduce(0) { $0 &+ $1.warnings } }
}

/// What a run has done.
struct RunSummary: Sendable {
  var regions: [RegionSummary]
  var failures: [RunFailure]
  /// What kept the index of the output folder from being written, if something did.
  var indexFailure: CairnError?
  /// The signal that stopped the run, if one did.
  var signal: Int32?
  var wallSeconds: Double
}

extension ActionResult {
  /// How a program ended that did not succeed, and why as far as that is known: `cairn-decode-pbf
  /// ended with exit code 65 (bad input data): a.osm.pbf: is not a PBF file`.
  func ending(of program: String, log: String) -> String {
    if let reason { return "\(program) \(reason)" }
    guard let exit else {
      let signal = signal ?? 0
      let hint = signal == SIGKILL ? ": perhaps memory ran out" : ""
      return "\(program) was ended by signal \(signal) (\(signalName(signal)))\(hint)"
    }
    let meaning = ExitCode(rawValue: exit).map { " (\($0.meaning))" } ?? ""
    let error = lastError(log).map { ": " + printable($0) } ?? ""
    return "\(program) ended with exit code \(exit)\(meaning)\(error)"
  }
}
