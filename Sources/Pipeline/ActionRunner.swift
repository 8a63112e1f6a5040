// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import StageKit
import Synchronization
import SystemIO

/// Brings one action to its result: from the store if it is there, else by running the stage.
final class ActionRunner: Sendable {
  /// How an action ended.
  enum Ending: Sendable {
    /// The result is there. `seconds` is nil if it was there already.
    case finished(FinishedAction, seconds: Double?)
    case failed(RunFailure)
    /// The run is being stopped.
    case stopped
  }

  /// How often a stage is tried that fails in a way that may pass.
  private static let attemptLimit = 2
  /// How many lines of the log of a failed stage are shown.
  private static let logLineLimit = 20

  private let plan: Plan
  private let store: ActionStore
  private let resolver: ActionResolver
  private let isForced: Bool
  private let report: @Sendable (RunEvent) -> Void
  private let keysInWork = KeyedLock<String>()
  private let keysDone = Mutex<Set<String>>([])

  /// - Parameter isForced: Whether results of earlier runs do not count.
  init(
    _ plan: Plan, _ store: ActionStore, _ resolver: ActionResolver, isForced: Bool,
    report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.store = store
    self.resolver = resolver
    self.isForced = isForced
    self.report = report
  }

  /// Brings an action to its result; the actions before it are finished.
  func perform(
    _ action: Action, executable: String, threads: Int,
    product: (Int) throws -> FinishedAction
  ) -> Ending {
    let region = plan.regions[action.region].id
    do {
      let resolved = try resolver.resolve(action, executable: executable, product: product)
      // Two regions of one shape have one key: the second one waits for the first one's result.
      return try keysInWork.withLock(resolved.key.digest) {
        let isFresh = !isForced || keysDone.withLock { $0.contains(resolved.key.digest) }
        var ending: Ending
        if isFresh, let known = store.finished(resolved.key, product: action.stage.product) {
          ending = .finished(known, seconds: nil)
        } else {
          ending = try run(action, executable, resolved, threads: threads)
        }
        if case .finished = ending {
          keysDone.withLock { _ = $0.insert(resolved.key.digest) }
          try store.setLast(resolved.key, region: region, stage: action.stage)
        }
        return ending
      }
    } catch {
      let message = asCairnError(error).description
      return .failed(RunFailure(region: region, stage: action.stage, message: message))
    }
  }

  /// Why an action would run, or nil if its result is there.
  func reasonToRun(_ action: Action, _ resolved: ActionResolver.Resolved) -> String? {
    if isForced { return "--force" }
    guard store.finished(resolved.key, product: action.stage.product) == nil else { return nil }
    return reason(action, resolved)
  }

  private func reason(_ action: Action, _ resolved: ActionResolver.Resolved) -> String {
    if isForced { return "--force" }
    let region = plan.regions[action.region].id
    return store.lastComponents(region: region, stage: action.stage)
      .map { resolved.key.explanation(comparedTo: $0) } ?? "not built yet"
  }

  private func run(
    _ action: Action, _ executable: String, _ resolved: ActionResolver.Resolved, threads: Int
  ) throws -> Ending {
    let region = plan.regions[action.region].id
    let reason = reason(action, resolved)
    report(.started(region: region, stage: action.stage, reason: reason, threads: threads))
    for number in 1...Self.attemptLimit {
      guard resolver.executor.interruption.signal == nil else { return .stopped }
      let attempt = try store.newAttempt(region: region, stage: action.stage)
      let result = try self.attempt(action, executable, resolved, attempt, threads: threads)
      if resolver.executor.interruption.signal != nil, result.exit != 0 { return .stopped }
      if result.exit == 0 {
        try store.adopt(attempt, as: resolved.key)
        guard let finished = store.finished(resolved.key, product: action.stage.product) else {
          throw CairnError(
            .inputOutput, .ioError, "is gone as soon as it was made",
            at: Location(file: joinPath(store.root, "actions/\(resolved.key.digest)")))
        }
        return .finished(finished, seconds: result.wallSeconds)
      }
      let failure = failure(region, action.stage, result, attempt)
      guard number < Self.attemptLimit, mayPass(result) else { return .failed(failure) }
      report(.retrying(region: region, stage: action.stage, message: failure.message))
    }
    return .stopped
  }

  /// Runs the stage once in a folder of its own and writes down how that went.
  private func attempt(
    _ action: Action, _ executable: String, _ resolved: ActionResolver.Resolved,
    _ folder: String, threads: Int
  ) throws -> ActionResult {
    let product = joinPath(folder, action.stage.product)
    let arguments =
      resolved.arguments(output: product) + [
        "--report", joinPath(folder, "report.json"), "--progress", "none", "--quiet",
        "--threads", "\(threads)",
      ]
    let command = ActionCommand(
      region: plan.regions[action.region].id, stage: action.stage.rawValue,
      key: resolved.key.digest, components: resolved.key.components,
      command: [resolver.executor.path(of: executable)] + arguments)
    try store.write(command, "command.json", in: folder)
    let ending = try resolver.executor.run(
      executable, arguments,
      standardOutput: action.stage.printsProduct ? product : joinPath(folder, "stdout.log"),
      log: joinPath(folder, "stderr.log"))
    var result = ActionResult(
      exit: ending.exitStatus, signal: ending.signal, wallSeconds: ending.wallSeconds,
      cpuSeconds: ending.use.cpuSeconds, peakBytes: ending.use.peakBytes)
    if result.exit == 0 {
      guard pathExists(product) else {
        throw CairnError(
          "no-product", .software, "ended well but wrote no \(action.stage.product)",
          at: Location(file: executable))
      }
      result.outputs[action.stage.product] = FileRecord(
        bytes: try InputFile(product).size, sha256: try SHA256Digest.ofFile(product))
    }
    try store.write(result, "result.json", in: folder)
    return result
  }

  /// Whether the same command may succeed at a second attempt.
  private func mayPass(_ result: ActionResult) -> Bool {
    guard let exit = result.exit else { return true }
    return exit == ExitCode.ioError.rawValue || exit == ExitCode.temporaryFailure.rawValue
  }

  private func failure(
    _ region: String, _ stage: Stage, _ result: ActionResult, _ folder: String
  ) -> RunFailure {
    let name = stage.executable ?? stage.rawValue
    let log = joinPath(folder, "stderr.log")
    // The validator's findings are its output, not its messages.
    let findings =
      stage.printsProduct
      ? (try? ValidatorFindings.load(joinPath(folder, stage.product)))?.errors ?? [] : []
    let lines = findings.prefix(Self.logLineLimit) + lastLines(log, Self.logLineLimit)
    let message: String
    if let exit = result.exit {
      let meaning = ExitCode(rawValue: exit).map { " (\($0.meaning))" } ?? ""
      message = "\(name) ended with exit code \(exit)\(meaning)"
    } else {
      let signal = result.signal ?? 0
      let hint = signal == SIGKILL ? ": perhaps memory ran out" : ""
      message = "\(name) was ended by signal \(signal)\(hint)"
    }
    return RunFailure(
      region: region, stage: stage, message: message, lastLines: lines.map(printable), log: log)
  }
}
