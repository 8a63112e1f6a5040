// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Elevation
import Tiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The elevations below one tile of the Web Mercator grid, with a border of one point beyond it.
struct TerrainGrid {
  /// The pixels along the side of a tile.
  static let pixels = 256
  /// The length of the equator in Web Mercator.
  private static let equatorMetres = 2 * Double.pi * 6_378_137

  /// Points along the side of a pixel: more than one if pixels are larger than the model's cells,
  /// so that they show the mean of the ground and not a single point.
  let pointsPerPixel: Int
  /// Points along the side of the grid, with the border.
  let side: Int
  /// Metres by row from north to south; NaN if unknown.
  let metres: [Float]
  /// The distance on the ground between two points of a row, by row.
  let spacing: [Double]

  /// Looks up the ground of a tile; nil if all of it is unknown. Throws the errors of elevation
  /// tiles.
  init?(_ terrain: ElevationDataManager, _ tile: TileID) throws(CairnError) {
    pointsPerPixel = min(1 << max(0, TerrainKind.finestZoom - tile.zoom), 4)
    let points = Self.pixels * pointsPerPixel
    side = points + 2
    let tiles = Double(1 << tile.zoom)
    let shares = (0..<side).map { (Double($0) - 0.5) / Double(points) }
    let angles = shares.map { Double.pi * (1 - 2 * (Double(tile.row) + $0) / tiles) }
    let latitudes = angles.map { atan(sinh($0)) * 180 / .pi }
    spacing = latitudes.map {
      Self.equatorMetres * longitudeShrinking(atLatitude: $0) / (tiles * Double(points))
    }
    let longitudes = shares.map { share -> Double in
      let longitude = (Double(tile.column) + share) / tiles * 360 - 180
      return longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
    metres = try terrain.elevations(
      latitudes: latitudes.map(Self.fixed), longitudes: longitudes.map(Self.fixed))
    guard metres.contains(where: { !$0.isNaN }) else { return nil }
  }

  /// Degrees within ±180 in units of 10⁻⁷.
  private static func fixed(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

  /// The mean of a value over the points of each pixel, by row; NaN if it is unknown at all of
  /// them.
  func means(_ value: (_ grid: UnsafeBufferPointer<Float>, _ index: Int, _ row: Int) -> Double)
    -> [Double]
  {
    var result: [Double] = []
    result.reserveCapacity(Self.pixels * Self.pixels)
    metres.withUnsafeBufferPointer { grid in
      for pixelRow in 0..<Self.pixels {
        for pixelColumn in 0..<Self.pixels {
          var (sum, count) = (0.0, 0)
          for row in 0..<pointsPerPixel {
            let gridRow = 1 + pixelRow * pointsPerPixel + row
            let start = gridRow * side + 1 + pixelColumn * pointsPerPixel
            for index in start..<(start + pointsPerPixel) {
              let known = value(grid, index, gridRow)
              guard !known.isNaN else { continue }
              sum += known
              count += 1
            }
          }
          result.append(count > 0 ? sum / Double(count) : .nan)
        }
      }
    }
    return result
  }
}
