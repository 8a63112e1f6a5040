// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Finds rests.
///
/// A rest is a minute or more whose thirds, each at the mean of its places, are no farther apart
/// than noise explains, or than at 0.27 km/h, and whose height does not rise or fall by 4.4 m/min
/// for six minutes. Minutes of rest that join are one rest if the same is true of the whole;
/// otherwise they were slow progress, in which only longer times are certain to be rests.
///
/// A gap in the recording, longer than a minute and than three usual steps, is a rest if crossing it
/// would have been slower than 1 km/h, or where its ends tell of a steep way than 0.5 km/h, since
/// recorders stop writing at a standstill. Otherwise it is movement without details.
struct RestFinder {
  /// The shortest rest in seconds.
  static let shortestSeconds = 60.0
  /// The speed in metres per second below which even an exact track rests.
  private static let slowestSpeed = 0.075
  /// The speed in metres per second below which a gap is a rest.
  private static let slowestOverGap = 1 / 3.6
  /// The slope from which it is ``slowWalk``.
  private static let steepSlope = 0.1
  /// The slowest walk in metres per second that is told from white noise: 0.5 km/h.
  private static let slowWalk = 0.5 / 3.6
  /// Two means of one place are seldom farther apart than so many deviations.
  private static let deviations = 3.0
  /// Progress in height takes so many seconds: barometers drift as fast as walls are climbed, but
  /// not as long.
  private static let climbSeconds = 360.0
  /// It is faster than this, in metres per second,
  private static let slowestClimb = 4.4 / 60
  /// and so many times the median second difference of the thirds' heights, which a steady climb
  /// does not have and noise has.
  private static let climbDeviations = 6.0

  private let steps: [TrackSteps.Step]
  private let means: StepMeans
  private let model: MovementModel
  /// Seconds between fixes.
  private let interval: Double

  /// Looks for rests of a walker and a receiver.
  init(_ steps: TrackSteps, _ model: MovementModel, interval: Double) {
    self.steps = steps.steps
    means = StepMeans(steps.steps)
    self.model = model
    self.interval = interval
  }

  /// What is found: indices of the first and the last point of each, ascending and apart.
  struct Found {
    /// The rests.
    var rests: [ClosedRange<Int>] = []
    /// Where the place rests and the height does not, as on a wall.
    var climbs: [ClosedRange<Int>] = []
  }

  /// Finds rests and climbs.
  func found() -> Found {
    guard let last = steps.indices.last else { return Found() }
    var (still, climbs): ([ClosedRange<Int>], [ClosedRange<Int>]) = ([], [])
    for range in stillRanges(0...last, firstSeconds) {
      let parts = divided(range)
      still += parts.rests
      climbs += parts.climbs
    }
    let gaps = steps.indices.dropFirst().filter(isRestingGap).map { $0 - 1...$0 }
    var ranges: [ClosedRange<Int>] = []
    for range in (still + gaps).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let before = ranges.last, range.lowerBound <= before.upperBound {
        ranges[ranges.count - 1] =
          before.lowerBound...max(before.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    return Found(rests: ranges.map(points), climbs: climbs.map(points))
  }

  private func points(_ range: ClosedRange<Int>) -> ClosedRange<Int> {
    steps[range.lowerBound].first...steps[range.upperBound].last
  }

  /// Whether nothing was recorded for more than a minute, and thrice as long as usual, before a step.
  private func followsGap(_ index: Int) -> Bool {
    index > 0
      && steps[index].start - steps[index - 1].end > max(Self.shortestSeconds, 3 * interval)
  }

  private func isRestingGap(_ index: Int) -> Bool {
    guard followsGap(index) else { return false }
    let (before, after) = (steps[index - 1], steps[index])
    let metres = before.metres(to: after)
    let isSteep =
      before.height.flatMap { height in after.height.map { abs($0 - height) } }
      .map { $0 > Self.steepSlope * metres } ?? false
    return metres / (after.start - before.end) < (isSteep ? Self.slowWalk : Self.slowestOverGap)
  }

  private func seconds(_ range: ClosedRange<Int>) -> Double {
    steps[range.upperBound].end - steps[range.lowerBound].start
  }

  // MARK: - Places

  /// The seconds, a minute or more, in which a slow walk, or half the usual speed of a fast one,
  /// makes six deviations of white noise, and there are six fixes: two for each third.
  private var firstSeconds: Double {
    let slow = max(Self.slowWalk, model.speed / 2)
    let metresAndSeconds = 6 * (6 * model.whiteVariance * interval).squareRoot()
    return max(
      Self.shortestSeconds, 6 * interval, pow(metresAndSeconds / (slow * 2 / 3), 2.0 / 3))
  }

  /// How far apart two thirds of some seconds of rest may be, in metres.
  ///
  /// - Parameter share: The share of the time between the middles of the first and the last third that
  ///   is between theirs.
  private func limit(_ seconds: Double, share: Double = 1) -> Double {
    max(
      Self.slowestSpeed * seconds * share * 2 / 3,
      Self.deviations * model.deviation(ofThirds: seconds, interval))
  }

  /// How far from a rest a step still belongs to it, in metres: half the limit, or half of a usual
  /// step.
  private func reach(_ seconds: Double) -> Double {
    max(limit(seconds), model.speed * TrackSteps.stepSeconds) / 2
  }

  /// The rests within a range of steps, as far as windows of some seconds tell.
  private func stillRanges(_ range: ClosedRange<Int>, _ seconds: Double) -> [ClosedRange<Int>] {
    var ranges: [ClosedRange<Int>] = []
    var end = range.lowerBound
    for middle in stillMiddles(range, seconds) where middle.upperBound >= end {
      var rest = grown(middle, within: end...range.upperBound, reach(seconds))
      end = rest.upperBound + 1
      if let before = ranges.last,
        steps[rest.lowerBound].start - steps[before.upperBound].end < seconds,
        isStill(before.lowerBound...rest.upperBound)
      {
        ranges.removeLast()
        rest = before.lowerBound...rest.upperBound
      }
      let length = self.seconds(rest)
      guard length >= 0.8 * seconds else { continue }
      if length < 3 * seconds || isStill(rest) {
        ranges.append(rest)
      } else {
        ranges += stillRanges(rest, 2 * seconds)
      }
    }
    return ranges
  }

  /// The middle thirds of all windows of some seconds whose thirds are near each other, joined.
  private func stillMiddles(_ range: ClosedRange<Int>, _ seconds: Double) -> [ClosedRange<Int>] {
    var middles: [ClosedRange<Int>] = []
    var first = range.lowerBound
    for last in range {
      if last > first, followsGap(last) { first = last }
      while first < last, self.seconds(first + 1...last) >= seconds { first += 1 }
      guard self.seconds(first...last) >= seconds else { continue }
      guard isStill(first...last) else { continue }
      let middle = Self.thirds(first...last)[1]
      if let before = middles.last, before.upperBound >= middle.lowerBound - 1 {
        middles[middles.count - 1] = before.lowerBound...middle.upperBound
      } else {
        middles.append(middle)
      }
    }
    return middles
  }

  /// Three parts of a range that are equally long, or the only step twice or thrice.
  private static func thirds(_ range: ClosedRange<Int>) -> [ClosedRange<Int>] {
    let (first, last, third) = (range.lowerBound, range.upperBound, max(1, range.count / 3))
    let middle = min(first + third, last)
    return [
      first...first + third - 1, middle...max(middle, last - third), last - third + 1...last,
    ]
  }

  /// Whether the means of the thirds of a range are as near each other as those of a rest.
  private func isStill(_ range: ClosedRange<Int>) -> Bool {
    let places = Self.thirds(range).map { means.place($0) }
    let seconds = seconds(range)
    func isNear(_ one: Int, _ other: Int) -> Bool {
      let (dx, dy) = (places[one].x - places[other].x, places[one].y - places[other].y)
      let share = (places[other].time - places[one].time) / (places[2].time - places[0].time)
      let limit = limit(seconds, share: share)
      return dx * dx + dy * dy <= limit * limit
    }
    return isNear(0, 2) && isNear(0, 1) && isNear(1, 2)
  }

  /// A rest with the steps before and after it that are within some metres of its beginning and end.
  private func grown(
    _ range: ClosedRange<Int>, within bounds: ClosedRange<Int>, _ metres: Double
  ) -> ClosedRange<Int> {
    func isNear(_ index: Int, _ others: ClosedRange<Int>) -> Bool {
      var (xs, ys) = (others.map { steps[$0].x }, others.map { steps[$0].y })
      let (dx, dy) = (
        TrackSteps.median(&xs) - steps[index].x, TrackSteps.median(&ys) - steps[index].y
      )
      return dx * dx + dy * dy <= metres * metres
    }
    var (first, last) = (max(range.lowerBound, bounds.lowerBound), range.upperBound)
    while first > bounds.lowerBound, !followsGap(first),
      isNear(first - 1, first...min(first + 5, last))
    { first -= 1 }
    while last < bounds.upperBound, !followsGap(last + 1),
      isNear(last + 1, max(last - 5, first)...last)
    { last += 1 }
    return first...last
  }

  // MARK: - Heights

  /// A rest of the place, divided into the times at which the height rises or falls steadily and the
  /// others.
  private func divided(_ rest: ClosedRange<Int>) -> Found {
    var rises: [(range: ClosedRange<Int>, metres: Double)] = []
    var bends: [Double] = []
    var first = rest.lowerBound
    for last in rest {
      while first < last, seconds(first + 1...last) >= Self.climbSeconds { first += 1 }
      guard seconds(first...last) >= Self.climbSeconds else { continue }
      let parts = Self.thirds(first...last)
      let (heights, times) = (parts.map { means.height($0) }, parts.map { means.place($0).time })
      let (rise, seconds) = (heights[2] - heights[0], times[2] - times[0])
      let bend = 2 * abs(heights[0] + rise * (times[1] - times[0]) / seconds - heights[1])
      guard bend.isFinite else { continue }
      bends.append(bend)
      rises.append((first...last, abs(rise) * Self.climbSeconds * 2 / 3 / seconds))
    }
    let limit = max(
      Self.slowestClimb * Self.climbSeconds * 2 / 3,
      Self.climbDeviations * TrackSteps.median(&bends))
    var parts = Found()
    var start = rest.lowerBound
    func add(to end: Int) {
      guard start < end, seconds(start...end) >= 0.8 * Self.shortestSeconds else { return }
      parts.rests.append(start...end)
    }
    for rise in rises where rise.metres > limit {
      if let climb = parts.climbs.last, rise.range.lowerBound <= climb.upperBound + 1 {
        parts.climbs[parts.climbs.count - 1] = climb.lowerBound...rise.range.upperBound
      } else {
        add(to: rise.range.lowerBound - 1)
        parts.climbs.append(rise.range)
      }
      start = rise.range.upperBound + 1
    }
    if parts.climbs.isEmpty { return Found(rests: [rest]) }
    add(to: rest.upperBound)
    return parts
  }
}

/// The means over any steps, from running sums.
private struct StepMeans {
  private struct Sum {
    var x = 0.0
    var y = 0.0
    var time = 0.0
    var height = 0.0
    var heights = 0.0
  }

  private var sums = [Sum()]

  init(_ steps: [TrackSteps.Step]) {
    sums.reserveCapacity(steps.count + 1)
    var sum = Sum()
    for step in steps {
      sum.x += step.x
      sum.y += step.y
      sum.time += step.middle
      if let height = step.height {
        sum.height += height
        sum.heights += 1
      }
      sums.append(sum)
    }
  }

  func place(_ range: ClosedRange<Int>) -> (x: Double, y: Double, time: Double) {
    let (from, to) = (sums[range.lowerBound], sums[range.upperBound + 1])
    let count = Double(range.count)
    return ((to.x - from.x) / count, (to.y - from.y) / count, (to.time - from.time) / count)
  }

  /// The mean of the known heights; NaN if none is known.
  func height(_ range: ClosedRange<Int>) -> Double {
    let (from, to) = (sums[range.lowerBound], sums[range.upperBound + 1])
    return (to.height - from.height) / (to.heights - from.heights)
  }
}
