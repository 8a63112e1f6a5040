// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import Elevation
import PNG
import TerrainTiles

/// The relief below a map as a picture.
struct ReliefPicture {
  /// Pixels along the longer side.
  static let pixels = 760
  /// The number of greys; more enlarge the file without improving the map.
  private static let greys = 20.0
  /// How far into ground without elevations, such as the voids of SRTM, the picture is continued, in
  /// pixels from each side.
  private static let mostFilled = 24

  private let width: Int
  private let height: Int
  private let metresPerPixel: Double
  /// Elevations by row, with an unknown pixel beyond each border; NaN if unknown.
  private var elevations: [Float]

  /// Looks up the elevations within a frame; nil if none is known. Throws the errors of the tiles.
  init?(_ frame: MapFrame, _ terrain: ElevationDataManager) throws(CairnError) {
    let step = MapFrame.units / Double(Self.pixels)
    width = max(3, Int(frame.width / step))
    height = max(3, Int(frame.height / step))
    metresPerPixel = frame.metresPerUnit * step
    elevations = [Float](repeating: .nan, count: (width + 2) * (height + 2))
    var isKnown = false
    for row in 0..<height {
      for column in 0..<width {
        let point = frame.point(x: (Double(column) + 0.5) * step, y: (Double(row) + 0.5) * step)
        guard point.isValid, let sample = try terrain.elevation(at: point) else { continue }
        isKnown = true
        elevations[index(row, column)] = sample.metres
      }
    }
    guard isKnown else { return nil }
    fillVoids()
  }

  /// Fills small voids from their borders: each pixel is the mean of its known neighbours. For
  /// display only; nothing is computed from it.
  private mutating func fillVoids() {
    for _ in 0..<Self.mostFilled {
      var found: [(index: Int, metres: Float)] = []
      for row in 0..<height {
        for column in 0..<width where elevations[index(row, column)].isNaN {
          var (sum, count): (Float, Float) = (0, 0)
          for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let metres = elevations[index(row + down, column + right)]
            if !metres.isNaN { (sum, count) = (sum + metres, count + 1) }
          }
          if count > 0 { found.append((index(row, column), sum / count)) }
        }
      }
      guard !found.isEmpty else { return }
      for (index, metres) in found { elevations[index] = metres }
    }
  }

  /// The picture; unknown ground is as bright as a plain.
  var image: PNGImage? {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    elevations.withUnsafeBufferPointer { grid in
      for row in 0..<height {
        for column in 0..<width { pixels.append(grey(grid, index(row, column))) }
      }
    }
    return PNGImage(width: width, height: height, pixels: pixels)
  }

  private func index(_ row: Int, _ column: Int) -> Int { (row + 1) * (width + 2) + column + 1 }

  private func grey(_ grid: UnsafeBufferPointer<Float>, _ index: Int) -> UInt8 {
    let light = Hillshade.brightness(
      GroundSlope(
        in: grid, at: index, columns: width + 2, metresPerPixel: metresPerPixel, fillsGaps: true))
    let shade = light.isNaN ? Hillshade.plain : light
    let stepped = (shade * Self.greys).rounded() / Self.greys
    return UInt8(min(max(110 + 145 * stepped, 0), 255))
  }
}
