// SPDX-License-Identifier: Apache-2.0
import CairnLocks
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Plays back fixes at their recorded pace, or a multiple of it, in place of a receiver.
///
/// A receiver states the accuracy of its fixes, and recordings take no fix without one, but a GPX
/// file has none: such fixes get ``standardAccuracyMetres``, or the accuracy that the caller gives.
///
/// Stopping pauses: the next start continues with the next fix. The clock comes from the caller, so
/// that tests need not wait.
public final class ReplayProvider<C: Clock>: LocationProvider where C.Duration == Duration {
  private struct State {
    var next = 0
    var current: LocationFix?
    var authorization: LocationAuthorization
    var settings = ReceiverSettings()
    var task: Task<Void, Never>?
  }

  private let replay: [LocationFix]
  private let clock: C
  private let speedUp: Double
  private let longestWait: Duration
  private let state: Mutex<State>
  private let listeners = Broadcast<LocationFix>()
  private let authorizationListeners = Broadcast<LocationAuthorization>()
  private let failureListeners = Broadcast<LocationFailure>()

  /// The accuracy of fixes that state none, in metres: usual under the open sky.
  public static var standardAccuracyMetres: Double { 10 }

  /// Makes a provider of a track's fixes.
  ///
  /// - Parameters:
  ///   - speedUp: The multiple of the recorded pace; 1 if not above 0.
  ///   - longestWait: Longer pauses of the recording are cut to this.
  ///   - authorization: The initial permission.
  ///   - accuracyMetres: The horizontal accuracy of fixes that state none, such as those of a GPX
  ///     file; nil to leave it unknown.
  public init(
    _ replay: TrackReplay, clock: C, speedUp: Double = 1, longestWait: Duration = .seconds(60),
    authorization: LocationAuthorization = .authorizedWhenInUse,
    accuracyMetres: Double? = ReplayProvider.standardAccuracyMetres
  ) {
    self.replay = replay.fixes.map { fix in
      var fix = fix
      fix.horizontalAccuracy = fix.horizontalAccuracy ?? accuracyMetres
      return fix
    }
    self.clock = clock
    self.speedUp = speedUp > 0 ? speedUp : 1
    self.longestWait = longestWait
    state = Mutex(State(authorization: authorization))
    if self.replay.isEmpty { listeners.end() }
  }

  /// The last fix sent.
  public var currentLocation: LocationFix? { state.withLock { $0.current } }

  /// The permission, granted on request unless it was denied. Set it to simulate the user's
  /// settings; without permission no fixes are sent.
  public var authorizationStatus: LocationAuthorization {
    get { state.withLock { $0.authorization } }
    set {
      state.withLock { state in
        guard state.authorization != newValue else { return }
        state.authorization = newValue
        if !newValue.isAuthorized {
          state.task?.cancel()
          state.task = nil
        }
        authorizationListeners.give(newValue)
      }
    }
  }

  /// The settings of a receiver, which do not affect a replay.
  public var settings: ReceiverSettings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// Gives the next permission.
  public func requestLocationPermission(upTo permission: LocationAuthorization.Permission) {
    switch authorizationStatus.nextRequest(upTo: permission) {
    case .whenInUse: authorizationStatus = .authorizedWhenInUse
    case .always: authorizationStatus = .authorizedAlways
    case nil: break
    }
  }

  /// Gives the next fix at once.
  public func requestCurrentLocation() {
    let next = state.withLock { state in
      state.authorization.isAuthorized && state.task == nil ? state.next : replay.count
    }
    if next < replay.count { give(next) }
  }

  /// Starts, or resumes after a pause.
  public func startLocationUpdates() {
    state.withLock { state in
      guard state.authorization.isAuthorized, state.task == nil else { return }
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
  public func fixes() -> AsyncStream<LocationFix> { listeners.stream() }

  /// The permission now and all changes.
  public func authorizationChanges() -> AsyncStream<LocationAuthorization> {
    state.withLock { authorizationListeners.stream(beginningWith: $0.authorization) }
  }

  /// The simulated failures from now on.
  public func failures() -> AsyncStream<LocationFailure> { failureListeners.stream() }

  /// Simulates a failure of the receiver.
  public func fail(_ failure: LocationFailure) { failureListeners.give(failure) }

  /// Sends a fix, unless another was sent meanwhile, and ends the streams after the last one.
  private func give(_ next: Int) {
    let isNext = state.withLock { state in
      guard !Task.isCancelled, state.next == next else { return false }
      state.next += 1
      state.current = replay[next]
      return true
    }
    guard isNext else { return }
    listeners.give(replay[next])
    if next + 1 == replay.count { listeners.end() }
  }

  private func play() async {
    while !Task.isCancelled {
      let next = state.withLock { $0.next }
      guard next < replay.count else { break }
      if next > 0 {
        do { try await clock.sleep(for: wait(before: next)) } catch { return }
      }
      give(next)
    }
  }

  private func wait(before index: Int) -> Duration {
    let seconds = replay[index].timestamp.timeIntervalSince(replay[index - 1].timestamp) / speedUp
    guard seconds > 0 else { return .zero }
    let longest = longestWait / .seconds(1)
    return seconds < longest ? .seconds(seconds) : longestWait
  }
}
