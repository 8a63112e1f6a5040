// SPDX-License-Identifier: Apache-2.0

/// How directions are given.
public enum NavigationMode: String, Hashable, Sendable, CaseIterable {
  /// On the screen.
  case visual
  /// By touch, with the same in words.
  case haptic
}

/// What a navigation is doing.
public enum NavigationState: Hashable, Sendable {
  /// Nothing.
  case idle
  /// A route is being calculated.
  case calculating
  /// A route is being followed.
  case navigating(mode: NavigationMode)
  /// The destination was reached.
  case arrived

  /// Whether a route is being followed.
  public var isNavigating: Bool {
    if case .navigating = self { true } else { false }
  }

  /// The state after an action; nil where the action is not legal in this state.
  ///
  /// | from | calculate | endCalculation | start | changeMode | arrive | stop |
  /// |---|---|---|---|---|---|---|
  /// | idle | calculating | – | navigating | – | – | idle |
  /// | calculating | – | idle | – | – | – | idle |
  /// | navigating | – | – | – | navigating | arrived | idle |
  /// | arrived | calculating | – | navigating | – | – | idle |
  ///
  /// Whoever is under way must stop before another route is calculated or followed, so that nobody is
  /// led elsewhere unasked; rerouting leads to the same destination and is no action.
  public func after(_ action: NavigationAction) -> NavigationState? {
    switch (self, action) {
    case (_, .stop): .idle
    case (.idle, .calculate), (.arrived, .calculate): .calculating
    case (.calculating, .endCalculation): .idle
    case (.idle, .start(let mode)), (.arrived, .start(let mode)): .navigating(mode: mode)
    case (.navigating, .changeMode(let mode)): .navigating(mode: mode)
    case (.navigating, .arrive): .arrived
    case (.idle, _), (.calculating, _), (.navigating, _), (.arrived, _): nil
    }
  }

  /// Changes to the state after an action. Throws ``NavigationError/illegal(_:in:)``, and changes
  /// nothing, where the action is not legal in this state.
  public mutating func apply(_ action: NavigationAction) throws(NavigationError) {
    guard let next = after(action) else { throw .illegal(action, in: self) }
    self = next
  }
}

/// What changes the state of a navigation.
public enum NavigationAction: Hashable, Sendable {
  /// Begin to calculate a route.
  case calculate
  /// The calculation has ended, with a route or without one.
  case endCalculation
  /// Begin to follow a route.
  case start(NavigationMode)
  /// Give directions in another way from now on.
  case changeMode(NavigationMode)
  /// The destination was reached.
  case arrive
  /// End whatever is going on.
  case stop
}
