// SPDX-License-Identifier: Apache-2.0
import CairnFormatting
import CairnPhrases

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The position was lost, or found again.
public struct PositionEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// Fixes have ended, for this reason. Reported once, and again if the reason changes.
    case lost(PositionProblem)
    /// Fixes have come back.
    case found
  }

  /// What happened.
  public var kind: Kind
  /// When.
  public var time: Date
  /// The last fix before; nil if there was none.
  public var last: LocationFix?

  /// Makes an event.
  public init(kind: Kind, time: Date, last: LocationFix?) {
    (self.kind, self.time, self.last) = (kind, time, last)
  }

  /// The time without a fix, in seconds; nil if there never was one.
  public var ageSeconds: Double? { last.map { max(time.timeIntervalSince($0.timestamp), 0) } }

  /// Its haptic cue.
  public var cue: HapticCue {
    switch kind {
    case .lost: .positionLost
    case .found: .positionFound
    }
  }

  /// A description as an English sentence without a full stop: “Position lost 35 s ago: no signal”,
  /// “Position found again after 3 min”.
  public var text: String { text(in: .english) }

  /// A description as a sentence without a full stop.
  public func text(in language: Language) -> String {
    let age = ageSeconds.flatMap { $0 >= 1 ? roughDuration($0) : nil }
    switch kind {
    case .lost(let problem):
      let reason = language.term(problem.reason)
      guard let age else { return language.sentence(.positionLostBecause, ["reason": reason]) }
      return language.sentence(.positionLostAgo, ["time": age, "reason": reason])
    case .found where last == nil: return language.sentence(.positionFound)
    case .found:
      guard let age else { return language.sentence(.positionFoundAgain) }
      return language.sentence(.positionFoundAfter, ["time": age])
    }
  }
}
