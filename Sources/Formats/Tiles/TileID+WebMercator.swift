// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

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
