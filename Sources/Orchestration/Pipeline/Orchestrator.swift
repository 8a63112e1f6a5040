// SPDX-License-Identifier: Apache-2.0
import CairnBundles
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import Manifests
import Planning
import Publishing
import ResultStore
import Synchronization
import SystemIO
import Validation

/// Builds the regions of a manifest: determines the missing results, runs their stages, checks and
/// publishes.
package final class Orchestrator: Sendable {
  /// The options of a run.
  package struct Options: Sendable {
    /// The executables of the stages.
    package var programs: StagePrograms
    /// The executor of stages.
    package var executor = ExecutorChoice.local
    /// The most concurrent threads of all stages together, or jobs in the queue of a cluster; at
    /// least 1.
    package var parallelism: Int
    /// Memory in bytes for the stages together; nil for most of the free memory.
    package var memoryBytes: Int?
    /// How attempts at stages are made.
    package var attempts = AttemptPolicy()
    /// The number of earlier bundles of a region kept for a rollback.
    package var keepPrevious = 1
    /// The regions published regardless of their difference from the published version.
    package var regionsWithAcceptedDrift: Set<String> = []
    /// See ``PublishedIndex/secondsBetweenWrites``.
    var secondsBetweenIndexes = 1.0
    /// Whether files and results are read again instead of trusting recorded information.
    package var isParanoid = false
    /// The value of SOURCE_DATE_EPOCH in the environment.
    package var sourceDateEpoch: String?
    /// The start of the run in seconds since 1970, from which bundles are held back; nil if unknown.
    package var startTime: Int?

    package init(programs: StagePrograms, executor: ExecutorChoice = .local, parallelism: Int) {
      self.programs = programs
      self.executor = executor
      self.parallelism = parallelism
    }
  }

  package struct RegionState {
    var isBuilt = false
    var isDone = false
    /// The bundle that stays unpublished, as it did before.
    var held: HeldBundle?
    /// The bundle that drift refuses, for the next run.
    var refused: HeldBundle?
    /// Seconds of the stages that were run, by the index of the action.
    var seconds: [Int: Double] = [:]
    /// When these began, in seconds of the monotonic clock.
    var starts: [Int: Double] = [:]
    /// Their warnings, as far as they are known.
    var warnings: [Int: [WarningTally.Entry]] = [:]
    var drift: [DriftReport] = []
    var failure: RunFailure?
  }

  package struct State {
    var finished: [FinishedAction?]
    var regions: [RegionState]
  }

  package let plan: Plan
  private let options: Options
  private let folder: OutputFolder
  private let assembler: BundleAssembler
  package let publisher: Publisher
  private let resolver: ActionResolver
  private let executor: any Executor
  private let runner: ActionRunner
  /// The resource use of earlier runs and of this one so far.
  package let history: RunHistory
  private let report: @Sendable (RunEvent) -> Void
  package let interruption: Interruption
  package let state: Mutex<State>

  /// Prepares a run. Nothing is written yet.
  ///
  /// Throws 66 for missing executables, and for missing files of the manifest's configuration, such
  /// as profiles. A missing source or tile fails the regions that need it.
  package init(
    _ plan: Plan, _ options: Options, interruption: Interruption = Interruption(),
    report: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) throws {
    self.options = options
    self.report = report
    self.interruption = interruption
    self.plan = plan
    try plan.check(options.programs)
    folder = OutputFolder(plan.manifest, isParanoid: options.isParanoid)
    var publisher = folder.publisher(
      keepPrevious: max(options.keepPrevious, plan.manifest.deltasKept))
    publisher.index.secondsBetweenWrites = options.secondsBetweenIndexes
    self.publisher = publisher
    assembler = folder.assembler
    resolver = folder.resolver(options.programs, sourceDateEpoch: options.sourceDateEpoch)
    history = folder.history()
    executor = options.executor.executor(interruption) { report(.note(region: $0, message: $1)) }
    runner = ActionRunner(
      AttemptRunner(
        plan: plan, store: folder.store, resolver: resolver, executor: executor,
        policy: options.attempts, report: report),
      history, interruption)
    state = Mutex(
      State(
        finished: Array(repeating: nil, count: plan.actions.count),
        regions: Array(repeating: RegionState(), count: plan.regions.count)))
  }

  /// Builds the missing results. A failed region does not stop the others.
  ///
  /// Throws 75 if another run has the output folder, and 73 or 74 if it cannot be written.
  ///
  /// - Parameter held: The lock of the output folder, if the caller has it already.
  package func run(holding held: FileLock? = nil) throws -> RunSummary {
    let start = monotonicSeconds()
    let lock = try held ?? folder.lock()
    return try withExtendedLifetime(lock) {
      try publisher.index.mend { report(.note(region: plan.manifest.name, message: $0)) }
      try publisher.index.checkOwners(plan.manifest)
      try executor.check()
      defer { executor.close() }
      publisher.recover { report(.note(region: $0, message: $1)) }
      if plan.regions.contains(where: { !plan.manifest.saysElevation(of: $0) }) {
        report(
          .note(
            region: plan.manifest.name,
            message: "the manifest has no elevation; climbs and slopes are unknown "
              + "(add elevation: with folders of tiles, or elevation: none if that is intended)"))
      }
      let capacity = executor.capacity(
        parallelism: options.parallelism, memoryBytes: options.memoryBytes)
      if let text = needs(capacity) { report(.note(region: plan.manifest.name, message: text)) }
      let scheduler = Scheduler(
        batches: plan.batches, dependencies: plan.actions.map(\.dependencies),
        priorities: plan.priorities(history),
        // With fewer than all processors, their number is somebody's wish.
        weights: capacity.processors < availableProcessors() ? [] : plan.weights(history),
        waiting: Set(
          plan.batches.indices.filter { batch in
            plan.batches[batch].allSatisfy { !plan.actions[$0].stage.isProcess }
          }))
      let flusher = Flusher()
      // While sources are read, processors are idle now and then.
      let tiles = BackgroundTask(threads: capacity.processors) { [plan, folder] isWanted in
        folder.digests.prepare(tiles: plan.tileFolders, while: isWanted)
      }
      try scheduler.run(
        capacity: capacity,
        freeDisk: { [folder] in freeBytes(folder.store.root) },
        isStopped: { [interruption] in interruption.signal != nil }
      ) { [self, flush = flusher.add] actions, grant, done in
        perform(actions, grant, flush: flush, done: done)
      }
      withExtendedLifetime((flusher, tiles)) {}
      // Both only save time.
      try? folder.digests.save()
      try? history.save()
      var indexFailure: CairnError?
      do { try publisher.index.write(plan.manifest, outcomes()) } catch {
        indexFailure = asCairnError(error)
      }
      if interruption.signal == nil {
        publisher.updateDeltas(plan.regions.map(\.id), keep: plan.manifest.deltasKept) {
          report(.note(region: $0, message: $1.description))
        }
      }
      var summary = summary(start: start, seconds: monotonicSeconds() - start)
      summary.indexFailure = indexFailure
      summary.left = publisher.index.leftRegions(plan.manifest).map(\.id)
      if summary.exitCode == .negative { holdRefused() }
      return summary
    }
  }

  /// The needs of the run in words; nil if they are small.
  package func needs(_ capacity: Capacity) -> String? {
    RunNeeds(plan, history).text(
      freeDisk: freeBytes(folder.store.root), memory: capacity.memoryBytes,
      isBound: options.attempts.boundsMemory)
  }

  /// - Parameter flush: Takes the paths of files that will be published.
  private func perform(
    _ batch: [Int], _ grant: Grant, flush: (String) -> Void, done: (Int) -> Void
  ) -> Deferral? {
    guard let first = batch.first else { return nil }
    guard plan.actions[first].stage.isProcess else {
      if publish(first, plan.actions[first]) { done(first) }
      return nil
    }
    return runner.perform(batch, grant, product: product) { index, ending in
      let action = plan.actions[index]
      switch ending {
      case .finished(let finished, let seconds):
        state.withLock { state in
          state.finished[index] = finished
          if let seconds {
            state.regions[action.region].isBuilt = true
            state.regions[action.region].seconds[index] = seconds
            state.regions[action.region].starts[index] = monotonicSeconds() - seconds
          }
        }
        report(
          .finished(
            region: plan.regions[action.region].id, stage: action.stage, seconds: seconds ?? 0,
            isCached: seconds == nil))
        if seconds != nil, action.stage.isPublished { flush(finished.product) }
        done(index)
        // What waited for the result is on its way; the end of the run has less to do.
        if seconds != nil { prepare(finished, of: index) }
      case .failed(let failure): fail(action, failure)
      case .stopped: break
      }
    }
  }

  /// Reads from a result what publishing and the summary need.
  private func prepare(_ finished: FinishedAction, of index: Int) {
    let action = plan.actions[index]
    switch action.stage {
    case .computeCosts, .computeVariant: assembler.prepare(database: finished.product)
    default: break
    }
    let warnings = StageReport.warnings(inFolder: finished.folder)
    state.withLock { $0.regions[action.region].warnings[index] = warnings }
  }

  private func fail(_ action: Action, _ failure: RunFailure) {
    state.withLock { $0.regions[action.region].failure = failure }
    report(.failed(failure))
  }

  private func product(_ index: Int) throws(CairnError) -> FinishedAction {
    guard let finished = state.withLock({ $0.finished[index] }) else {
      throw CairnError("unfinished-input", .software, "action \(index) is not finished")
    }
    return finished
  }

  private func publish(_ index: Int, _ action: Action) -> Bool {
    let region = plan.regions[action.region]
    let start = monotonicSeconds()
    do {
      let parts = try BundleParts(action, plan, product: product)
      let bundle = try assembler.bundle(parts)
      let gate = folder.gate(regionsWithAcceptedDrift: options.regionsWithAcceptedDrift)
      let drift = try gate.drift(region, bundle)
      state.withLock { $0.regions[action.region].drift = drift.reports }
      let verdict = try publisher.verdict(
        on: bundle, parts, drift, by: gate, isForced: options.attempts.isForced)
      if case .refuse(let objections, let finding) = verdict {
        let cause = gate.missingTiles(parts, explaining: objections)
        fail(action, refusal(region, objections, drift, because: cause))
        refuse(bundle.record, of: action.region, finding)
        return false
      }
      warnOfFlatness(region, parts.findings)
      var seconds: Double?
      switch verdict {
      case .refuse: break
      case .hold(let held):
        report(.note(region: region.id, message: held.text))
        if held.drift != nil { recordWarnings(of: action.region, isPublished: nil) }
        state.withLock { $0.regions[action.region].held = held }
      case .isPublished:
        publisher.earlier.forgetDrift(region.id)
        recordWarnings(of: action.region, isPublished: true)
      case .publish:
        if let note = try publish(bundle, of: action.region) {
          report(.note(region: region.id, message: note))
        }
        seconds = monotonicSeconds() - start
        recordWarnings(of: action.region, isPublished: false)
      }
      state.withLock { state in
        state.regions[action.region].isDone = true
        if let seconds {
          state.regions[action.region].isBuilt = true
          state.regions[action.region].seconds[index] = seconds
          state.regions[action.region].starts[index] = start
        }
      }
      report(
        .finished(
          region: region.id, stage: .publish, seconds: seconds ?? monotonicSeconds() - start,
          isCached: seconds == nil))
      return true
    } catch {
      let error = asCairnError(error)
      // A stopped run has not failed.
      guard error.code != .stopped else { return false }
      fail(
        action,
        RunFailure(
          region: region.id, stage: .publish, message: error.description,
          exitCode: error.exitCode.rawValue))
      return false
    }
  }

  /// Records what is refused.
  ///
  /// - Parameter finding: What drift alone has against it; nil if something else has.
  private func refuse(_ bundle: BundleRecord, of region: Int, _ finding: HeldBundle.Drift?) {
    recordWarnings(of: region, isPublished: nil)
    guard let finding else { return publisher.earlier.forgetDrift(bundle.id) }
    let refused = HeldBundle(bundle, time: options.startTime, drift: finding)
    state.withLock { $0.regions[region].refused = refused }
  }

  /// Holds back what drift refused in this run, which tells that as a failure: after one that was
  /// stopped, the next one has to.
  private func holdRefused() {
    for refused in state.withLock({ $0.regions.compactMap(\.refused) }) {
      do { try publisher.earlier.hold(refused) } catch {
        report(
          .note(region: refused.bundle.id, message: "the next run refuses it again: \(error)"))
      }
    }
  }

  /// Records the warnings of a region. Without the record they are only told by this run.
  ///
  /// - Parameter isPublished: Whether its bundle was published before; nil if it is refused.
  private func recordWarnings(of region: Int, isPublished: Bool?) {
    let id = plan.regions[region].id
    do throws(CairnError) {
      guard let isPublished else {
        return try WarningRecords(ofOutput: folder.path).refuse(id, warnings(of: region))
      }
      let isNew = !isPublished || state.withLock { $0.regions[region].isBuilt }
      try publisher.recordWarnings(id, isNew: isNew) { warnings(of: region) }
    } catch {
      report(.note(region: id, message: "its warnings are not recorded: \(error)"))
    }
  }

  /// Warns of a region without any elevation, although it has a source of them.
  private func warnOfFlatness(_ region: Manifest.Region, _ findings: BundleFindings) {
    guard findings.database?.elevationCoverage == 0, !plan.manifest.elevation(of: region).isEmpty
    else { return }
    report(
      .note(
        region: region.id,
        message: "WARNING: no node has an elevation; climbs and slopes are unknown "
          + "(add elevation tiles, or require them with the check elevation-coverage)"))
  }

  /// Publishes a bundle unless the run is being stopped, in which case the checks may be
  /// incomplete. Throws 75 then.
  private func publish(_ bundle: Bundle, of region: Int) throws -> String? {
    if interruption.signal != nil {
      throw StopRequest.error(publisher.index.folder(bundle.record.id))
    }
    try checkInputs(of: region)
    return try publisher.publish(bundle, of: plan.manifest)
  }

  /// Throws 75 if an input of a region has changed since one of its stages read it: another stage, or
  /// the record of the bundle, may have the new one. A source may, since only the decoder reads it,
  /// and the record names what that read.
  private func checkInputs(of region: Int) throws {
    for index in plan.actionsOfRegions[region] {
      let action = plan.actions[index]
      guard action.stage.isProcess, !action.stage.cutsRegions,
        let finished = state.withLock({ $0.finished[index] }),
        let change = try resolver.change(of: action, since: finished, product: product)
      else { continue }
      throw CairnError(
        .inputChanged, .temporaryFailure,
        "\(change) after \(action.stage.rawValue) had read it; \(staying(plan.regions[region].id))",
        hint: "run again when the inputs are complete")
    }
  }

  /// What is published of a region whose new bundle is not.
  private func staying(_ id: String) -> String {
    publisher.index.published(id) == nil ? "nothing is published" : "the published bundle is kept"
  }

  /// - Parameter cause: What explains objections to elevations and to drift, and what to do about it.
  private func refusal(
    _ region: Manifest.Region, _ objections: [String], _ drift: BundleDrift, because cause: String?
  ) -> RunFailure {
    let excesses = drift.excessive.map { report in
      report.excesses.map { $0.summary(limit: report.limit) }
    }
    let failed = Manifest.Checks.Name.allCases.filter { name in
      objections.contains { $0.contains(name.head) }
    }
    let unexplained = failed.filter {
      cause == nil || $0 != .elevationCoverage && $0 != .maxDrift
    }
    let locations = unrepeated(
      unexplained.compactMap { region.checks.locations[$0]?.description })
    var advice: [String] = []
    if !locations.isEmpty {
      advice.append(
        "change the \(locations.count == 1 ? "check" : "checks") at "
          + locations.joined(separator: " and "))
    }
    if unexplained.contains(.elevationCoverage), region.checks.locations[.elevationCoverage] == nil
    {
      advice.append("give a lower share in checks: { elevation-coverage: … }, or 0 for no check")
    }
    let accept = excesses.map { _ in "--accept-drift \(region.id)" }
    if let accept, cause == nil { advice.append("run again with \(accept)") }
    var remedies =
      advice.isEmpty ? [] : ["if the data is right, \(advice.joined(separator: ", or "))"]
    if let accept, cause != nil {
      remedies.append("after elevation: none, run once with \(accept)")
    }
    var failure = RunFailure(
      region: region.id, stage: .publish,
      message: ((cause.map { [$0] } ?? []) + objections).joined(separator: "; ")
        + "; \(staying(region.id))"
        + (remedies.isEmpty ? "" : " (\(remedies.joined(separator: "; ")))"),
      reason: cause, lastLines: cause == nil ? excesses ?? [] : [])
    if cause == nil, objections.count == 1, let objection = objections.first, failed.count == 1 {
      let rest = (excesses?.count ?? 1) - 1
      failure.refusal = RunFailure.Refusal(
        check: "\(failed[0].rawValue)\(locations.first.map { " at \($0)" } ?? "")",
        finding: excesses?.first.map { $0 + (rest > 0 ? "; \(rest) more" : "") }
          ?? objection.replacing(failed[0].head, with: ""),
        isDrift: excesses != nil)
    }
    return failure
  }

  /// The plan of a run, one line for each action, without writing anything.
  package func forecast() -> [String] {
    Forecaster(plan, options).lines()
  }
}
