// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A coordinate as a point of the unit sphere.
///
/// The straight line between two of them, through the Earth, is never longer than any way, obeys
/// the triangle inequality and takes no trigonometry: a good estimate for a search.
package struct SpherePoint: Hashable, Sendable {
  var x: Double
  var y: Double
  var z: Double

  /// Converts a coordinate.
  package init(_ coordinate: Coordinate) {
    let radians = Double.pi / 180
    let latitude = coordinate.latitude * radians
    let longitude = coordinate.longitude * radians
    let radius = cos(latitude)
    x = radius * cos(longitude)
    y = radius * sin(longitude)
    z = sin(latitude)
  }

  /// The coordinate.
  var coordinate: Coordinate {
    Coordinate(
      latitude: asin(min(max(z, -1), 1)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
  }

  /// The squared length of the straight line to another point, in squares of the Earth's radius.
  @inline(__always)
  func squaredChord(to other: SpherePoint) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }

  /// The length of the straight line to another point in metres.
  @inline(__always)
  package func chordMetres(to other: SpherePoint) -> Double {
    earthRadiusMetres * squaredChord(to: other).squareRoot()
  }

  /// Metres over the ground for the squared length of a straight line.
  static func metres(squaredChord: Double) -> Double {
    2 * earthRadiusMetres * asin(min(squaredChord.squareRoot() / 2, 1))
  }
}
