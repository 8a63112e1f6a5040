// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnRoutingDatabase

/// Idle workers, so that a search can reuse the memory and the pages of an earlier one.
final class WorkerPool<View: RoutingView>: Sendable {
  /// The kind of search that a worker can do.
  struct Key: Equatable {
    var profile: String?
    var withTraits: Bool
  }

  /// The idle workers of each kind, of which there are few.
  private let idle = Mutex<[(key: Key, workers: [SearchWorker<View>])]>([])
  /// The most idle workers of one kind that are kept.
  private static var mostIdle: Int { 64 }

  /// Calls `body` with an idle worker or a new one.
  func use<Result>(
    _ key: Key, make: () -> SearchWorker<View>,
    _ body: (SearchWorker<View>) throws(RoutingError) -> Result
  ) throws(RoutingError) -> Result {
    let worker =
      idle.withLock { idle in
        idle.firstIndex { $0.key == key }.flatMap { idle[$0].workers.popLast() }
      } ?? make()
    defer {
      idle.withLock { idle in
        let kind = idle.firstIndex { $0.key == key } ?? idle.count
        if kind == idle.count { idle.append((key, [])) }
        if idle[kind].workers.count < Self.mostIdle { idle[kind].workers.append(worker) }
      }
    }
    return try body(worker)
  }
}
