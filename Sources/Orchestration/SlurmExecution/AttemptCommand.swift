// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Execution
import FoundationEssentials
import Glibc
import ResultStore
import SystemIO

/// `cairn execute-attempt FOLDER`: what a job of a cluster runs. Not meant to be called by hand.
///
/// It runs what the folder describes as the local executor would, hands its result to the jobs that
/// wait for it, and writes `result.json` last of all. A job that is told to stop writes none: the
/// orchestrator, or Slurm, knows why.
package struct AttemptCommand: Command {
  package static let name = "execute-attempt"

  /// Name and help.
  package static let definition = CommandDefinition(
    name: "cairn \(name)", summary: "run the stage of an attempt folder",
    discussion: "cairn run --executor slurm runs this on the nodes of the cluster.",
    positionals: [.init("FOLDER", help: "the folder of an attempt")])

  /// Runs the stage. The exit code decides whether the jobs that follow this one begin.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals.first ?? ""
    let description = try readDescription(joinPath(folder, SlurmAttempt.orderName))
    if let ahead = description.ahead {
      var action = ahead.action
      guard let key = try ahead.key() else {
        let result = ActionResult(reason: "got no input from the previous job")
        try writeCacheFile(try encodeJSON(result.json), to: joinPath(folder, "result.json"))
        EndedAttempts.mark(folder)
        return .noInput
      }
      let store = ahead.store.map { ActionStore(root: $0) }
      if let known = store?.finished(key, product: ahead.product) {
        // The orchestrator finds it under its key itself.
        return description.handOver(from: known.folder) ? .success : .cannotCreate
      }
      action.key = key.digest
      action.components = key.components
      try writeCacheFile(try encodeJSON(action.json), to: joinPath(folder, "command.json"))
    }
    let interruption = Interruption()
    let watch = SignalWatch(interruption)
    defer { withExtendedLifetime(watch) {} }
    let executor = LocalExecutor(interruption: interruption)
    var result = try executor.run(description.stage, in: folder) { _ in }
    if interruption.signal != nil { return .temporaryFailure }
    if result.exit == 0,
      let outputs = try ActionResult.outputs(description.stage.products, in: folder)
    {
      result.outputs = outputs
    }
    // A process that cuts out regions may fail for one of them; the others are valid all the same.
    // The job that follows a missing one begins, finds no input, and ends.
    let isCut = description.stage.products.isEmpty && result.reason == nil
    let isWell = result.exit == 0 || isCut && result.exit != nil
    if isWell { _ = description.handOver(from: folder) }
    if result.exit == 0, let inputs = description.ahead?.inputs { removeTree(inputs) }
    try writeCacheFile(try encodeJSON(result.json), to: joinPath(folder, "result.json"))
    EndedAttempts.mark(folder)
    return isWell ? .success : result.exit.flatMap(ExitCode.init) ?? .software
  }

  private static func readDescription(_ path: String) throws -> JobDescription {
    do {
      let bytes = try InputFile(path).readAll(limit: 16 << 20)
      return try JSONDecoder().decode(JobDescription.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw CairnError(
        "order", .dataError, "was not written by cairn run: \(error)", at: Location(file: path))
    }
  }
}
