// SPDX-License-Identifier: Apache-2.0
import Glibc
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
      let argument = Unmanaged.passRetained(Loop(state, asUnownedTaskExecutor()))
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Loop>.fromOpaque(argument).takeRetainedValue().run() }
          return nil
        }, argument.toOpaque())
      if status == 0 { pthread_detach(thread) } else { argument.release() }
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
