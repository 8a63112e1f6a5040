import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import Glibc
import SystemIO

/// `cairn execute-attempt FOLDER`: what a job of a cluster does. Not for people.
///
/// It runs the order in the folder as the local executor would, hands its result to the jobs that
/// wait for it, and writes `result.json` last of all. A job that is told to stop writes none: who
/// told it to says why.
package struct AttemptCommand: Command {
  static let name = "execute-attempt"

  /// Name and help.
  package static let definition = CommandDefinition(
    name: "cairn \(name)", summary: "run the stage that an attempt's folder describes",
    discussion: "This is what cairn run --executor slurm has the nodes of the cluster do.",
    positionals: [.init("FOLDER", help: "the folder of an attempt")])

  /// Runs the order. The exit code decides whether the jobs behind this one begin.
  package static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals.first ?? ""
    let order = try readOrder(joinPath(folder, SlurmAttempt.orderName))
    if let ahead = order.ahead {
      var action = ahead.action
      guard let key = try ahead.key() else {
        let result = ActionResult(reason: "was given no input by the job before")
        try writeCacheFile(try encodeJSON(result), to: joinPath(folder, "result.json"))
        return .noInput
      }
      let store = ahead.store.map { ActionStore(root: $0) }
      if let known = store?.finished(key, product: ahead.product) {
        // The orchestrator finds it under its key, too.
        return order.handOver(from: known.folder) ? .success : .cannotCreate
      }
      action.key = key.digest
      action.components = key.components
      try writeCacheFile(try encodeJSON(action), to: joinPath(folder, "command.json"))
    }
    let interruption = Interruption()
    let watch = SignalWatch(interruption)
    defer { withExtendedLifetime(watch) {} }
    let executor = LocalExecutor(
      binaries: "", interruption: interruption, graceSeconds: order.stage.graceSeconds)
    var result = try order.stage.run(in: folder, executor) { _ in }
    if interruption.signal != nil { return .temporaryFailure }
    if result.exit == 0, let outputs = try ActionResult.outputs(order.stage.products, in: folder) {
      result.outputs = outputs
    }
    // A process that cuts out regions may fail for one of them: then what it made of the others
    // counts all the same. The job of one that was not made begins, finds nothing, and ends.
    let isCut = order.stage.products.isEmpty && result.reason == nil
    let isWell = result.exit == 0 || isCut && result.exit != nil
    if isWell { _ = order.handOver(from: folder) }
    if result.exit == 0, let input = order.ahead?.input { removeTree(splitPath(input).folder) }
    try writeCacheFile(try encodeJSON(result), to: joinPath(folder, "result.json"))
    return isWell ? .success : result.exit.flatMap(ExitCode.init) ?? .software
  }

  private static func readOrder(_ path: String) throws -> JobOrder {
    do {
      let bytes = try InputFile(path).readAll(limit: 16 << 20)
      return try JSONDecoder().decode(JobOrder.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw CairnError(
        "order", .dataError, "is no order of cairn run: \(error)", at: Location(file: path))
    }
  }
}
