// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import Synchronization

/// How many processors this process may use, at least 1.
package func availableProcessors() -> Int {
  var mask = [UInt8](repeating: 0, count: 1024)
  let bytes = cairn_processor_mask(&mask, UInt(mask.count))
  return max(1, mask.prefix(max(0, bytes)).reduce(0) { $0 + $1.nonzeroBitCount })
}

/// Runs `body` once on each of `count` threads, the calling one among them, and returns when all
/// are done.
///
/// What a worker throws is kept; the error of the lowest worker number is thrown when all ended.
/// A thread that cannot be started is left out: its share must be taken by others, so work is to
/// be handed out through a ``WorkQueue`` and not by worker number.
package func withWorkers(_ count: Int, _ body: @escaping @Sendable (_ worker: Int) throws -> Void)
  throws
{
  let failures = Mutex<[Int: any Error]>([:])
  let run: @Sendable (Int) -> Void = { worker in
    do { try body(worker) } catch { failures.withLock { $0[worker] = error } }
  }
  // The closure outlives the threads: all are joined before this function returns.
  try withExtendedLifetime(run) {
    var threads: [pthread_t] = []
    for worker in 1..<max(1, count) {
      let job = Unmanaged.passRetained(ThreadJob(worker: worker, run: run))
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { argument in
          if let argument {
            let job = Unmanaged<ThreadJob>.fromOpaque(argument).takeRetainedValue()
            job.run(job.worker)
          }
          return nil
        }, job.toOpaque())
      if status == 0 { threads.append(thread) } else { job.release() }
    }
    run(0)
    for thread in threads { pthread_join(thread, nil) }
    if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
  }
}

private final class ThreadJob: Sendable {
  let worker: Int
  let run: @Sendable (Int) -> Void

  init(worker: Int, run: @escaping @Sendable (Int) -> Void) {
    self.worker = worker
    self.run = run
  }
}

/// Hands out the numbers 0…count−1 to workers, each once, in order.
package final class WorkQueue: Sendable {
  /// How many numbers there are.
  package let count: Int
  private let nextNumber = Atomic<Int>(0)

  /// Makes a queue of the numbers 0…count−1.
  package init(count: Int) { self.count = count }

  /// The next number, or nil if all are taken.
  package func next() -> Int? {
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    return number < count ? number : nil
  }

  /// Takes away what is left, so that the workers stop soon.
  package func cancel() { nextNumber.store(count, ordering: .relaxed) }
}
