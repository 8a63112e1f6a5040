// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Sends changes to all listeners, in order. Safe to use from any thread.
///
/// A slow listener gets only the newest changes: they tell what to reread, not its content.
package final class ChangeSignal<Change: Sendable>: Sendable {
  /// The number of changes queued for a listener.
  package static var mostWaiting: Int { 256 }

  private struct Listeners {
    var next = 0
    var continuations: [Int: AsyncStream<Change>.Continuation] = [:]
  }

  private let listeners = Mutex(Listeners())

  /// Begins without listeners.
  package init() {}

  deinit {
    for continuation in listeners.withLock({ $0.continuations.values }) { continuation.finish() }
  }

  /// The changes from now on, until the listener stops or this object is released.
  package func changes() -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Change.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    let id = listeners.withLock { listeners in
      listeners.next += 1
      listeners.continuations[listeners.next] = continuation
      return listeners.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.listeners.withLock { listeners in listeners.continuations[id] = nil }
    }
    return stream
  }

  /// Sends a change. Must not be called while holding a lock that a listener may take.
  package func tell(_ change: Change) {
    for continuation in listeners.withLock({ Array($0.continuations.values) }) {
      continuation.yield(change)
    }
  }
}
