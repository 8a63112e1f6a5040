// SPDX-License-Identifier: Apache-2.0
import CairnGPX
import CairnGeodesy

/// The timed points of a segment on a plane unrolled along the way, so that lengths are accurate
/// over any distance.
struct PlaneFixes {
  /// The points that these are, as indices of the segment.
  private(set) var indices: [Int] = []
  /// Seconds since the first of them, ascending.
  private(set) var seconds: [Double] = []
  /// Metres east and north of the first of them.
  var east: [Double] = []
  var north: [Double] = []
  /// Metres above sea level; NaN if unknown.
  private(set) var heights: [Double] = []
  /// Whether stray fixes have been left out just before each fix.
  private(set) var followsStray: [Bool] = []

  var count: Int { indices.count }

  /// The median of the seconds between fixes.
  var interval: Double {
    var steps = zip(seconds, seconds.dropFirst()).map { $1 - $0 }
    return TrackSteps.median(&steps)
  }

  init(_ points: [GPXFile.Point], _ times: TrackTimes) {
    guard times.indices.allSatisfy({ points[$0].coordinate.isValid }) else { return }
    var (x, y) = (0.0, 0.0)
    var last: Coordinate?
    for index in times.indices {
      let point = points[index].coordinate
      if let last {
        var degrees = point.longitude - last.longitude
        if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
        let shrinking = longitudeShrinking(atLatitude: (point.latitude + last.latitude) / 2)
        x += degrees * shrinking * Self.metresPerDegree
        y += (point.latitude - last.latitude) * Self.metresPerDegree
      }
      last = point
      append(index, times.seconds[index], x, y, points[index].elevation ?? .nan)
    }
  }

  private static let metresPerDegree = earthRadiusMetres * .pi / 180

  private init() {}

  private mutating func append(
    _ index: Int, _ second: Double, _ x: Double, _ y: Double, _ height: Double
  ) {
    indices.append(index)
    followsStray.append(false)
    seconds.append(second)
    east.append(x)
    north.append(y)
    heights.append(height)
  }

  func metres(_ one: Int, _ other: Int) -> Double {
    let (dx, dy) = (east[other] - east[one], north[other] - north[one])
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The fixes without strays: fixes 50 m or more from both neighbours, which are near each other,
  /// and so far away that going there and back takes five times the top speed.
  func withoutStrays(topSpeed: Double) -> PlaneFixes {
    guard count > 2 else { return self }
    var kept = PlaneFixes()
    for index in 0..<count {
      if index > 0, index < count - 1, isStray(index, topSpeed: topSpeed) { continue }
      kept.append(
        indices[index], seconds[index], east[index], north[index], heights[index])
      if let last = kept.count > 1 ? kept.indices[kept.count - 2] : nil, index > 0 {
        kept.followsStray[kept.count - 1] = last != indices[index - 1]
      }
    }
    return kept
  }

  private func isStray(_ index: Int, topSpeed: Double) -> Bool {
    let (there, back) = (metres(index - 1, index), metres(index, index + 1))
    guard min(there, back) > 50, 2 * metres(index - 1, index + 1) < min(there, back) else {
      return false
    }
    let (before, after) = (
      seconds[index] - seconds[index - 1], seconds[index + 1] - seconds[index]
    )
    return min(there / before, back / after) > 5 * topSpeed
  }
}
