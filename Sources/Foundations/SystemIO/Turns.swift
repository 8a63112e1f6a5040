// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Lets workers do something one after another, in the order of the indices of a ``WorkQueue``. Each
/// index must get its turn, or the turns must be cancelled; otherwise those behind it wait for ever.
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

  /// Waits until it is the turn of an index; false if the turns were cancelled.
  package func wait(for index: Int) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while current < index, !isCancelled { pthread_cond_wait(changed, mutex) }
    return !isCancelled
  }

  /// Ends the turn of an index; it is that of the next one then.
  package func end(_ index: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    current = index + 1
    pthread_cond_broadcast(changed)
  }

  /// Lets nobody wait any longer.
  package func cancel() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    isCancelled = true
    pthread_cond_broadcast(changed)
  }
}
