import CommandLineKit
// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Formatting
import Glibc
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

  /// How many lines of the log of a failed stage are shown.
  private static let logLineLimit = 20
  /// How many regions one process cuts out; a command line cannot be of any length.
  private static let regionLimit = 64

  /// What an action has been through in this run.
  private struct Trouble {
    /// How often it was tried in vain.
    var failures = 0
    /// How much more memory it is given than it was expected to need.
    var memoryFactor = 1
  }

  private let plan: Plan
  private let store: ActionStore
  private let resolver: ActionResolver
  private let attempts: AttemptRunner
  private let history: RunHistory
  private let options: Orchestrator.Options
  private let report: @Sendable (RunEvent) -> Void
  private let troubles = Mutex<[Int: Trouble]>([:])
  private let keysInWork = KeyedLock<String>()
  private let keysDone = Mutex<Set<String>>([])

  init(
    _ plan: Plan, _ store: ActionStore, _ resolver: ActionResolver, _ history: RunHistory,
    _ options: Orchestrator.Options, report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.store = store
    self.resolver = resolver
    self.history = history
    self.options = options
    attempts = AttemptRunner(
      plan: plan, store: store, resolver: resolver,
      slurm: options.slurm.map { settings in
        SlurmExecutor(settings, resolver.executor.interruption) {
          report(.note(region: $0, message: $1))
        }
      }, timeoutSeconds: options.timeoutSeconds,
      isAdopting: !options.isForced, report: report)
    self.report = report
  }

  private var isForced: Bool { options.isForced }

  /// Throws 78 or 75 if there is nothing that could run a stage.
  func check() throws(CairnError) { try attempts.slurm?.check() }

  /// Ends what is left elsewhere when a run ends.
  func close() { attempts.slurm?.close() }

  /// Brings the actions of a job to their results; the actions before them are finished.
  ///
  /// Each ends once, those whose results are there first, unless it is among those returned: they
  /// need more than was granted, or another attempt.
  func perform(
    _ numbers: [Int], _ grant: Grant, product: (Int) throws -> FinishedAction,
    ended: (Int, Ending) -> Void
  ) -> Deferral? {
    var steps: [Step] = []
    for number in numbers {
      let action = plan.actions[number]
      let region = plan.regions[action.region].id
      do {
        let resolved = try resolver.resolve(action, product: product)
        steps.append(
          Step(
            number: number, region: region, stage: action.stage, resolved: resolved,
            inputBytes: try inputBytes(action, product)))
      } catch { ended(number, failure(region, action.stage, error)) }
    }
    return keysInWork.withLock(Set(steps.map(\.resolved.key.digest))) {
      // Two regions of one shape have one key: the second one takes the first one's result.
      var waiting = steps
      while !waiting.isEmpty {
        var keys: Set<String> = []
        let turn = waiting.filter { keys.insert($0.resolved.key.digest).inserted }
        let numbers = Set(turn.map(\.number))
        waiting.removeAll { numbers.contains($0.number) }
        if let deferral = performDistinct(turn, grant, ended) {
          return Deferral(
            actions: deferral.actions + waiting.map(\.number), demand: deferral.demand)
        }
      }
      return nil
    }
  }

  /// The size of what an action reads: the results of others, or files.
  private func inputBytes(_ action: Action, _ product: (Int) throws -> FinishedAction) throws
    -> Int
  {
    func bytes(_ argument: Argument) throws -> Int {
      switch argument {
      case .file(let path, _): fileSize(path)
      case .product(let number, _): try product(number).record.bytes
      case .joined(let parts): try parts.reduce(0) { $0 &+ (try bytes($1)) }
      default: 0
      }
    }
    return try action.arguments.reduce(0) { $0 &+ (try bytes($1)) }
  }

  private func performDistinct(
    _ steps: [Step], _ grant: Grant, _ ended: (Int, Ending) -> Void
  ) -> Deferral? {
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
    if missing.isEmpty { return nil }
    guard grant.demand != nil else {
      return Deferral(
        actions: missing.map(\.number), demand: demand(missing.prefix(Self.regionLimit)))
    }
    // One process at a time: the next one is granted its processors anew.
    let failed = run(Array(missing.prefix(Self.regionLimit)), grant, ended)
    let left = missing.dropFirst(Self.regionLimit) + failed
    guard !left.isEmpty else { return nil }
    if left.count == failed.count { pause() }
    return Deferral(actions: left.map(\.number), demand: demand(left.prefix(Self.regionLimit)))
  }

  /// What some steps need together that one process does.
  private func demand(_ steps: some Collection<Step>) -> Demand {
    var demand = Demand()
    for step in steps {
      let stage = step.stage.rawValue
      let expected = history.demand(
        region: step.region, stage: stage, inputBytes: step.inputBytes)
      let chosen = plan.manifest.resources(ofStage: stage).memoryMiB.map { $0 << 20 }
      let factor = troubles.withLock { $0[step.number]?.memoryFactor ?? 1 }
      let (memory, isTooMuch) = (chosen ?? expected.memoryBytes)
        .multipliedReportingOverflow(by: factor)
      demand.memoryBytes = max(demand.memoryBytes, isTooMuch ? .max : memory)
      demand.diskBytes &+= expected.diskBytes
    }
    return demand
  }

  /// Gives what may pass some time to do so.
  private func pause() {
    let end = monotonicSeconds() + options.retryPauseSeconds
    while monotonicSeconds() < end, resolver.executor.interruption.signal == nil { usleep(20_000) }
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
    let error = asCairnError(error)
    return .failed(
      RunFailure(
        region: region, stage: stage, message: error.description,
        exitCode: error.exitCode.rawValue))
  }

  private func reason(
    _ region: String, _ stage: Stage, _ resolved: ActionResolver.Resolved
  ) -> String {
    if isForced { return "--force" }
    return store.lastComponents(region: region, stage: stage)
      .map { resolved.key.explanation(comparedTo: $0) } ?? "not built yet"
  }

  /// Runs a stage for some regions. Returns the steps that failed in a way that may pass and are
  /// to be run again.
  private func run(_ steps: [Step], _ grant: Grant, _ ended: (Int, Ending) -> Void) -> [Step] {
    guard let first = steps.first else { return [] }
    guard resolver.executor.interruption.signal == nil else {
      for step in steps { ended(step.number, .stopped) }
      return []
    }
    let limits = limits(first.stage, grant)
    for step in steps {
      let reason = reason(step.region, step.stage, step.resolved)
      report(
        .started(
          region: step.region, stage: step.stage, reason: reason, threads: limits.threads,
          job: first.number))
    }
    var failed: [Step] = []
    let limitsOf = { [self] (stage: Stage) in
      stage == first.stage ? limits : self.limits(stage, Grant(threads: grant.threads))
    }
    attempts.run(steps, limits: limitsOf) { attempt in
      let step = attempt.step
      switch ending(attempt) {
      case .failed(let failure) where mayPass(failure, attempt) && countFailure(attempt):
        report(.retrying(region: step.region, stage: step.stage, message: failure.message))
        failed.append(step)
      case let ending: ended(step.number, ending)
      }
    }
    return failed
  }

  /// What a stage may use of this machine, or of one of a cluster.
  private func limits(_ stage: Stage, _ grant: Grant) -> SlurmTools.Limits {
    let wanted = plan.manifest.resources(ofStage: stage.rawValue)
    let most = options.slurm == nil ? grant.threads : 256  // the most that a stage takes
    return SlurmTools.Limits(
      threads: min(wanted.threads ?? grant.threads, most, 256),
      memoryMiB: wanted.memoryMiB.map {
        max($0, min(grant.demand?.memoryBytes ?? 0, 1 << 50) >> 20)
      },
      timeSeconds: wanted.timeSeconds.map { $0 + options.graceSeconds + 60 })
  }

  /// Counts a failure that may pass; whether there is to be another attempt.
  private func countFailure(_ attempt: Attempt) -> Bool {
    troubles.withLock { troubles in
      var trouble = troubles[attempt.step.number] ?? Trouble()
      trouble.failures += 1
      if case .success(let result) = attempt.result, result.exit == nil {
        trouble.memoryFactor *= 2
      }
      troubles[attempt.step.number] = trouble
      return trouble.failures <= min(plan.manifest.retries, 30)
    }
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
      history.add(
        .init(
          wallSeconds: result.wallSeconds, peakBytes: result.peakBytes,
          inputBytes: step.inputBytes, outputBytes: known.record.bytes),
        region: step.region, stage: step.stage.rawValue)
      return finished(step, known, seconds: result.wallSeconds)
    } catch {
      // A stage that was asked to end may do so well and without a result.
      let isStopped =
        asCairnError(error).code == .noProduct
        && resolver.executor.interruption.signal != nil
      return isStopped ? .stopped : failure(step.region, step.stage, error)
    }
  }

  /// Whether the same command may succeed at another attempt: the stage or the system said so, or
  /// somebody outside killed it (the system, where memory runs out). A crash would only come again.
  private func mayPass(_ failure: RunFailure, _ attempt: Attempt) -> Bool {
    if case .success(let result) = attempt.result {
      if result.reason != nil { return result.mayPass ?? false }
      if let signal = result.signal { return [SIGKILL, SIGTERM, SIGHUP, SIGINT].contains(signal) }
    }
    return failure.exitCode == ExitCode.ioError.rawValue
      || failure.exitCode == ExitCode.temporaryFailure.rawValue
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
    return RunFailure(
      region: step.region, stage: stage, message: result.ending(of: name, log: log),
      exitCode: result.exit, lastLines: lines.map(printable), log: log)
  }
}
