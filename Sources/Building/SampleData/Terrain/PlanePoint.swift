// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A point of the sample map in metres east and north of 47° N 10° E.
///
/// The map is small enough for a plane: a metre is 132 units of 10⁻⁷ degrees of longitude and 90 of
/// latitude, accurate to 0.1 % at 47.05° N. Computations only use `+ − × ÷` and square roots, which
/// IEEE 754 rounds the same way everywhere, unlike the sine functions of different C libraries, so
/// that the map has the same bytes on every machine.
struct PlanePoint: Hashable {
  static let longitudeUnitsPerMetre = 132.0
  static let latitudeUnitsPerMetre = 90.0
  static let originLongitude: Int32 = 100_000_000
  static let originLatitude: Int32 = 470_000_000

  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// The point in units of 10⁻⁷ degrees. It must lie within 1000 km of the origin.
  var fixed: FixedCoordinate {
    FixedCoordinate(
      latitude: Self.originLatitude + Int32((y * Self.latitudeUnitsPerMetre).rounded()),
      longitude: Self.originLongitude + Int32((x * Self.longitudeUnitsPerMetre).rounded()))
  }

  init(_ fixed: FixedCoordinate) {
    x = Double(fixed.longitude - Self.originLongitude) / Self.longitudeUnitsPerMetre
    y = Double(fixed.latitude - Self.originLatitude) / Self.latitudeUnitsPerMetre
  }

  static func + (left: Self, right: Self) -> Self { Self(left.x + right.x, left.y + right.y) }
  static func - (left: Self, right: Self) -> Self { Self(left.x - right.x, left.y - right.y) }
  static func * (point: Self, factor: Double) -> Self { Self(point.x * factor, point.y * factor) }

  /// The distance from the origin in metres.
  var length: Double { (x * x + y * y).squareRoot() }

  func distance(to other: Self) -> Double { (other - self).length }

  /// The point at a share of the way to another point, 0…1.
  func towards(_ other: Self, _ share: Double) -> Self { self + (other - self) * share }

  /// The distance to the line segment between two points, in metres.
  func distance(toSegment start: Self, _ end: Self) -> Double {
    let line = end - start
    let square = line.x * line.x + line.y * line.y
    let offset = self - start
    let along = square > 0 ? (offset.x * line.x + offset.y * line.y) / square : 0
    return distance(to: start.towards(end, min(1, max(0, along))))
  }
}

/// Points on an ellipse with axes along x and y, counter-clockwise from the east, not closed.
///
/// `count` must be a multiple of 4. The angles come from the rational parametrisation of the
/// circle, ((1 − t²) / (1 + t²), 2t / (1 + t²)), and are therefore spaced slightly unevenly.
func ellipse(around centre: PlanePoint, _ radiusX: Double, _ radiusY: Double, count: Int)
  -> [PlanePoint]
{
  let quarter = max(1, count / 4)
  return (0..<quarter * 4).map { index in
    let t = Double(index % quarter) / Double(quarter)
    let cosine = (1 - t * t) / (1 + t * t)
    let sine = 2 * t / (1 + t * t)
    let (x, y) =
      switch index / quarter {
      case 0: (cosine, sine)
      case 1: (-sine, cosine)
      case 2: (-cosine, -sine)
      default: (sine, -cosine)
      }
    return PlanePoint(centre.x + x * radiusX, centre.y + y * radiusY)
  }
}
