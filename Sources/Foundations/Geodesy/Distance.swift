// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mean radius of the Earth in metres, on which all of Cairn's distances are measured.
public let earthRadiusMetres = 6_371_000.0

/// The great-circle distance of two points in metres, by the haversine formula on a sphere of
/// ``earthRadiusMetres``.
///
/// Symmetric, 0 for equal points, at most half the circumference, NaN where a coordinate is NaN. It
/// is the shorter way round, also across the antimeridian.
public func haversineDistance(_ start: Coordinate, _ end: Coordinate) -> Double {
  let radians = Double.pi / 180
  let latitudeSine = sin((end.latitude - start.latitude) * radians / 2)
  let longitudeSine = sin((end.longitude - start.longitude) * radians / 2)
  let chord =
    latitudeSine * latitudeSine
    + cos(start.latitude * radians) * cos(end.latitude * radians) * longitudeSine * longitudeSine
  return 2 * earthRadiusMetres * asin(min(chord.squareRoot(), 1))
}

/// The length of a degree of longitude at a latitude, as a share of one at the equator: 0…1.
package func longitudeShrinking(atLatitude degrees: Double) -> Double {
  max(0, cos(degrees * .pi / 180))
}
