// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy

/// The distance walked between the points of a segment, as far as the receiver's noise allows.
///
/// A track that is provably noisy (``NoiseEstimate``) is smoothed according to its noise and speed.
/// Smoothing shortens bends, so their length is restored: the mean square speed over half a minute
/// is that of the smoothed line plus what the model knows to be missing from it. Rests are found in
/// the smoothed line and have no length. On other tracks, such as exact and planned ones, the plain
/// distances between points are used.
struct WalkedLine {
  /// The metres walked from the first point to each.
  private(set) var metres: [Double]
  /// The metres of the line through all points.
  private(set) var plainMetres: Double
  /// The rests, as indices of points.
  private(set) var rests: [ClosedRange<Int>] = []
  /// The speed in metres a second that was kept up for the better part of a minute; nil without times.
  private(set) var maximumSpeed: Double?

  init(_ points: [GPXFile.Point], _ times: TrackTimes) {
    metres = Self.plainMetres(points)
    plainMetres = metres.last ?? 0
    let all = PlaneFixes(points, times)
    guard all.count > 1 else { return }
    let fixes = all.withoutStrays(topSpeed: TrackSteps(all).maximumSpeed ?? 0)
    let lengths: [Double]
    if let estimate = NoiseEstimate(fixes) {
      let smoothed = SmoothedFixes(fixes, estimate)
      (rests, lengths) = (smoothed.rests, smoothed.lengths)
    } else {
      rests =
        RestFinder(
          TrackSteps(fixes), NoiseEstimate.apparent(fixes).model, interval: fixes.interval
        ).found().rests
      lengths = Self.exactLengths(fixes, metres, points)
    }
    let (plain, steps) = (metres, TrackSteps(fixes))
    walk(fixes, lengths)
    // What smoothing adds to a bend is not faster than the points themselves.
    maximumSpeed = [metres, plain].compactMap { steps.maximumSpeed(along: $0) }.min()
  }

  private static func plainMetres(_ points: [GPXFile.Point]) -> [Double] {
    var metres: [Double] = []
    metres.reserveCapacity(points.count)
    var last: LinePoint?
    for point in points {
      let here = LinePoint(point.coordinate)
      metres.append((metres.last ?? 0) + (last?.distance(to: here) ?? 0))
      last = here
    }
    return metres
  }

  /// The metres from each fix to the previous one, along all points without a time and past stray
  /// ones.
  private static func exactLengths(
    _ fixes: PlaneFixes, _ plain: [Double], _ points: [GPXFile.Point]
  ) -> [Double] {
    [0]
      + zip(fixes.indices, fixes.indices.dropFirst()).enumerated().map { index, ends in
        fixes.followsStray[index + 1]
          ? haversineDistance(points[ends.0].coordinate, points[ends.1].coordinate)
          : plain[ends.1] - plain[ends.0]
      }
  }

  /// Replaces the plain lengths between fixes by those of the ways; between two fixes, quantities
  /// are distributed as on the plain line.
  private mutating func walk(_ fixes: PlaneFixes, _ lengths: [Double]) {
    guard let first = fixes.indices.first, let last = fixes.indices.last else { return }
    var walked = metres[first]
    var before = (index: first, metres: metres[first])
    for (fix, index) in fixes.indices.enumerated().dropFirst() {
      let (plain, end) = (metres[index] - before.metres, metres[index])
      for between in before.index + 1..<max(index, before.index + 1) {
        let share = plain > 0 ? (metres[between] - before.metres) / plain : 0.5
        metres[between] = walked + share * lengths[fix]
      }
      walked += lengths[fix]
      metres[index] = walked
      before = (index, end)
    }
    let change = walked - before.metres
    for index in metres.indices.dropFirst(last + 1) { metres[index] += change }
  }
}
