// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Elevation
import Geodesy
import Glibc

/// The relief below a map: how bright the ground is in the light of a low sun in the north-west, by
/// Horn's slopes (B. K. P. Horn, "Hill shading and the reflectance map", 1981).
struct Hillshade {
  /// Pixels along the longer side.
  static let pixels = 760
  /// How many greys there are; more make the file larger and the map no better.
  private static let greys = 20.0
  /// How far the light is from the ground: the sun's height above the horizon.
  private static let sunHeight = 45.0 * Double.pi / 180
  /// Slopes are drawn this much steeper, which gives low hills a form.
  private static let exaggeration = 1.4

  private let width: Int
  private let height: Int
  private let metresPerPixel: Double
  /// Elevations by row; NaN where unknown.
  private var elevations: [Float]

  /// Looks up the elevations within a frame; nil if none is known. Throws what the tiles throw.
  init?(_ frame: MapFrame, _ terrain: ElevationDataManager) throws(CairnError) {
    let step = MapFrame.units / Double(Self.pixels)
    width = max(3, Int(frame.width / step))
    height = max(3, Int(frame.height / step))
    metresPerPixel = frame.metresPerUnit * step
    elevations = []
    elevations.reserveCapacity(width * height)
    var isKnown = false
    for row in 0..<height {
      for column in 0..<width {
        let point = frame.point(x: (Double(column) + 0.5) * step, y: (Double(row) + 0.5) * step)
        guard point.isValid, let sample = try terrain.elevation(at: point) else {
          elevations.append(.nan)
          continue
        }
        isKnown = true
        elevations.append(sample.metres)
      }
    }
    guard isKnown else { return nil }
  }

  /// The relief as a picture; unknown ground is as bright as a plain.
  var image: PNGImage? {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width { pixels.append(grey(row, column)) }
    }
    return PNGImage(width: width, height: height, greys: pixels)
  }

  private func grey(_ row: Int, _ column: Int) -> UInt8 {
    func at(_ rows: Int, _ columns: Int) -> Double {
      let (row, column) = (row + rows, column + columns)
      guard (0..<height).contains(row), (0..<width).contains(column) else { return .nan }
      return Double(elevations[row * width + column])
    }
    let centre = at(0, 0)
    func known(_ rows: Int, _ columns: Int) -> Double {
      let value = at(rows, columns)
      return value.isNaN ? centre : value
    }
    let east = known(-1, 1) + 2 * known(0, 1) + known(1, 1)
    let west = known(-1, -1) + 2 * known(0, -1) + known(1, -1)
    let south = known(1, -1) + 2 * known(1, 0) + known(1, 1)
    let north = known(-1, -1) + 2 * known(-1, 0) + known(-1, 1)
    let factor = Self.exaggeration / (8 * metresPerPixel)
    let (slopeX, slopeY) = ((east - west) * factor, (north - south) * factor)
    // The normal (−slopeX, −slopeY, 1) times the direction to the sun in the north-west.
    let (level, up) = (cos(Self.sunHeight) / 2.0.squareRoot(), sin(Self.sunHeight))
    let light =
      (slopeX * level - slopeY * level + up) / (slopeX * slopeX + slopeY * slopeY + 1).squareRoot()
    let shade = light.isNaN ? up : min(max(light, 0), 1)
    let stepped = (shade * Self.greys).rounded() / Self.greys
    return UInt8(min(max(110 + 145 * stepped, 0), 255))
  }
}
