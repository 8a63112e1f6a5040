// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import StageKit
import Synchronization
import SystemIO

/// Brings actions to their results: from the store if they are there, else by running the stage.
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
  /// How many regions one process cuts out; a command line cannot be of any length.
  private static let regionLimit = 64

  private let plan: Plan
  private let store: ActionStore
  private let resolver: ActionResolver
  private let attempts: AttemptRunner
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
    attempts = AttemptRunner(store: store, executor: resolver.executor)
    self.isForced = isForced
    self.report = report
  }

  /// Brings the actions of a job to their results; the actions before them are finished.
  ///
  /// Each ends once, those whose results are there first.
  func perform(
    _ numbers: [Int], threads: Int, product: (Int) throws -> FinishedAction,
    ended: (Int, Ending) -> Void
  ) {
    var steps: [Step] = []
    for number in numbers {
      let action = plan.actions[number]
      let region = plan.regions[action.region].id
      do {
        let resolved = try resolver.resolve(action, product: product)
        steps.append(
          Step(number: number, region: region, stage: action.stage, resolved: resolved))
      } catch { ended(number, failure(region, action.stage, error)) }
    }
    keysInWork.withLock(Set(steps.map(\.resolved.key.digest))) {
      // Two regions of one shape have one key: the second one takes the first one's result.
      var waiting = steps
      while !waiting.isEmpty {
        var keys: Set<String> = []
        let turn = waiting.filter { keys.insert($0.resolved.key.digest).inserted }
        let numbers = Set(turn.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        performDistinct(turn, threads: threads, ended)
      }
    }
  }

  private func performDistinct(
    _ steps: [Step], threads: Int, _ ended: (Int, Ending) -> Void
  ) {
    var missing: [Step] = []
    for step in steps {
      let key = step.resolved.key
      let isFresh = !isForced || keysDone.withLock { $0.contains(key.digest) }
      if isFresh, let known = store.finished(key, product: step.stage.product) {
        ended(step.number, finished(step, known, seconds: nil))
      } else {
        missing.append(step)
      }
    }
    for start in stride(from: 0, to: missing.count, by: Self.regionLimit) {
      let end = min(missing.count, start + Self.regionLimit)
      run(Array(missing[start..<end]), threads: threads, ended)
    }
  }

  private func finished(_ step: Step, _ action: FinishedAction, seconds: Double?) -> Ending {
    let key = step.resolved.key
    keysDone.withLock { _ = $0.insert(key.digest) }
    do {
      try store.setLast(key, region: step.region, stage: step.stage)
      return .finished(action, seconds: seconds)
    } catch { return failure(step.region, step.stage, error) }
  }

  private func failure(_ region: String, _ stage: Stage, _ error: any Error) -> Ending {
    .failed(RunFailure(region: region, stage: stage, message: asCairnError(error).description))
  }

  private func reason(
    _ region: String, _ stage: Stage, _ resolved: ActionResolver.Resolved
  ) -> String {
    if isForced { return "--force" }
    return store.lastComponents(region: region, stage: stage)
      .map { resolved.key.explanation(comparedTo: $0) } ?? "not built yet"
  }

  /// Runs a stage for some regions, and once more for those that failed in a way that may pass.
  private func run(_ steps: [Step], threads: Int, _ ended: (Int, Ending) -> Void) {
    for step in steps {
      let reason = reason(step.region, step.stage, step.resolved)
      report(.started(region: step.region, stage: step.stage, reason: reason, threads: threads))
    }
    var left = steps
    for number in 1...Self.attemptLimit where !left.isEmpty {
      guard resolver.executor.interruption.signal == nil else { break }
      let isLast = number == Self.attemptLimit
      left = attempts.run(left, threads: threads).compactMap { attempt -> Step? in
        let step = attempt.step
        switch ending(attempt) {
        case .failed(let failure) where !isLast && mayPass(attempt):
          report(.retrying(region: step.region, stage: step.stage, message: failure.message))
          return step
        case let ending:
          ended(step.number, ending)
          return nil
        }
      }
    }
    for step in left { ended(step.number, .stopped) }
  }

  private func ending(_ attempt: Attempt) -> Ending {
    let step = attempt.step
    let key = step.resolved.key
    do {
      let result = try attempt.result.get()
      if result.exit != 0 {
        return resolver.executor.interruption.signal == nil
          ? .failed(failure(step, result, attempt.folder)) : .stopped
      }
      try store.adopt(attempt.folder, as: key)
      guard let known = store.finished(key, product: step.stage.product) else {
        throw CairnError(
          .inputOutput, .ioError, "is gone as soon as it was made",
          at: Location(file: joinPath(store.root, "actions/\(key.digest)")))
      }
      return finished(step, known, seconds: result.wallSeconds)
    } catch { return failure(step.region, step.stage, error) }
  }

  /// Whether the same command may succeed at a second attempt.
  private func mayPass(_ attempt: Attempt) -> Bool {
    guard case .success(let result) = attempt.result else { return false }
    guard let exit = result.exit else { return true }
    return exit == ExitCode.ioError.rawValue || exit == ExitCode.temporaryFailure.rawValue
  }

  private func failure(_ step: Step, _ result: ActionResult, _ folder: String) -> RunFailure {
    let stage = step.stage
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
      region: step.region, stage: stage, message: message, lastLines: lines.map(printable),
      log: log)
  }
}
