// SPDX-License-Identifier: Apache-2.0
import Geodesy
import TrailData

/// The lines of the ways of a `.trails` file.
struct WayLines {
  private let trails: TrailsFile

  init(_ trails: TrailsFile) { self.trails = trails }

  /// The points of a way.
  func points(_ way: Int) -> [Coordinate] {
    trails.refs(ofWay: way).map { trails.coordinate(Int(trails.refs[$0])).degrees }
  }

  /// The length of a way in metres.
  func metres(_ way: Int) -> Double {
    var sum = 0.0
    var last: LinePoint?
    for point in points(way) {
      let next = LinePoint(point)
      if let last { sum += last.distance(to: next) }
      last = next
    }
    return sum
  }

  /// The point of some ways that is nearest to the middle of the box around them; nil if they have
  /// none.
  func middle(of ways: [Int]) -> Coordinate? {
    var box: BoundingBox?
    for way in ways {
      for ref in trails.refs(ofWay: way) {
        let point = trails.coordinate(Int(trails.refs[ref])).degrees
        box =
          box?.extended(to: point)
          ?? BoundingBox(
            west: point.longitude, south: point.latitude, east: point.longitude,
            north: point.latitude)
      }
    }
    guard let box else { return nil }
    let centre = Coordinate(
      latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
    var best: (metres: Double, point: Coordinate)?
    for way in ways {
      for point in points(way) {
        let metres = haversineDistance(centre, point)
        if best.map({ metres < $0.metres }) ?? true { best = (metres, point) }
      }
    }
    return best?.point
  }
}
