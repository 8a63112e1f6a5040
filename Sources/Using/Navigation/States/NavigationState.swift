// SPDX-License-Identifier: Apache-2.0

/// How directions are given.
public enum NavigationMode: String, Hashable, Sendable, CaseIterable {
  /// On the screen.
  case visual
  /// By touch and in words.
  case haptic
}

/// The state of a navigation.
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

  /// The state after an action; nil if the action is not legal in this state.
  ///
  /// | from | calculate | endCalculation | start | changeMode | arrive | stop |
  /// |---|---|---|---|---|---|---|
  /// | idle | calculating | – | navigating | – | – | idle |
  /// | calculating | – | idle | – | – | – | idle |
  /// | navigating | – | – | – | navigating | arrived | idle |
  /// | arrived | calculating | – | navigating | – | – | idle |
  ///
  /// Navigation must be stopped before another route is calculated or followed, so that no walker
  /// is led elsewhere unasked. Rerouting leads to the same destination and is not an action.
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

  /// Applies an action. Throws ``NavigationError/illegal(_:in:)``, changing nothing, if the action
  /// is not legal in this state.
  public mutating func apply(_ action: NavigationAction) throws(NavigationError) {
    guard let next = after(action) else { throw .illegal(action, in: self) }
    self = next
  }
}

/// An action that changes the state of a navigation.
public enum NavigationAction: Hashable, Sendable {
  /// Begin to calculate a route.
  case calculate
  /// The calculation has ended, with or without a route.
  case endCalculation
  /// Begin to follow a route.
  case start(NavigationMode)
  /// Give directions in another way from now on.
  case changeMode(NavigationMode)
  /// The destination was reached.
  case arrive
  /// End navigation.
  case stop
}
