// SPDX-License-Identifier: Apache-2.0
import SystemIO

/// Threads for long-running tasks, since the language's own pool must not block.
final class WorkThreads: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = Monitor(State())

  /// - Parameter count: The number of concurrent tasks, if the system allows it.
  init(count: Int) {
    for _ in 0..<count {
      let loop = Loop(state, asUnownedTaskExecutor())
      startThread { loop.run() }?.detach()
    }
  }

  deinit { state.access { $0.isOver = true } }

  /// Called by the language to resume a task.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.access { $0.jobs.append(job) }
  }

  private final class Loop: @unchecked Sendable {
    private let state: Monitor<State>
    private let executor: UnownedTaskExecutor

    init(_ state: Monitor<State>, _ executor: UnownedTaskExecutor) {
      (self.state, self.executor) = (state, executor)
    }

    func run() {
      // Tasks keep their executor, so none is left when it ends.
      while let job = state.wait({ state -> UnownedJob?? in
        if !state.jobs.isEmpty { return state.jobs.removeFirst() }
        return state.isOver ? .some(nil) : nil
      }) {
        job.runSynchronously(on: executor)
      }
    }
  }
}
