// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Finds the best route for a walker who left one.
struct RerouteSearch {
  /// The rest of a route is rejoined within this distance, in metres, and within a share of the
  /// rest.
  private static let longestSkipMetres = 2000.0
  private static let longestSkipShare = 0.25
  /// A shorter rest is not worth leading back to.
  private static let leastRestMetres = 300.0
  /// The distance, in metres, within which a way back must reach the route, and a route its
  /// destination.
  private static let joinMetres = 30.0

  private let wanted: RerouteRequest
  private let planner: any RoutePlanning
  private let config: ReroutingConfig
  private let request: PlanRequest
  /// The line of the route that was left, if it leads to the destination and is long enough.
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
    self.line = rest >= Self.leastRestMetres && !wanted.isForDestinationAlone ? line : nil
  }

  /// A route to the destination.
  struct Found {
    var route: PlannedRoute
    /// The start of the original's rest, in metres along the route and along the original; nil if
    /// it leads to the destination alone.
    var rest: (atMetres: Double, fromMetres: Double)?
    /// Its duration, including that of the skipped part of the rest, which is no gain.
    var seconds: Double

    init(_ route: PlannedRoute) {
      self.route = route
      seconds = route.estimatedDuration
    }
  }

  /// The route to the destination, or to the rest of the original if that is the purpose.
  func route() throws(RoutingError) -> Found {
    let direct = try planner.plan(request)
    guard let line, isForItsOwnSake(line),
      let nearest = nearest(on: line),
      let joined = join(nearest, line, heading: nil)
    else { return Found(direct) }
    return joined
  }

  /// The route to follow instead of one that would lead back: that one, one that continues along
  /// the walker's way, or nil if the walker was already told to turn back and there is no other
  /// sensible route.
  func chosen(insteadOf found: Found) -> Found? {
    guard let course = wanted.course, wanted.leadsBack(found.route) else { return found }
    let limit = wanted.isWayBackOffered ? config.aheadLongest : config.aheadPreferred
    if let ahead = ahead(course, keepsRest: found.rest != nil), !wanted.leadsBack(ahead.route),
      ahead.seconds - found.seconds <= min(limit.share * found.seconds, limit.seconds)
    {
      return ahead
    }
    return wanted.isWayBackOffered ? nil : found
  }

  /// Whether the direct way to the destination, from where the original was left, is shorter than
  /// the rest of the original.
  private func isForItsOwnSake(_ line: RouteLine) -> Bool {
    var request = request
    request.start = line.routePosition(line.position(at: wanted.leftMetres)).coordinate
    guard let direct = try? planner.plan(request) else { return false }
    let effort = RemainingEffort(wanted.original, lengthMetres: line.length)
    let seconds = effort.seconds(from: wanted.leftMetres) ?? .infinity
    return direct.totalDistance < config.directShare * (line.length - wanted.leftMetres)
      && direct.estimatedDuration < config.directShare * seconds
  }

  /// The range in which the rest may be rejoined, in metres along the original.
  private func reach(_ line: RouteLine) -> ClosedRange<Double> {
    let left = min(max(wanted.leftMetres, 0), line.length)
    let skip = min(Self.longestSkipMetres, Self.longestSkipShare * (line.length - left))
    return left...(left + skip)
  }

  /// The nearest position of the rest. A skipped metre counts as a quarter of a metre walked, so
  /// that the return leg of an out-and-back is not taken for the rest while its far end is ahead.
  private func nearest(on line: RouteLine) -> RouteLine.Position? {
    line.closest(to: wanted.start, within: reach(line), weight: 1.0 / 16)
  }

  private func ahead(_ course: Double, keepsRest: Bool) -> Found? {
    guard keepsRest, let line else {
      var request = request
      request.heading = course
      return (try? planner.plan(request)).map { Found($0) }
    }
    let reach = reach(line)
    let middle = (reach.lowerBound + reach.upperBound) / 2
    var positions = [line.position(at: middle), line.position(at: reach.upperBound)]
    if let nearest = nearest(on: line) { positions.insert(nearest, at: 0) }
    // Compared with the way there, since skipping is no gain.
    return positions.compactMap { join($0, line, heading: course) }
      .min { $0.rest?.atMetres ?? .infinity < $1.rest?.atMetres ?? .infinity }
  }

  /// The way to a position of the original and the rest from there; nil if there is none.
  private func join(_ position: RouteLine.Position, _ line: RouteLine, heading: Double?) -> Found? {
    var request = request
    request.destination = line.routePosition(position).coordinate
    request.via = []
    request.fixes = [0, 1]
    request.heading = heading
    guard let way = try? planner.plan(request),
      haversineDistance(way.endCoordinate, request.destination) <= Self.joinMetres,
      let rest = wanted.original.rest(from: position.metres)
    else { return nil }
    var found = Found(way.joined(to: rest))
    found.rest = (way.totalDistance, position.metres)
    let effort = RemainingEffort(wanted.original, lengthMetres: line.length)
    if let all = effort.seconds(from: wanted.leftMetres),
      let ahead = effort.seconds(from: position.metres)
    {
      found.seconds += all - ahead
    }
    return found
  }
}
