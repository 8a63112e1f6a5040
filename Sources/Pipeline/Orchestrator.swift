// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import FoundationEssentials
import StageKit
import Synchronization
import SystemIO
import Validation

/// Does the whole work of a manifest: finds out what is missing, runs the stages for it, checks
/// and publishes.
final class Orchestrator: Sendable {
  /// How a run is to be done.
  struct Options: Sendable {
    /// The folder of the stages' executables.
    var binaries: String
    /// How many actions may run at a time, at least 1.
    var jobs = availableProcessors()
    /// Whether results of earlier runs do not count.
    var isForced = false
    /// The regions that are published however much they differ from what is published now.
    var regionsWithAcceptedDrift: Set<String> = []
    /// The value of SOURCE_DATE_EPOCH in the environment.
    var sourceDateEpoch: String?
  }

  private struct RegionState {
    var isBuilt = false
    var isDone = false
    var edges: Int?
    var wallSeconds = 0.0
    var failure: RunFailure?
  }

  private struct State {
    var finished: [FinishedAction?]
    var regions: [RegionState]
  }

  let plan: Plan
  private let options: Options
  private let store: ActionStore
  private let digests: DigestCache
  private let publisher: Publisher
  private let resolver: ActionResolver
  private let runner: ActionRunner
  private let report: @Sendable (RunEvent) -> Void
  private let interruption: Interruption
  private let state: Mutex<State>

  /// Prepares a run. Nothing is written yet.
  ///
  /// Throws 66 for files or executables that are not there.
  init(
    _ plan: Plan, _ options: Options, interruption: Interruption = Interruption(),
    report: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) throws {
    self.options = options
    self.report = report
    self.interruption = interruption
    self.plan = plan
    let manifest = plan.manifest
    try manifest.checkFiles(regions: plan.regions)
    let executor = LocalExecutor(binaries: options.binaries, interruption: interruption)
    try executor.check(plan.executables)
    store = ActionStore(root: joinPath(manifest.output, ".cairn"))
    digests = DigestCache(store.digestsPath)
    publisher = Publisher(output: manifest.output, store: store, digests: digests)
    resolver = ActionResolver(
      executor: executor, digests: digests, sourceDateEpoch: options.sourceDateEpoch)
    runner = ActionRunner(plan, store, resolver, isForced: options.isForced, report: report)
    state = Mutex(
      State(
        finished: Array(repeating: nil, count: plan.actions.count),
        regions: Array(repeating: RegionState(), count: plan.regions.count)))
  }

  /// Does what is missing. A region that fails does not keep the others from being finished.
  ///
  /// Throws 75 if another run has the output folder, and 73 or 74 if it cannot be written at all.
  func run() throws -> RunSummary {
    let start = monotonicSeconds()
    try store.prepare()
    let lock = try FileLock(store.lockPath)
    try withExtendedLifetime(lock) {
      let scheduler = Scheduler(
        jobs: plan.jobs, dependencies: plan.actions.map(\.dependencies))
      let cores = min(availableProcessors(), 256)  // the most that a stage takes
      try scheduler.run(
        limit: options.jobs, isStopped: { [interruption] in interruption.signal != nil }
      ) { [self] actions, concurrent, done in
        perform(actions, threads: max(1, cores / concurrent), done: done)
      }
      try digests.save()
      let regions = state.withLock { $0.regions }
      func ids(_ isMeant: (RegionState) -> Bool) -> Set<String> {
        Set(zip(plan.regions, regions).filter { isMeant($0.1) }.map(\.0.id))
      }
      try publisher.writeIndex(
        plan.manifest, failed: ids { $0.failure != nil }, fresh: ids { $0.isDone })
    }
    return summary(seconds: monotonicSeconds() - start)
  }

  private func perform(_ numbers: [Int], threads: Int, done: (Int) -> Void) {
    guard let first = numbers.first else { return }
    guard plan.actions[first].stage.executable != nil else {
      if publish(plan.actions[first]) { done(first) }
      return
    }
    runner.perform(numbers, threads: threads, product: product) { number, ending in
      let action = plan.actions[number]
      switch ending {
      case .finished(let finished, let seconds):
        state.withLock { state in
          state.finished[number] = finished
          if let seconds {
            state.regions[action.region].isBuilt = true
            state.regions[action.region].wallSeconds += seconds
          }
        }
        report(
          .finished(
            region: plan.regions[action.region].id, stage: action.stage, seconds: seconds ?? 0,
            isCached: seconds == nil))
        done(number)
      case .failed(let failure): fail(action, failure)
      case .stopped: break
      }
    }
  }

  private func fail(_ action: Action, _ failure: RunFailure) {
    state.withLock { $0.regions[action.region].failure = failure }
    report(.failed(failure))
  }

  private func product(_ number: Int) throws(CairnError) -> FinishedAction {
    guard let finished = state.withLock({ $0.finished[number] }) else {
      throw CairnError("unfinished-input", .software, "action \(number) is not finished")
    }
    return finished
  }

  private func publish(_ action: Action) -> Bool {
    let region = plan.regions[action.region]
    let start = monotonicSeconds()
    do {
      let (bundle, validation) = try bundle(action)
      state.withLock { $0.regions[action.region].edges = validation.edges }
      let drift = drift(region, bundle)
      let objections = objections(region, validation, drift)
      guard objections.isEmpty else {
        fail(action, refusal(region, objections, drift))
        return false
      }
      if validation.elevationCoverage == 0 {
        report(
          .note(
            region: region.id,
            message: "WARNING: no node has an elevation; climbs and slopes are unknown "
              + "(add elevation tiles, or demand them with the check elevation-coverage)"))
      }
      let isPublished = publisher.isPublished(bundle)
      if !isPublished, let note = try publisher.publish(bundle) {
        report(.note(region: region.id, message: note))
      }
      state.withLock { state in
        state.regions[action.region].isDone = true
        if !isPublished { state.regions[action.region].isBuilt = true }
      }
      let seconds = monotonicSeconds() - start
      report(
        .finished(region: region.id, stage: .publish, seconds: seconds, isCached: isPublished))
      return true
    } catch {
      let message = asCairnError(error).description
      fail(action, RunFailure(region: region.id, stage: .publish, message: message))
      return false
    }
  }

  private func objections(
    _ region: Manifest.Region, _ validation: ValidatorFindings, _ drift: DriftReport?
  ) -> [String] {
    var checks = region.checks
    if options.regionsWithAcceptedDrift.contains(region.id) { checks.maxDrift = nil }
    return QualityGate(checks: checks).objections(
      to: validation, publishedEdges: publisher.published(region.id)?.counts.edges, drift: drift)
  }

  /// How a database differs from the one that is published now; nil where nothing is or nobody
  /// asks, and where what is published cannot be read.
  private func drift(_ region: Manifest.Region, _ bundle: Publisher.Bundle) -> DriftReport? {
    guard let limit = region.checks.maxDrift,
      !options.regionsWithAcceptedDrift.contains(region.id),
      let published = publisher.published(region.id)?.files[bundle.region.routingDbFilename],
      published.sha256 != bundle.database.record.sha256
    else { return nil }
    let path = joinPath(publisher.folder(region.id), bundle.region.routingDbFilename)
    return try? DriftReport(
      baseline: DriftBaseline(path, limit: limit), database: bundle.database.product)
  }

  private func refusal(
    _ region: Manifest.Region, _ objections: [String], _ drift: DriftReport?
  ) -> RunFailure {
    let isDrift = drift?.excesses.isEmpty == false
    return RunFailure(
      region: region.id, stage: .publish,
      message: objections.joined(separator: "; ")
        + "; what was published before is left as it is "
        + "(if the data is right, change checks at \(region.location)"
        + (isDrift ? " or run again with --accept-drift \(region.id))" : ")"),
      lastLines: isDrift ? drift?.table.split(separator: "\n").map(String.init) ?? [] : [])
  }

  /// The bundle that a publishing action is about: its inputs are the decoded data, the database
  /// and the validator's findings.
  private func bundle(_ action: Action) throws -> (Publisher.Bundle, ValidatorFindings) {
    let region = plan.regions[action.region]
    guard action.dependencies.count == 3, let source = plan.manifest.sources[region.source] else {
      throw CairnError("unfinished-input", .software, "nothing to publish for \(region.id)")
    }
    let decoded = try product(action.dependencies[0])
    let database = try product(action.dependencies[1])
    let validation = try ValidatorFindings.load(product(action.dependencies[2]).product)
    let bundle = try publisher.bundle(
      region, source: source, database: database, validation: validation,
      dataTimestamp: dataTimestamp(decoded))
    return (bundle, validation)
  }

  /// The time of the data, if the decoder's report says it.
  private func dataTimestamp(_ decoded: FinishedAction) -> String? {
    let path = joinPath(decoded.folder, "report.json")
    guard let bytes = try? InputFile(path).readAll(limit: 16 << 20),
      let report = try? JSONDecoder().decode(StageReport.self, from: Data(bytes)),
      case .text(let time)? = report.output["dataTimestamp"] ?? report.input["dataTimestamp"]
    else { return nil }
    return time
  }

  private func summary(seconds: Double) -> RunSummary {
    let states = state.withLock { $0.regions }
    let regions = zip(plan.regions, states).map { region, state in
      let status: RegionSummary.Status =
        state.failure != nil
        ? .failed : !state.isDone ? .stopped : state.isBuilt ? .built : .cached
      let bundle = publisher.published(region.id)
      return RegionSummary(
        id: region.id, status: status, edges: state.edges ?? bundle?.counts.edges,
        bytes: bundle?.bytes, wallSeconds: state.wallSeconds)
    }
    return RunSummary(
      regions: regions, failures: states.compactMap(\.failure), signal: interruption.signal,
      wallSeconds: seconds)
  }

  /// What a run would do, one line a step, without doing or writing anything.
  func forecast() throws -> [String] {
    var lines: [String] = []
    for (number, region) in plan.regions.enumerated() {
      var previous: Stage?
      var steps: [String] = []
      for index in plan.actions.indices where plan.actions[index].region == number {
        let action = plan.actions[index]
        if let reason = try reason(index, action, after: previous) {
          steps.append("\(region.id): would \(action.stage.rawValue): \(reason)")
          previous = action.stage
        }
      }
      lines += steps.isEmpty ? ["\(region.id): up to date"] : steps
    }
    return lines
  }

  private func reason(_ number: Int, _ action: Action, after previous: Stage?) throws -> String? {
    if let previous { return "after \(previous.rawValue)" }
    guard action.stage.executable != nil else {
      let (bundle, validation) = try bundle(action)
      let region = plan.regions[action.region]
      let objections = objections(region, validation, drift(region, bundle))
      guard objections.isEmpty else { return "and fail: \(objections.joined(separator: "; "))" }
      return publisher.isPublished(bundle) ? nil : "the published bundle is not this one"
    }
    let resolved = try resolver.resolve(action, product: product)
    if let reason = runner.reasonToRun(action, resolved) { return reason }
    let known = store.finished(resolved.key, product: action.stage.product)
    state.withLock { $0.finished[number] = known }
    return nil
  }
}
