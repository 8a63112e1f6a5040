// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NavigationEngine {
  /// Calculates a route from where the user is. Throws ``NavigationError``; see
  /// ``calculate(to:from:at:)``.
  public func calculateRoute(to destination: NavigationDestination) async throws
    -> PlannedRoute
  {
    try await calculate(to: destination).route
  }

  /// Calculates a route, and says what was changed to find it.
  ///
  /// - Parameters:
  ///   - start: A start chosen by hand; nil for the last position.
  ///   - time: When the route is planned; nil for the time of the last fix, or, before the first one,
  ///     the present.
  ///
  /// Throws ``NavigationError/noPosition(_:)`` where there is no start,
  /// ``NavigationError/noRoute(_:suggestions:)`` with what may help,
  /// ``NavigationError/routingUnavailable(_:fallback:)`` with the straight line,
  /// ``NavigationError/cancelled`` after ``stopNavigation()``, and
  /// ``NavigationError/illegal(_:in:)`` while a route is calculated or followed.
  public func calculate(
    to destination: NavigationDestination, from start: Coordinate? = nil, at time: Date? = nil
  ) async throws(NavigationError) -> RouteCalculation {
    let (request, generation) = try begin(destination, start, time)
    let result: Result<RouteCalculation, NavigationError>
    do throws(NavigationError) {
      result = .success(try RouteCalculator(planner: planner).calculate(request))
    } catch {
      result = .failure(error)
    }
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.navigation = state.navigation.after(.endCalculation) ?? state.navigation
      return true
    }
    guard isCurrent else { throw .cancelled }
    return try result.get()
  }

  /// Enters the state of calculating. Nothing changes where it throws.
  private func begin(
    _ destination: NavigationDestination, _ start: Coordinate?, _ time: Date?
  ) throws(NavigationError) -> (PlanRequest, Int) {
    for place in [start, destination.coordinate].compactMap({ $0 }) where !place.isValid {
      throw .invalidPlace(place)
    }
    return try state.withLock { state throws(NavigationError) in
      guard state.navigation.after(.calculate) != nil else {
        throw .illegal(.calculate, in: state.navigation)
      }
      guard let origin = start ?? state.position.last?.coordinate else {
        throw .noPosition(state.position.problem ?? .notYetKnown)
      }
      try state.navigation.apply(.calculate)
      state.generation += 1
      state.guidance.stop()
      var request = PlanRequest(
        from: origin, to: destination.coordinate, name: destination.title,
        createdAt: time ?? state.position.last?.timestamp ?? Date())
      request.mode = config.mode
      request.profile = config.profile
      request.preferences = config.preferences
      request.radiusMetres = config.radiusMetres
      return (request, state.generation)
    }
  }
}
