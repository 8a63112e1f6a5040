// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// Finds the route that serves somebody best who left one.
struct RerouteSearch {
  /// The rest of a route is reached again within so many metres, and within a share of it.
  private static let longestSkipMetres = 2000.0
  private static let longestSkipShare = 0.25
  /// A shorter rest is not worth leading back to.
  private static let leastRestMetres = 300.0
  /// A way back has to end this close to the route, and the route to the destination, in metres.
  private static let joinMetres = 30.0

  private let wanted: RerouteRequest
  private let planner: any RoutePlanning
  private let config: ReroutingConfig
  private let request: PlanRequest
  /// The line of the route that was left, where it leads to the destination and there is enough of it.
  private let line: RouteLine?

  init(
    _ wanted: RerouteRequest, _ planner: any RoutePlanning, _ config: ReroutingConfig,
    _ request: PlanRequest
  ) {
    (self.wanted, self.planner, self.config) = (wanted, planner, config)
    self.request = request
    let missed = haversineDistance(wanted.original.endCoordinate, wanted.destination)
    let line = missed <= Self.joinMetres ? RouteLine(wanted.original) : nil
    let rest = (line?.length ?? 0) - wanted.leftMetres
    self.line = rest >= Self.leastRestMetres ? line : nil
  }

  /// A route to the destination.
  struct Found {
    var route: PlannedRoute
    /// Whether its end is the rest of the original.
    var keepsRest = false
  }

  /// The route to the destination, or to the rest of the original where that is what counts.
  func route() throws(RoutingError) -> Found {
    let direct = try planner.plan(request)
    guard let line,
      direct.totalDistance < config.directShare * (line.length - wanted.leftMetres),
      let nearest = line.closest(to: wanted.start, within: reach(line)),
      let joined = join(nearest, line, heading: nil)
    else { return Found(route: direct) }
    return Found(route: joined, keepsRest: true)
  }

  /// What to follow in place of a route that would lead back: that one, one that goes on along the way
  /// that the walker is on, or nil where the walker was told to turn back already and nothing else makes
  /// sense.
  func chosen(insteadOf found: Found) -> PlannedRoute? {
    let route = found.route
    guard let course = wanted.course, wanted.leadsBack(route) else { return route }
    let factors = config.aheadFactors
    let limit = wanted.isWayBackOffered ? factors.longest : factors.preferred
    if let ahead = ahead(course, keepsRest: found.keepsRest), !wanted.leadsBack(ahead),
      ahead.estimatedDuration <= limit * route.estimatedDuration
    {
      return ahead
    }
    return wanted.isWayBackOffered ? nil : route
  }

  /// Where the rest may be reached again, in metres along the original.
  private func reach(_ line: RouteLine) -> ClosedRange<Double> {
    let left = min(max(wanted.leftMetres, 0), line.length)
    let skip = min(Self.longestSkipMetres, Self.longestSkipShare * (line.length - left))
    return left...(left + skip)
  }

  private func ahead(_ course: Double, keepsRest: Bool) -> PlannedRoute? {
    guard keepsRest, let line else {
      var request = request
      request.heading = course
      return try? planner.plan(request)
    }
    let reach = reach(line)
    let middle = (reach.lowerBound + reach.upperBound) / 2
    var places = [line.place(at: middle), line.place(at: reach.upperBound)]
    if let nearest = line.closest(to: wanted.start, within: reach) { places.insert(nearest, at: 0) }
    return places.compactMap { join($0, line, heading: course) }
      .min { $0.estimatedDuration < $1.estimatedDuration }
  }

  /// The way to a place of the original and the rest from there; nil where there is none.
  private func join(_ place: RouteLine.Place, _ line: RouteLine, heading: Double?) -> PlannedRoute?
  {
    var request = request
    request.destination = line.position(place).coordinate
    request.via = []
    request.heading = heading
    guard let way = try? planner.plan(request),
      haversineDistance(way.endCoordinate, request.destination) <= Self.joinMetres,
      let rest = wanted.original.rest(from: place.metres)
    else { return nil }
    return way.joined(to: rest)
  }
}
