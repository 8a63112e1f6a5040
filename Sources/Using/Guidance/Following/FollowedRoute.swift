// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All that is known while a route is followed.
struct FollowedRoute: Sendable {
  /// Announcements begin with this fix.
  private static let fewestFixes = 3
  /// Whoever comes this far back along the route walks it backwards, and forwards likewise.
  private static let turningMetres = 60.0
  private static let turningInAccuracies = 5.0
  /// Further away, movement along the route means nothing.
  private static let nearMetres = 15.0
  private static let nearInAccuracies = 1.5
  /// So long after a leap to a position that is not near either, one may be leaving the route.
  private static let unsureSeconds = 20.0
  private static let backwards = 1.3
  private static let forwards = 0.7
  /// Who has come less far along the route has not arrived: a round trip begins where it ends.
  private static let leastTravelled = 50.0
  /// Who walks past the end of the route is not near it for so long.
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
  /// Whether one has been within the limit of being off the route; nothing is told before.
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

  /// Metres along the route to where one is, or to where it was left.
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
    // Whoever has arrived goes wherever they like.
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

  /// Whoever begins away from the route is off it as soon as a few fixes agree.
  private mutating func startedAway() -> OffRouteJudge.Change? {
    guard !hasBeenNear, !judge.isOff, fixCount >= Self.fewestFixes else { return nil }
    judge.leave()
    return .left
  }

  /// What there is to say on the route.
  private mutating func follow(_ fix: FixGate.Usable, leapt: Bool) -> [GuidanceEvent.Kind] {
    guard let current = tracker.current else { return [] }
    let metres = current.position.metres
    let forward = metres - (lastMetres ?? metres)
    lastMetres = metres
    // Around a bend, a turn may be passed in a leap that is no news to the walker.
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

  /// Whether one turned round.
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
    // A turn that is left before the end comes first.
    return turns.isThrough || left <= near / 3
  }

  /// Whether one stays where the route ends, though the position on it is thought to be a little before
  /// that, such as on the other side of a bend.
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
