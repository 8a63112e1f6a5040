// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// A part of the route with known elevations throughout: two points or more, or a single one between
/// gaps.
struct KnownStretch: Equatable {
  /// A point: metres from the start and metres above sea level.
  struct Point: Equatable {
    var distance: Double
    var elevation: Double
  }

  /// The points in order, at least one.
  private(set) var points: [Point]

  var start: Double { points[0].distance }
  var end: Double { points[points.count - 1].distance }

  /// Splits a profile at points without a known elevation.
  static func stretches(of profile: [ElevationChart.Point]) -> [KnownStretch] {
    var stretches: [KnownStretch] = []
    var isOpen = false
    for point in profile {
      guard let elevation = point.elevation else {
        isOpen = false
        continue
      }
      let known = Point(distance: point.distance, elevation: elevation)
      if isOpen {
        stretches[stretches.count - 1].points.append(known)
      } else {
        stretches.append(KnownStretch(points: [known]))
      }
      isOpen = true
    }
    return stretches
  }

  /// The elevation at a distance, linear between the points; beyond the ends, that of the end.
  func elevation(at distance: Double) -> Double {
    let next = points.partitioningIndex { $0.distance >= distance }
    guard next > 0 else { return points[0].elevation }
    guard next < points.count else { return points[points.count - 1].elevation }
    let (before, after) = (points[next - 1], points[next])
    let share = (distance - before.distance) / (after.distance - before.distance)
    return before.elevation + share * (after.elevation - before.elevation)
  }

  /// The mean slope within a window around a distance, cut off at the ends of the stretch.
  func slope(at distance: Double, window: Double) -> Double {
    let from = max(start, distance - window / 2)
    let to = min(end, distance + window / 2)
    guard to > from else { return 0 }
    return (elevation(at: to) - elevation(at: from)) / (to - from)
  }

  /// The same curve with at most four points in each of `buckets` parts of a length: the first, the
  /// lowest, the highest and the last, which keeps all summits.
  func thinned(to buckets: Int, of length: Double) -> [Point] {
    guard length > 0 else { return Array(points.prefix(1)) }
    var kept: [Point] = []
    var first = 0
    while first < points.count {
      let bucket = Self.bucket(of: points[first], buckets, length)
      var last = first
      var (lowest, highest) = (first, first)
      while last + 1 < points.count, Self.bucket(of: points[last + 1], buckets, length) == bucket {
        last += 1
        if points[last].elevation < points[lowest].elevation { lowest = last }
        if points[last].elevation > points[highest].elevation { highest = last }
      }
      for index in Set([first, lowest, highest, last]).sorted() { kept.append(points[index]) }
      first = last + 1
    }
    return kept
  }

  private static func bucket(of point: Point, _ buckets: Int, _ length: Double) -> Int {
    Int(min(max(point.distance / length, 0), 1) * Double(buckets))
  }
}
