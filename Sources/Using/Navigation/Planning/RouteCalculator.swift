// SPDX-License-Identifier: Apache-2.0

/// Calculates a route. If that fails, retries with other parameters, and finally suggests what may
/// help.
struct RouteCalculator {
  /// The radii tried if no way is near, in metres.
  static let retryRadiiMetres = [1000.0]
  /// The radii suggested if they give a route, in metres.
  static let suggestedRadiiMetres = [2500.0, 5000.0]
  /// The most profiles that are tried for a suggestion.
  static let mostProfiles = 8

  let planner: any RoutePlanning

  /// Calculates a route. Throws ``NavigationError/noRoute(_:suggestions:)``,
  /// ``NavigationError/routingUnavailable(_:fallback:)``, or ``NavigationError/cancelled`` once its task
  /// is.
  func calculate(_ request: PlanRequest) throws(NavigationError) -> RouteCalculation {
    var request = request
    var adjustments: [RouteAdjustment] = []
    while true {
      do throws(RoutingError) {
        return RouteCalculation(route: try planner.plan(request), adjustments: adjustments)
      } catch {
        if error == .cancelled { throw .cancelled }
        guard let adjustment = adjust(&request, for: error, after: adjustments) else {
          if Self.isUnavailable(error) {
            throw .routingUnavailable(
              error, fallback: DirectLine(from: request.start, to: request.destination))
          }
          let suggestions = suggestions(for: request, error)
          if Task.isCancelled { throw .cancelled }
          throw .noRoute(error, suggestions: suggestions)
        }
        adjustments.append(adjustment)
      }
    }
  }

  /// Whether no route at all can be calculated.
  static func isUnavailable(_ error: RoutingError) -> Bool {
    switch error {
    case .databaseNotOpen, .databaseUnreadable, .databaseLocked, .databaseUnusable,
      .databaseCorrupted,
      .databasesDoNotFit, .rulesNotAvailable, .cancelled:
      true
    case .profileNotAvailable, .noNearbyNode, .noRouteFound, .viaPointNotReachable,
      .noRoundTripFound:
      false
    }
  }

  /// Changes a likely cause of an error, each only once; nil if none is left.
  private func adjust(
    _ request: inout PlanRequest, for error: RoutingError, after earlier: [RouteAdjustment]
  ) -> RouteAdjustment? {
    switch error {
    case .databaseUnreadable, .databaseLocked:
      return earlier.contains(.readAgain) ? nil : .readAgain
    case .profileNotAvailable:
      guard let profile = request.profile else { return nil }
      request.profile = nil
      // The mode's own profile, by whatever name.
      let name = (try? planner.profileNames())?.first { $0 == request.mode.rawValue }
      return .otherProfile(name ?? (profile.isEmpty ? "" : request.mode.rawValue))
    case .noNearbyNode:
      guard let radius = Self.retryRadiiMetres.first(where: { $0 > request.radiusMetres }) else {
        return nil
      }
      request.radiusMetres = radius
      return .largerRadius(metres: radius)
    case .noRouteFound, .viaPointNotReachable:
      guard request.preferences.isStrict else { return nil }
      request.preferences.isStrict = false
      return .withoutStrictPreferences
    case .databaseNotOpen, .databaseUnusable, .databaseCorrupted, .databasesDoNotFit,
      .rulesNotAvailable, .noRoundTripFound, .cancelled:
      return nil
    }
  }

  private func suggestions(for request: PlanRequest, _ error: RoutingError) -> [RouteSuggestion] {
    var suggestions: [RouteSuggestion] = []
    for place in [request.start, request.destination] where planner.covers(place) == false {
      suggestions.append(.missingData(around: place))
    }
    if let place = try? planner.nearestReachable(request) {
      let away = haversineDistance(place, request.destination)
      // Useful only if it is nearer to the destination than the start.
      if away < haversineDistance(request.start, request.destination) {
        suggestions.append(.nearestReachable(place: place, metresFromDestination: away))
      }
    }
    for radius in Self.suggestedRadiiMetres where radius > request.radiusMetres {
      var wider = request
      wider.radiusMetres = radius
      guard (try? planner.plan(wider)) != nil else { continue }
      suggestions.append(.largerRadius(metres: radius))
      break
    }
    for name in ((try? planner.profileNames()) ?? []).prefix(Self.mostProfiles)
    where name != request.profile {
      var other = request
      other.profile = name
      if (try? planner.plan(other)) != nil { suggestions.append(.otherProfile(name)) }
    }
    return suggestions
  }
}
