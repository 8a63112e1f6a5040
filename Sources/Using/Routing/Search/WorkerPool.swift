// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnRoutingDatabase

/// Idle workers, so that a search can reuse the memory and the pages of an earlier one.
final class WorkerPool<View: RoutingView>: Sendable {
  /// The kind of search that a worker can do.
  struct Key: Hashable {
    var profile: String?
    var withTraits: Bool
  }

  private let idle = Mutex<[Key: [SearchWorker<View>]]>([:])
  /// The most idle workers of one kind that are kept.
  private static var mostIdle: Int { 64 }

  /// Calls `body` with an idle worker or a new one.
  func use<Result>(
    _ key: Key, make: () -> SearchWorker<View>,
    _ body: (SearchWorker<View>) throws(RoutingError) -> Result
  ) throws(RoutingError) -> Result {
    let worker = idle.withLock { $0[key]?.popLast() } ?? make()
    defer {
      idle.withLock {
        if ($0[key]?.count ?? 0) < Self.mostIdle { $0[key, default: []].append(worker) }
      }
    }
    return try body(worker)
  }
}
