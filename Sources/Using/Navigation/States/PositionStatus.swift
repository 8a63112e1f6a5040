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
  /// No recent fix, or fixes have ended: the last one, its age in seconds, and why.
  case lost(last: LocationFix, ageSeconds: Double, reason: PositionProblem)

  /// The last fix, however old.
  public var lastFix: LocationFix? {
    switch self {
    case .unknown: nil
    case .current(let fix), .lost(let fix, _, _): fix
    }
  }
}
