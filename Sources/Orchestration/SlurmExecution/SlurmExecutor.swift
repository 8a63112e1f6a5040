// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CommandLineKit
import Execution
import Glibc
import Manifests
import Planning
import ResultStore
import Synchronization
import SystemIO

/// Runs stages as jobs of a Slurm cluster whose nodes share the folders of the run.
///
/// With a job the ones that read its result are submitted (``FollowingAttempt``), each of which
/// begins when the one before has ended well (`--dependency=afterok`): the cluster goes on even if
/// the run is killed.
///
/// How a job ended is what the `result.json` in the attempt's folder says. Slurm is asked only to
/// find out that none will come.
package final class SlurmExecutor: Executor {
  /// A stage of a region.
  private struct RegionStage: Hashable {
    var region: String
    var stage: Stage
  }

  /// How jobs are run.
  package struct Settings: Sendable {
    /// The path of the `cairn` that the nodes call.
    package var cairn: String
    /// The folders where Slurm's commands are looked for, as in `PATH`.
    package var searchPath: String
    /// Seconds between two queries of the queue.
    var tickSeconds = 5.0
    /// Seconds that a result may take to appear here after its job has ended: shared file systems
    /// have delays.
    var resultSeconds = 10.0
    /// Seconds that Slurm may fail to answer.
    var silenceSeconds = 900.0

    package init(
      cairn: String, searchPath: String, tickSeconds: Double = 5.0, resultSeconds: Double = 10.0,
      silenceSeconds: Double = 900.0
    ) {
      self.cairn = cairn
      self.searchPath = searchPath
      self.tickSeconds = tickSeconds
      self.resultSeconds = resultSeconds
      self.silenceSeconds = silenceSeconds
    }
  }

  /// How many jobs a run has in the queue at a time by default.
  package static let defaultJobs = 64

  private let settings: Settings
  private let tools: SlurmTools
  private let queue: SlurmQueue
  private let ended = EndedAttempts()
  private let interruption: Interruption
  private let note: @Sendable (_ region: String, _ message: String) -> Void
  /// What was submitted ahead and is not waited for yet.
  private let ahead = Mutex<[RegionStage: SlurmAttempt]>([:])

  /// - Parameter note: Told what the user should know.
  package init(
    _ settings: Settings, _ interruption: Interruption,
    note: @escaping @Sendable (_ region: String, _ message: String) -> Void
  ) {
    self.settings = settings
    self.interruption = interruption
    self.note = note
    tools = SlurmTools(searchPath: settings.searchPath)
    queue = SlurmQueue(
      tools, tickSeconds: settings.tickSeconds, patienceSeconds: settings.silenceSeconds)
  }

  /// Throws 78 if there is no Slurm here, 75 if it does not answer.
  package func check() throws(CairnError) {
    try tools.check()
    try queue.open()
  }

  /// The cluster itself assigns memory and processors.
  package func capacity(parallelism: Int, memoryBytes: Int?) -> Capacity {
    Capacity(processors: parallelism, threadsPerBatch: 1)
  }

  /// A job may use as many threads as a stage takes.
  package func threadLimit(granted: Int) -> Int { AttemptLimits.mostThreads }

  package var submitsAhead: Bool { true }

  /// Submits a job and those that follow it, and waits for its end.
  package func run(_ attempt: PreparedAttempt, progress: @escaping (StageProgress) -> Void) throws
    -> ActionResult
  {
    guard let first = attempt.actions.first else {
      throw CairnError("unexpected", .software, "a job without an action")
    }
    let keys = Dictionary(attempt.actions.map { ($0.region, $0.resolved.key.digest) }) { first, _ in
      first
    }
    let submitted = try submit(
      SlurmAttempt(
        folder: attempt.folder, region: first.region, stage: first.stage, keys: keys,
        memoryMiB: attempt.limits.memoryMiB),
      JobDescription(
        stage: attempt.invocation,
        handovers: attempt.actions.flatMap { handovers(of: $0.index, to: attempt.following) }),
      attempt.limits, after: nil)
    if let job = submitted.record.job { submit(attempt.following, after: job) }
    return try wait(for: submitted, progress: progress)
  }

  /// The files that the job of an action hands to the jobs that depend on it, directly or
  /// indirectly.
  private func handovers(of action: Int, to following: [FollowingAttempt])
    -> [JobDescription.Handover]
  {
    following.flatMap { next in
      next.inputs.filter { $0.action == action }.map { .init(product: $0.product, path: $0.path) }
        + handovers(of: action, to: next.following)
    }
  }

  /// Submits the jobs that follow another one. What cannot be submitted is run when its turn comes.
  private func submit(_ following: [FollowingAttempt], after job: String) {
    for next in following where interruption.signal == nil {
      guard let attempt = try? submit(next, after: job), let id = attempt.record.job else {
        continue
      }
      ahead.withLock { $0[RegionStage(region: next.region, stage: next.stage)] = attempt }
      submit(next.following, after: id)
    }
  }

  private func submit(_ next: FollowingAttempt, after job: String) throws -> SlurmAttempt {
    let components = next.openKey.components
    let action = ActionCommand(
      region: next.region, stage: next.stage.rawValue, key: "", components: components,
      command: next.invocation.command.map(redactedURL))
    return try submit(
      SlurmAttempt(
        folder: next.folder, region: next.region, stage: next.stage,
        keys: [next.region: next.openKey.digest], memoryMiB: next.limits.memoryMiB,
        open: components),
      JobDescription(
        stage: next.invocation, handovers: handovers(of: next.action, to: next.following),
        ahead: .init(
          inputs: joinPath(next.folder, FollowingAttempt.inputFolder), action: action,
          store: next.storeRoot, product: next.stage.product)),
      next.limits, after: job)
  }

  private func submit(
    _ attempt: SlurmAttempt, _ description: JobDescription, _ limits: AttemptLimits,
    after job: String?
  ) throws -> SlurmAttempt {
    var attempt = attempt
    let script = try attempt.writeScript(description, cairn: settings.cairn)
    try attempt.save()
    let id = try submit(script, attempt, limits, after: job)
    attempt.record.job = id
    queue.enter(id)
    try attempt.save()
    return attempt
  }

  /// Waits for the job that does the same work already: one that was submitted ahead in this run,
  /// or one of an earlier run.
  package func finishEarlierAttempt(
    _ request: EarlierAttemptRequest, progress: @escaping (StageProgress) -> Void
  ) throws -> EarlierAttempt? {
    guard let first = request.actions.first else { return nil }
    var found = ahead.withLock {
      $0.removeValue(forKey: RegionStage(region: request.name, stage: first.stage))
    }
    let isOwn = found?.does(request.actions) == true
    if !isOwn { found = try adopted(request, first) }
    guard let attempt = found else { return nil }
    let result = try wait(for: attempt, progress: progress)
    // An earlier run may have been killed while it was cancelling the job.
    let isLost = attempt.neverBegan || !isOwn && attempt.result == nil
    if isLost, interruption.signal == nil { return nil }
    if attempt.record.open != nil, result.exit == 0,
      attempt.command?.key != first.resolved.key.digest
    {
      return nil
    }
    return EarlierAttempt(folder: attempt.folder, result: result)
  }

  /// The attempt of an earlier run whose job does the same work, if there is one.
  private func adopted(_ request: EarlierAttemptRequest, _ first: ReadyAction) throws
    -> SlurmAttempt?
  {
    let attempt = try adoptable(
      request.folders(), request.actions, products: request.products)
    if let attempt, let job = attempt.record.job {
      let verb = attempt.result == nil ? "goes on" : "was finished"
      note(first.region, "\(first.stage.rawValue) \(verb) as Slurm job \(job)")
    }
    return attempt
  }

  /// Cancels what this run has left in the queue: all of it if the run is being stopped, else what
  /// turned out not to be needed.
  package func close() {
    let left = ahead.withLock { ahead in
      defer { ahead = [:] }
      return ahead.values.sorted { $0.folder < $1.folder }
    }
    cancelAll(region: left.first?.record.keys.keys.min() ?? "")
    for attempt in left { removeTree(attempt.folder) }
    ended.clear()
  }

  private func submit(
    _ script: String, _ attempt: SlurmAttempt, _ limits: AttemptLimits, after job: String?
  ) throws(CairnError) -> String {
    let name = attempt.record.name
    do throws(CairnError) {
      return try tools.submit(
        script, name: name, folder: absolutePath(attempt.folder), limits, after: job)
    } catch {
      // The job may have been submitted although the answer was lost.
      guard error.exitCode == .temporaryFailure, let job = try? queue.aliveNow(named: name) else {
        throw error
      }
      return job.id
    }
  }

  /// An earlier run's attempt in one of the folders that does the same work and is running, or has
  /// succeeded. One whose job cannot be found does not count.
  ///
  /// - Parameters:
  ///   - actions: What is to be done.
  ///   - products: The names of the files that a finished job must have left.
  private func adoptable(_ folders: [String], _ actions: [ReadyAction], products: [String])
    throws(CairnError) -> SlurmAttempt?
  {
    func isDone(_ attempt: SlurmAttempt) -> Bool {
      attempt.result?.exit == 0
        && products.allSatisfy { pathExists(joinPath(attempt.folder, $0)) }
    }
    for folder in folders {
      guard var attempt = SlurmAttempt(folder: folder), attempt.does(actions) else { continue }
      if isDone(attempt) { return attempt }
      if attempt.result != nil { continue }
      guard let job = queue.alive(named: attempt.record.name) else {
        // It may have ended between the two checks.
        if isDone(attempt) { return attempt }
        continue
      }
      attempt.record.job = job.id
      try attempt.save()
      return attempt
    }
    return nil
  }

  /// Cancels the job that may still be at work in a folder which is about to be removed.
  package func abandon(_ folder: String) {
    guard let attempt = SlurmAttempt(folder: folder), attempt.result == nil else { return }
    // If this fails, the job ends by itself for lack of its folder.
    try? tools.cancel(named: attempt.record.name)
  }

  /// Waits for the end of an attempt's job. Its description is removed then: the command in it may
  /// contain the password of a URL.
  private func wait(for attempt: SlurmAttempt, progress: (StageProgress) -> Void) throws
    -> ActionResult
  {
    var result = try ending(of: attempt, progress: progress)
    // The cluster kills the stage alone, which leaves a result.
    if result.signal == SIGKILL, result.reason == nil, let memoryMiB = attempt.record.memoryMiB {
      result.reason =
        "was ended by signal 9 (SIGKILL), perhaps because it needed more memory than the "
        + "\(memoryMiB) MiB it was given; give it more under resources: in the manifest"
      result.mayPass = true
    }
    unlink(joinPath(attempt.folder, SlurmAttempt.orderName))
    return result
  }

  private func ending(of attempt: SlurmAttempt, progress: (StageProgress) -> Void) throws
    -> ActionResult
  {
    if let result = attempt.result { return result }
    let job = attempt.record.job ?? ""
    let start = monotonicSeconds()
    queue.enter(job)
    defer { queue.leave(job) }
    var lastState = ""
    var endSeconds: Double?
    while true {
      if interruption.signal != nil { return stop(attempt) }
      let knowledge = try queue.knowledge(of: job, since: start)
      let isMarked = ended.contains(attempt.folder)
      // Looked for after Slurm was asked: a job that ended before has left its result.
      lookAgain(attempt.folder, if: endSeconds != nil)
      if isMarked || endSeconds != nil || !knowledge.isAlive, let result = attempt.result {
        return result
      }
      var listed: SlurmJob?
      if case .listed(let found) = knowledge { listed = found }
      if let listed, listed.isAlive {
        endSeconds = nil
        if listed.isHopeless {
          try? tools.cancel([job])
          return ActionResult(hopeless: listed)
        }
        let state = listed.isWaiting ? "waiting for Slurm: \(listed.reason)" : "running in Slurm"
        if state != lastState { progress(StageProgress(phase: state, done: 0, total: 0)) }
        lastState = state
      } else if knowledge != .unknown {
        let end = endSeconds ?? monotonicSeconds()
        endSeconds = end
        if monotonicSeconds() - end >= settings.resultSeconds {
          keepLog(attempt.folder)
          return ActionResult(lost: listed, attempt.record, seconds: monotonicSeconds() - start)
        }
      }
      usleep(100_000)
    }
  }

  /// Makes a network file system look for new names in a folder.
  private func lookAgain(_ folder: String, if isNeeded: Bool) {
    if isNeeded { _ = try? folderContents(folder) }
  }

  /// Cancels all jobs of this run.
  private func stop(_ attempt: SlurmAttempt) -> ActionResult {
    let job = attempt.record.job ?? ""
    cancelAll(region: attempt.record.keys.keys.min() ?? "")
    return ActionResult(
      signal: interruption.signal ?? SIGTERM, reason: "was stopped with its run (Slurm job \(job))")
  }

  private func cancelAll(region: String) {
    do throws(CairnError) {
      let count = try queue.cancelAll()
      if count > 0, interruption.signal != nil {
        note(region, "stopped: \(count) \(count == 1 ? "Slurm job" : "Slurm jobs") cancelled")
      }
    } catch { note(region, "Slurm jobs may still be running: \(error)") }
  }

  /// Adds what the job itself printed to the stage's log.
  private func keepLog(_ folder: String) {
    let log = joinPath(folder, ActionStore.logName)
    let lines = lastLines(log, 1000) + lastLines(joinPath(folder, SlurmAttempt.logName), 20)
    try? writeCacheFile(Array(lines.map { $0 + "\n" }.joined().utf8), to: log)
  }
}

extension ActionResult {
  /// The result of a job that would wait for ever.
  fileprivate init(hopeless job: SlurmJob) {
    self.init(
      reason: "would never start (job \(job.id): \(job.reason)); change resources: "
        + "in the manifest, or choose another partition with SBATCH_PARTITION")
  }

  /// The result of a job that ended without one.
  fileprivate init(lost job: SlurmJob?, _ record: SlurmAttempt.Record, seconds: Double) {
    let id = "Slurm job \(record.job ?? record.name)"
    switch job?.state {
    case "TIMEOUT", "DEADLINE":
      self.init(
        reason: "reached the time limit of \(id) and was stopped "
          + "(give it more time under resources: in the manifest)")
    case "OUT_OF_MEMORY":
      let given = record.memoryMiB.map { "the \($0) MiB" } ?? "the cluster's default"
      self.init(
        signal: SIGKILL,
        reason: "needed more memory than \(given) (\(id)); "
          + "give it more under resources: in the manifest", mayPass: true)
    case "CANCELLED": self.init(reason: "was cancelled by another user or program (\(id))")
    case "NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REVOKED", "REQUEUED", "SPECIAL_EXIT":
      self.init(reason: "was lost with its node (\(id): \(job?.state ?? ""))", mayPass: true)
    case let state:
      self.init(
        reason: "left no result (\(id): \(state ?? "unknown to Slurm")); are the output folder and "
          + "cairn on a file system that the nodes share?", mayPass: true)
    }
    wallSeconds = seconds
  }
}
