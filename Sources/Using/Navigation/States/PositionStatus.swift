// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of where the user is.
public enum PositionStatus: Hashable, Sendable {
  /// Nothing, and why.
  case unknown(PositionProblem)
  /// A recent fix.
  case current(LocationFix)
  /// No recent fix: the last one, and its age in seconds.
  case lost(last: LocationFix, ageSeconds: Double)

  /// The last fix, however old.
  public var lastFix: LocationFix? {
    switch self {
    case .unknown: nil
    case .current(let fix), .lost(let fix, _): fix
    }
  }
}

/// Keeps the last fix.
struct PositionTracker {
  /// A fix that is older than this is the last one and not the present one, in seconds.
  let lostSeconds: Double
  private(set) var last: LocationFix?
  /// What a receiver says of itself.
  var problem: PositionProblem?

  init(lostSeconds: Double) { self.lostSeconds = lostSeconds }

  /// Takes a fix. Returns the seconds without one before it, where these were too many; nil
  /// otherwise.
  mutating func take(_ fix: LocationFix) -> Double? {
    problem = nil
    guard let last else {
      self.last = fix
      return nil
    }
    let gap = fix.timestamp.timeIntervalSince(last.timestamp)
    // Receivers deliver old fixes, too.
    guard gap >= 0 else { return nil }
    self.last = fix
    return gap > lostSeconds ? gap : nil
  }

  func status(at time: Date) -> PositionStatus {
    guard let last else { return .unknown(problem ?? .notYetKnown) }
    let age = time.timeIntervalSince(last.timestamp)
    return age > lostSeconds ? .lost(last: last, ageSeconds: age) : .current(last)
  }
}
