// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The totals of a walk.
package struct NavigationSummary: Sendable {
  /// From the first fix to the last one.
  package let seconds: Double
  /// Whether the walk ended at the destination.
  package let hasArrived: Bool
  /// How many turns were told.
  package private(set) var turns = 0
  /// How many turns were announced before.
  package private(set) var warnings = 0
  /// Metres before their turns at which they were announced, on average; nil without any.
  package private(set) var meanWarningMetres: Double?
  /// How long the walker was off the route.
  package private(set) var offRouteSeconds = 0.0
  /// Cues that were felt.
  package private(set) var played = 0
  /// Cues that were not.
  package private(set) var dropped = 0

  /// Sums up a walk.
  package init(_ run: NavigationRun) {
    let end = run.fixes.last?.timestamp ?? Date(timeIntervalSince1970: 0)
    seconds = run.fixes.first.map { end.timeIntervalSince($0.timestamp) } ?? 0
    hasArrived = run.state == .arrived
    var metres = 0.0
    for row in run.rows {
      if let cue = row.cue { if cue.start == nil { dropped += 1 } else { played += 1 } }
      guard case .event(let event, let instruction) = row.content else { continue }
      switch event.kind {
      case .atTurn, .atFollowingTurn: turns += 1
      case .approaching:
        warnings += 1
        metres += (instruction?.cumulativeDistance ?? 0) - event.distanceAlongRoute
      default: break
      }
    }
    if warnings > 0 { meanWarningMetres = metres / Double(warnings) }
    for span in run.offRouteSpans {
      offRouteSeconds += (span.end ?? end).timeIntervalSince(span.start)
    }
  }
}
