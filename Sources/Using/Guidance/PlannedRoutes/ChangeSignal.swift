// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Tells everybody who listens of changes, in their order. May be used from any thread.
///
/// Whoever listens slowly gets the newest ones: they say what to look at again, not what it was.
package final class ChangeSignal<Change: Sendable>: Sendable {
  /// How many changes wait for a listener.
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

  /// The changes from now on, until whoever asked stops listening or this object goes.
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

  /// Tells a change. Must not be called while a lock is held that a listener may take.
  package func tell(_ change: Change) {
    for continuation in listeners.withLock({ Array($0.continuations.values) }) {
      continuation.yield(change)
    }
  }
}
