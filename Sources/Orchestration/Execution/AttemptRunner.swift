// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Manifests
import Planning
import ResultStore
import SystemIO

/// An action with known inputs.
package struct ReadyAction: Sendable {
  /// The index of the action in the plan.
  package let index: Int
  /// The id of its region.
  package let region: String
  package let stage: Stage
  package fileprivate(set) var resolved: ActionResolver.Resolved
  /// The results that it reads, by the indices of their actions.
  package let inputs: [Int: FinishedAction]
  /// The size of its inputs.
  package let inputBytes: Int

  /// The result of an action before it.
  func input(_ index: Int) throws(CairnError) -> FinishedAction {
    guard let input = inputs[index] else {
      throw CairnError("unexpected", .software, "action \(index) is no input")
    }
    return input
  }
}

/// A run of an action.
struct Attempt: Sendable {
  let action: ReadyAction
  /// The folder with its files: command, log, report, `result.json` and, if it succeeded, the
  /// product.
  let folder: String
  /// Its result, or the reason why that is unknown.
  let result: Result<ActionResult, any Error>
  /// Whether the key of its action became known only at its end.
  var hasLateKey = false
}

/// The rules for attempts, in addition to the manifest's.
package struct AttemptPolicy: Sendable {
  /// The default time limit of stages.
  package var timeoutSeconds = 6 * 3600.0
  /// Seconds between SIGTERM and SIGKILL.
  package var graceSeconds = LocalExecutor.defaultGraceSeconds
  /// Seconds before retrying a stage that failed for a temporary reason.
  package var retryPauseSeconds = 2.0
  /// Whether stages must stay within the memory that is reserved for them.
  package var boundsMemory = false
  /// Whether results and attempts of earlier runs are ignored.
  package var isForced = false

  /// The default rules of a run.
  package init() {}
}

/// Prepares attempts, runs them with an executor and records their results, each action in its own
/// folder.
package struct AttemptRunner: Sendable {
  let plan: Plan
  let store: ActionStore
  let resolver: ActionResolver
  let executor: any Executor
  package let policy: AttemptPolicy
  let report: @Sendable (RunEvent) -> Void

  package init(
    plan: Plan, store: ActionStore, resolver: ActionResolver, executor: any Executor,
    policy: AttemptPolicy, report: @escaping @Sendable (RunEvent) -> Void
  ) {
    self.plan = plan
    self.store = store
    self.resolver = resolver
    self.executor = executor
    self.policy = policy
    self.report = report
  }

  /// Attempts some actions once: of one stage and, if there are several, of one source.
  ///
  /// - Parameters:
  ///   - limits: The limits of the stage.
  ///   - isStopped: Whether the run is being stopped.
  ///   - ended: Called with each attempt as soon as it has ended.
  func run(
    _ actions: [ReadyAction], limits: (Stage) -> AttemptLimits, isStopped: () -> Bool,
    ended: (Attempt) -> Void
  ) {
    guard let first = actions.first else { return }
    if first.stage.cutsRegions { return cutRegions(first, actions, limits, isStopped, ended) }
    for action in actions {
      var folder = ""
      let result = Result {
        if let earlier = try earlierAttempt([action], named: action.region) {
          folder = earlier.folder
          return try finish(action, earlier.result, in: folder)
        }
        folder = try newAttempt(action.region, action.stage)
        return try run(action, in: folder, limits)
      }
      ended(Attempt(action: action, folder: folder, result: result))
    }
  }

  func newAttempt(_ region: String, _ stage: Stage) throws -> String {
    try store.newAttempt(region: region, stage: stage) { executor.abandon($0) }
  }

  /// Runs the stage of one action.
  private func run(
    _ action: ReadyAction, in folder: String, _ limitsOf: (Stage) -> AttemptLimits
  ) throws -> ActionResult {
    let product = joinPath(folder, action.stage.product)
    let limits = limitsOf(action.stage)
    let copies = copies(for: action.stage, action.resolved, in: folder)
    let arguments = action.resolved.arguments(
      output: product, threads: limits.threads, copies: copies)
    let command = try command(action.stage, arguments, folder, limits)
    try write(command, for: action, in: folder)
    return try finish(
      action, run(command, copies, [action], in: folder, limitsOf), in: folder)
  }

  /// Cuts out the regions of a batch in one process, and gives each action its share of the files,
  /// as if it had run alone.
  private func cutRegions(
    _ first: ReadyAction, _ actions: [ReadyAction], _ limits: (Stage) -> AttemptLimits,
    _ isStopped: () -> Bool, _ ended: (Attempt) -> Void
  ) {
    let shared: String
    let command: [String]
    var share: ActionResult
    do {
      // No region's id contains a plus sign.
      let name = first.region + "+"
      let earlier = try earlierAttempt(actions, named: name)
      shared = try earlier?.folder ?? newAttempt(name, first.stage)
      let own = limits(first.stage)
      let arguments = ActionResolver.Resolved.arguments(
        actions.map(\.resolved), output: shared, threads: own.threads)
      command = try self.command(first.stage, arguments, shared, own)
      // They save time alone, so the recorded commands do without.
      share =
        try earlier?.result
        ?? run(command + earlierResults(actions), [:], actions, in: shared, limits)
    } catch {
      for action in actions {
        ended(Attempt(action: action, folder: "", result: .failure(error)))
      }
      return
    }
    defer { removeTree(shared) }
    let report = CutReport(joinPath(shared, "report.json"))
    share.wallSeconds /= Double(actions.count)
    share.cpuSeconds /= Double(actions.count)
    for prepared in actions {
      var action = prepared
      var folder = ""
      let result = Result {
        let part = report.part(action.region, share: 1 / Double(actions.count))
        if action.resolved.isProvisional {
          // A stopped run must not read a large source once more, for the record of a failure.
          guard part?.sourceDigest != nil || !isStopped() else { throw StopRequest.error(shared) }
          try checkInputs(of: action, read: nil)
          action.resolved = try resolver.resolve(
            plan.actions[action.index], action.resolved, read: part?.sourceDigest,
            product: action.input)
        }
        folder = try newAttempt(action.region, action.stage)
        try write(command, for: action, in: folder)
        return try settle(action, share, part, from: shared, in: folder)
      }
      ended(
        Attempt(
          action: action, folder: folder, result: result,
          hasLateKey: prepared.resolved.isProvisional))
    }
  }

  /// The options with results that some actions had with other changes to their source, which the
  /// stage takes again where no other change reaches the region.
  private func earlierResults(_ actions: [ReadyAction]) -> [String] {
    if policy.isForced || store.isParanoid || executor.submitsAhead { return [] }
    return actions.flatMap { action -> [String] in
      let components = action.resolved.key.components
      guard let earlier = store.lastComponents(region: action.region, stage: action.stage),
        earlier.differOnlyInChanges(from: components),
        let known = store.finished(ActionKey(earlier), product: action.stage.product)
      else { return [] }
      return ["--earlier", "\(action.region)=\(known.product)"]
    }
  }

  /// Gives an action its part of the files that a batch's process left in `shared`.
  private func settle(
    _ action: ReadyAction, _ share: ActionResult, _ part: CutReport.Part?, from shared: String,
    in folder: String
  ) throws(CairnError) -> ActionResult {
    var result = share
    var log = lastLines(joinPath(shared, ActionStore.logName), 1000)
    if let part, result.reason == nil {
      // The process may have failed because of another region, whose error is in its log.
      if result.exit != 0 { log = [] }
      if let message = part.message {
        log = ["\(action.stage.executable ?? ""): error: \(message)"]
      }
      result.exit = part.exit
      result.signal = nil
      result.reason = nil
      try store.write(part.report, "report.json", in: folder)
    }
    try writeCacheFile(
      Array(log.map { $0 + "\n" }.joined().utf8), to: joinPath(folder, ActionStore.logName))
    let product = joinPath(shared, action.stage.productName(inBatchFor: action.region))
    if result.exit == 0, pathExists(product) {
      try renamePath(product, to: joinPath(folder, action.stage.product))
    }
    return try finish(action, result, read: part?.sourceDigest, in: folder)
  }

  func command(
    _ stage: Stage, _ arguments: [String], _ folder: String, _ limits: AttemptLimits
  ) throws(CairnError) -> [String] {
    // A custom command gets only the arguments in its definition.
    if case .custom = stage { return arguments }
    guard let executable = stage.executable else {
      throw CairnError("unexpected", .software, "\(stage.rawValue) is not a program")
    }
    return [resolver.programs.path(of: executable)] + arguments + [
      "--report", joinPath(folder, "report.json"), "--progress", "json", "--threads",
      "\(limits.threads)",
    ] + (limits.boundMiB.map { ["--memory", "\($0)MiB"] } ?? [])
      + (executor.isFlushing ? [] : ["--no-flush"])
  }

  /// The copies of its inputs for a custom command, by their paths; empty for other stages. No
  /// output has a name that begins with a dot.
  func copies(for stage: Stage, _ resolved: ActionResolver.Resolved, in folder: String)
    -> [String: String]
  {
    guard case .custom = stage else { return [:] }
    return resolved.inputs.reduce(into: [:]) { copies, path in
      copies[path] = joinPath(joinPath(folder, ".input"), splitPath(path).name)
    }
  }

  func invocation(_ stage: Stage, _ command: [String], _ copies: [String: String]) -> Invocation {
    Invocation(
      command: command, printedProduct: stage.printsProduct ? stage.product : nil,
      products: stage.cutsRegions ? [] : stage.products,
      timeoutSeconds: plan.manifest.resources(ofStage: stage.nameInManifest).timeSeconds
        ?? policy.timeoutSeconds,
      graceSeconds: policy.graceSeconds, copies: copies.isEmpty ? nil : copies)
  }

  /// Runs a command for one action, or for a batch, in the folder of the attempt.
  private func run(
    _ command: [String], _ copies: [String: String], _ actions: [ReadyAction], in folder: String,
    _ limits: (Stage) -> AttemptLimits
  ) throws -> ActionResult {
    guard let first = actions.first else {
      throw CairnError("unexpected", .software, "an attempt without an action")
    }
    let following =
      executor.submitsAhead ? actions.flatMap { self.following($0, limits: limits) } : []
    let attempt = PreparedAttempt(
      folder: folder, invocation: invocation(first.stage, command, copies), actions: actions,
      limits: limits(first.stage), following: following)
    return try executor.run(attempt) { report(.progress(batch: first.index, $0)) }
  }

  /// An attempt that has already done the work of some actions; nil if there is none.
  private func earlierAttempt(_ actions: [ReadyAction], named name: String) throws
    -> EarlierAttempt?
  {
    guard let first = actions.first else { return nil }
    let products = actions.flatMap { action in
      action.stage.cutsRegions
        ? [action.stage.productName(inBatchFor: action.region)] : action.stage.products
    }
    let request = EarlierAttemptRequest(name: name, actions: actions, products: products) {
      !policy.isForced ? try store.attempts(region: name, stage: first.stage) : []
    }
    return try executor.finishEarlierAttempt(request) {
      report(.progress(batch: first.index, $0))
    }
  }

  private func write(_ command: [String], for action: ReadyAction, in folder: String)
    throws(CairnError)
  {
    let record = ActionCommand(
      region: action.region, stage: action.stage.rawValue, key: action.resolved.key.digest,
      components: action.resolved.key.components, command: command.map(redactedURL))
    try store.write(record.json, "command.json", in: folder)
  }

  /// Throws 75 if a stage may have read inputs other than those of its action's key.
  ///
  /// - Parameter read: The digest of the source that was read, if the stage states it.
  private func checkInputs(of action: ReadyAction, read: String?) throws(CairnError) {
    var changed = resolver.changedFile(action.resolved)
    if changed == nil, let read, let expected = action.resolved.key.components.sourceDigest,
      read != expected
    {
      changed = "its input"
    }
    guard let changed else { return }
    throw CairnError(
      .inputChanged, .temporaryFailure,
      "changed while \(action.stage.executable ?? action.stage.rawValue) was reading it",
      at: Location(file: changed), hint: "run again when it is complete")
  }

  /// Records the products and finally the result.
  ///
  /// - Parameter read: The digest of the source that was read, if the stage states it.
  private func finish(
    _ action: ReadyAction, _ ended: ActionResult, read: String? = nil, in folder: String
  ) throws(CairnError) -> ActionResult {
    if ended.exit == 0 { try checkInputs(of: action, read: read) }
    var result = ended
    // A cluster job has recorded its outputs already.
    if result.exit == 0, result.outputs.isEmpty {
      let names = action.stage.products
      guard let outputs = try ActionResult.outputs(names, in: folder) else {
        let missing = names.first { !isFile(joinPath(folder, $0)) } ?? action.stage.product
        throw CairnError(
          .noProduct, .software, "ended well but wrote no \(missing)",
          at: Location(file: action.stage.executable ?? action.stage.rawValue))
      }
      result.outputs = outputs
      for (name, record) in outputs {
        let path = joinPath(folder, name)
        // A container is read before its use only if it has another name, as an earlier result.
        guard !record.isOfContainer || store.isShared(path) else { continue }
        resolver.digests.remember(record.sha256, ofFile: path, isFlushed: executor.isFlushing)
      }
    }
    if !executor.isFlushing { result.start = store.systemStart }
    let report = joinPath(folder, ActionStore.reportName)
    if result.exit == 0, isFile(report) { result.report = try FileRecord(of: report) }
    try store.write(result.json, "result.json", in: folder)
    return result
  }
}

extension CairnError.Code {
  /// A stage succeeded without writing its result.
  static let noProduct: Self = "no-product"
  /// A file changed between the moment when its digest was taken and the end of the stage.
  package static let inputChanged: Self = "input-changed"
}
