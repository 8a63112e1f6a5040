// SPDX-License-Identifier: Apache-2.0

/// A segment as positions at least ten seconds apart, each the median of the positions within those
/// seconds, for finding rests and speeds.
///
/// The positions of a receiver at rest vary by some metres from second to second. Their medians
/// vary by a third of that and ignore stray positions.
struct TrackSteps {
  /// The time span of a step, in seconds.
  static let stepSeconds = 10.0

  struct Step {
    /// The indices of its first and its last point.
    var first: Int
    var last: Int
    /// The times of these points.
    var start: Double
    var end: Double
    /// Metres east and north of the segment's first point.
    var x: Double
    var y: Double
    /// Metres above sea level, if known.
    var height: Double?

    var middle: Double { (start + end) / 2 }

    func metres(to other: Step) -> Double {
      let (dx, dy) = (other.x - x, other.y - y)
      return (dx * dx + dy * dy).squareRoot()
    }
  }

  private(set) var steps: [Step] = []

  init(_ fixes: PlaneFixes) {
    var next = 0
    while next < fixes.count {
      let (first, start) = (next, fixes.seconds[next])
      while next < fixes.count, fixes.seconds[next] < start + Self.stepSeconds { next += 1 }
      var (xs, ys) = (Array(fixes.east[first..<next]), Array(fixes.north[first..<next]))
      var heights = fixes.heights[first..<next].filter(\.isFinite)
      steps.append(
        Step(
          first: fixes.indices[first], last: fixes.indices[next - 1], start: start,
          end: fixes.seconds[next - 1], x: Self.median(&xs), y: Self.median(&ys),
          height: heights.isEmpty ? nil : Self.median(&heights)))
    }
  }

  static func median(_ numbers: inout [Double]) -> Double {
    numbers.sort()
    let middle = numbers.count / 2
    guard numbers.count > 1 else { return numbers.first ?? 0 }
    return numbers.count % 2 == 1
      ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2
  }

  /// The number of neighbouring steps whose median speed counts.
  private static let speedWindow = 5

  /// The greatest median of the speeds between five pairs of neighbouring steps, in metres per
  /// second; of all if there are fewer. Nil without two steps.
  var maximumSpeed: Double? {
    maximumSpeed { $0.metres(to: $1) / ($1.middle - $0.middle) }
  }

  /// The same over the distance walked between the first points of steps, given the metres walked
  /// to each point.
  func maximumSpeed(along metres: [Double]) -> Double? {
    maximumSpeed { (metres[$1.first] - metres[$0.first]) / ($1.start - $0.start) }
  }

  private func maximumSpeed(_ speed: (Step, Step) -> Double) -> Double? {
    let speeds = zip(steps, steps.dropFirst()).map(speed)
    guard !speeds.isEmpty else { return nil }
    let size = min(Self.speedWindow, speeds.count)
    return (0...speeds.count - size).map { start in
      var window = Array(speeds[start..<start + size])
      return Self.median(&window)
    }.max()
  }
}
