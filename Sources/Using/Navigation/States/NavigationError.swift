// SPDX-License-Identifier: Apache-2.0

/// Why there is no position.
public enum PositionProblem: String, Hashable, Sendable, CaseIterable {
  /// No fix has come yet.
  case notYetKnown
  /// The user does not let the app know the position.
  case permissionDenied
  /// The app may know the position only while it is on the screen, and it is not.
  case backgroundPermissionLost
  /// The receiver does not work or is switched off.
  case unavailable
}

/// Why a navigation does not do what it was asked for.
public enum NavigationError: Error, Equatable, Sendable {
  /// The action is not legal in this state.
  case illegal(NavigationAction, in: NavigationState)
  /// A route needs a start: nobody knows where the user is, and no start was given.
  case noPosition(PositionProblem)
  /// A start or destination is not on Earth.
  case invalidPlace(Coordinate)
  /// No route leads to the destination; what may help, the best first, each tried.
  case noRoute(RoutingError, suggestions: [RouteSuggestion])
  /// Routes cannot be calculated at all; what is known without them.
  case routingUnavailable(RoutingError, fallback: DirectLine)
  /// The route has no point on Earth.
  case unusableRoute
  /// Navigation was stopped before the route was calculated.
  case cancelled
}
