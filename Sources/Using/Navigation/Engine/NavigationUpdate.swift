// SPDX-License-Identifier: Apache-2.0

/// The changes caused by a fix, or by time passing without one.
public struct NavigationUpdate: Hashable, Sendable {
  /// The state after it.
  public var state: NavigationState
  /// The events on the route.
  public var events: [GuidanceEvent] = []
  /// The cues that started, and those that never will.
  public var cues = HapticTimeline.Outcome()
  /// Whether the position was lost or found again; nil if neither.
  public var position: PositionEvent?
  /// Whether a new route is due: call ``NavigationEngine/reroute()``.
  public var isRerouteDue = false

  /// Nothing changed.
  public init(state: NavigationState) { self.state = state }
}

/// Calculates routes and follows one of them.
public protocol NavigationEngineProtocol: AnyObject, Sendable {
  /// The route being followed; nil if there is none.
  var currentRoute: PlannedRoute? { get }
  /// The next step on it; nil if there is none or it is not yet known.
  var currentStep: RouteStep? { get }
  /// The state of the navigation.
  var navigationState: NavigationState { get }

  /// Calculates a route from the current position. Throws ``NavigationError``.
  func calculateRoute(to destination: NavigationDestination) async throws -> PlannedRoute
  /// Begins to follow a route.
  @discardableResult
  func startNavigation(route: PlannedRoute) throws(NavigationError) -> NavigationState
  /// Takes a fix.
  @discardableResult
  func updateProgress(location: LocationFix) -> NavigationUpdate
  /// Ends navigation.
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
