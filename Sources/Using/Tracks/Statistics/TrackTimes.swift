// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGPX

/// The times of a segment's points as seconds that ascend.
struct TrackTimes {
  /// Seconds since the first usable point; NaN for a point with no time, or one out of order.
  let seconds: [Double]
  /// The indices of the usable points: at least two, or none.
  let indices: [Int]
  /// The number of points with a time out of order.
  let untimelyPoints: Int

  /// Times that span less than this, in seconds, are unusable: some programs give all points the
  /// same time.
  private static let shortestSeconds = 1.0

  /// Selects the most points with strictly ascending times, so that a single wrong time, past or
  /// future, affects only its own point.
  init(_ points: [GPXFile.Point]) {
    let timed = points.indices.filter { index in
      points[index].time.map { LocationFix.secondsRange.contains($0.timeIntervalSince1970) }
        ?? false
    }
    let times = timed.map { points[$0].time?.timeIntervalSince1970 ?? 0 }
    let kept = Self.longestAscent(times)
    var seconds = [Double](repeating: .nan, count: points.count)
    guard kept.count > 1, times[kept[kept.count - 1]] - times[kept[0]] >= Self.shortestSeconds
    else {
      (self.seconds, indices, untimelyPoints) = (seconds, [], max(0, timed.count - 1))
      return
    }
    for index in kept { seconds[timed[index]] = times[index] - times[kept[0]] }
    self.seconds = seconds
    indices = kept.map { timed[$0] }
    untimelyPoints = timed.count - kept.count
  }

  /// The indices of a longest strictly ascending subsequence (patience sorting, n log n).
  private static func longestAscent(_ numbers: [Double]) -> [Int] {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(numbers.indices) }
    // The last index of the best subsequence of each length, and the predecessor of each index in
    // its own.
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      let length = tails.partitioningIndex { numbers[$0] >= number }
      if length > 0 { before[index] = tails[length - 1] }
      if length < tails.count { tails[length] = index } else { tails.append(index) }
    }
    var ascent: [Int] = []
    var next = tails.last ?? -1
    while next >= 0 {
      ascent.append(next)
      next = before[next]
    }
    return ascent.reversed()
  }
}
