// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NavigationEngine {
  /// Calculates a route from the current position. Throws ``NavigationError``; see
  /// ``calculate(to:from:at:)``.
  public func calculateRoute(to destination: NavigationDestination) async throws
    -> PlannedRoute
  {
    try await calculate(to: destination).route
  }

  /// Calculates a route, and reports any adjustments made to find it.
  ///
  /// - Parameters:
  ///   - start: A start chosen by hand; nil for the position at the time.
  ///   - time: The time of planning; nil for now, by the clock.
  ///
  /// Throws
  ///
  /// - ``NavigationError/noPosition(_:)`` without a start,
  /// - ``NavigationError/positionLost(_:last:ageSeconds:)`` if the start would be a lost position,
  /// - ``NavigationError/noRoute(_:suggestions:)`` with suggestions,
  /// - ``NavigationError/routingUnavailable(_:fallback:)`` with the straight line,
  /// - ``NavigationError/cancelled`` after ``stopNavigation()`` or if the task was cancelled, and
  /// - ``NavigationError/illegal(_:in:)`` while a route is being calculated or followed.
  ///
  /// The search runs off the caller's actor and ends soon after cancellation.
  public func calculate(
    to destination: NavigationDestination, from start: Coordinate? = nil, at time: Date? = nil
  ) async throws(NavigationError) -> RouteCalculation {
    let (request, generation) = try begin(destination, start, time)
    let result = await search(generation) {
      [planner] () -> Result<RouteCalculation, NavigationError> in
      do throws(NavigationError) {
        return .success(try RouteCalculator(planner: planner).calculate(request))
      } catch {
        return .failure(error)
      }
    }
    let isCurrent = state.withLock { state in
      guard state.generation == generation else { return false }
      state.navigation = state.navigation.after(.endCalculation) ?? state.navigation
      return true
    }
    guard isCurrent else { throw .cancelled }
    return try result.get()
  }

  /// Searches in a separate task, off the caller's actor, which is cancelled with the caller's task
  /// or when navigation stops.
  func search<Value: Sendable>(_ generation: Int, _ body: @escaping @Sendable () -> Value) async
    -> Value
  {
    // It begins once it can be cancelled, when the lock is free again.
    let task = state.withLock { [state] current in
      let task = Task.detached(priority: Task.currentPriority) {
        state.withLock { _ in }
        return body()
      }
      if current.generation == generation {
        current.cancelSearch = { task.cancel() }
      } else {
        task.cancel()
      }
      return task
    }
    let value = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { state in
      if state.generation == generation { state.cancelSearch = nil }
    }
    return value
  }

  /// Enters the calculating state. Changes nothing if it throws.
  private func begin(
    _ destination: NavigationDestination, _ start: Coordinate?, _ time: Date?
  ) throws(NavigationError) -> (PlanRequest, Int) {
    for place in [start, destination.coordinate].compactMap({ $0 }) where !place.isValid {
      throw .invalidPlace(place)
    }
    let time = time ?? Date()
    return try state.withLock { state throws(NavigationError) in
      guard state.navigation.after(.calculate) != nil else {
        throw .illegal(.calculate, in: state.navigation)
      }
      let origin: Coordinate
      if let start { origin = start } else { origin = try state.position.status(at: time).start }
      try state.navigation.apply(.calculate)
      state.generation += 1
      state.guidance.stop()
      var request = PlanRequest(
        from: origin, to: destination.coordinate, name: destination.title,
        createdAt: time)
      if start == nil { request.fixes = [0] }
      request.mode = config.mode
      request.profile = config.profile
      request.preferences = config.preferences
      request.radiusMetres = config.radiusMetres
      return (request, state.generation)
    }
  }
}

extension PositionStatus {
  /// The start of a route if none was chosen.
  fileprivate var start: Coordinate {
    get throws(NavigationError) {
      switch self {
      case .current(let fix): return fix.coordinate
      case .unknown(let problem): throw .noPosition(problem)
      case .lost(let last, let age, let reason):
        throw .positionLost(reason, last: last, ageSeconds: age)
      }
    }
  }
}
