// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization
import SystemIO

/// What Slurm knows about all jobs of a run, asked once per interval for all of them together.
final class SlurmQueue: Sendable {
  /// What is known about a job.
  enum Knowledge: Equatable, Sendable {
    /// Slurm was not asked since it was submitted.
    case unknown
    case listed(SlurmJob)
    /// It is not in the queue, not even among those that ended a moment ago.
    case gone

    /// Whether it may still be at work.
    var isAlive: Bool {
      switch self {
      case .unknown: true
      case .listed(let job): job.isAlive
      case .gone: false
      }
    }
  }

  private struct State {
    var jobs: [String: SlurmJob] = [:]
    /// When the last answer was asked for, and when Slurm was last asked.
    var asked = -Double.infinity
    var tried = -Double.infinity
    var isAsking = false
    /// Since when there is no answer, and the last error.
    var silence: (since: Double, error: CairnError)?
    /// Jobs of this run that may not have ended.
    var own: Set<String> = []
  }

  let tools: SlurmTools
  private let tickSeconds: Double
  /// How long Slurm may fail to answer: it is restarted now and then.
  private let patienceSeconds: Double
  private let state = Mutex(State())

  init(_ tools: SlurmTools, tickSeconds: Double, patienceSeconds: Double) {
    self.tools = tools
    self.tickSeconds = tickSeconds
    self.patienceSeconds = patienceSeconds
  }

  /// What is known about a job that was submitted at a time of ``monotonicSeconds()``.
  ///
  /// Throws 75 if Slurm has not answered for long.
  func knowledge(of id: String, since submission: Double) throws(CairnError) -> Knowledge {
    ask()
    return try state.withLock { state throws(CairnError) in
      if let silence = state.silence, monotonicSeconds() - silence.since > patienceSeconds {
        throw silence.error
      }
      guard state.asked >= submission else { return .unknown }
      return state.jobs[id].map { .listed($0) } ?? .gone
    }
  }

  /// Asks for the first time. Throws 78 or 75 if Slurm does not answer.
  func open() throws(CairnError) {
    let now = monotonicSeconds()
    take(try tools.queue(), askedAt: now)
    state.withLock { $0.tried = now }
  }

  /// The job with a name that has not ended, by the last answer; nil if there is none.
  ///
  /// Jobs of an earlier run were submitted before this one opened the queue, so any answer has them.
  func alive(named name: String) -> SlurmJob? {
    state.withLock { $0.jobs.values.first { $0.name == name && $0.isAlive } }
  }

  /// The job with a name that has not ended, as of now; nil if there is none.
  func aliveNow(named name: String) throws(CairnError) -> SlurmJob? {
    try tools.queue().first { $0.name == name && $0.isAlive }
  }

  private func take(_ jobs: [SlurmJob], askedAt time: Double) {
    state.withLock { state in
      state.jobs = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
      state.asked = time
      state.silence = nil
    }
  }

  /// Asks Slurm, unless that was done in this interval or another thread is doing it.
  private func ask() {
    let now = monotonicSeconds()
    let isMine = state.withLock { state in
      guard !state.isAsking, now - state.tried >= tickSeconds else { return false }
      state.isAsking = true
      state.tried = now
      return true
    }
    guard isMine else { return }
    defer { state.withLock { $0.isAsking = false } }
    do throws(CairnError) { take(try tools.queue(), askedAt: now) } catch {
      state.withLock { $0.silence = ($0.silence?.since ?? now, error) }
    }
  }

  /// Adds a job of this run.
  func enter(_ id: String) { state.withLock { _ = $0.own.insert(id) } }

  /// Removes a job that has ended.
  func leave(_ id: String) { state.withLock { _ = $0.own.remove(id) } }

  /// Cancels all jobs of this run that may be running or waiting, in one command, each only once.
  /// Returns how many there were.
  func cancelAll() throws(CairnError) -> Int {
    let ids = state.withLock { state in
      defer { state.own = [] }
      return state.own
    }
    if ids.isEmpty { return 0 }
    // Some may have ended by themselves, which scancel treats as an error.
    let alive = try tools.queue().filter { ids.contains($0.id) && $0.isAlive }.map(\.id)
    do throws(CairnError) { try tools.cancel(alive) } catch {
      let left = try tools.queue().filter { ids.contains($0.id) && $0.isAlive }
      if !left.isEmpty { throw error }
    }
    return alive.count
  }
}
