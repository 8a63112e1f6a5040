// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Synchronization

/// The number of processors that this process may use, at least 1.
package func availableProcessors() -> Int {
  var mask = [UInt8](repeating: 0, count: 1024)
  let bytes = cairn_processor_mask(&mask, UInt(mask.count))
  return max(1, mask.prefix(max(0, bytes)).reduce(0) { $0 + $1.nonzeroBitCount })
}

/// Runs `body` once on each of `count` threads, including the calling one, and returns when all are
/// done.
///
/// If workers throw, the error of the worker with the lowest index is thrown after all have ended. A
/// thread that cannot be started is left out, so work must be distributed through a ``WorkQueue`` and
/// not by worker index.
package func withWorkers(_ count: Int, _ body: @escaping @Sendable (_ worker: Int) throws -> Void)
  throws
{
  let failures = Mutex<[Int: any Error]>([:])
  let run: @Sendable (Int) -> Void = { worker in
    do { try body(worker) } catch { failures.withLock { $0[worker] = error } }
  }
  // The closure outlives the threads, since all are joined before this function returns.
  try withExtendedLifetime(run) {
    var threads: [pthread_t] = []
    for worker in 1..<max(1, count) {
      let start = Unmanaged.passRetained(ThreadStart(worker: worker, run: run))
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument {
            let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
            start.run(start.worker)
          }
          return nil
        }, start.toOpaque())
      if status == 0 { threads.append(thread) } else { start.release() }
    }
    run(0)
    for thread in threads { pthread_join(thread, nil) }
    if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
  }
}

/// What a new thread runs.
private final class ThreadStart: Sendable {
  let worker: Int
  let run: @Sendable (Int) -> Void

  init(worker: Int, run: @escaping @Sendable (Int) -> Void) {
    self.worker = worker
    self.run = run
  }
}

/// Hands out the indices 0…count−1 to workers, each once, in order.
package final class WorkQueue: Sendable {
  /// The number of indices.
  package let count: Int
  private let nextIndex = Atomic<Int>(0)

  /// Creates a queue of the indices 0…count−1.
  package init(count: Int) { self.count = count }

  /// The next index, or nil if all are taken.
  package func next() -> Int? {
    let index = nextIndex.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < count ? index : nil
  }

  /// Drops the remaining indices, so that the workers stop soon.
  package func cancel() { nextIndex.store(count, ordering: .relaxed) }
}
