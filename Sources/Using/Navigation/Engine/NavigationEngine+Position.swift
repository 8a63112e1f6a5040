// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NavigationEngine {
  /// What is known of the position at a time; where there was no fix for a while, the last one with
  /// its age.
  public func position(at time: Date) -> PositionStatus {
    state.withLock { $0.position.status(at: time) }
  }

  /// Notes why no fixes come, until one does.
  public func reportPositionProblem(_ problem: PositionProblem) {
    state.withLock { $0.position.problem = problem }
  }

  /// The straight line from the last position to a place, for when no route leads there; nil before
  /// the first fix.
  public func directLine(to place: Coordinate) -> DirectLine? {
    state.withLock { $0.position.last }.map { DirectLine(from: $0.coordinate, to: place) }
  }

  /// When ``playDueCue(at:)`` will have something to play; nil where no cue waits.
  public var nextCueTime: Date? { state.withLock { $0.timeline.nextStart } }

  /// Plays the cue that waited until now, if there is one. An app calls it at ``nextCueTime``;
  /// otherwise it is played at the next fix, or not at all if that is too late.
  @discardableResult
  public func playDueCue(at time: Date) -> HapticTimeline.Outcome {
    let outcome = state.withLock { $0.timeline.advance(to: time) }
    play(outcome)
    return outcome
  }

  /// Searches for a new route, if one is due, and follows it. Returns what was found; nil where none
  /// was due, where another search is under way, and where meanwhile the walker returned to the route
  /// or navigation ended.
  @discardableResult
  public func reroute() async -> RerouteResult? { rerouteNow() }

  /// The same on the caller's thread, which waits for it.
  @discardableResult
  public func rerouteNow() -> RerouteResult? {
    guard let (request, generation) = takeReroute() else { return nil }
    let result = request.result(planner, config: config.rerouting)
    return finish(request, result, generation)
  }

  private func takeReroute() -> (RerouteRequest, Int)? {
    state.withLock { state in
      guard let request = state.reroute, !state.isRerouting else { return nil }
      state.isRerouting = true
      state.reroute = nil
      return (request, state.generation)
    }
  }

  private func finish(_ request: RerouteRequest, _ result: RerouteResult, _ generation: Int)
    -> RerouteResult?
  {
    state.withLock { state in
      guard state.generation == generation else { return nil }
      state.isRerouting = false
      state.reroute = nil
      guard state.navigation.isNavigating, state.guidance.isOffRoute else {
        state.rerouter.finish(at: request.time, taking: nil)
        return nil
      }
      state.rerouter.finish(at: request.time, taking: result.route)
      guard let route = result.route else { return result }
      state.guidance.start(route: route)
      // What waits is about instructions of the route that was left.
      state.timeline.clear()
      return result
    }
  }
}
