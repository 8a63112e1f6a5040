// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The projection of web maps (EPSG:3857): the world as a square, 0…1 from the west and 0…1 from the
/// north. It ends at 85.0511° north and south; what is nearer to a pole is put on the border.
package enum WebMercator {
  /// The latitude of the northern border in degrees.
  package static let greatestLatitude = 85.051_128_779_806_59

  /// A position in the square of the world, 0…1 each.
  package static func position(_ coordinate: Coordinate) -> (x: Double, y: Double) {
    let latitude = min(max(coordinate.latitude, -greatestLatitude), greatestLatitude)
    let y = row(latitude: latitude)
    let x = coordinate.longitude / 360 + 0.5
    return (min(max(x, 0), 1), min(max(y, 0), 1))
  }

  /// How far a latitude is from the northern border, beyond it less than 0: the square ends at 1.
  package static func row(latitude: Double) -> Double {
    let sine = sin(latitude * .pi / 180)
    return 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
  }

  /// The part of a box that is in the square; nil if it lies beyond its borders.
  package static func shown(of box: BoundingBox) -> BoundingBox? {
    var shown = box
    shown.south = max(box.south, -greatestLatitude)
    shown.north = min(box.north, greatestLatitude)
    return shown.south <= shown.north ? shown : nil
  }

  /// The coordinate of a position.
  package static func coordinate(x: Double, y: Double) -> Coordinate {
    Coordinate(
      latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: (x - 0.5) * 360)
  }
}

extension TileID {
  /// The tile that holds a coordinate, nil at an invalid zoom or for NaN.
  package init?(containing coordinate: Coordinate, zoom: Int) {
    guard 0...Self.greatestZoom ~= zoom, coordinate.isValid else { return nil }
    let side = Double(1 << zoom)
    let (x, y) = WebMercator.position(coordinate)
    self.init(
      zoom: zoom, column: min(Int(x * side), 1 << zoom - 1),
      row: min(Int(y * side), 1 << zoom - 1))
  }

  /// The box of the tile.
  package var boundingBox: BoundingBox {
    let side = Double(1 << zoom)
    let first = WebMercator.coordinate(x: Double(column) / side, y: Double(row) / side)
    let last = WebMercator.coordinate(x: Double(column + 1) / side, y: Double(row + 1) / side)
    return BoundingBox(
      west: first.longitude, south: last.latitude, east: last.longitude, north: first.latitude)
  }
}
