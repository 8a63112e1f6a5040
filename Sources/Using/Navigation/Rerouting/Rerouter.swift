// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Watches whether the walker stays off a route, and reports when a new one is due.
///
/// A value without a clock: times come from fixes. The search takes too long to run at each fix, so
/// it is separate: ``RerouteRequest/result(_:config:)``.
public struct Rerouter: Sendable {
  /// When a route is calculated anew.
  public let config: ReroutingConfig
  /// The number of new routes followed so far.
  public private(set) var count = 0
  private var destination: Coordinate?
  /// The chosen route, or the last one that led elsewhere than to the rest of it.
  private var plan: PlannedRoute?
  private var planLine: RouteLine?
  private var isForDestinationAlone = false
  /// The point at which the followed route joins the plan, in metres along both.
  private var rest = (atMetres: 0.0, fromMetres: 0.0)
  private var leftAt: Date?
  private var lastAttempt: Date?
  /// The number of searches since a route was last followed.
  private var attempts = 0
  private var isWayBackOffered = false
  /// The point at which the walker reached the route, in metres along it; nil off it.
  private var reachedMetres: Double?
  /// The via points passed, which need not be visited again after going back.
  private var passedVia: Set<Int> = []
  /// Metres along the plan walked so far.
  private var planMetres = 0.0
  /// A position some metres back, and the direction of travel from it.
  private var trail: Coordinate?
  private var course: Double?

  /// A route with more via points than this was not planned by hand and is followed to its end.
  public static let mostViaPoints = 200
  /// The greatest distance, in metres, from the rest of the plan at which the walker may have come
  /// back to it.
  private static let onPlanMetres = 20.0
  private static let planAheadMetres = 2000.0
  /// Two positions this far apart show a direction of movement, in metres.
  private static let courseMetres = 15.0

  /// Makes one that watches nothing.
  public init(config: ReroutingConfig = .init()) { self.config = config }

  /// Begins to watch a chosen route. Its end is the destination of all new routes.
  public mutating func start(route: PlannedRoute) {
    self = Rerouter(config: config)
    destination = route.endCoordinate
    take(plan: route)
  }

  private mutating func take(plan route: PlannedRoute) {
    var plan = route
    plan.viaDistances = route.viaPoints.count <= Self.mostViaPoints ? route.knownViaDistances : []
    if plan.viaDistances?.isEmpty == true { (plan.viaPoints, plan.viaDistances) = ([], nil) }
    self.plan = plan
    planLine = RouteLine(plan)
    (rest, planMetres, passedVia) = ((0, 0), 0, [])
  }

  /// Examines a guidance after a fix. Returns the input of a new route, if one is due.
  public mutating func observe(_ guidance: RouteGuidance, _ fix: LocationFix) -> RerouteRequest? {
    follow(fix)
    guard let plan, let destination, guidance.isOffRoute else {
      leftAt = nil
      if let position = guidance.position { pass(position.distanceAlongRoute) }
      return nil
    }
    if leftAt == nil {
      leftAt = fix.timestamp
      reachedMetres = nil
      if let metres = guidance.distanceWhereLeft { follow(toMetres: metres) }
    }
    guard isDue(fix) else { return nil }
    var request = RerouteRequest(
      original: plan, destination: destination,
      via: plan.viaPoints.indices.filter(isAhead).map { plan.viaPoints[$0] },
      start: fix.coordinate, course: course, time: fix.timestamp)
    request.leftMetres = passedVia.reduce(planMetres) { max($0, viaDistances[$1]) }
    request.isForDestinationAlone = isForDestinationAlone
    request.isWayBackOffered = isWayBackOffered
    return request
  }

  /// Records that a search has ended.
  ///
  /// - Parameter result: The result, if its route is followed from now on; otherwise nil.
  public mutating func finish(_ request: RerouteRequest, taking result: RerouteResult?) {
    lastAttempt = request.time
    attempts += 1
    guard let result, let route = result.route else { return }
    if request.leadsBack(route) { isWayBackOffered = true }
    reachedMetres = nil
    count += 1
    leftAt = nil
    if case .toRest(_, let along, let from) = result {
      rest = (along, from)
    } else {
      take(plan: route)
      isForDestinationAlone = true
    }
  }

  private var viaDistances: [Double] { plan?.viaDistances ?? [] }

  /// Records how far the plan was followed, by metres along the current route.
  private mutating func follow(toMetres metres: Double) {
    guard metres >= rest.atMetres else { return }
    planMetres = rest.fromMetres + metres - rest.atMetres
  }

  private mutating func pass(_ metres: Double) {
    follow(toMetres: metres)
    let reached = reachedMetres ?? metres
    reachedMetres = reached
    if metres - reached >= config.followedMetres { (attempts, isWayBackOffered) = (0, false) }
    for (index, via) in viaDistances.enumerated()
    where metres >= rest.atMetres && abs(via - planMetres) <= config.viaPassedMetres {
      passedVia.insert(index)
    }
  }

  /// Whether a via point is still ahead.
  private func isAhead(_ index: Int) -> Bool {
    !passedVia.contains(index)
      && viaDistances[index] > planMetres + config.viaPassedMetres
  }

  private func isDue(_ fix: LocationFix) -> Bool {
    guard let leftAt, fix.horizontalAccuracy ?? 0 <= config.worstAccuracyMetres else {
      return false
    }
    guard fix.timestamp.timeIntervalSince(leftAt) >= config.offRouteSeconds else { return false }
    guard let lastAttempt else { return true }
    let doubled = config.minimumIntervalSeconds * Double(1 << min(max(attempts - 1, 0), 20))
    let longest = isOnPlan(fix) ? 0 : config.longestIntervalSeconds
    let interval = min(doubled, max(longest, config.minimumIntervalSeconds))
    return fix.timestamp.timeIntervalSince(lastAttempt) >= interval
  }

  /// Whether the walker is on the rest of the plan, though not on the followed route; a walker who
  /// was led another way and came back need not wait.
  private func isOnPlan(_ fix: LocationFix) -> Bool {
    guard rest.atMetres > 0, let planLine else { return false }
    let range = planMetres...max(planMetres, rest.fromMetres, planMetres + Self.planAheadMetres)
    guard let position = planLine.closest(to: fix.coordinate, within: range) else { return false }
    return position.distance <= Self.onPlanMetres
  }

  private mutating func follow(_ fix: LocationFix) {
    guard let start = trail else {
      trail = fix.coordinate
      return
    }
    guard haversineDistance(start, fix.coordinate) >= Self.courseMetres else { return }
    course = BearingCalculator.bearing(from: start, to: fix.coordinate)
    trail = fix.coordinate
  }
}

extension PlannedRoute {
  /// Metres from the start to each via point: as stated by the route, or, in files of earlier
  /// versions, where its line comes nearest to each, in order.
  var knownViaDistances: [Double] {
    if let viaDistances, viaDistances.count == viaPoints.count { return viaDistances }
    var first = 0
    return viaPoints.map { point in
      var (nearest, best) = (first, Double.infinity)
      for index in first..<max(first, coordinates.count) {
        let away = haversineDistance(coordinates[index], point)
        if away < best { (nearest, best) = (index, away) }
      }
      first = nearest
      return metres(toPoint: nearest)
    }
  }

  /// Metres along the line to one of its points.
  private func metres(toPoint index: Int) -> Double {
    let line = coordinates.prefix(index + 1)
    return zip(line, line.dropFirst()).reduce(0) { $0 + haversineDistance($1.0, $1.1) }
  }
}
