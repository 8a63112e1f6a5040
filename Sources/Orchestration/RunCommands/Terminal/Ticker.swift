// SPDX-License-Identifier: Apache-2.0
import CLinux
import Glibc
import SystemIO

/// Calls something again and again from a thread of its own, as long as it lives.
final class Ticker {
  private final class Work: Sendable {
    let milliseconds: Int32
    let stop: Int32
    let body: @Sendable () -> Void

    init(_ milliseconds: Int32, _ stop: Int32, _ body: @escaping @Sendable () -> Void) {
      self.milliseconds = milliseconds
      self.stop = stop
      self.body = body
    }

    func run() {
      while true {
        var end = pollfd(fd: stop, events: Int16(POLLIN), revents: 0)
        // Waiting with a timeout, so that setting the clock does not matter.
        let count = poll(&end, 1, milliseconds)
        if count > 0 || count < 0 && errno != EINTR { return }
        if count == 0 { body() }
      }
    }
  }

  private var ends: [Int32] = [-1, -1]
  private var thread: StartedThread?

  /// Starts the thread; if that fails, nothing is called.
  init(seconds: Double, _ body: @escaping @Sendable () -> Void) {
    guard cairn_pipe(&ends) == 0 else { return }
    let work = Work(Int32(seconds * 1000), ends[0], body)
    thread = startThread { work.run() }
  }

  deinit {
    if ends[1] >= 0 { close(ends[1]) }
    thread?.join()
    if ends[0] >= 0 { close(ends[0]) }
  }
}
