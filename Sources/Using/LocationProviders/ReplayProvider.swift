// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Plays back fixes at the pace of their times, or several times as fast, in place of a receiver.
///
/// Stopping is a pause: started again, it goes on with the next fix. The clock comes from the caller,
/// so that a test need not wait.
public final class ReplayProvider<C: Clock>: LocationProvider where C.Duration == Duration {
  private struct State {
    var next = 0
    var current: LocationFix?
    var isAuthorized: Bool
    var task: Task<Void, Never>?
    var listeners: [Int: AsyncStream<LocationFix>.Continuation] = [:]
    var listenerCount = 0
  }

  private let replay: [LocationFix]
  private let clock: C
  private let speedUp: Double
  private let longestWait: Duration
  private let state: Mutex<State>

  /// Makes a provider of a track's fixes.
  ///
  /// - Parameters:
  ///   - speedUp: How many times as fast as recorded; 1 where it is not above 0.
  ///   - longestWait: Longer pauses of the recording are cut to this.
  ///   - isAuthorized: Whether permission was given already.
  public init(
    _ replay: TrackReplay, clock: C, speedUp: Double = 1, longestWait: Duration = .seconds(60),
    isAuthorized: Bool = true
  ) {
    self.replay = replay.fixes
    self.clock = clock
    self.speedUp = speedUp > 0 ? speedUp : 1
    self.longestWait = longestWait
    state = Mutex(State(isAuthorized: isAuthorized))
  }

  /// The last fix that was given.
  public var currentLocation: LocationFix? { state.withLock { $0.current } }

  /// Permission is given when it is asked for.
  public var authorizationStatus: LocationAuthorization {
    state.withLock { $0.isAuthorized ? .authorizedWhenInUse : .notDetermined }
  }

  /// Gives permission.
  public func requestLocationPermission() { state.withLock { $0.isAuthorized = true } }

  /// Begins, or goes on after a pause.
  public func startLocationUpdates() {
    state.withLock { state in
      guard state.isAuthorized, state.task == nil else { return }
      state.task = Task { [weak self] in await self?.play() }
    }
  }

  /// Pauses.
  public func stopLocationUpdates() {
    state.withLock { state in
      state.task?.cancel()
      state.task = nil
    }
  }

  /// The fixes from now on.
  public func fixes() -> AsyncStream<LocationFix> {
    let (stream, continuation) = AsyncStream<LocationFix>.makeStream()
    let isOver = state.withLock { state in
      guard state.next < replay.count else { return true }
      let id = state.listenerCount
      state.listenerCount += 1
      state.listeners[id] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { $0.listeners[id] = nil }
      }
      return false
    }
    if isOver { continuation.finish() }
    return stream
  }

  private func play() async {
    while !Task.isCancelled {
      let next = state.withLock { $0.next }
      guard next < replay.count else { break }
      if next > 0 {
        do { try await clock.sleep(for: wait(before: next)) } catch { return }
      }
      let listeners = state.withLock { state -> [AsyncStream<LocationFix>.Continuation] in
        guard !Task.isCancelled, state.next == next else { return [] }
        state.next += 1
        state.current = replay[next]
        return Array(state.listeners.values)
      }
      for listener in listeners { listener.yield(replay[next]) }
    }
    guard !Task.isCancelled else { return }
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  private func wait(before index: Int) -> Duration {
    let seconds = replay[index].timestamp.timeIntervalSince(replay[index - 1].timestamp) / speedUp
    guard seconds > 0 else { return .zero }
    let longest = longestWait / .seconds(1)
    return seconds < longest ? .seconds(seconds) : longestWait
  }
}
