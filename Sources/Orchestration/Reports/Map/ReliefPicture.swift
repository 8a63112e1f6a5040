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
  /// How many greys there are; more make the file larger and the map no better.
  private static let greys = 20.0

  private let width: Int
  private let height: Int
  private let metresPerPixel: Double
  /// Elevations by row, with an unknown pixel beyond each border; NaN where unknown.
  private var elevations: [Float]

  /// Looks up the elevations within a frame; nil if none is known. Throws what the tiles throw.
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
