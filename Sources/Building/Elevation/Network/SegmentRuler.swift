// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Glibc

/// Measures segments as `haversineDistance` does, in a fraction of the time.
///
/// The sines of half a small angle and the arc of a small sine are Taylor series whose first term
/// left out is below 10⁻²⁰ of the sum. The cosine of a latitude is that of the nearest eighth of a
/// degree, turned by what is left: cos(a + d) = cos a · cos d − sin a · sin d. What remains is
/// rounding: less than 10⁻¹³ of the length and a nanometre.
struct SegmentRuler: Sendable {
  /// A node as the ruler needs it.
  struct Point: Sendable {
    /// Degrees north.
    let latitude: Double
    /// Degrees east.
    let longitude: Double
    /// The cosine of the latitude.
    let cosine: Double
  }

  /// Series are used up to this difference in degrees of latitude and of longitude.
  private static let longestSeriesDegrees = 0.1
  private static let radians = Double.pi / 180
  private static let stepsPerDegree = 8.0
  private static let unitsPerDegree = 1e7
  /// The cosine and the sine of every eighth of a degree from −90° to 90°.
  private static let table: [(cosine: Double, sine: Double)] = (-720...720).map { step in
    let angle = Double(step) / stepsPerDegree * radians
    return (cos(angle), sin(angle))
  }

  private let table = Self.table

  /// A point for measuring: 10⁻⁷ degrees north, −90…90 degrees, and east.
  @inline(__always)
  func point(latitude: Int32, longitude: Int32) -> Point {
    // The same numbers that degrees are elsewhere, so that differences have the same rounding.
    let degrees = Double(latitude) / Self.unitsPerDegree
    let step = Int(degrees * Self.stepsPerDegree + 720.5)
    let rest = (degrees - Double(step - 720) / Self.stepsPerDegree) * Self.radians
    let nearest = table[step]
    let square = rest * rest
    let restCosine = 1 - square / 2 * (1 - square / 12)
    let restSine = rest * (1 - square / 6 * (1 - square / 20))
    return Point(
      latitude: degrees, longitude: Double(longitude) / Self.unitsPerDegree,
      cosine: nearest.cosine * restCosine - nearest.sine * restSine)
  }

  /// The distance of two points in metres.
  @inline(__always)
  func metres(_ start: Point, _ end: Point) -> Double {
    let north = end.latitude - start.latitude
    let east = end.longitude - start.longitude
    guard max(abs(north), abs(east)) <= Self.longestSeriesDegrees else {
      return haversineDistance(
        Coordinate(latitude: start.latitude, longitude: start.longitude),
        Coordinate(latitude: end.latitude, longitude: end.longitude))
    }
    let latitudeSine = Self.smallSine(north * Self.radians / 2)
    let longitudeSine = Self.smallSine(east * Self.radians / 2)
    let square =
      latitudeSine * latitudeSine + start.cosine * end.cosine * longitudeSine * longitudeSine
    let sine = max(square, 0).squareRoot()
    let arc = sine * (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336))))
    return 2 * earthRadiusMetres * arc
  }

  @inline(__always)
  private static func smallSine(_ angle: Double) -> Double {
    let square = angle * angle
    return angle * (1 - square * (1.0 / 6) * (1 - square * (1.0 / 20) * (1 - square * (1.0 / 42))))
  }
}
