// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Sends values to all listeners.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var count = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// A stream of the given value, if any, followed by all later ones.
  func stream(beginningWith first: Value? = nil) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    if let first { continuation.yield(first) }
    let isOver = state.withLock { state in
      guard !state.isOver else { return true }
      let id = state.count
      state.count += 1
      state.listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[id] = nil }
      }
      return false
    }
    if isOver { continuation.finish() }
    return stream
  }

  /// Sends a value to each listener.
  func give(_ value: Value) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
  }

  /// Ends all streams, including those requested later.
  func end() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
