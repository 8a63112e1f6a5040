// SPDX-License-Identifier: Apache-2.0
import CairnPhrases

extension RerouteRequest {
  /// A course that differs by more than this from the new route leads the other way, in degrees.
  private static let turnBackDegrees = 135.0
  /// The distance over which the initial direction of a route is measured, in metres.
  private static let headingMetres = 25.0

  /// Searches for a new route: to the destination through the remaining via points, with a larger
  /// radius if none is found, and finally to the reachable place nearest to the destination. It
  /// keeps the name, mode, profile and region of the original and has its own id and instructions.
  ///
  /// If the original is followed for its own sake, such as a round trip, the new route leads to the
  /// rest of it. If it would lead back, going on is preferred as in
  /// ``ReroutingConfig/aheadFactors``.
  ///
  /// - Parameter language: The language of the reason if there is no route.
  public func result(
    _ planner: any RoutePlanning, config: ReroutingConfig = .init(),
    in language: Language = .english
  ) -> RerouteResult {
    var request = PlanRequest(
      from: start, to: destination, name: original.name, createdAt: time)
    request.via = via
    request.fixes = [0]
    request.mode = original.mode
    // The database may have been replaced since the route was planned.
    let known = (try? planner.profileNames()) ?? []
    request.profile = original.profile.flatMap { known.contains($0) ? $0 : nil }
    var failure: RoutingError?
    for (index, radius) in config.radiiMetres.enumerated() {
      request.radiusMetres = radius
      do throws(RoutingError) {
        let search = RerouteSearch(self, planner, config, request)
        let found = try search.route()
        guard let chosen = search.chosen(insteadOf: found) else {
          return .leadsBack(finished(found.route))
        }
        let route = finished(chosen.route)
        if let rest = chosen.rest {
          return .toRest(route, atMetres: rest.atMetres, fromMetres: rest.fromMetres)
        }
        return index == 0 ? .found(route) : .foundWithRadius(route, radiusMetres: radius)
      } catch {
        failure = failure ?? error
        guard !RouteCalculator.isUnavailable(error) else { break }
      }
    }
    return toNearestReachable(planner, request)
      ?? .none(
        reason: failure?.errorDescription(in: language)
          ?? language.term("No radius to search with was given."))
  }

  private func toNearestReachable(_ planner: any RoutePlanning, _ failed: PlanRequest)
    -> RerouteResult?
  {
    var request = failed
    guard let place = try? planner.nearestReachable(request) else { return nil }
    let away = haversineDistance(place, destination)
    guard away < haversineDistance(start, destination) else { return nil }
    request.destination = place
    // A via point may be unreachable.
    for via in via.isEmpty ? [[]] : [via, []] {
      request.via = via
      request.fixes = [0, via.count + 1]
      guard let route = try? planner.plan(request) else { continue }
      return .toNearestReachable(finished(route), place: place, metresFromDestination: away)
    }
    return nil
  }

  /// Completes a route: with the original's regions if the planner knows none, and with a first
  /// instruction to turn back if it begins against the walker's course.
  private func finished(_ planned: PlannedRoute) -> PlannedRoute {
    var route = planned
    if route.regionId == nil {
      (route.regionId, route.regionIds) = (original.regionId, original.regionIds)
    }
    guard leadsBack(route), let first = route.turnInstructions.first, first.direction == .start
    else { return route }
    let text = first.description
    route.turnInstructions[0].phrase?.turnsBack = true
    route.turnInstructions[0].description =
      "Turn back and \(text.prefix(1).lowercased())\(text.dropFirst())"
    return route
  }

  /// Whether a route begins against the walker's course.
  func leadsBack(_ route: PlannedRoute) -> Bool {
    guard let course,
      let heading = BearingCalculator.bearing(
        along: route.coordinates, metres: Self.headingMetres)
    else { return false }
    return abs(BearingCalculator.normalizedChange(heading - course)) > Self.turnBackDegrees
  }
}
