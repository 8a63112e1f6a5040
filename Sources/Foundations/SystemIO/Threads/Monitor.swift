// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A state shared by threads, which can wait for its changes.
package final class Monitor<State>: @unchecked Sendable {
  // Accessed only while `mutex` is held. The two below have fixed addresses, as pthreads require.
  private var state: State
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Makes one with a state.
  package init(_ state: State) {
    self.state = state
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes or reads the state, and wakes the threads that wait for it.
  package func access<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Waits until `body` gives a result.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// Lets only one thread at a time work with a key.
package final class KeyedLock<Key: Hashable & Sendable>: Sendable {
  private let keysInUse = Monitor<Set<Key>>([])

  package init() {}

  /// Waits until no thread uses any of the keys and takes all of them at once, which prevents
  /// deadlocks.
  package func withLock<Result>(_ keys: Set<Key>, _ body: () throws -> Result) rethrows -> Result {
    keysInUse.wait { inUse -> Void? in
      guard inUse.isDisjoint(with: keys) else { return nil }
      inUse.formUnion(keys)
      return ()
    }
    defer { keysInUse.access { $0.subtract(keys) } }
    return try body()
  }
}
