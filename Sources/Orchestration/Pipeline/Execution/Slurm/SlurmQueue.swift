// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Synchronization
import SystemIO

/// What Slurm knows of all jobs of a run, asked once a tick for all of them together.
final class SlurmQueue: Sendable {
  /// What is known of a job.
  enum Knowledge: Equatable, Sendable {
    /// Nobody has asked since it was submitted.
    case unknown
    case listed(SlurmJob)
    /// It is not in the queue, not even among those that were over a moment ago.
    case gone
  }

  private struct State {
    var jobs: [String: SlurmJob] = [:]
    /// When the answer was asked for, and when the last question was asked.
    var asked = -Double.infinity
    var tried = -Double.infinity
    var isAsking = false
    /// Since when there is no answer, and the last reason.
    var silence: (since: Double, error: CairnError)?
    /// Jobs of this run that are not known to be over.
    var own: Set<String> = []
  }

  let tools: SlurmTools
  private let tickSeconds: Double
  /// How long Slurm may stay silent: it is restarted now and then.
  private let patienceSeconds: Double
  private let state = Mutex(State())

  init(_ tools: SlurmTools, tickSeconds: Double, patienceSeconds: Double) {
    self.tools = tools
    self.tickSeconds = tickSeconds
    self.patienceSeconds = patienceSeconds
  }

  /// What is known of a job that was submitted at a time of ``monotonicSeconds()``.
  ///
  /// Throws 75 if Slurm has been silent for long.
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

  /// The job that has a name and is not over, by the last answer; nil if there is none.
  ///
  /// Jobs of an earlier run were submitted before this one opened the queue, so any answer tells.
  func alive(named name: String) -> SlurmJob? {
    state.withLock { $0.jobs.values.first { $0.name == name && $0.isAlive } }
  }

  /// The job that has a name and is not over, as of now; nil if there is none.
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

  /// Asks Slurm, unless that was done in this tick or another thread does it now.
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

  /// Notes that a job is this run's.
  func enter(_ id: String) { state.withLock { _ = $0.own.insert(id) } }

  /// Ends that: it is over.
  func leave(_ id: String) { state.withLock { _ = $0.own.remove(id) } }

  /// Ends all jobs of this run that may be at work or waiting, in one command; each only once.
  /// Returns how many there were.
  func cancelAll() throws(CairnError) -> Int {
    let ids = state.withLock { state in
      defer { state.own = [] }
      return state.own
    }
    if ids.isEmpty { return 0 }
    // Some may have ended by themselves, which scancel takes for an error.
    let alive = try tools.queue().filter { ids.contains($0.id) && $0.isAlive }.map(\.id)
    do throws(CairnError) { try tools.cancel(alive) } catch {
      let left = try tools.queue().filter { ids.contains($0.id) && $0.isAlive }
      if !left.isEmpty { throw error }
    }
    return alive.count
  }
}
