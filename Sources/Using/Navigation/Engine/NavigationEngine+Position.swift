// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NavigationEngine {
  /// The position at a time. If there was no fix for a while, or the receiver reported why there
  /// will be none, the last fix with its age.
  public func position(at time: Date) -> PositionStatus {
    state.withLock { $0.position.status(at: time) }
  }

  /// Records why no fixes come, until the next fix; nil means that nothing prevents them. Reports
  /// the loss if the position was known before, or if the reason changed.
  ///
  /// - Parameter time: The time of the report; nil for now, by the clock.
  @discardableResult
  public func reportPositionProblem(_ problem: PositionProblem?, at time: Date? = nil)
    -> NavigationUpdate
  {
    update(at: time) { $0.report(problem) }
  }

  /// Records the user's permission. Call it on each change.
  ///
  /// - Parameters:
  ///   - needsBackground: Whether fixes require ``Tracks/LocationAuthorization/authorizedAlways``,
  ///     as they do while the app is in the background.
  ///   - time: The time of the change; nil for now, by the clock.
  @discardableResult
  public func reportAuthorization(
    _ authorization: LocationAuthorization, needsBackground: Bool = false, at time: Date? = nil
  ) -> NavigationUpdate {
    update(at: time) { $0.report(authorization, needsBackground: needsBackground) }
  }

  /// Advances to a time without a fix: reports whether the position is now lost, and plays the
  /// waiting cues that are due. Call it at ``nextCueTime``.
  @discardableResult
  public func checkPosition(at time: Date) -> NavigationUpdate {
    update(at: time) { _ in }
  }

  /// Applies a change of the position without a fix.
  private func update(at time: Date?, _ change: (inout PositionTracker) -> Void)
    -> NavigationUpdate
  {
    let time = time ?? Date()
    let update = state.withLock { state in
      var update = NavigationUpdate(state: state.navigation)
      change(&state.position)
      update.position = state.position.check(at: time)
      state.tell(update.position)
      update.cues = state.timeline.advance(to: time)
      return update
    }
    play(update.cues)
    return update
  }

  /// The straight line from the last position, however old, to a place, for when no route leads
  /// there; nil before the first fix.
  public func directLine(to place: Coordinate) -> DirectLine? {
    state.withLock { $0.position.last }.map { DirectLine(from: $0.coordinate, to: place) }
  }

  /// The time at which ``checkPosition(at:)`` next has something to report, unless a fix comes
  /// first. Nil if no cue waits and, while navigating, the position is lost or was never known.
  public var nextCueTime: Date? {
    state.withLock { state in
      let loss = state.navigation.isNavigating ? state.position.lossTime : nil
      return [state.timeline.nextStart, loss].compactMap { $0 }.min()
    }
  }

  /// The cues of ``checkPosition(at:)``, for callers that need only those. A cue not called for in
  /// time is played at the next fix, or dropped if that is too late.
  @discardableResult
  public func playDueCue(at time: Date) -> HapticTimeline.Outcome { checkPosition(at: time).cues }

  /// Searches for a new route, if one is due, and follows it. Returns the result; nil if none was
  /// due, if another search is running, or if the walker returned to the route or navigation ended
  /// meanwhile.
  ///
  /// The search runs off the caller's actor. If its task is cancelled, it soon returns nil, and
  /// stays due.
  @discardableResult
  public func reroute() async -> RerouteResult? {
    guard let (request, generation) = takeReroute() else { return nil }
    let outcome = await search(generation) { [planner, config] in
      RerouteOutcome(request, planner, config)
    }
    return finish(request, outcome, generation)
  }

  /// The same, blocking the caller's thread.
  @discardableResult
  public func rerouteNow() -> RerouteResult? {
    guard let (request, generation) = takeReroute() else { return nil }
    return finish(request, RerouteOutcome(request, planner, config), generation)
  }

  private func takeReroute() -> (RerouteRequest, Int)? {
    state.withLock { state in
      guard let request = state.reroute, !state.isRerouting else { return nil }
      state.isRerouting = true
      state.reroute = nil
      return (request, state.generation)
    }
  }

  private func finish(_ request: RerouteRequest, _ outcome: RerouteOutcome, _ generation: Int)
    -> RerouteResult?
  {
    state.withLock { state in
      guard state.generation == generation else { return nil }
      state.isRerouting = false
      guard let result = outcome.result else {
        state.reroute = state.reroute ?? request
        return nil
      }
      state.reroute = nil
      guard state.navigation.isNavigating, state.guidance.isOffRoute else {
        state.rerouter.finish(request, taking: nil)
        return nil
      }
      state.rerouter.finish(request, taking: result)
      guard let route = result.route else { return result }
      state.guidance.start(route: route)
      // Waiting cues belong to instructions of the route that was left.
      state.timeline.clear()
      return result
    }
  }
}

/// The outcome of a search for a new route.
private struct RerouteOutcome: Sendable {
  /// The result; nil if the task was cancelled.
  var result: RerouteResult?

  init(_ request: RerouteRequest, _ planner: any RoutePlanning, _ config: NavigationConfig) {
    let found = request.result(planner, config: config.rerouting, in: config.language)
    result = Task.isCancelled ? nil : found
  }
}
