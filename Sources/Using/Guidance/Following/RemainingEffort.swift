// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnRouting

/// The climb and time remaining from each position of a route.
///
/// Climb follows the elevation profile, scaled so that its total equals the route's
/// `elevationGain`; neither counts small rises. Time is the route's `estimatedDuration`,
/// distributed over the profile by Naismith's rule, or by distance alone without a profile. It does
/// not depend on the walker's pace.
package struct RemainingEffort: Sendable {
  /// Wider gaps of a profile are unknown ground.
  private static let longestGapMetres = 150.0

  private let length: Double
  private let duration: Double?
  /// Metres along the route, ascending, from 0 to its length.
  private var metres: [Double] = [0]
  /// Climb up to each of them.
  private var climb: [Double] = [0]
  /// From here on all is known.
  private var knownFrom: Double
  private var climbScale = 1.0
  private let mode: RoutingMode

  /// Prepares a route whose line has the given length.
  package init(_ route: PlannedRoute, lengthMetres: Double) {
    length = lengthMetres
    mode = route.mode
    let seconds = route.estimatedDuration
    duration = seconds.isFinite && seconds >= 0 ? seconds : nil
    knownFrom = lengthMetres
    // A point beyond the end still gives a height.
    var last: Double?
    for point in route.elevationProfile ?? [] {
      let distance = min(point.distance, lengthMetres)
      guard distance.isFinite, abs(point.elevation) < 100_000, let before = metres.last,
        distance >= before
      else { continue }
      let isGap = distance - before > Self.longestGapMetres
      if isGap || last == nil { knownFrom = distance }
      let rise = isGap ? 0 : max(point.elevation - (last ?? point.elevation), 0)
      climb.append((climb.last ?? 0) + rise)
      metres.append(distance)
      last = point.elevation
    }
    if knownFrom <= Self.longestGapMetres { knownFrom = 0 }
    if last == nil || lengthMetres - (metres.last ?? 0) > Self.longestGapMetres {
      knownFrom = .infinity
    }
    metres.append(lengthMetres)
    climb.append(climb.last ?? 0)
    let total = climb.last ?? 0
    if knownFrom == 0, total > 0, route.elevationGain > 0, route.elevationGain.isFinite {
      climbScale = route.elevationGain / total
    }
  }

  /// Metres to climb from a position to the end; nil unless the elevation is known all the way.
  package func ascent(from along: Double) -> Double? {
    guard along >= knownFrom else { return nil }
    return max((climb.last ?? 0) - climb(at: along), 0) * climbScale
  }

  /// Seconds from a position to the end; nil if the route does not state its duration.
  package func seconds(from along: Double) -> Double? {
    guard let duration else { return nil }
    let total = mode.seconds(distance: length, gain: (climb.last ?? 0) * climbScale)
    guard total > 0 else { return 0 }
    let gain = max((climb.last ?? 0) - climb(at: along), 0) * climbScale
    let rest = mode.seconds(distance: max(length - along, 0), gain: gain)
    return duration * min(rest / total, 1)
  }

  private func climb(at along: Double) -> Double {
    let index = metres.partitioningIndex { $0 > along }
    guard index > 0, index < metres.count else { return index == 0 ? 0 : climb[index - 1] }
    let span = metres[index] - metres[index - 1]
    let share = span > 0 ? (along - metres[index - 1]) / span : 0
    return climb[index - 1] + share * (climb[index] - climb[index - 1])
  }
}
