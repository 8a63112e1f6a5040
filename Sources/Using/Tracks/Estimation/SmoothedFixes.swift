// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Noisy fixes smoothed according to their noise and speed, with rests, and the lengths of the ways
/// between them.
struct SmoothedFixes {
  /// The rests, as indices of points.
  private(set) var rests: [ClosedRange<Int>] = []
  /// The metres from the previous fix to each.
  private(set) var lengths: [Double] = []

  private let fixes: PlaneFixes
  /// For each fix, whether the walker rested, or climbed in one place, since the previous one.
  private var isRest: [Bool]
  private var isClimb: [Bool]

  init(_ fixes: PlaneFixes, _ estimate: NoiseEstimate) {
    self.fixes = fixes
    isRest = [Bool](repeating: false, count: fixes.count)
    isClimb = isRest
    var model = estimate.model
    var smoother = PositionSmoother(fixes, model, isRest: isRest)
    var smooth = fixes
    (smooth.east, smooth.north) = (smoother.east, smoother.north)
    let found = RestFinder(TrackSteps(smooth), model, interval: fixes.interval).found()
    rests = found.rests
    if !rests.isEmpty {
      for rest in rests { for fix in ends(of: rest) { isRest[fix] = true } }
      // Known rests improve the estimates of noise and moving speed.
      model = estimate.refined(fixes, isRest: isRest).model
      smoother = PositionSmoother(fixes, model, isRest: isRest)
      (smooth.east, smooth.north) = (smoother.east, smoother.north)
    }
    let climbs = found.climbs.map { ends(of: $0) }
    for fix in climbs.joined() { isClimb[fix] = true }
    lengths = lengths(smooth, smoother.stepVariances, model)
    for climb in climbs { straighten(climb, smooth) }
  }

  /// The fixes that end a step of a range of points.
  private func ends(of range: ClosedRange<Int>) -> Range<Int> {
    let first = fixes.indices.partitioningIndex { $0 > range.lowerBound }
    return first..<fixes.indices.partitioningIndex { $0 > range.upperBound }
  }

  /// Half of the window in which the speed is averaged, in seconds.
  private static let halfWindow = 15.0
  /// Longer steps, in seconds, keep the length of their chord.
  private static let longestBend = 10.0

  private func lengths(
    _ smooth: PlaneFixes, _ variances: [Double], _ model: MovementModel
  ) -> [Double] {
    let count = smooth.count
    // Running sums of squared metres a second times seconds, and of seconds, over all steps so far
    // that are walked.
    var (squares, seconds): ([Double], [Double]) = ([0], [0])
    for index in 1..<count {
      let step = smooth.seconds[index] - smooth.seconds[index - 1]
      let metres = smooth.metres(index - 1, index)
      let counts = isWalked(index, step)
      let square =
        (metres * metres + 2 * variances[index]) / step
        + step * model.squaredSpeedWithin(min(step, Self.longestBend))
      squares.append(squares[index - 1] + (counts ? square : 0))
      seconds.append(seconds[index - 1] + (counts ? step : 0))
    }
    var lengths = [0.0]
    var (first, last) = (1, 1)
    for index in 1..<count {
      let middle = (smooth.seconds[index] + smooth.seconds[index - 1]) / 2
      func distance(_ step: Int) -> Double {
        (smooth.seconds[step] + smooth.seconds[step - 1]) / 2 - middle
      }
      while distance(first) < -Self.halfWindow { first += 1 }
      while last + 1 < count, distance(last + 1) <= Self.halfWindow { last += 1 }
      let (step, time) = (
        smooth.seconds[index] - smooth.seconds[index - 1], seconds[last] - seconds[first - 1]
      )
      let counts = isWalked(index, step) && time > 0
      lengths.append(
        counts
          ? step * max(0, (squares[last] - squares[first - 1]) / time).squareRoot()
          : smooth.metres(index - 1, index))
    }
    return lengths
  }

  /// Whether a step of some seconds is neither a rest, nor a climb in one place, nor a gap.
  private func isWalked(_ index: Int, _ step: Double) -> Bool {
    !isRest[index] && !isClimb[index] && step <= RestFinder.shortestSeconds
  }

  /// Gives a climb in one place the length of its chord: all else is noise.
  private mutating func straighten(_ climb: Range<Int>, _ smooth: PlaneFixes) {
    guard let last = climb.last else { return }
    let first = climb.lowerBound - 1
    let share = smooth.metres(first, last) / (smooth.seconds[last] - smooth.seconds[first])
    for fix in climb { lengths[fix] = share * (smooth.seconds[fix] - smooth.seconds[fix - 1]) }
  }
}
