// SPDX-License-Identifier: Apache-2.0
import CLinux
import CairnDiagnostics
import Synchronization

/// Computes a value on its own thread, in otherwise idle time.
///
/// The thread has a lower priority than the working threads, so that it runs while they wait for
/// each other or for a disk.
package final class BackgroundTask<Value: Sendable>: Sendable {
  /// Computes the value. It may give up, with any error, once nobody can request the value any
  /// more.
  package typealias Body =
    @Sendable (_ isWanted: () -> Bool) throws(CairnError) -> Value

  private enum State {
    case waiting
    case running(StartedThread)
    case finished(Result<Value, CairnError>)
  }

  /// The computation of the thread, and its result.
  private final class Work: Sendable {
    let body: Body
    let isWanted = Atomic(true)
    let result = Mutex<Result<Value, CairnError>?>(nil)

    init(_ body: @escaping Body) { self.body = body }

    func run() {
      let computed = Result { () throws(CairnError) in
        try body { isWanted.load(ordering: .relaxed) }
      }
      result.withLock { $0 = computed }
    }
  }

  /// The niceness of the thread; with 10, it gets a tenth of a processor if all are busy.
  private static var niceness: Int32 { 10 }

  private let work: Work
  private let state: Mutex<State>

  /// Starts computing a value. With one thread it is computed only on request.
  package init(threads: Int, _ body: @escaping Body) {
    work = Work(body)
    state = Mutex(.waiting)
    if threads > 1 { start() }
  }

  deinit {
    // Waited for: a thread must not go on while the process ends and libraries clean up.
    if case .running(let thread) = state.withLock({ $0 }) {
      work.isWanted.store(false, ordering: .relaxed)
      thread.join()
    }
  }

  private func start() {
    let work = work
    let thread = startWorkingThread {
      cairn_lower_thread_priority(Self.niceness)
      work.run()
    }
    if let thread { state.withLock { $0 = .running(thread) } }
  }

  /// The value; waits until it is computed. Any thread may call it, any number of times.
  package func value() throws(CairnError) -> Value {
    let result = state.withLock { state in
      switch state {
      case .finished(let result): return result
      case .waiting: work.run()
      case .running(let thread): thread.join()
      }
      let result =
        work.result.withLock { $0 }
        ?? .failure(CairnError("unexpected", .software, "a task was not run"))
      state = .finished(result)
      return result
    }
    return try result.get()
  }
}
