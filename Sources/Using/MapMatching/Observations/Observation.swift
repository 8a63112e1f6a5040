// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Neighbouring fixes of a track, as one measurement of a position.
struct Observation {
  /// The mean of their coordinates.
  var coordinate: Coordinate
  /// The indices of the first and the last of them in the track.
  var first: Int
  var last: Int
  /// The number of fixes; less than the span of their indices if some are ignored.
  var count: Int
  /// Seconds since 1970 of the first and the last fix; NaN if unknown.
  var start: Double
  var end: Double
  /// The standard deviation along each axis in metres.
  var deviation: Double
  /// Whether the hiker stood still.
  var isRest = false

  /// The representative time.
  var middle: Double { start + (end - start) / 2 }

  /// Adds the following observation.
  mutating func merge(_ other: Observation) {
    let weight = Double(other.count) / Double(count + other.count)
    // On the shorter way round, across the antimeridian, too.
    coordinate = meanCoordinate(coordinate, other.coordinate, weight)
    deviation += weight * (other.deviation - deviation)
    last = other.last
    count += other.count
    if start.isNaN { start = other.start }
    if !other.end.isNaN { end = other.end }
  }
}

/// A point on the line from one coordinate to another.
func meanCoordinate(_ one: Coordinate, _ other: Coordinate, _ share: Double) -> Coordinate {
  var degrees = other.longitude - one.longitude
  if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
  var longitude = one.longitude + share * degrees
  if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
  return Coordinate(
    latitude: one.latitude + share * (other.latitude - one.latitude), longitude: longitude)
}
