// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// Bearings: directions on the Earth in degrees clockwise from north.
public enum BearingCalculator {
  /// The initial bearing of the great circle between two points, 0..<360; 0 for equal points.
  public static func bearing(from start: Coordinate, to end: Coordinate) -> Double {
    normalized(initialBearing(from: start, to: end))
  }

  /// The bearing from the first point of a line to the point `metres` along it, or to its end if it
  /// is shorter; nil if all its points are equal.
  public static func bearing(along line: some Sequence<Coordinate>, metres: Double) -> Double? {
    var points = line.makeIterator()
    guard let start = points.next() else { return nil }
    var last = start
    var travelled = 0.0
    while let next = points.next() {
      let length = haversineDistance(last, next)
      if travelled + length >= metres, length > 0 {
        let share = (metres - travelled) / length
        let turn = next.longitude - last.longitude
        let east = abs(turn) > 180 ? turn - (turn > 0 ? 360 : -360) : turn
        last = Coordinate(
          latitude: last.latitude + share * (next.latitude - last.latitude),
          longitude: last.longitude + share * east)
        break
      }
      travelled += length
      last = next
    }
    return last == start ? nil : bearing(from: start, to: last)
  }

  /// An equivalent bearing in 0..<360.
  public static func normalized(_ degrees: Double) -> Double {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive < 360 ? positive : 0
  }

  /// An equivalent change of bearing, greater than −180 and up to 180; positive to the right.
  public static func normalizedChange(_ degrees: Double) -> Double {
    let positive = normalized(degrees)
    return positive > 180 ? positive - 360 : positive
  }

  /// The turn for a change of bearing in degrees, positive to the right; the same as
  /// ``TurnInstructionConfig/direction(ofChange:)``.
  public static func turnDirection(
    fromBearingDelta delta: Double, config: TurnInstructionConfig = .init()
  ) -> TurnDirection {
    config.direction(ofChange: delta)
  }

  /// The nearest of the eight compass points, such as `northeast`.
  public static func cardinalDirection(_ degrees: Double) -> String {
    let names = [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ]
    let index = (normalized(degrees) / 45).rounded()
    return index.isFinite ? names[Int(index) % names.count] : names[0]
  }
}
