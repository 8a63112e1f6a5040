// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// Finds bursts of multipath in a track: a reflected signal suddenly moves the fixes aside by tens
/// of metres, and back after half a minute, while the hiker goes on.
///
/// A burst begins and ends with a jump: a displacement within seconds that the walk before and
/// after it does not explain. The second jump reverses the first. A hiker who leaves the network
/// for a while walks away and back without a jump. Without times there are no jumps.
struct BurstSearch {
  /// The longest duration of a jump, unless fixes are less frequent.
  private static let jumpSeconds = 4.0
  /// Over a longer time, a displacement cannot be explained.
  private static let longestJumpSeconds = 20.0
  /// Fixes of this time on each side of a jump are averaged.
  private static let averagedSeconds = 3.0
  /// The time before and after a jump from which the walk is taken, in seconds.
  private static let walkedSeconds = 12.0
  /// A burst lasts this long at most.
  private static let longestSeconds = 60.0
  /// A jump is this long at least, in metres.
  private static let leastMetres = 12.0
  /// The share of the first jump that may remain after the second.
  private static let remainingShare = 0.7
  /// A jump over two steps must be this many times as long as over the first step alone.
  private static let midwayFactor = 1.3
  /// The number of jumps compared with each, whatever their times.
  private static let mostJumps = 32
  /// The number of fixes examined on each side, whatever their times.
  private static let mostFixes = 128
  /// The number of points of the track from which the median is taken.
  private static let sampleSize = 1000

  /// Metres to the east and the north, and seconds.
  private struct Mean {
    var east = 0.0
    var north = 0.0
    var seconds = 0.0

    var metres: Double { (east * east + north * north).squareRoot() }
  }

  private struct Jump {
    /// The last fix before it and the first one after it.
    var before: Int
    var after: Int
    var vector: Mean
  }

  private let fixes: [MatchingFix]
  private let leastMedians: Double
  private let seconds: [Double]

  /// - Parameters:
  ///   - fixes: The valid fixes of the track, in order.
  ///   - leastMedians: See ``MatchingParameters/jump``.
  init(_ fixes: [MatchingFix], leastMedians: Double) {
    self.fixes = fixes
    self.leastMedians = leastMedians
    seconds = fixes.map(\.seconds)
  }

  /// The fixes in bursts, by their positions, ascending.
  func bursts() -> [Range<Int>] {
    let jumps = jumps()
    var bursts: [Range<Int>] = []
    var index = 0
    while index < jumps.count {
      let first = jumps[index]
      index += 1
      var next = index
      let end = min(jumps.count, index + Self.mostJumps)
      while next < end,
        seconds[jumps[next].before] - seconds[first.after] <= Self.longestSeconds
      {
        if isBack(first, jumps[next]) {
          bursts.append(first.before + 1..<jumps[next].after)
          index = next + 1
          break
        }
        next += 1
      }
    }
    return bursts
  }

  private func isBack(_ first: Jump, _ second: Jump) -> Bool {
    guard second.before >= first.after else { return false }
    let rest = Mean(
      east: first.vector.east + second.vector.east,
      north: first.vector.north + second.vector.north)
    return rest.metres <= Self.remainingShare * min(first.vector.metres, second.vector.metres)
  }

  /// The greatest displacement of each jump.
  private func jumps() -> [Jump] {
    let step = max(1, fixes.count / Self.sampleSize)
    let usual = stride(from: 0, to: fixes.count, by: step).compactMap {
      displacement(after: $0)?.vector.metres
    }.sorted()
    guard !usual.isEmpty else { return [] }
    let least = max(Self.leastMetres, leastMedians * usual[usual.count / 2])
    var jumps: [Jump] = []
    for index in fixes.indices {
      guard let jump = jump(after: index), jump.vector.metres >= least else { continue }
      if let last = jumps.last, index < last.after {
        if jump.vector.metres > last.vector.metres { jumps[jumps.count - 1] = jump }
      } else {
        jumps.append(jump)
      }
    }
    return jumps
  }

  /// The displacement after a fix; over two steps if a fix lies in the middle of a jump.
  private func jump(after index: Int) -> Jump? {
    guard let near = displacement(after: index) else { return nil }
    guard near.after == index + 1, let far = displacement(after: index, to: index + 2),
      far.vector.metres > Self.midwayFactor * near.vector.metres
    else { return near }
    return far
  }

  /// The displacement between the fixes up to one and those some seconds later that the walk before
  /// and after does not explain; nil if too little is known.
  private func displacement(after index: Int, to other: Int? = nil) -> Jump? {
    guard let next = other ?? reach(index, by: 1, seconds: Self.jumpSeconds),
      fixes.indices.contains(next)
    else { return nil }
    let plane = LineProjection(fixes[index].coordinate)
    let (one, other) = (mean(plane, index, by: -1), mean(plane, next, by: 1))
    let span = other.seconds - one.seconds
    guard span > 0, span <= Self.longestJumpSeconds + 2 * Self.averagedSeconds else { return nil }
    var walks: [Mean] = []
    if let far = reach(index, by: -1, seconds: Self.walkedSeconds) {
      walks.append(walk(from: mean(plane, far, by: -1), to: one, over: span))
    }
    if let far = reach(next, by: 1, seconds: Self.walkedSeconds) {
      walks.append(walk(from: other, to: mean(plane, far, by: 1), over: span))
    }
    if walks.count == 2 {
      let (before, after) = (walks[0], walks[1])
      walks.append(
        Mean(east: (before.east + after.east) / 2, north: (before.north + after.north) / 2))
    }
    let vectors = walks.map {
      Mean(
        east: other.east - one.east - $0.east, north: other.north - one.north - $0.north)
    }
    return vectors.min { $0.metres < $1.metres }.map {
      Jump(before: index, after: next, vector: $0)
    }
  }

  /// The displacement of a walk over a time, extrapolated from the walk between two positions.
  private func walk(from one: Mean, to other: Mean, over span: Double) -> Mean {
    let seconds = other.seconds - one.seconds
    guard seconds > 0 else { return Mean() }
    return Mean(
      east: (other.east - one.east) * span / seconds,
      north: (other.north - one.north) * span / seconds)
  }

  /// The first fix at least this many seconds away; nil if there is none in reach.
  private func reach(_ index: Int, by step: Int, seconds wanted: Double) -> Int? {
    var next = index + step
    var left = Self.mostFixes
    while fixes.indices.contains(next), left > 0 {
      let away = (seconds[next] - seconds[index]) * Double(step)
      if away >= wanted { return away <= wanted + Self.longestJumpSeconds ? next : nil }
      next += step
      left -= 1
    }
    return nil
  }

  private func mean(_ plane: LineProjection, _ index: Int, by step: Int) -> Mean {
    var sum = Mean()
    var count = 0.0
    var next = index
    while fixes.indices.contains(next), count < Double(Self.mostFixes),
      abs(seconds[next] - seconds[index]) <= Self.averagedSeconds
    {
      let offset = plane.offset(fixes[next].coordinate)
      sum.east += offset.x
      sum.north += offset.y
      sum.seconds += seconds[next]
      count += 1
      next += step
    }
    guard count > 0 else { return Mean(seconds: .nan) }
    return Mean(east: sum.east / count, north: sum.north / count, seconds: sum.seconds / count)
  }
}
