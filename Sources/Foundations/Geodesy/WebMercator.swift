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

/// The projection of web maps (EPSG:3857): the world as a square, 0…1 from the west and 0…1 from
/// the north. It ends at 85.0511° north and south; points nearer to a pole are placed on the
/// border.
public enum WebMercator {
  /// The latitude of the northern border in degrees.
  public static let greatestLatitude = 85.051_128_779_806_59

  /// A position in the square of the world, 0…1 each.
  public static func position(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    let latitude = min(max(coordinate.latitude, -greatestLatitude), greatestLatitude)
    let y = row(latitude: latitude)
    let x = coordinate.longitude / 360 + 0.5
    return (min(max(x, 0), 1), min(max(y, 0), 1))
  }

  /// How far a latitude is from the northern border, beyond it less than 0: the square ends at 1.
  public static func row(latitude: Double) -> Double {
    let sine = sin(latitude * .pi / 180)
    return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
  }

  /// The part of a box inside the square; nil if it lies beyond its borders.
  public static func shown(of box: BoundingBox) -> BoundingBox? {
    var shown = box
    shown.south = max(box.south, -greatestLatitude)
    shown.north = min(box.north, greatestLatitude)
    return shown.south <= shown.north ? shown : nil
  }

  /// The coordinate of a position.
  public static func coordinate(x: Double, y: Double) -> Coordinate {
    Coordinate(
      latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: (x - 0.5) * 360)
  }

  /// The offset of a coordinate to the right and down from another on a map, in the unit of
  /// `tileSide`: where to draw a marker on a map around `centre`. It is the shorter way round the
  /// world.
  ///
  /// - Parameters:
  ///   - zoom: The zoom of the map, which may be fractional.
  ///   - tileSide: The side of a tile on the screen, such as 256 points.
  public static func offset(
    to coordinate: Coordinate, from centre: Coordinate, zoom: Double, tileSide: Double = 256
  ) -> (right: Double, down: Double) {
    let (place, middle) = (position(coordinate), position(centre))
    var right = place.x - middle.x
    if right > 0.5 { right -= 1 } else if right < -0.5 { right += 1 }
    let side = tileSide * pow(2, zoom)
    return (right * side, (place.y - middle.y) * side)
  }
}
