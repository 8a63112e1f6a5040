// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// A stretch of the way whose elevation is known throughout: two points or more, or a single one
/// between gaps.
struct KnownStretch: Equatable {
  /// A place: metres from the start and metres above sea level.
  struct Place: Equatable {
    var distance: Double
    var elevation: Double
  }

  /// The places in the order of the way, at least one.
  private(set) var places: [Place]

  var start: Double { places[0].distance }
  var end: Double { places[places.count - 1].distance }

  /// Cuts points at the unknown ones.
  static func stretches(of points: [ElevationChart.Point]) -> [KnownStretch] {
    var stretches: [KnownStretch] = []
    var isOpen = false
    for point in points {
      guard let elevation = point.elevation else {
        isOpen = false
        continue
      }
      let place = Place(distance: point.distance, elevation: elevation)
      if isOpen {
        stretches[stretches.count - 1].places.append(place)
      } else {
        stretches.append(KnownStretch(places: [place]))
      }
      isOpen = true
    }
    return stretches
  }

  /// The elevation at a distance, linear between the places; beyond the ends that of the end.
  func elevation(at distance: Double) -> Double {
    let next = places.partitioningIndex { $0.distance >= distance }
    guard next > 0 else { return places[0].elevation }
    guard next < places.count else { return places[places.count - 1].elevation }
    let (before, after) = (places[next - 1], places[next])
    let share = (distance - before.distance) / (after.distance - before.distance)
    return before.elevation + share * (after.elevation - before.elevation)
  }

  /// The mean slope within a window around a distance, as far as the stretch reaches.
  func slope(at distance: Double, window: Double) -> Double {
    let from = max(start, distance - window / 2)
    let to = min(end, distance + window / 2)
    guard to > from else { return 0 }
    return (elevation(at: to) - elevation(at: from)) / (to - from)
  }

  /// The same curve with at most four places in each of `buckets` parts of a length: the first,
  /// the lowest, the highest and the last, so that no summit is lost.
  func thinned(to buckets: Int, of length: Double) -> [Place] {
    guard length > 0 else { return Array(places.prefix(1)) }
    var kept: [Place] = []
    var first = 0
    while first < places.count {
      let bucket = Self.bucket(of: places[first], buckets, length)
      var last = first
      var (lowest, highest) = (first, first)
      while last + 1 < places.count, Self.bucket(of: places[last + 1], buckets, length) == bucket {
        last += 1
        if places[last].elevation < places[lowest].elevation { lowest = last }
        if places[last].elevation > places[highest].elevation { highest = last }
      }
      for place in Set([first, lowest, highest, last]).sorted() { kept.append(places[place]) }
      first = last + 1
    }
    return kept
  }

  private static func bucket(of place: Place, _ buckets: Int, _ length: Double) -> Int {
    Int(min(max(place.distance / length, 0), 1) * Double(buckets))
  }
}
