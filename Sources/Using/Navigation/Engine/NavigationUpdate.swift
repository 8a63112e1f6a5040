// SPDX-License-Identifier: Apache-2.0

/// What a fix changed, or the time that passed without one.
public struct NavigationUpdate: Hashable, Sendable {
  /// The state after it.
  public var state: NavigationState
  /// What happened on the route.
  public var events: [GuidanceEvent] = []
  /// Cues that began, and those that never will.
  public var cues = HapticTimeline.Outcome()
  /// Whether the position was lost or found again; nil where neither was.
  public var position: PositionEvent?
  /// Whether a new route is due: call ``NavigationEngine/reroute()``.
  public var isRerouteDue = false

  /// Nothing changed.
  public init(state: NavigationState) { self.state = state }
}

/// Calculates routes and follows one of them.
public protocol NavigationEngineProtocol: AnyObject, Sendable {
  /// The route that is followed; nil where none is.
  var currentRoute: PlannedRoute? { get }
  /// What is to be done next on it; nil where there is nothing or it is not known yet.
  var currentStep: RouteStep? { get }
  /// What the navigation is doing.
  var navigationState: NavigationState { get }

  /// Calculates a route from where the user is. Throws ``NavigationError``.
  func calculateRoute(to destination: NavigationDestination) async throws -> PlannedRoute
  /// Begins to follow a route.
  @discardableResult
  func startNavigation(route: PlannedRoute) throws(NavigationError) -> NavigationState
  /// Takes a fix.
  @discardableResult
  func updateProgress(location: LocationFix) -> NavigationUpdate
  /// Ends whatever is going on.
  func stopNavigation()
}

extension NavigationEngineProtocol {
  /// Calculates a route to a place that a search found.
  public func calculateRoute(to result: SearchResult) async throws -> PlannedRoute {
    try await calculateRoute(to: NavigationDestination(result))
  }

  /// Calculates a route to a place.
  public func calculateRoute(to place: Coordinate) async throws -> PlannedRoute {
    try await calculateRoute(to: NavigationDestination(place))
  }
}
