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
    /// Jobs that are waited for.
    var waiting: Set<String> = []
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

  /// The job that has a name and is not over, as of now; nil if there is none.
  func alive(named name: String) throws(CairnError) -> SlurmJob? {
    let jobs = try tools.queue()
    return jobs.first { $0.name == name && $0.isAlive }
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
    let answer = Result { () throws(CairnError) in try tools.queue() }
    state.withLock { state in
      state.isAsking = false
      switch answer {
      case .success(let jobs):
        state.jobs = Dictionary(jobs.map { ($0.id, $0) }) { first, _ in first }
        state.asked = now
        state.silence = nil
      case .failure(let error):
        state.silence = (state.silence?.since ?? now, error)
      }
    }
  }

  /// Notes that a job is waited for.
  func enter(_ id: String) { state.withLock { _ = $0.waiting.insert(id) } }

  /// Ends that.
  func leave(_ id: String) { state.withLock { _ = $0.waiting.remove(id) } }

  /// Ends all jobs that are waited for, in one command; each only once.
  func cancelAll() throws(CairnError) {
    let ids = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting.sorted()
    }
    try tools.cancel(ids)
  }
}
