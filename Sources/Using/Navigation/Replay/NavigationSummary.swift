// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The totals of a walk.
package struct NavigationSummary: Sendable {
  /// From the first fix to the last.
  package let seconds: Double
  /// Whether the walk ended at the destination.
  package let hasArrived: Bool
  /// The number of turns announced when due.
  package private(set) var turns = 0
  /// The number of turns announced in advance.
  package private(set) var warnings = 0
  /// The mean distance from the turns, in metres, of advance announcements; nil if there were none.
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
