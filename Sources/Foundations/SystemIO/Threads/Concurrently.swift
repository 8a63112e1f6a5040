// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Synchronization

/// Runs two functions, concurrently if there is more than one thread, and returns both results. If
/// both fail, the error of the first one is thrown.
package func concurrently<First: Sendable, Second: Sendable>(
  threads: Int, _ first: @escaping @Sendable () throws(CairnError) -> First,
  _ second: @escaping @Sendable () throws(CairnError) -> Second
) throws(CairnError) -> (First, Second) {
  let tasks = WorkQueue(count: 2)
  let results = Mutex<(Result<First, CairnError>?, Result<Second, CairnError>?)>((nil, nil))
  runWorkers(min(2, threads)) { _ in
    while let task = tasks.next() {
      if task == 0 {
        let result = Result(catching: first)
        results.withLock { $0.0 = result }
      } else {
        let result = Result(catching: second)
        results.withLock { $0.1 = result }
      }
    }
  }
  guard case (let first?, let second?) = results.withLock({ $0 }) else {
    throw CairnError("unexpected", .software, "a task was not run")
  }
  return (try first.get(), try second.get())
}

/// Runs two functions that do not throw, concurrently if there is more than one thread.
package func concurrently<First: Sendable, Second: Sendable>(
  threads: Int, _ first: @escaping @Sendable () -> First,
  _ second: @escaping @Sendable () -> Second
) -> (First, Second) {
  do {
    return try concurrently(
      threads: threads, { () throws(CairnError) in first() },
      { () throws(CairnError) in second() })
  } catch { return (first(), second()) }
}

/// Runs a function that does not throw on several threads, see ``withWorkers(_:_:)``.
package func runWorkers(_ count: Int, _ body: @escaping @Sendable (_ worker: Int) -> Void) {
  do { try withWorkers(count, body) } catch {
    // Only `body` could throw.
  }
}
