// SPDX-License-Identifier: Apache-2.0

import CairnTagRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// How long a route takes people who walk it at their own pace, without rests: three percentiles in
/// seconds, ≥ 0 and ascending.
///
/// Some are fast and some are slow all the way, so that one factor holds for a whole route. Its
/// logarithm is taken to be normal with the median 0 and a standard deviation σ, the *spread*:
///
///     p50 = time by the profile
///     p10 = p50 · exp(−1.2816 σ)
///     p90 = p50 · exp(+1.2816 σ)
///
/// Four of five people need a time from ``p10`` to ``p90``. A ferry takes all of them equally long.
///
/// Source: for 25 mountain trails, the mean times of hikers lie 30 to 69 minutes from what signposts
/// and planners say, and single estimates miss by a standard deviation of 57 to 66 minutes (Vecchiato
/// et al. 2025, *Are Suggested Hiking Times Accurate?*, Medicina 61, 115): of a walk of five hours
/// that is a fifth. Free walkers on level ground spread by a fifth, too, 0.26 of 1.34 m/s (Weidmann
/// 1993, *Transporttechnik der Fussgänger*). Logarithms, since times are positive and slow people lag
/// further behind than fast ones lead.
public struct DurationRange: Codable, Hashable, Sendable {
  /// One in ten is faster.
  public var p10: Double
  /// One in two is faster.
  public var p50: Double
  /// Nine in ten are faster.
  public var p90: Double

  /// The standard normal distribution's 90th percentile.
  package static let deviations90 = 1.281_551_565_544_6

  /// Names the percentiles, in seconds.
  public init(p10: Double, p50: Double, p90: Double) {
    (self.p10, self.p50, self.p90) = (p10, p50, p90)
  }

  /// The range around a time.
  ///
  /// - Parameters:
  ///   - median: Seconds that everybody's own pace decides about, ≥ 0.
  ///   - spread: The standard deviation of the logarithm of people's times, ≥ 0.
  ///   - fixed: Seconds on top that are the same for all, such as those of a ferry, ≥ 0.
  public init(median: Double, spread: Double, fixed: Double = 0) {
    let factor = exp(Self.deviations90 * spread)
    self.init(p10: median / factor + fixed, p50: median + fixed, p90: median * factor + fixed)
  }
}

extension ComputedRoute {
  /// The times that people need for the route, by the spread of its profile: the middle one is
  /// ``estimatedDuration``.
  ///
  /// Nil where the spread is unknown, as in a database without profiles, and where the climb of some
  /// part is: its time is then missing in the estimate.
  public var durationRange: DurationRange? {
    guard let timeSpread, timeSpread.isFinite, timeSpread >= 0, unknownClimbMetres == 0 else {
      return nil
    }
    let ferries = edges.reduce(0) { sum, edge in
      sum + (edge.highwayType == TagSelection.ferryRoute ? edge.duration ?? 0 : 0)
    }
    let fixed = min(ferries, estimatedDuration)
    var range = DurationRange(median: estimatedDuration - fixed, spread: timeSpread, fixed: fixed)
    range.p50 = estimatedDuration
    return range
  }
}
