// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// Runs `count` checks on several threads, each of which throws what is wrong with a file. Of those
/// that fail, the error of the first one is thrown, whatever the number of threads.
func checkInParallel(
  _ count: Int, threads: Int,
  _ check: @escaping @Sendable (_ number: Int) throws(CairnError) -> Void
) throws(CairnError) {
  let queue = WorkQueue(count: count)
  let failures = Collector<CairnError>(count: count)
  runWorkers(min(threads, count)) { _ in
    while let number = queue.next() {
      // Checks are handed out in order, so those before a failed one have begun and end.
      do throws(CairnError) { try check(number) } catch {
        failures.set(number, error)
        queue.cancel()
      }
    }
  }
  if let first = failures.values().first { throw first }
}
