// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Does jobs that depend on each other, several at a time. A job brings about one action or more.
///
/// Of those that could begin the one with the lowest number does: with a region's jobs numbered
/// together, a region that was begun is finished before another one is. What depends on a failed
/// action is left out.
struct Scheduler: Sendable {
  private struct State {
    var missing: [Int]
    var ready: Set<Int>
    var running = 0
  }

  /// For each action the jobs that need it.
  private let dependents: [[Int]]
  private let jobs: [[Int]]
  private let state: Monitor<State>

  /// - Parameters:
  ///   - jobs: The actions of each job; every action is in one.
  ///   - dependencies: For each action those that must be done before.
  init(jobs: [[Int]], dependencies: [[Int]]) {
    self.jobs = jobs
    var dependents = [[Int]](repeating: [], count: dependencies.count)
    var missing = [Int](repeating: 0, count: jobs.count)
    for (job, actions) in jobs.enumerated() {
      for dependency in actions.flatMap({ dependencies[$0] }) {
        dependents[dependency].append(job)
        missing[job] += 1
      }
    }
    self.dependents = dependents
    let ready = jobs.indices.filter { [missing] in missing[$0] == 0 }
    state = Monitor(State(missing: missing, ready: Set(ready)))
  }

  /// Works on at most `limit` jobs at a time and returns when nothing more can be done.
  ///
  /// - Parameters:
  ///   - isStopped: Whether no further job may begin.
  ///   - perform: Does the actions of a job, and calls `done` with each one that succeeded, once
  ///     and as early as it can: others may build on it from then on. `concurrent` says how many
  ///     jobs are at work or could be, this one included, at most `limit`.
  func run(
    limit: Int, isStopped: @escaping @Sendable () -> Bool,
    perform:
      @escaping @Sendable (
        _ actions: [Int], _ concurrent: Int, _ done: (Int) -> Void
      ) -> Void
  ) throws {
    try withWorkers(min(limit, max(1, jobs.count))) { _ in
      while let (job, concurrent) = next(limit: limit, isStopped: isStopped) {
        perform(jobs[job], concurrent, finish)
        state.access { $0.running -= 1 }
      }
    }
  }

  private func finish(_ action: Int) {
    state.access { state in
      for job in dependents[action] {
        state.missing[job] -= 1
        if state.missing[job] == 0 { state.ready.insert(job) }
      }
    }
  }

  private func next(limit: Int, isStopped: () -> Bool) -> (job: Int, concurrent: Int)? {
    let next: (Int, Int)?? = state.wait { state in
      if isStopped() { return .some(nil) }
      guard let job = state.ready.min() else {
        return state.running == 0 ? .some(nil) : nil
      }
      let concurrent = min(limit, state.running + state.ready.count)
      state.ready.remove(job)
      state.running += 1
      return (job, concurrent)
    }
    return next ?? nil
  }
}
