// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A thread that was started, and must be joined or detached once.
package struct StartedThread: Sendable {
  private let thread: pthread_t

  fileprivate init(_ thread: pthread_t) { self.thread = thread }

  /// Waits for the end of the thread.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end on its own.
  package func detach() { pthread_detach(thread) }

  /// Sends a signal to the thread.
  func send(_ signal: Int32) { pthread_kill(thread, signal) }
}

/// Starts a thread; nil if the system cannot start one.
package func startThread(_ body: @escaping @Sendable () -> Void) -> StartedThread? {
  startThread(on: nil, body)
}

/// Starts a thread that computes while its creator does, so that it begins on another processor; nil
/// if the system cannot start one.
///
/// Linux may start it on the creator's, and on some virtual machines leaves both there for
/// milliseconds, even if another processor is idle.
func startWorkingThread(_ body: @escaping @Sendable () -> Void) -> StartedThread? {
  startThread(on: Processors.available.withoutCurrent()) {
    Processors.available.limitThread()
    body()
  }
}

/// Starts a thread limited to some processors.
func startThread(on processors: Processors?, _ body: @escaping @Sendable () -> Void)
  -> StartedThread?
{
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  processors?.limit(&attributes)
  let start = Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let status = pthread_create(
    &thread, &attributes,
    { argument in
      if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run() }
      return nil
    }, start.toOpaque())
  guard status == 0 else {
    start.release()
    return nil
  }
  return StartedThread(thread)
}

/// The body of a new thread.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
