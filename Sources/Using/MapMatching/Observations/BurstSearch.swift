// SPDX-License-Identifier: Apache-2.0
import CairnRouting

/// Finds bursts of multipath in a track: a reflected signal puts the fixes aside by tens of metres all at
/// once, and back after half a minute, while the hiker goes on.
///
/// A burst begins and ends with a jump, which is a displacement within seconds that the walk before and
/// after it does not explain, and the second jump takes back the first one. Whoever leaves the network
/// for a while walks away and back, and jumps in neither case. Without times there are no jumps.
struct BurstSearch {
  /// A jump takes this long at most, unless fixes come more rarely.
  private static let jumpSeconds = 4.0
  /// There is no telling what happened within a longer time.
  private static let longestJumpSeconds = 20.0
  /// Fixes of this time on each side of a jump are averaged.
  private static let averagedSeconds = 3.0
  /// The walk before and after a jump is that of so many seconds.
  private static let walkedSeconds = 12.0
  /// A burst lasts this long at most.
  private static let longestSeconds = 60.0
  /// A jump is this long at least, in metres.
  private static let leastMetres = 12.0
  /// The second jump takes back all of the first one but for this share.
  private static let remainingShare = 0.7
  /// A jump over two steps is so many times as long as one that was over with the first of them.
  private static let midwayFactor = 1.3
  /// How many jumps are compared with one, whatever their times are.
  private static let mostJumps = 32
  /// How many fixes are looked at on each side, whatever their times are.
  private static let mostFixes = 128
  /// How many points of the track the median is taken of.
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
  ///   - fixes: Those of the track that are valid, in order.
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

  /// The displacement after a fix; over two steps where a fix of the middle of a jump lies between.
  private func jump(after index: Int) -> Jump? {
    guard let near = displacement(after: index) else { return nil }
    guard near.after == index + 1, let far = displacement(after: index, to: index + 2),
      far.vector.metres > Self.midwayFactor * near.vector.metres
    else { return near }
    return far
  }

  /// What lies between the fixes up to one and those some seconds later that the walk before and after
  /// does not explain; nil where too little is known.
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

  /// What somebody walks in so many seconds who walked from one position to another.
  private func walk(from one: Mean, to other: Mean, over span: Double) -> Mean {
    let seconds = other.seconds - one.seconds
    guard seconds > 0 else { return Mean() }
    return Mean(
      east: (other.east - one.east) * span / seconds,
      north: (other.north - one.north) * span / seconds)
  }

  /// The first fix at least so many seconds away; nil where there is none within reason.
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
