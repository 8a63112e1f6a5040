// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Glibc
import Manifests
import Planning
import ResultStore
import Synchronization
import SystemIO
import Validation

/// Produces the results of actions: from the store if they exist, otherwise by running the stage.
package final class ActionRunner: Sendable {
  /// How an action ended.
  package enum Ending: Sendable {
    /// The result exists. `seconds` is nil if it existed before.
    case finished(FinishedAction, seconds: Double?)
    case failed(RunFailure)
    /// The run is being stopped.
    case stopped
  }

  /// The number of lines shown of a failed stage's log.
  private static let logLineLimit = 20
  /// The most regions cut out by one process, since the length of a command line is limited.
  private static let regionLimit = 256
  /// The failures of an action in this run.
  private struct Trouble {
    /// The number of failed attempts.
    var failures = 0
    /// The factor of its memory over the expected need.
    var memoryFactor = 1
  }

  private let attempts: AttemptRunner
  private let history: RunHistory
  private let interruption: Interruption
  private let troubles = Mutex<[Int: Trouble]>([:])
  /// The actions that were put off, by index.
  private let deferred = Mutex<[Int: ReadyAction]>([:])
  private let keysInUse = KeyedLock<String>()
  private let keysDone = Mutex<Set<String>>([])
  /// The failure that found a disk full.
  private let fullDisk = Mutex<RunFailure?>(nil)

  /// - Parameters:
  ///   - attempts: Runs the stages of a plan.
  ///   - history: Estimates the needs of stages, and records their use.
  ///   - interruption: The source of requests to stop.
  package init(_ attempts: AttemptRunner, _ history: RunHistory, _ interruption: Interruption) {
    self.attempts = attempts
    self.history = history
    self.interruption = interruption
  }

  private var plan: Plan { attempts.plan }
  private var store: ActionStore { attempts.store }
  private var isForced: Bool { attempts.policy.isForced }

  /// Produces the results of the actions of a batch, whose dependencies are finished.
  ///
  /// Each ends once, those with existing results first, unless it is among those returned, which
  /// need more than was granted, or another attempt.
  package func perform(
    _ batch: [Int], _ grant: Grant, product: (Int) throws -> FinishedAction,
    ended: (Int, Ending) -> Void
  ) -> Deferral? {
    var ready: [ReadyAction] = []
    for index in batch {
      let action = plan.actions[index]
      let region = plan.regions[action.region].id
      if let known = deferred.withLock({ $0.removeValue(forKey: index) }),
        attempts.resolver.changedFile(known.resolved) == nil
      {
        ready.append(known)
        continue
      }
      do {
        let resolved = try attempts.resolver.resolve(
          action, readsLate: readsLate(action.stage, region), product: product)
        var inputs: [Int: FinishedAction] = [:]
        for dependency in action.dependencies { inputs[dependency] = try product(dependency) }
        ready.append(
          ReadyAction(
            index: index, region: region, stage: action.stage, resolved: resolved, inputs: inputs,
            inputBytes: try inputBytes(action, product)))
      } catch { ended(index, failure(region, action.stage, error)) }
    }
    var provisional: [Int] = []
    let deferral = keysInUse.withLock(Set(ready.map(\.resolved.key.digest))) { () -> Deferral? in
      // Two regions of one shape share a key: the second one uses the first one's result.
      var waiting = ready
      while !waiting.isEmpty {
        var keys: Set<String> = []
        let turn = waiting.filter { keys.insert($0.resolved.key.digest).inserted }
        let indices = Set(turn.map(\.index))
        waiting.removeAll { indices.contains($0.index) }
        if let deferral = performDistinct(turn, grant, ended) {
          return Deferral(
            actions: deferral.actions + waiting.map(\.index), demand: deferral.demand)
        }
        if waiting.contains(where: \.resolved.isProvisional) {
          provisional = waiting.map(\.index)
          return nil
        }
      }
      return nil
    }
    // Their keys are known now, and are others than those in use.
    return provisional.isEmpty
      ? deferral : perform(provisional, grant, product: product, ended: ended)
  }

  /// Whether a stage may begin before the digest of its source is known. It reads all of the source
  /// and tells its digest; so a region's first build need not read it twice, with one processor idle.
  /// A region that was built may have its result already.
  private func readsLate(_ stage: Stage, _ region: String) -> Bool {
    stage.cutsRegions && !attempts.executor.submitsAhead && !store.isParanoid
      && store.lastKey(region: region, stage: stage) == nil
  }

  /// The input size of an action: results of others, or files.
  private func inputBytes(_ action: Action, _ product: (Int) throws -> FinishedAction) throws
    -> Int
  {
    func bytes(_ argument: Argument) throws -> Int {
      switch argument {
      case .file(let path, _): fileSize(path)
      case .product(let index, _): try product(index).record.bytes
      case .joined(let parts): try parts.reduce(0) { $0 &+ (try bytes($1)) }
      default: 0
      }
    }
    return try action.arguments.reduce(0) { $0 &+ (try bytes($1)) }
  }

  private func performDistinct(
    _ actions: [ReadyAction], _ grant: Grant, _ ended: (Int, Ending) -> Void
  ) -> Deferral? {
    var missing: [ReadyAction] = []
    for action in actions {
      if let known = existing(action) {
        ended(action.index, finished(action, known, seconds: nil))
      } else {
        missing.append(action)
      }
    }
    if missing.isEmpty { return nil }
    if let full = fullDisk.withLock({ $0 }) {
      // Trying it in every region would take long and fail the same way.
      for action in missing {
        ended(
          action.index,
          .failed(
            RunFailure(
              region: action.region, stage: action.stage, message: full.message,
              exitCode: full.exitCode)))
      }
      return nil
    }
    guard grant.demand != nil else {
      deferred.withLock { deferred in
        for action in missing { deferred[action.index] = action }
      }
      return Deferral(
        actions: missing.map(\.index), demand: demand(missing.prefix(Self.regionLimit)))
    }
    // One process at a time: the next one requests its processors again.
    let failed = run(Array(missing.prefix(Self.regionLimit)), grant, ended)
    let left = missing.dropFirst(Self.regionLimit) + failed
    guard !left.isEmpty else { return nil }
    if left.count == failed.count { pause() }
    return Deferral(actions: left.map(\.index), demand: demand(left.prefix(Self.regionLimit)))
  }

  /// The result of an action, if it exists and may be used.
  private func existing(_ action: ReadyAction) -> FinishedAction? {
    let key = action.resolved.key
    let isFresh = !isForced || keysDone.withLock { $0.contains(key.digest) }
    return isFresh ? store.finished(key, product: action.stage.product) : nil
  }

  /// The combined needs of the actions of one process.
  private func demand(_ actions: some Collection<ReadyAction>) -> Demand {
    var demand = Demand()
    for action in actions {
      let stage = action.stage.rawValue
      let expected = history.demand(
        region: action.region, stage: stage, inputBytes: action.inputBytes,
        readsSource: action.stage.cutsRegions)
      let chosen = plan.manifest.resources(ofStage: action.stage.nameInManifest).memoryMiB.map {
        $0 << 20
      }
      let factor = troubles.withLock { $0[action.index]?.memoryFactor ?? 1 }
      let (memory, isTooMuch) = (chosen ?? expected.memoryBytes)
        .multipliedReportingOverflow(by: factor)
      demand.memoryBytes = max(demand.memoryBytes, isTooMuch ? .max : memory)
      demand.diskBytes &+= expected.diskBytes
    }
    return demand
  }

  /// Waits briefly before another attempt, so that the cause may go away.
  private func pause() {
    let end = monotonicSeconds() + attempts.policy.retryPauseSeconds
    while monotonicSeconds() < end, interruption.signal == nil { usleep(20_000) }
  }

  private func finished(_ action: ReadyAction, _ result: FinishedAction, seconds: Double?)
    -> Ending
  {
    let key = action.resolved.key
    keysDone.withLock { _ = $0.insert(key.digest) }
    do {
      try store.setLast(key, region: action.region, stage: action.stage)
      return .finished(result, seconds: seconds)
    } catch { return failure(action.region, action.stage, error) }
  }

  private func failure(_ region: String, _ stage: Stage, _ error: any Error) -> Ending {
    let error = asCairnError(error)
    guard error.code != .stopped else { return .stopped }
    return .failed(
      RunFailure(
        region: region, stage: stage, message: error.description,
        exitCode: error.exitCode.rawValue))
  }

  private func reason(_ action: ReadyAction) -> String {
    if isForced { return "--force" }
    return store.lastComponents(region: action.region, stage: action.stage).map {
      action.resolved.key.changes(since: $0, of: plan.actions[action.index], in: plan).text
    } ?? "not built yet"
  }

  /// Runs a stage for some regions. Returns the actions that need another attempt.
  private func run(
    _ actions: [ReadyAction], _ grant: Grant, _ ended: (Int, Ending) -> Void
  ) -> [ReadyAction] {
    guard let first = actions.first else { return [] }
    guard interruption.signal == nil else {
      for action in actions { ended(action.index, .stopped) }
      return []
    }
    let limits = limits(first.stage, grant)
    for action in actions {
      let reason = reason(action)
      attempts.report(
        .started(
          region: action.region, stage: action.stage, reason: reason, threads: limits.threads,
          batch: first.index))
    }
    var failed: [ReadyAction] = []
    let limitsOf = { [self] (stage: Stage) in
      stage == first.stage ? limits : self.limits(stage, Grant(threads: grant.threads))
    }
    attempts.run(actions, limits: limitsOf, isStopped: { interruption.signal != nil }) { attempt in
      let action = attempt.action
      let ending = ending(attempt)
      if case .failed(let failure) = ending, failure.isOfFullDisk {
        fullDisk.withLock { $0 = $0 ?? failure }
      }
      switch ending {
      case .failed(let failure) where mayPass(failure, attempt):
        guard countFailure(attempt) <= retries(after: attempt) else {
          ended(action.index, ending)
          break
        }
        attempts.report(
          .retrying(region: action.region, stage: action.stage, message: failure.message))
        failed.append(action)
      case let ending: ended(action.index, ending)
      }
    }
    return failed
  }

  /// The limits of a stage.
  private func limits(_ stage: Stage, _ grant: Grant) -> AttemptLimits {
    let resources = plan.manifest.resources(ofStage: stage.nameInManifest)
    let limit = attempts.executor.threadLimit(granted: grant.threads)
    let granted = min(grant.demand?.memoryBytes ?? 0, 1 << 50) >> 20
    let memory = resources.memoryMiB.map { max($0, granted) }
    var limits = AttemptLimits(
      threads: min(resources.threads ?? grant.threads, limit, AttemptLimits.mostThreads),
      memoryMiB: memory,
      timeSeconds: resources.timeSeconds.map { $0 + attempts.policy.graceSeconds + 60 },
      boundMiB: memory ?? (attempts.policy.boundsMemory && granted > 0 ? granted : nil))
    limits.yields = grant.yields
    return limits
  }

  /// Counts a failure that may pass. Returns the number of failures of its action.
  private func countFailure(_ attempt: Attempt) -> Int {
    troubles.withLock { troubles in
      var trouble = troubles[attempt.action.index] ?? Trouble()
      trouble.failures += 1
      if case .success(let result) = attempt.result, result.exit == nil {
        trouble.memoryFactor *= 2
      }
      troubles[attempt.action.index] = trouble
      return trouble.failures
    }
  }

  /// The number of times that an action may be retried.
  private func retries(after attempt: Attempt) -> Int {
    var retries = min(plan.manifest.retries, 30)
    // A replaced file is read again, regardless of the manifest's retries.
    if case .failure(let error) = attempt.result, asCairnError(error).code == .inputChanged {
      retries = max(1, retries)
    }
    return retries
  }

  private func ending(_ attempt: Attempt) -> Ending {
    let action = attempt.action
    do {
      let result = try attempt.result.get()
      if result.exit != 0 {
        return interruption.signal == nil
          ? .failed(failure(action, result, attempt.folder)) : .stopped
      }
      // An action with a late key may have been done meanwhile, from another file of the same content.
      let late: Set<String> = attempt.hasLateKey ? [action.resolved.key.digest] : []
      let known = try keysInUse.withLock(late) {
        if attempt.hasLateKey, let known = existing(action) {
          removeTree(attempt.folder)
          return known
        }
        return try store.adopt(
          attempt.folder, result, as: action.resolved.key, product: action.stage.product)
      }
      history.add(
        .init(
          wallSeconds: result.wallSeconds, peakBytes: result.peakBytes,
          inputBytes: action.inputBytes, outputBytes: known.record.bytes),
        region: action.region, stage: action.stage.rawValue)
      return finished(action, known, seconds: result.wallSeconds)
    } catch {
      // A stage that was asked to stop may exit with 0 and without a result; inputs are not read
      // again either.
      let isStopped =
        [.noProduct, .inputChanged].contains(asCairnError(error).code)
        && interruption.signal != nil
      return isStopped ? .stopped : failure(action.region, action.stage, error)
    }
  }

  /// Whether another attempt may succeed: the stage or the system said so, or it was killed from
  /// outside (by the system, if memory runs out). A crash would only repeat.
  private func mayPass(_ failure: RunFailure, _ attempt: Attempt) -> Bool {
    // Retrying frees no space.
    if failure.isOfFullDisk { return false }
    if case .success(let result) = attempt.result {
      if result.reason != nil { return result.mayPass ?? false }
      if let signal = result.signal { return [SIGKILL, SIGTERM, SIGHUP, SIGINT].contains(signal) }
    }
    return failure.exitCode == ExitCode.ioError.rawValue
      || failure.exitCode == ExitCode.temporaryFailure.rawValue
  }

  private func failure(_ action: ReadyAction, _ result: ActionResult, _ folder: String)
    -> RunFailure
  {
    let stage = action.stage
    let name = stage.executable ?? stage.rawValue
    let log = joinPath(folder, ActionStore.logName)
    // The validator's findings are its output, not its messages.
    let findings =
      stage.printsProduct
      ? (try? ValidatorFindings.load(joinPath(folder, stage.product)))?.errors ?? [] : []
    let lines = findings.prefix(Self.logLineLimit) + lastLines(log, Self.logLineLimit)
    return RunFailure(
      region: action.region, stage: stage, message: result.ending(of: name, log: log),
      reason: result.exit == nil ? nil : lastError(log).map(printable), exitCode: result.exit,
      lastLines: lines.map(printable), log: log)
  }
}
