// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy

/// A tile of one square degree, named by its south-west corner like HGT files: `N42E001`, `S01W180`.
///
/// Tiles are ordered from south to north, and within a row from west to east.
package struct ElevationTileID: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The side of a tile in 10⁻⁷ degrees.
  static let sideUnits = 10_000_000
  /// The number of tiles of the Earth.
  static let count = 180 * 360
  private static let circleUnits = 360 * sideUnits

  /// The index of the tile, from 0 at S90W180 eastwards, row by row; it fits in 16 bits.
  let index: UInt16

  init(index: UInt16) { self.index = index }

  /// The tile with this south-west corner in whole degrees; nil outside −90…89 and −180…180.
  /// 180 is −180.
  package init?(latitude: Int, longitude: Int) {
    guard (-90..<90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    index = UInt16((latitude + 90) * 360 + (longitude + 180) % 360)
  }

  /// The tile that a point lies in; nil if the point is out of range.
  ///
  /// A point on a border belongs to the tile north or east of it (so −0.5 lies in S01 and 180 in
  /// W180), and the North Pole to the northernmost row.
  @inline(__always)
  package init?(containing point: FixedCoordinate) {
    let north = Int(point.latitude) + 90 * Self.sideUnits
    let east = Int(point.longitude) + 180 * Self.sideUnits
    guard north >= 0, north <= 180 * Self.sideUnits, east >= 0, east <= Self.circleUnits else {
      return nil
    }
    let row = min(179, UInt(bitPattern: north) / UInt(Self.sideUnits))
    let column = UInt(bitPattern: east) / UInt(Self.sideUnits)
    index = UInt16(truncatingIfNeeded: row * 360 + (column == 360 ? 0 : column))
  }

  /// The latitude of the southern border in degrees, −90…89.
  package var latitude: Int { Int(index) / 360 - 90 }
  /// The longitude of the western border in degrees, −180…179.
  package var longitude: Int { Int(index) % 360 - 180 }

  /// This tile and those that share its western border, its southern border and its south-west
  /// corner: all tiles that may have data for a point in this one.
  var servingTiles: [ElevationTileID] {
    let west = longitude == -180 ? 179 : longitude - 1
    let neighbours = [
      ElevationTileID(latitude: latitude, longitude: west),
      ElevationTileID(latitude: latitude - 1, longitude: longitude),
      ElevationTileID(latitude: latitude - 1, longitude: west),
    ]
    return [self] + neighbours.compactMap(\.self)
  }

  /// Whether two tiles have a side or a corner in common, or are the same.
  package func isBeside(_ other: ElevationTileID) -> Bool {
    let columns = abs(longitude - other.longitude)
    return abs(latitude - other.latitude) <= 1 && (columns <= 1 || columns == 359)
  }

  /// Whether a tile, widened on all sides by some degrees, and a box have more than a border in common.
  package func meets(_ box: BoundingBox, marginDegrees: Double = 0) -> Bool {
    let (south, west) = (Double(latitude) - marginDegrees, Double(longitude) - marginDegrees)
    let side = 1 + 2 * marginDegrees
    return south < box.north && south + side > box.south
      && box.parts.contains { west < $0.east && west + side > $0.west }
  }

  /// `N42E001`.
  package var description: String {
    (latitude < 0 ? "S" : "N") + padded(abs(latitude), to: 2)
      + (longitude < 0 ? "W" : "E") + padded(abs(longitude), to: 3)
  }

  /// By latitude, then longitude.
  package static func < (left: ElevationTileID, right: ElevationTileID) -> Bool {
    left.index < right.index
  }
}

/// Computes the positions of points within one tile, including its borders.
struct TileFrame {
  private let south: Int
  private let west: Int

  init(_ tile: ElevationTileID) {
    south = tile.latitude * ElevationTileID.sideUnits
    west = tile.longitude * ElevationTileID.sideUnits
  }

  /// The offset from the southern and western borders in 10⁻⁷ degrees, 0…10⁷ each; nil for a point
  /// outside.
  @inline(__always)
  func offset(latitude: Int32, longitude: Int32) -> (north: Int, east: Int)? {
    let side = ElevationTileID.sideUnits
    let north = Int(latitude) - south
    var east = Int(longitude) - west
    // The antimeridian has two longitudes.
    if east == 360 * side { east = 0 } else if east == -359 * side { east = side }
    guard north >= 0, north <= side, east >= 0, east <= side else { return nil }
    return (north, east)
  }
}

private func padded(_ number: Int, to width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
