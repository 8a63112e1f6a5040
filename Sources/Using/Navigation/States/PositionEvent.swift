// SPDX-License-Identifier: Apache-2.0
import CairnFormatting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The position was lost, or found again.
public struct PositionEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// Fixes have ended; why. Said once, and again if the reason changes.
    case lost(PositionProblem)
    /// There is a fix again.
    case found
  }

  /// What happened.
  public var kind: Kind
  /// When.
  public var time: Date
  /// The last fix before; nil where there was none.
  public var last: LocationFix?

  /// Makes an event.
  public init(kind: Kind, time: Date, last: LocationFix?) {
    (self.kind, self.time, self.last) = (kind, time, last)
  }

  /// How long there was no fix, in seconds; nil where there never was one.
  public var ageSeconds: Double? { last.map { max(time.timeIntervalSince($0.timestamp), 0) } }

  /// What it is told as by touch.
  public var cue: HapticCue {
    switch kind {
    case .lost: .positionLost
    case .found: .positionFound
    }
  }

  /// What it is in words, a sentence in English without a full stop: “Position lost 35 s ago: no signal”,
  /// “Position found again after 3 min”.
  public var text: String {
    let age = ageSeconds.flatMap { $0 >= 1 ? roughDuration($0) : nil }
    return switch kind {
    case .lost(let problem): "\(cue.text)\(age.map { " \($0) ago" } ?? ""): \(problem.reason)"
    case .found where last == nil: "Position found"
    case .found: "\(cue.text)\(age.map { " after \($0)" } ?? "")"
    }
  }
}
