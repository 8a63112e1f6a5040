// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import CairnTracks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A simulated walk and the announcements of guidance on it.
public struct EvaluatedWalk: Sendable {
  /// The fixes and the truth.
  public let fixes: [SimulatedFix]
  /// The announcements, each with the index of its fix.
  public let events: [(fix: Int, event: GuidanceEvent)]
  /// The guidance after the last fix.
  public let guidance: RouteGuidance
  /// How it was.
  public let evaluation: GuidanceEvaluation

  /// Follows a walk along a route.
  ///
  /// - Parameter lateMetres: A warning closer to the turn than this is late if there was room for
  ///   an earlier one.
  public init(
    _ fixes: [SimulatedFix], along route: PlannedRoute, config: RouteGuidanceConfig = .init(),
    lateMetres: Double = 60
  ) {
    var guidance = RouteGuidance(config: config)
    guidance.start(route: route)
    var events: [(fix: Int, event: GuidanceEvent)] = []
    var leaps = LeapCount()
    for (index, fix) in fixes.enumerated() {
      events += guidance.updateLocation(fix.fix).map { (index, $0) }
      leaps.add(guidance, fix)
    }
    self.fixes = fixes
    self.events = events
    self.guidance = guidance
    var evaluation =
      RouteLine(route).map {
        WalkJudge(fixes, events, route, $0, config, lateMetres: lateMetres).evaluation
      } ?? GuidanceEvaluation()
    evaluation.progressLeaps = leaps.count
    self.evaluation = evaluation
  }
}

/// Counts leaps of the position along the route that the walker did not make.
private struct LeapCount {
  private static let leastMetres = 50.0
  private(set) var count = 0
  private var last: (said: Double, walked: Double)?

  mutating func add(_ guidance: RouteGuidance, _ fix: SimulatedFix) {
    guard fix.isOnRoute, !guidance.isOffRoute, let said = guidance.position?.distanceAlongRoute
    else {
      last = nil
      return
    }
    let walked = fix.distanceAlongRoute
    if let last, abs(said - last.said - (walked - last.walked)) > Self.leastMetres { count += 1 }
    last = (said, walked)
  }
}

/// Compares the announcements with the truth.
private struct WalkJudge {
  /// The error of a position tolerated beyond the accuracy of the fixes, in metres.
  private static let tolerance = 30.0
  /// Beyond this distance from the route, nothing on it should be announced.
  private static let clearlyOff = 80.0
  /// An alarm within this time after a wrong turn is attributed to it.
  private static let echoSeconds = 30.0

  private(set) var evaluation = GuidanceEvaluation()
  private let fixes: [SimulatedFix]
  private let events: [(fix: Int, event: GuidanceEvent)]
  private let config: RouteGuidanceConfig
  private let lateMetres: Double
  private let length: Double
  private let turns: [TurnSchedule.Turn]
  private let accuracy: Double

  init(
    _ fixes: [SimulatedFix], _ events: [(fix: Int, event: GuidanceEvent)], _ route: PlannedRoute,
    _ line: RouteLine, _ config: RouteGuidanceConfig, lateMetres: Double
  ) {
    (self.fixes, self.events, self.config) = (fixes, events, config)
    self.lateMetres = lateMetres
    length = line.length
    turns = TurnSchedule(route, line).turns
    accuracy = fixes.compactMap(\.fix.horizontalAccuracy).max() ?? config.assumedAccuracyMetres
    guard let first = fixes.first, let last = fixes.last else { return }
    evaluation.walks = 1
    evaluation.seconds = last.fix.timestamp.timeIntervalSince(first.fix.timestamp)
    evaluation.metres = last.distanceAlongRoute - first.distanceAlongRoute
    judgeTurns(from: first.distanceAlongRoute, to: last.distanceAlongRoute)
    judgeAnnouncements()
    judgeAlarms()
    judgeArrival(last)
  }

  /// Each turn that was passed: whether it was told, how often, and how early announced.
  private mutating func judgeTurns(from start: Double, to end: Double) {
    for (index, turn) in turns.enumerated() where !turn.isArrival {
      let told = events.filter { $0.event.kind == turn.event }
      // A walk that begins or ends at a turn does not pass it.
      guard turn.metres > start + config.atTurnDistanceMetres, turn.metres < end else {
        evaluation.repeatedTurns += max(told.count - 1, 0)
        continue
      }
      evaluation.turns += 1
      if told.isEmpty { evaluation.missedTurns += 1 }
      evaluation.repeatedTurns += max(told.count - 1, 0)
      evaluation.misplacedTurns += told.count {
        abs(fixes[$0.fix].distanceAlongRoute - turn.metres)
          > config.atTurnDistanceMetres + Self.tolerance + accuracy
      }
      // A turn closely after another is announced with it.
      if turn.part == nil {
        judgeWarning(of: turn, after: index > 0 ? turns[index - 1].metres : start)
      }
    }
  }

  private mutating func judgeWarning(of turn: TurnSchedule.Turn, after last: Double) {
    let warning = events.first { $0.event.kind == .approaching(instruction: turn.instruction) }
    if let warning {
      evaluation.warnings += 1
      evaluation.warningMetres += turn.metres - fixes[warning.fix].distanceAlongRoute
    }
    guard turn.metres - last >= config.approachingTurnDistanceMetres + accuracy else { return }
    evaluation.warnableTurns += 1
    let ahead = warning.map { turn.metres - fixes[$0.fix].distanceAlongRoute } ?? 0
    if ahead < lateMetres { evaluation.lateWarnings += 1 }
  }

  private mutating func judgeAnnouncements() {
    for (index, event) in events {
      switch event.kind {
      case .approaching, .atTurn, .atFollowingTurn:
        if fixes[index].distanceFromRoute > Self.clearlyOff { evaluation.announcedOffRoute += 1 }
      case .reversed: evaluation.falseReversals += 1
      case .offRoute, .backOnRoute, .forward, .arrived: break
      }
    }
  }

  /// Alarms on the route, and how soon after a wrong turn they came.
  private mutating func judgeAlarms() {
    var outcomes: [Int: GuidanceEvaluation.WrongTurn] = [:]
    var starts: [Int: Double] = [:]
    var ends: [Int: Date] = [:]
    var lastOnRoute = 0.0
    for fix in fixes {
      guard let wrong = fix.wrongTurn else {
        lastOnRoute = fix.secondsWalked
        continue
      }
      if starts[wrong] == nil { starts[wrong] = lastOnRoute }
      ends[wrong] = fix.fix.timestamp
      outcomes[wrong, default: .init(index: wrong, farthestMetres: 0)].farthestMetres = max(
        outcomes[wrong]?.farthestMetres ?? 0, fix.distanceFromRoute)
    }
    for (index, event) in events where event.kind == .offRoute {
      let fix = fixes[index]
      let wrong =
        fix.wrongTurn
        ?? ends.filter {
          (0...Self.echoSeconds).contains(fix.fix.timestamp.timeIntervalSince($0.value))
        }.keys.first
      guard let wrong else {
        evaluation.falseAlarms += 1
        continue
      }
      guard outcomes[wrong]?.delaySeconds == nil else { continue }
      outcomes[wrong]?.delaySeconds = fix.secondsWalked - (starts[wrong] ?? 0)
      outcomes[wrong]?.metresWhenNoticed = fix.distanceFromRoute
    }
    evaluation.wrongTurns = outcomes.values.sorted { $0.index < $1.index }
  }

  private mutating func judgeArrival(_ last: SimulatedFix) {
    let arrivals = events.filter { $0.event.kind == .arrived }
    guard last.isOnRoute, last.distanceAlongRoute >= length - 1 else { return }
    evaluation.ends = 1
    let isThere = arrivals.allSatisfy {
      length - fixes[$0.fix].distanceAlongRoute
        <= config.arrivedDistanceMetres + Self.tolerance + accuracy
    }
    if arrivals.count == 1, isThere { evaluation.arrivals = 1 }
  }
}
