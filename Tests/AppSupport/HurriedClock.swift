// SPDX-License-Identifier: Apache-2.0
import CairnLocks

/// A clock that lets nobody wait, and remembers how long they would have.
package final class HurriedClock: Clock, Sendable {
  /// A time since the clock was made.
  package struct Instant: InstantProtocol {
    /// How long after that.
    package var offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let state = Mutex((time: Duration.zero, waits: [Duration]()))

  /// Makes a clock that shows 0.
  package init() {}

  /// The time: all waits so far.
  package var now: Instant { Instant(offset: state.withLock { $0.time }) }
  /// There is none.
  package var minimumResolution: Duration { .zero }
  /// How long each was to wait, in order.
  package var waits: [Duration] { state.withLock { $0.waits } }

  /// Does not wait.
  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { state in
      state.waits.append(deadline.offset - state.time)
      state.time = max(state.time, deadline.offset)
    }
  }
}
