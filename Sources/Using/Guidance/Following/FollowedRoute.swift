// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The state of guidance along a route.
struct FollowedRoute: Sendable {
  /// Announcements begin with this fix.
  private static let fewestFixes = 3
  /// Moving this far back along the route counts as walking it backwards, and likewise forwards.
  private static let turningMetres = 60.0
  private static let turningInAccuracies = 5.0
  /// Beyond this distance from the route, movement along it is ignored.
  private static let nearMetres = 15.0
  private static let nearInAccuracies = 1.5
  /// For this long after a leap to a position that is not near either, the walker may be leaving
  /// the route.
  private static let unsureSeconds = 20.0
  private static let backwards = 1.3
  private static let forwards = 0.7
  /// Before this distance along the route there is no arrival, since a round trip ends where it
  /// begins.
  private static let leastTravelled = 50.0
  /// Walking past the end of the route takes less time than this near it.
  private static let stayingSeconds = 25.0
  /// While the route is left, its passes are looked for this far away.
  private static let widestRadius = 400.0

  let config: RouteGuidanceConfig
  let line: RouteLine
  let effort: RemainingEffort
  private(set) var isReversed = false
  private(set) var hasArrived = false
  private(set) var turns: TurnSchedule
  private(set) var tracker: RouteTracker
  private(set) var judge = OffRouteJudge()
  private var gate: FixGate
  private var fixCount = 0
  /// Whether the walker has been within the off-route limit; nothing is announced before.
  private var hasBeenNear = false
  private var lastMetres: Double?
  private var unsureUntil = Date.distantPast
  private var atEndSince: Date?

  /// Nil for a route without a valid point.
  init?(_ route: PlannedRoute, _ config: RouteGuidanceConfig) {
    guard let line = RouteLine(route) else { return nil }
    let pace = Pace(route.mode)
    self.config = config
    self.line = line
    effort = RemainingEffort(route, lengthMetres: line.length)
    turns = TurnSchedule(route, line)
    tracker = RouteTracker(line, pace)
    gate = FixGate(config, pace)
  }

  /// Metres along the route to the walker, or to where the route was left.
  var metres: Double? {
    guard let current = tracker.current else { return nil }
    return judge.isOff ? metresWhereLeft ?? current.position.metres : current.position.metres
  }

  private(set) var metresWhereLeft: Double?

  /// Takes a fix.
  mutating func take(_ fix: LocationFix) -> [GuidanceEvent] {
    guard let fix = gate.pass(fix) else { return [] }
    fixCount += 1
    let radius =
      judge.isOff ? Self.widestRadius : min(config.offRoute(fix.accuracy), Self.widestRadius)
    var leapt = tracker.update(fix, radius: radius)
    gate.judgeBurst(correction: tracker.correction)
    // Movement after the arrival is ignored.
    guard let current = tracker.current, !hasArrived else { return [] }
    var kinds: [GuidanceEvent.Kind] = []
    let change = judge.update(
      fix, distance: tracker.distance, along: current.position.metres, config)
    if judge.distance <= config.offRoute(judge.accuracy) { hasBeenNear = true }
    switch change ?? startedAway() {
    case .left:
      metresWhereLeft = hasBeenNear ? judge.metresWhereLeft ?? 0 : 0
      kinds.append(.offRoute)
    case .returned:
      kinds.append(.backOnRoute)
      let left = metresWhereLeft ?? 0
      _ = tracker.rejoin(leftAt: left, within: config.onRouteAgain(judge.accuracy) * 2)
      metresWhereLeft = nil
      turns.repeatTurns(from: tracker.current?.position.metres ?? left, ahead: config.approaching)
      leapt = false
    case nil: break
    }
    if !judge.isOff, hasBeenNear { kinds += follow(fix, leapt: leapt) }
    return kinds.map { event($0, fix) }
  }

  /// A walker who begins away from the route is off it as soon as a few fixes agree.
  private mutating func startedAway() -> OffRouteJudge.Change? {
    guard !hasBeenNear, !judge.isOff, fixCount >= Self.fewestFixes else { return nil }
    judge.leave()
    return .left
  }

  /// The events on the route.
  private mutating func follow(_ fix: FixGate.Usable, leapt: Bool) -> [GuidanceEvent.Kind] {
    guard let current = tracker.current else { return [] }
    let metres = current.position.metres
    let forward = metres - (lastMetres ?? metres)
    lastMetres = metres
    // Around a bend, a leap may pass a turn without being news to the walker.
    if fix.isLeap || (leapt && !(0...RouteTracker.bendMetres).contains(forward)) {
      turns.leap(to: metres)
    }
    var kinds = turn(current, fix)
    if leapt { unsureUntil = fix.time + Self.unsureSeconds }
    let isUnsure = !isNear && fix.time < unsureUntil
    guard !isReversed, !isUnsure, fixCount >= Self.fewestFixes, !tracker.isAmbiguous else {
      return kinds
    }
    kinds += turns.advance(to: metres, config, accuracy: judge.accuracy)
    if isAtEnd(current) || staysAtEnd(current, fix) {
      kinds += turns.finish() + [.arrived]
      hasArrived = true
    }
    return kinds
  }

  private var isNear: Bool {
    judge.distance <= max(Self.nearMetres, Self.nearInAccuracies * judge.accuracy)
  }

  /// Whether the walker turned round.
  private mutating func turn(
    _ current: RouteHypothesis, _ fix: FixGate.Usable
  ) -> [GuidanceEvent.Kind] {
    guard isNear else {
      tracker.forgetHighest()
      return []
    }
    let enough = max(Self.turningMetres, Self.turningInAccuracies * fix.accuracy)
    let metres = current.position.metres
    if !isReversed, current.highest - metres > enough, current.disagreement > Self.backwards {
      isReversed = true
      tracker.turnRound()
      return [.reversed]
    }
    if isReversed, metres - current.lowest > enough, current.disagreement < Self.forwards {
      isReversed = false
      turns.repeatTurns(from: metres, ahead: config.atTurn)
      return [.forward]
    }
    return []
  }

  private func isAtEnd(_ current: RouteHypothesis) -> Bool {
    let left = line.length - current.position.metres
    let near = config.arrived(judge.accuracy)
    guard left <= near, judge.distance <= near,
      current.travelled >= min(max(Self.leastTravelled, 2 * judge.accuracy), line.length / 2)
    else { return false }
    // A turn remaining before the end comes first.
    return turns.isThrough || left <= near / 3
  }

  /// Whether the walker stays at the end of the route although the matched position is slightly
  /// before it, such as on the other side of a bend.
  private mutating func staysAtEnd(_ current: RouteHypothesis, _ fix: FixGate.Usable) -> Bool {
    let end = line.points[line.points.count - 1]
    guard line.length - current.position.metres <= config.approaching,
      current.travelled >= Self.leastTravelled,
      haversineDistance(fix.coordinate, end)
        <= max(config.arrived(0) / 2, Self.nearInAccuracies * fix.accuracy)
    else {
      atEndSince = nil
      return false
    }
    let since = atEndSince ?? fix.time
    atEndSince = since
    return fix.time.timeIntervalSince(since) >= Self.stayingSeconds
  }

  private func event(_ kind: GuidanceEvent.Kind, _ fix: FixGate.Usable) -> GuidanceEvent {
    var event = GuidanceEvent(
      kind: kind, time: fix.time, coordinate: fix.stated, distanceAlongRoute: metres ?? 0,
      distanceFromRoute: tracker.distance)
    if kind == .offRoute, let nearest = line.closest(to: fix.stated) {
      let point = line.routePosition(nearest)
      event.distanceFromRoute = point.distanceFromRoute
      event.bearingToRoute = BearingCalculator.bearing(from: fix.stated, to: point.coordinate)
    }
    return event
  }
}
