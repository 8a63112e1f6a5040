// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Glibc
import Synchronization

/// The request to stop a run, and the programs to pass it on to.
package final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var children: [Int32: Subprocess] = [:]
  }

  private let state = Mutex(State())

  /// Makes one that was not interrupted.
  package init() {}

  /// The signal that requested the stop; nil if there was none.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// Requests a stop: sends the signal to all running programs. The second time they are killed.
  package func interrupt(_ signal: Int32) {
    state.withLock { state in
      let isRepeated = state.signal != nil
      state.signal = state.signal ?? signal
      for child in state.children.values { child.send(isRepeated ? SIGKILL : signal) }
    }
  }

  /// Passes signals on to a program from now on.
  package func register(_ child: Subprocess) {
    state.withLock { state in
      state.children[child.processID] = child
      // The program was started while the signal arrived.
      if let signal = state.signal { child.send(signal) }
    }
  }

  /// Stops passing signals on to a program, which has ended.
  package func forget(_ child: Subprocess) {
    state.withLock { state in
      if state.children[child.processID] === child {
        state.children.removeValue(forKey: child.processID)
      }
    }
  }
}

/// Turns SIGINT, SIGTERM and SIGHUP into an ``Interruption`` while it exists, and into a
/// ``StopRequest`` for this process's own reading.
///
/// The signals are blocked in the thread that creates it and in all threads started from there
/// later; a dedicated thread waits for them.
package final class SignalWatch {
  private let listener: Listener
  private let thread: StartedThread?
  private var oldMask = sigset_t()

  private final class Listener: Sendable {
    let interruption: Interruption
    let isOver = Atomic<Bool>(false)

    init(_ interruption: Interruption) { self.interruption = interruption }

    func listen() {
      var signals = SignalWatch.signals
      while true {
        var signal: Int32 = 0
        guard sigwait(&signals, &signal) == 0 else { continue }
        if isOver.load(ordering: .acquiring) { return }
        interruption.interrupt(signal)
        // Only now, so that anything stopped by this finds the signal.
        StopRequest.make()
      }
    }
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
    return signals
  }

  package init(_ interruption: Interruption) {
    listener = Listener(interruption)
    var signals = Self.signals
    pthread_sigmask(SIG_BLOCK, &signals, &oldMask)
    thread = startThread { [listener] in listener.listen() }
    // Without a listener the signals have their usual effect.
    if thread == nil { pthread_sigmask(SIG_SETMASK, &oldMask, nil) }
  }

  deinit {
    guard let thread else { return }
    listener.isOver.store(true, ordering: .releasing)
    thread.send(SIGTERM)
    thread.join()
    pthread_sigmask(SIG_SETMASK, &oldMask, nil)
  }
}
