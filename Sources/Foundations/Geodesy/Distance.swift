// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The mean radius of the Earth in metres, used for all distances.
@inlinable public var earthRadiusMetres: Double { 6_371_000.0 }

/// The great-circle distance of two points in metres, by the haversine formula on a sphere of
/// ``earthRadiusMetres``.
///
/// Symmetric, 0 for equal points, at most half the circumference, NaN if a coordinate is NaN. It is
/// the shorter way round, also across the antimeridian.
@inlinable
public func haversineDistance(_ start: Coordinate, _ end: Coordinate) -> Double {
  LinePoint(start).distance(to: LinePoint(end))
}

/// A point of a line whose segments are measured in order, with the cosine of its latitude, which
/// both adjacent segments use.
///
/// Public, so that it is inlined in other modules.
@frozen
public struct LinePoint: Sendable {
  /// The point.
  public let coordinate: Coordinate
  @usableFromInline
  let latitudeCosine: Double

  /// Makes a point.
  @inlinable
  @inline(__always)
  public init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    latitudeCosine = cos(coordinate.latitude * (Double.pi / 180))
  }

  /// The same as ``haversineDistance(_:_:)``.
  @inlinable
  @inline(__always)
  public func distance(to end: LinePoint) -> Double {
    let radians = Double.pi / 180
    let latitudeSine = sineOfSmallAngle(
      (end.coordinate.latitude - coordinate.latitude) * radians / 2)
    let longitudeSine = sineOfSmallAngle(
      (end.coordinate.longitude - coordinate.longitude) * radians / 2)
    let chord =
      latitudeSine * latitudeSine
      + latitudeCosine * end.latitudeCosine * longitudeSine * longitudeSine
    return 2 * earthRadiusMetres * angle(ofSine: min(chord.squareRoot(), 1))
  }
}

extension LinePoint {
  /// Whether a point is certainly further away than some metres. Most are, and then neither sines nor
  /// the exact distance are needed.
  @inlinable @inline(__always)
  package func isBeyond(_ metres: Double, from other: LinePoint) -> Bool {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let north = abs(other.coordinate.latitude - coordinate.latitude)
    let east = abs(other.coordinate.longitude - coordinate.longitude)
    // The chord is shorter than the arc, and the sine of half a degree hardly less than its angle.
    var square = north * north
    if north < 1, east < 1 { square += latitudeCosine * other.latitudeCosine * east * east }
    return square * metresPerDegree * metresPerDegree * 0.999_9 > metres * metres
  }
}

// Between the points of a way, angles are so small that all terms of a series except the first are
// below a millionth of it, and their rounding does not show: the sums are within 0.501 units in the
// last place, as in glibc, and much faster. 2⁻¹³ is half the angle between points 1.5 km apart.

/// The sine of an angle in radians.
@inlinable
@inline(__always)
func sineOfSmallAngle(_ radians: Double) -> Double {
  guard abs(radians) < 0x1p-13 else { return sin(radians) }
  let square = radians * radians
  return radians + radians * (square * (-1.0 / 6 + square * (1.0 / 120 - square * (1.0 / 5040))))
}

/// The angle in radians with a sine of 0…1.
@inlinable
@inline(__always)
func angle(ofSine sine: Double) -> Double {
  guard sine < 0x1p-13 else { return asin(sine) }
  let square = sine * sine
  return sine + sine * (square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336))))
}

/// The length of a degree of longitude at a latitude, as a share of its length at the equator: 0…1.
package func longitudeShrinking(atLatitude degrees: Double) -> Double {
  max(0, cos(degrees * .pi / 180))
}

/// The initial bearing of the great circle from one point to another in degrees clockwise from
/// north, −180…180; 0 for equal points.
///
/// tan θ = sin Δλ cos φ₂ / (cos φ₁ sin φ₂ − sin φ₁ cos φ₂ cos Δλ), the forward azimuth on a sphere.
package func initialBearing(from start: Coordinate, to end: Coordinate) -> Double {
  let radians = Double.pi / 180
  let (latitude, otherLatitude) = (start.latitude * radians, end.latitude * radians)
  let turn = (end.longitude - start.longitude) * radians
  let east = sin(turn) * cos(otherLatitude)
  let north =
    cos(latitude) * sin(otherLatitude) - sin(latitude) * cos(otherLatitude) * cos(turn)
  return atan2(east, north) / radians
}

/// A point between two points, interpolated in degrees; across the antimeridian if that is shorter.
package func interpolated(_ one: Coordinate, _ other: Coordinate, _ share: Double) -> Coordinate {
  var degrees = other.longitude - one.longitude
  if degrees > 180 { degrees -= 360 } else if degrees < -180 { degrees += 360 }
  var longitude = one.longitude + share * degrees
  if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
  return Coordinate(
    latitude: one.latitude + share * (other.latitude - one.latitude), longitude: longitude)
}

extension Coordinate {
  /// The point some metres east and north of this one, limited to the nearest valid one at a pole.
  package func moved(east: Double, north: Double) -> Coordinate {
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let shrinking = max(longitudeShrinking(atLatitude: latitude), 1e-6)
    var longitude = (longitude + east / metresPerDegree / shrinking)
      .truncatingRemainder(dividingBy: 360)
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: min(max(latitude + north / metresPerDegree, -90), 90), longitude: longitude)
  }
}
