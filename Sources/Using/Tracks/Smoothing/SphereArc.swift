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

/// A point of the unit sphere.
struct SphereVector {
  var x: Double
  var y: Double
  var z: Double

  init(_ coordinate: Coordinate) {
    let radians = Double.pi / 180
    let (latitude, longitude) = (coordinate.latitude * radians, coordinate.longitude * radians)
    self.init(
      cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  init(_ x: Double, _ y: Double, _ z: Double) { (self.x, self.y, self.z) = (x, y, z) }

  /// The squared chord, in squares of the Earth's radius, between points this many metres apart on
  /// the ground.
  static func squaredChord(ofMetres metres: Double) -> Double {
    let sine = sin(min(metres / earthRadiusMetres, .pi) / 2)
    return 4 * sine * sine
  }

  func minus(_ other: Self) -> Self { Self(x - other.x, y - other.y, z - other.z) }

  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  func squaredChord(to other: Self) -> Double {
    let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
    return dx * dx + dy * dy + dz * dz
  }
}

/// The shorter part of the great circle through two points.
struct SphereArc {
  /// Points closer than some micrometres have no great circle.
  private static let shortest = 1e-12

  private let start: SphereVector
  private let end: SphereVector
  /// The normal to the plane of the arc, of length 1; nil if there is no such plane.
  private let normal: SphereVector?
  private let afterStart: SphereVector
  private let beforeEnd: SphereVector

  init(_ start: SphereVector, _ end: SphereVector) {
    (self.start, self.end) = (start, end)
    // For nearly equal vectors, the difference keeps the digits that their product would lose.
    let difference = end.minus(start)
    let product = start.cross(difference)
    let length = product.dot(product).squareRoot()
    guard length > Self.shortest else {
      (normal, afterStart, beforeEnd) = (nil, start, end)
      return
    }
    let unit = SphereVector(product.x / length, product.y / length, product.z / length)
    normal = unit
    afterStart = unit.cross(start)
    beforeEnd = end.cross(unit)
  }

  /// The squared chord from a point to the nearest point of the arc.
  func squaredChord(to point: SphereVector) -> Double {
    if let normal, point.dot(afterStart) >= 0, point.dot(beforeEnd) >= 0 {
      let sine = point.dot(normal)
      let square = min(sine * sine, 1)
      return 2 * square / (1 + (1 - square).squareRoot())
    }
    return min(point.squaredChord(to: start), point.squaredChord(to: end))
  }
}
