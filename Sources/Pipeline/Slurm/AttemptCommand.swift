// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import StageKit
import SystemIO

/// `cairn execute-attempt FOLDER`: what a job of a cluster does. Not for people.
///
/// It runs the order in the folder as the local executor would, and writes `result.json` last of
/// all. A job that is told to stop writes none: who told it to says why.
public struct AttemptCommand: Command {
  static let name = "execute-attempt"

  /// Name and help.
  public static let definition = CommandDefinition(
    name: "cairn \(name)", summary: "run the stage that an attempt's folder describes",
    discussion: "This is what cairn run --executor slurm has the nodes of the cluster do.",
    positionals: [.init("FOLDER", help: "the folder of an attempt")])

  /// Runs the order.
  public static func run(_ arguments: Arguments) throws -> ExitCode {
    let folder = arguments.positionals.first ?? ""
    let path = joinPath(folder, SlurmAttempt.orderName)
    let order: StageOrder
    do {
      let bytes = try InputFile(path).readAll(limit: 16 << 20)
      order = try JSONDecoder().decode(StageOrder.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw CairnError(
        "order", .dataError, "is no order of cairn run: \(error)", at: Location(file: path))
    }
    let interruption = Interruption()
    let watch = SignalWatch(interruption)
    defer { withExtendedLifetime(watch) {} }
    let executor = LocalExecutor(
      binaries: "", interruption: interruption, graceSeconds: order.graceSeconds)
    var result = try order.run(in: folder, executor) { _ in }
    if interruption.signal != nil { return .temporaryFailure }
    if result.exit == 0, let outputs = try ActionResult.outputs(order.products, in: folder) {
      result.outputs = outputs
    }
    try writeCacheFile(try encodeJSON(result), to: joinPath(folder, "result.json"))
    return .success
  }
}
