// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// Gives values to all who listen.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    var count = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// A value, if there is one, and then all from now on.
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

  /// Gives a value to each who listens.
  func give(_ value: Value) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(value) }
  }

  /// Ends all streams, also those that are asked for later.
  func end() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      state.isOver = true
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}
