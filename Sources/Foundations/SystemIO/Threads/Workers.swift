// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

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
    let threads = (1..<max(1, count)).compactMap { worker in
      startWorkingThread { run(worker) }
    }
    run(0)
    for thread in threads { thread.join() }
    if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
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

/// Lets workers wait until so much is done, for a moment: they do not sleep, since waking up would
/// take longer.
package final class Milestone: Sendable {
  private let done = Atomic<Int>(0)

  package init() {}

  /// Returns when `count` is done, and what it wrote can be read.
  package func wait(for count: Int) {
    while done.load(ordering: .acquiring) < count { sched_yield() }
  }

  /// Says that more is done.
  package func add(_ count: Int) { done.wrappingAdd(count, ordering: .releasing) }
}

/// Lets workers take turns in the order of the indices of a ``WorkQueue``. Each index must get its
/// turn, or the turns must be cancelled; otherwise later ones wait forever.
package final class Turns: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Only with the mutex.
  private var current = 0
  private var isCancelled = false

  /// Begins with the turn of index 0.
  package init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(changed)
    mutex.deallocate()
    changed.deallocate()
  }

  /// Waits for the turn of an index; false if the turns were cancelled.
  package func wait(for index: Int) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while current < index, !isCancelled { pthread_cond_wait(changed, mutex) }
    return !isCancelled
  }

  /// Ends the turn of an index and starts the next one.
  package func end(_ index: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    current = index + 1
    pthread_cond_broadcast(changed)
  }

  /// Ends all waiting.
  package func cancel() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    isCancelled = true
    pthread_cond_broadcast(changed)
  }
}

/// Computes a value for each block of the indices 0…count−1 on several threads, and returns the
/// values in the order of the blocks, each of `size` indices except the last.
package func mapBlocks<Value: Sendable>(
  of count: Int, size: Int, threads: Int,
  _ body: @escaping @Sendable (_ block: Range<Int>) -> Value
) -> [Value] {
  let queue = WorkQueue(count: (count + size - 1) / size)
  let values = Collector<Value>(count: queue.count)
  runWorkers(min(threads, queue.count)) { _ in
    while let block = queue.next() {
      values.set(block, body(block * size..<min(count, (block + 1) * size)))
    }
  }
  return values.values()
}

/// Collects the results of workers by the indices of a ``WorkQueue``, in the order of the items and
/// not of completion.
package final class Collector<Value: Sendable>: Sendable {
  private let results: Mutex<[Value?]>

  /// Creates a collector for `count` results.
  package init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }

  /// Stores the result of an index.
  package func set(_ index: Int, _ value: Value) { results.withLock { $0[index] = value } }

  /// The results so far, in the order of their indices.
  package func values() -> [Value] {
    results.withLock { results in
      var values: [Value] = []
      for case .some(let value) in results { values.append(value) }
      return values
    }
  }
}
