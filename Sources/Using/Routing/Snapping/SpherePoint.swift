// SPDX-License-Identifier: Apache-2.0
import Geodesy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A place as a point of the unit sphere.
///
/// The straight line between two of them, through the Earth, is never longer than any way and
/// takes no trigonometry, so it is the estimate of a search; it obeys the triangle inequality.
package struct SpherePoint: Hashable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  /// Takes a place.
  package init(_ coordinate: Coordinate) {
    let radians = Double.pi / 180
    let latitude = coordinate.latitude * radians
    let longitude = coordinate.longitude * radians
    x = cos(latitude) * cos(longitude)
    y = cos(latitude) * sin(longitude)
    z = sin(latitude)
  }

  /// The place in degrees.
  var coordinate: Coordinate {
    Coordinate(
      latitude: asin(min(max(z, -1), 1)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
  }

  /// The square of the straight line to another place, in squares of the Earth's radius.
  @inline(__always)
  func squaredChord(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// Metres of the straight line to another place.
  @inline(__always)
  package func chordMetres(to other: SpherePoint) -> Double {
    earthRadiusMetres * squaredChord(to: other).squareRoot()
  }

  /// Metres over the ground for the square of a straight line.
  static func metres(squaredChord: Double) -> Double {
    2 * earthRadiusMetres * asin(min(squaredChord.squareRoot() / 2, 1))
  }
}
