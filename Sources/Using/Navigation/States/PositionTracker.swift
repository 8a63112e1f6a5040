// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Keeps the last fix, and detects when the position is lost: after too long without a fix, or by
/// the receiver's own report.
struct PositionTracker {
  /// The multiple of the usual interval between rare fixes after which a gap is too long.
  private static let usualGaps = 2.0
  /// This many fixes that are older than the last one, but in order, show that the clock was set
  /// back.
  private static let fixesUntilClockCounts = 5

  /// The time without a fix after which the position is lost, in seconds, if fixes come as often as
  /// usual.
  let lostSeconds: Double
  private(set) var last: LocationFix?
  /// The receiver's report since the last fix.
  private var problem: PositionProblem?
  /// The reason already reported; nil while the position is known, and before it was missed.
  private var told: PositionProblem?
  /// Seconds between the last two fixes, and between those before.
  private var gaps = (0.0, 0.0)
  private var older: (count: Int, last: Date)?

  init(lostSeconds: Double) { self.lostSeconds = lostSeconds }

  /// Takes a fix. Reports whether the position was lost before it, even if nothing checked in
  /// between.
  mutating func take(_ fix: LocationFix) -> PositionEvent? {
    guard isNew(fix.timestamp) else { return nil }
    let gap = last.map { fix.timestamp.timeIntervalSince($0.timestamp) } ?? 0
    let wasLost = told != nil || last.map { isLost($0, at: fix.timestamp) } == true
    let event = wasLost ? PositionEvent(kind: .found, time: fix.timestamp, last: last) : nil
    if last != nil { gaps = (max(gap, 0), gaps.0) }
    (last, problem, told) = (fix, nil, nil)
    return event
  }

  /// Records why no fixes come; nil means that nothing prevents them.
  mutating func report(_ problem: PositionProblem?) {
    self.problem = problem == .notYetKnown || problem == .signalLost ? nil : problem
  }

  /// Records the user's permission. It clears an earlier problem only if that was a permission
  /// problem.
  mutating func report(_ authorization: LocationAuthorization, needsBackground: Bool) {
    if let refused = PositionProblem(authorization, needsBackground: needsBackground) {
      // Before the first request for permission, nothing is lost.
      if authorization != .notDetermined || last != nil { problem = refused }
    } else if problem?.isOfPermission == true {
      problem = nil
    }
  }

  /// Reports whether the position is lost at a time, once for each reason.
  mutating func check(at time: Date) -> PositionEvent? {
    let reason: PositionProblem?
    switch status(at: time) {
    case .current: reason = nil
    case .unknown(let problem): reason = problem == .notYetKnown ? nil : problem
    case .lost(_, _, let problem): reason = problem
    }
    // A restored permission is no news until a fix comes.
    guard let reason, reason != told, reason != .signalLost || told == nil else { return nil }
    told = reason
    return PositionEvent(kind: .lost(reason), time: time, last: last)
  }

  /// Reports a continuing loss again, for a new listener.
  mutating func tellAgain() { told = nil }

  /// The time at which the position will be lost without a fix; nil if it is already lost, or was
  /// never known.
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

  /// The longest normal time without a fix. A single long gap does not extend it.
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
