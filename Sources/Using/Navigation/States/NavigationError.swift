// SPDX-License-Identifier: Apache-2.0

/// Why a navigation does not do what it was asked for.
public enum NavigationError: Error, Equatable, Sendable {
  /// The action is not legal in this state.
  case illegal(NavigationAction, in: NavigationState)
  /// A route needs a start: nobody knows where the user is, and no start was given.
  case noPosition(PositionProblem)
  /// The last fix is too old to begin a route at without asking, or fixes have ended; why, and how old it
  /// is in seconds. Whoever wants it nevertheless gives it as the start.
  case positionLost(PositionProblem, last: LocationFix, ageSeconds: Double)
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
