// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Glibc
import Synchronization
import SystemIO

/// Runs stages as jobs of a Slurm cluster whose nodes share the folders of the run.
///
/// With a job the ones behind it are submitted (``JobChain``), each of which begins when the one
/// before has ended well (`--dependency=afterok`): the cluster goes on while nobody looks.
///
/// The truth about a job is the `result.json` that it leaves in the attempt's folder. Slurm is
/// asked only to find out that none will come.
final class SlurmExecutor: Sendable {
  /// How jobs are run.
  struct Settings: Sendable {
    /// The path of the `cairn` that the nodes call.
    var cairn: String
    /// The folders where Slurm's commands are looked for.
    var searchPath: String
    /// Seconds between two looks at the queue.
    var tickSeconds = 5.0
    /// Seconds that a result may need to be seen here after its job has ended: file systems that
    /// are shared do not show everything at once.
    var resultSeconds = 10.0
    /// Seconds that Slurm may be silent.
    var silenceSeconds = 900.0
  }

  /// How many jobs a run has in the queue at a time, unless it is told another number.
  static let defaultJobs = 64

  private let settings: Settings
  private let tools: SlurmTools
  private let queue: SlurmQueue
  private let interruption: Interruption
  private let note: @Sendable (_ region: String, _ message: String) -> Void
  /// What was submitted ahead of its time and is not waited for yet.
  private let ahead = Mutex<[JobChain.Place: SlurmAttempt]>([:])

  /// - Parameter note: Told what the user should know.
  init(
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
  func check() throws(CairnError) {
    try tools.check()
    try queue.open()
  }

  /// Submits a job and those behind it, and waits for its end.
  func run(
    _ link: JobChain, progress: (StageProgress) -> Void
  ) throws -> ActionResult {
    let attempt = try submit(link, after: nil)
    if let job = attempt.record.job { submit(link.next, after: job) }
    return try wait(for: attempt, progress: progress)
  }

  /// Submits the jobs behind another one. What cannot be submitted is run when its time comes.
  private func submit(_ links: [JobChain], after job: String) {
    for link in links where interruption.signal == nil {
      guard let attempt = try? submit(link, after: job), let next = attempt.record.job else {
        continue
      }
      ahead.withLock { $0[link.place] = attempt }
      submit(link.next, after: next)
    }
  }

  private func submit(_ link: JobChain, after job: String?) throws -> SlurmAttempt {
    var attempt = link.attempt
    let script = try attempt.writeScript(link.order, cairn: settings.cairn)
    try attempt.save()
    let id = try submit(script, attempt, link.limits, after: job)
    attempt.record.job = id
    queue.enter(id)
    try attempt.save()
    return attempt
  }

  /// The attempt at a stage of a region that was submitted ahead of its time in this run; nil if
  /// there is none, or none any more.
  func takeAhead(_ place: JobChain.Place) -> SlurmAttempt? {
    ahead.withLock { $0.removeValue(forKey: place) }
  }

  /// Ends what this run has left in the queue: all of it if the run is being stopped, else what
  /// turned out not to be needed.
  func close() {
    let left = ahead.withLock { ahead in
      defer { ahead = [:] }
      return ahead.values.sorted { $0.folder < $1.folder }
    }
    cancelAll(region: left.first?.record.keys.keys.min() ?? "")
    for attempt in left { removeTree(attempt.folder) }
  }

  private func submit(
    _ script: String, _ attempt: SlurmAttempt, _ limits: SlurmTools.Limits, after job: String?
  ) throws(CairnError) -> String {
    let name = attempt.record.name
    do throws(CairnError) {
      return try tools.submit(
        script, name: name, folder: absolutePath(attempt.folder), limits, after: job)
    } catch {
      // The answer may have been lost on its way, and not the question.
      guard error.exitCode == .temporaryFailure, let job = try? queue.aliveNow(named: name) else {
        throw error
      }
      return job.id
    }
  }

  /// An earlier run's attempt in one of the folders that does the same work and is at work, or
  /// has done it well. That of a job which cannot be found is none.
  ///
  /// - Parameters:
  ///   - steps: What is wanted.
  ///   - products: What a job that is done must have left.
  func adoptable(_ folders: [String], _ steps: [Step], products: [String])
    throws(CairnError) -> SlurmAttempt?
  {
    func isDone(_ attempt: SlurmAttempt) -> Bool {
      attempt.result?.exit == 0
        && products.allSatisfy { pathExists(joinPath(attempt.folder, $0)) }
    }
    for folder in folders {
      guard var attempt = SlurmAttempt(folder: folder), attempt.does(steps) else { continue }
      if isDone(attempt) { return attempt }
      if attempt.result != nil { continue }
      guard let job = queue.alive(named: attempt.record.name) else {
        // It may have ended between the two looks.
        if isDone(attempt) { return attempt }
        continue
      }
      attempt.record.job = job.id
      try attempt.save()
      return attempt
    }
    return nil
  }

  /// Ends the job that may still work in a folder which is about to go.
  func abandon(_ folder: String) {
    guard let attempt = SlurmAttempt(folder: folder), attempt.result == nil else { return }
    // Without its folder it comes to nothing by itself.
    try? tools.cancel(named: attempt.record.name)
  }

  /// Waits for the end of an attempt's job.
  func wait(for attempt: SlurmAttempt, progress: (StageProgress) -> Void) throws -> ActionResult {
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
      // Looked for after Slurm was asked: what ended before has left its result.
      lookAgain(attempt.folder, if: endSeconds != nil)
      if let result = attempt.result { return result }
      var listed: SlurmJob?
      if case .listed(let found) = knowledge { listed = found }
      if let listed, listed.isAlive {
        endSeconds = nil
        if listed.isHopeless {
          try? tools.cancel([job])
          return ActionResult(hopeless: listed)
        }
        let state = listed.isWaiting ? "waits for Slurm: \(listed.reason)" : "at work in Slurm"
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

  /// Has a network file system look for new names in a folder.
  private func lookAgain(_ folder: String, if isWanted: Bool) {
    if isWanted { _ = try? folderContents(folder) }
  }

  /// Ends all jobs of this run.
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
        note(region, "stopped: \(count) \(count == 1 ? "job" : "jobs") of Slurm cancelled")
      }
    } catch { note(region, "jobs of Slurm may go on: \(error)") }
  }

  /// Adds to the stage's log what the job itself said.
  private func keepLog(_ folder: String) {
    let log = joinPath(folder, "stderr.log")
    let lines = lastLines(log, 1000) + lastLines(joinPath(folder, "slurm.log"), 20)
    try? writeCacheFile(Array(lines.map { $0 + "\n" }.joined().utf8), to: log)
  }
}

extension ActionResult {
  /// That of a program which somebody other than itself ended.
  init(signal: Int32? = nil, reason: String, mayPass: Bool = false) {
    self.init(
      exit: nil, signal: signal, reason: reason, wallSeconds: 0, cpuSeconds: 0, peakBytes: 0)
    self.mayPass = mayPass
  }

  /// That of a job which would wait for ever.
  fileprivate init(hopeless job: SlurmJob) {
    self.init(
      reason: "would never be started by Slurm (job \(job.id): \(job.reason)); change resources: "
        + "in the manifest, or choose another partition with SBATCH_PARTITION")
  }

  /// That of a job which ended without a result.
  fileprivate init(lost job: SlurmJob?, _ record: SlurmAttempt.Record, seconds: Double) {
    let id = "Slurm job \(record.job ?? record.name)"
    switch job?.state {
    case "TIMEOUT", "DEADLINE":
      self.init(
        reason: "reached the time limit of \(id) and was stopped "
          + "(give it more time under resources: in the manifest)")
    case "OUT_OF_MEMORY":
      let given = record.memoryMiB.map { "the \($0) MiB" } ?? "what the cluster gives by default"
      self.init(
        signal: SIGKILL,
        reason: "needed more memory than \(given) (\(id)); "
          + "give it more under resources: in the manifest", mayPass: true)
    case "CANCELLED": self.init(reason: "was cancelled by somebody (\(id))")
    case "NODE_FAIL", "BOOT_FAIL", "PREEMPTED", "REVOKED", "REQUEUED", "SPECIAL_EXIT":
      self.init(reason: "was lost with its node (\(id): \(job?.state ?? ""))", mayPass: true)
    case let state:
      self.init(
        reason: "left no result (\(id): \(state ?? "no longer known")); is the output folder on a "
          + "file system that the nodes share, and cairn, too?", mayPass: true)
    }
    wallSeconds = seconds
  }
}
