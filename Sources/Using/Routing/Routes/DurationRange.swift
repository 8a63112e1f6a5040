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

/// The range of times for people who walk a route at their own pace, without rests: three
/// percentiles in seconds, ≥ 0 and ascending.
///
/// People are fast or slow all the way, so one factor applies to a whole route. Its logarithm is
/// assumed to be normal with the median 0 and a standard deviation σ, the *spread*:
///
///     p50 = time by the profile
///     p10 = p50 · exp(−1.2816 σ)
///     p90 = p50 · exp(+1.2816 σ)
///
/// Four of five people need a time from ``p10`` to ``p90``. A ferry takes everyone equally long.
///
/// Source: for 25 mountain trails, the mean times of hikers differ by 30 to 69 minutes from those
/// of signposts and planners, and single estimates miss by a standard deviation of 57 to 66 minutes
/// (Vecchiato et al. 2025, *Are Suggested Hiking Times Accurate?*, Medicina 61, 115): a fifth of a
/// walk of five hours. Free walkers on level ground spread by a fifth, too, 0.26 of 1.34 m/s
/// (Weidmann 1993, *Transporttechnik der Fussgänger*). Logarithms, since times are positive and
/// slow people lag further behind than fast ones lead.
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
  ///   - median: Seconds that depend on the walker's pace, ≥ 0.
  ///   - spread: The standard deviation of the logarithm of people's times, ≥ 0.
  ///   - fixed: Additional seconds that are the same for everyone, such as those of a ferry, ≥ 0.
  public init(median: Double, spread: Double, fixed: Double = 0) {
    let factor = exp(Self.deviations90 * spread)
    self.init(p10: median / factor + fixed, p50: median + fixed, p90: median * factor + fixed)
  }
}

extension ComputedRoute {
  /// The range of times for the route, by the spread of its profile, with ``estimatedDuration`` in
  /// the middle.
  ///
  /// Nil if the spread is unknown, as in a database without profiles, and if the climb of any part
  /// is, since the estimate then lacks its time.
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
