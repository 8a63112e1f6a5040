// SPDX-License-Identifier: Apache-2.0
import CairnLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Calculates routes, follows one, announces its instructions, and finds a new route when it is
/// left.
///
/// Safe to use from any thread; long operations are asynchronous and hold no lock. It has no clock:
/// times come from fixes and from calls that take one. The same calls give the same results.
public final class NavigationEngine: NavigationEngineProtocol {
  /// How it plans and guides.
  public let config: NavigationConfig
  let planner: any RoutePlanning
  let haptics: HapticNavigationService?
  let state: Mutex<State>

  /// The mutable state.
  struct State {
    var navigation = NavigationState.idle
    /// The mode of the next start, or the current one while navigating.
    var mode = NavigationMode.visual
    var guidance: RouteGuidance
    var timeline: HapticTimeline
    var rerouter: Rerouter
    var position: PositionTracker
    /// Counts calculations and starts, so that a late result is recognized.
    var generation = 0
    /// The input of the rerouting that is due.
    var reroute: RerouteRequest?
    var isRerouting = false
    /// Cancels the running search.
    var cancelSearch: (@Sendable () -> Void)?

    /// Abandons pending results.
    mutating func beginGeneration() {
      generation += 1
      reroute = nil
      isRerouting = false
      cancelSearch = nil
    }

    /// Announces a change of the position, by touch and in words.
    mutating func tell(_ event: PositionEvent?) {
      guard navigation.isNavigating, let event else { return }
      timeline.add(event.cue, text: event.text(in: timeline.config.language), at: event.time)
    }
  }

  /// Makes an idle engine in visual mode.
  ///
  /// - Parameter haptics: Plays cues; without it they are only returned.
  public init(
    planner: any RoutePlanning, config: NavigationConfig = .init(),
    haptics: HapticNavigationService? = nil
  ) {
    self.planner = planner
    self.config = config
    self.haptics = haptics
    state = Mutex(
      State(
        guidance: RouteGuidance(config: config.guidance),
        timeline: HapticTimeline(config: config.haptics),
        rerouter: Rerouter(config: config.rerouting),
        position: PositionTracker(lostSeconds: config.positionLostSeconds)))
  }

  /// Makes an idle engine without a database, such as on a watch: it follows planned routes. It
  /// calculates none (``NavigationError/routingUnavailable(_:fallback:)``), so no new one is ever
  /// due.
  ///
  /// - Parameter haptics: Plays cues; without it they are only returned.
  public convenience init(
    config: NavigationConfig = .init(), haptics: HapticNavigationService? = nil
  ) {
    self.init(planner: NoPlanner(), config: config, haptics: haptics)
  }

  /// The state of the navigation.
  public var navigationState: NavigationState { state.withLock { $0.navigation } }

  /// The route being followed, also after the arrival; nil if there is none.
  public var currentRoute: PlannedRoute? { guidance.activeRoute }

  /// The next step; nil if there is none or the position is unknown.
  public var currentStep: RouteStep? {
    let guidance = guidance
    guard let index = guidance.currentInstructionIndex, let route = guidance.activeRoute,
      route.turnInstructions.indices.contains(index)
    else { return nil }
    let instruction = route.turnInstructions[index]
    guard let position = guidance.position else { return RouteStep(instruction) }
    return RouteStep(
      instruction, distance: max(0, instruction.cumulativeDistance - position.distanceAlongRoute))
  }

  /// The current guidance: the position on the route and the rest of it.
  public var guidance: RouteGuidance { state.withLock { $0.guidance } }

  /// How directions are given. Setting it while a route is followed changes the state; otherwise it
  /// applies to the next start.
  public var mode: NavigationMode {
    get { state.withLock { $0.mode } }
    set {
      let isNavigating = state.withLock { state in
        state.mode = newValue
        if let changed = state.navigation.after(.changeMode(newValue)) {
          state.navigation = changed
        }
        return state.navigation.isNavigating
      }
      if isNavigating { haptics?.isHapticModeEnabled = newValue == .haptic }
    }
  }

  /// Begins to follow a route in the current ``mode``. Throws ``NavigationError/illegal(_:in:)``
  /// while another is being followed or calculated, and ``NavigationError/unusableRoute`` if the
  /// route has no valid point.
  @discardableResult
  public func startNavigation(route: PlannedRoute) throws(NavigationError) -> NavigationState {
    var cancel: (@Sendable () -> Void)?
    let started = try state.withLock { state throws(NavigationError) in
      guard let started = state.navigation.after(.start(state.mode)) else {
        throw .illegal(.start(state.mode), in: state.navigation)
      }
      var guidance = RouteGuidance(config: config.guidance)
      guidance.start(route: route)
      guard guidance.isNavigating else { throw .unusableRoute }
      state.navigation = started
      cancel = state.cancelSearch
      state.beginGeneration()
      state.guidance = guidance
      state.timeline = HapticTimeline(config: config.haptics)
      state.rerouter.start(route: route)
      state.position.tellAgain()
      return started
    }
    cancel?()
    if case .navigating(let mode) = started { haptics?.isHapticModeEnabled = mode == .haptic }
    return started
  }

  /// Ends navigation and all searches; a running calculation throws ``NavigationError/cancelled``.
  public func stopNavigation() {
    let cancel = state.withLock { state in
      state.navigation = state.navigation.after(.stop) ?? .idle
      defer { state.beginGeneration() }
      state.guidance.stop()
      state.timeline = HapticTimeline(config: config.haptics)
      return state.cancelSearch
    }
    cancel?()
    haptics?.stopAllHaptics()
  }

  /// Takes a fix: follows the route, plays the cues, and reports whether a new route is due. A fix
  /// that is not a valid place and time is ignored.
  @discardableResult
  public func updateProgress(location: LocationFix) -> NavigationUpdate {
    let fix = location.cleaned
    let update = state.withLock { state in
      var update = NavigationUpdate(state: state.navigation)
      guard fix.isValid else { return update }
      update.position = state.position.take(fix)
      guard state.navigation.isNavigating else {
        update.cues = state.timeline.advance(to: fix.timestamp)
        return update
      }
      update.events = state.guidance.updateLocation(fix)
      state.tell(update.position)
      update.cues = state.timeline.update(
        update.events, of: state.guidance.activeRoute, at: fix.timestamp)
      if update.events.contains(where: { $0.kind == .arrived }) {
        state.navigation = state.navigation.after(.arrive) ?? state.navigation
        state.reroute = nil
      } else {
        let request = planner is NoPlanner ? nil : state.rerouter.observe(state.guidance, fix)
        state.reroute = request
        update.isRerouteDue = request != nil && !state.isRerouting
      }
      update.state = state.navigation
      return update
    }
    play(update.cues)
    return update
  }

  func play(_ cues: HapticTimeline.Outcome) {
    for entry in cues.entries { haptics?.play(entry) }
  }
}
