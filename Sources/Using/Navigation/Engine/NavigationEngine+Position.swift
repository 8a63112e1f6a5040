// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NavigationEngine {
  /// What is known of the position at a time; where there was no fix for a while, or a receiver said why
  /// there will be none, the last one with its age.
  public func position(at time: Date) -> PositionStatus {
    state.withLock { $0.position.status(at: time) }
  }

  /// Notes why no fixes come, until one does, or with nil that nothing keeps them from coming. Says so if
  /// the position was known before, or is missed for another reason now.
  ///
  /// - Parameter time: When; nil for the present, by the clock.
  @discardableResult
  public func reportPositionProblem(_ problem: PositionProblem?, at time: Date? = nil)
    -> NavigationUpdate
  {
    update(at: time) { $0.report(problem) }
  }

  /// Notes what the user allows: an app passes on each change of it.
  ///
  /// - Parameters:
  ///   - needsBackground: Whether fixes come with ``Tracks/LocationAuthorization/authorizedAlways`` only,
  ///     as where the app is in the background.
  ///   - time: When; nil for the present, by the clock.
  @discardableResult
  public func reportAuthorization(
    _ authorization: LocationAuthorization, needsBackground: Bool = false, at time: Date? = nil
  ) -> NavigationUpdate {
    update(at: time) { $0.report(authorization, needsBackground: needsBackground) }
  }

  /// Notes that a time has come without a fix: says if the position is lost by now, and plays what
  /// waited until now. An app calls it at ``nextCueTime``.
  @discardableResult
  public func checkPosition(at time: Date) -> NavigationUpdate {
    update(at: time) { _ in }
  }

  /// Takes what changes the position without a fix.
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

  /// The straight line from the last position, however old, to a place, for when no route leads there; nil
  /// before the first fix.
  public func directLine(to place: Coordinate) -> DirectLine? {
    state.withLock { $0.position.last }.map { DirectLine(from: $0.coordinate, to: place) }
  }

  /// When ``checkPosition(at:)`` will have something to tell, unless a fix comes first; nil where no cue
  /// waits and, while navigating, the position is lost or never was known.
  public var nextCueTime: Date? {
    state.withLock { state in
      let loss = state.navigation.isNavigating ? state.position.lossTime : nil
      return [state.timeline.nextStart, loss].compactMap { $0 }.min()
    }
  }

  /// The cues of ``checkPosition(at:)``, for whoever needs no more. What nobody calls for in time is
  /// played at the next fix, or not at all if that is too late.
  @discardableResult
  public func playDueCue(at time: Date) -> HapticTimeline.Outcome { checkPosition(at: time).cues }

  /// Searches for a new route, if one is due, and follows it. Returns what was found; nil where none
  /// was due, where another search is under way, and where meanwhile the walker returned to the route
  /// or navigation ended.
  ///
  /// The search runs off the caller's actor. Where the task is cancelled it ends soon, with nil, and is
  /// due again.
  @discardableResult
  public func reroute() async -> RerouteResult? {
    guard let (request, generation) = takeReroute() else { return nil }
    let outcome = await search(generation) { [planner, config] in
      RerouteOutcome(request, planner, config)
    }
    return finish(request, outcome, generation)
  }

  /// The same on the caller's thread, which waits for it.
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
      // What waits is about instructions of the route that was left.
      state.timeline.clear()
      return result
    }
  }
}

/// What a search for a new route came to.
private struct RerouteOutcome: Sendable {
  /// What was found; nil where the task was cancelled.
  var result: RerouteResult?

  init(_ request: RerouteRequest, _ planner: any RoutePlanning, _ config: NavigationConfig) {
    let found = request.result(planner, config: config.rerouting, in: config.language)
    result = Task.isCancelled ? nil : found
  }
}
