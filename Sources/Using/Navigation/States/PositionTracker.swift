// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps the last fix, and knows when the position is lost: too long without a fix, or by what a receiver
/// says of itself.
struct PositionTracker {
  /// Where fixes come rarely, so many times as long as usual without one are too long.
  private static let usualGaps = 2.0
  /// After so many fixes that are older than the last one but in order, the clock was set back.
  private static let fixesUntilClockCounts = 5

  /// After this long without a fix the position is lost, in seconds, where fixes come as often.
  let lostSeconds: Double
  private(set) var last: LocationFix?
  /// What a receiver says of itself since the last fix.
  private var problem: PositionProblem?
  /// The reason that was told; nil while the position is known, and before it was missed.
  private var told: PositionProblem?
  /// Seconds between the last fixes, and between those before.
  private var gaps = (0.0, 0.0)
  private var older: (count: Int, last: Date)?

  init(lostSeconds: Double) { self.lostSeconds = lostSeconds }

  /// Takes a fix. Says whether the position was lost before it, also where nobody asked in between.
  mutating func take(_ fix: LocationFix) -> PositionEvent? {
    guard isNew(fix.timestamp) else { return nil }
    let gap = last.map { fix.timestamp.timeIntervalSince($0.timestamp) } ?? 0
    let wasLost = told != nil || last.map { isLost($0, at: fix.timestamp) } == true
    let event = wasLost ? PositionEvent(kind: .found, time: fix.timestamp, last: last) : nil
    if last != nil { gaps = (max(gap, 0), gaps.0) }
    (last, problem, told) = (fix, nil, nil)
    return event
  }

  /// Notes why no fixes come, or with nil that nothing keeps them from coming.
  mutating func report(_ problem: PositionProblem?) {
    self.problem = problem == .notYetKnown || problem == .signalLost ? nil : problem
  }

  /// What a user allows. It takes back an earlier problem only if that was one of permission.
  mutating func report(_ authorization: LocationAuthorization, needsBackground: Bool) {
    if let refused = PositionProblem(authorization, needsBackground: needsBackground) {
      // Before anybody was asked nothing is lost.
      if authorization != .notDetermined || last != nil { problem = refused }
    } else if problem?.isOfPermission == true {
      problem = nil
    }
  }

  /// Says whether the position is lost at a time, once for each reason.
  mutating func check(at time: Date) -> PositionEvent? {
    let reason: PositionProblem?
    switch status(at: time) {
    case .current: reason = nil
    case .unknown(let problem): reason = problem == .notYetKnown ? nil : problem
    case .lost(_, _, let problem): reason = problem
    }
    // A permission that is given again is no news until a fix comes.
    guard let reason, reason != told, reason != .signalLost || told == nil else { return nil }
    told = reason
    return PositionEvent(kind: .lost(reason), time: time, last: last)
  }

  /// Somebody else listens from now on: a loss that lasts is said to them, too.
  mutating func tellAgain() { told = nil }

  /// When the position will be lost unless a fix comes; nil where it is, or never was known.
  var lossTime: Date? {
    guard let last, told == nil else { return nil }
    return last.timestamp.addingTimeInterval(longest)
  }

  func status(at time: Date) -> PositionStatus {
    guard let last else { return .unknown(problem ?? .notYetKnown) }
    guard isLost(last, at: time) || problem != nil else { return .current(last) }
    return .lost(
      last: last, ageSeconds: max(time.timeIntervalSince(last.timestamp), 0),
      reason: problem ?? .signalLost)
  }

  /// The longest time without a fix that means nothing. A single long gap does not make it longer.
  private var longest: Double {
    max(lostSeconds > 0 ? lostSeconds : 0, Self.usualGaps * min(gaps.0, gaps.1))
  }

  private func isLost(_ last: LocationFix, at time: Date) -> Bool {
    time.timeIntervalSince(last.timestamp) >= longest
  }

  /// Receivers deliver old fixes, too; several in order mean that the clock was set back.
  private mutating func isNew(_ time: Date) -> Bool {
    guard let last, time < last.timestamp else {
      older = nil
      return true
    }
    let isInOrder = older.map { time > $0.last } ?? true
    older = (isInOrder ? (older?.count ?? 0) + 1 : 1, time)
    guard older?.count ?? 0 > Self.fixesUntilClockCounts else { return false }
    older = nil
    return true
  }
}
