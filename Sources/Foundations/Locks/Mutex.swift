// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A value that one thread at a time reads or changes, with the interface of the standard library's
/// type of that name, which iOS 17, watchOS 10 and macOS 14 lack.
///
/// The lock is not recursive: `body` must not lock the same value.
package final class Mutex<Value: ~Copyable>: @unchecked Sendable {
  // A POSIX lock must not move, so it has memory of its own.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Protects a value.
  package init(_ initial: consuming sending Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    // Fails only for lack of memory or because of attributes, of which there are none.
    let status = pthread_mutex_init(lock, nil)
    precondition(status == 0, "pthread_mutex_init: \(status)")
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with the value once no other thread uses it, and returns its result.
  package func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
