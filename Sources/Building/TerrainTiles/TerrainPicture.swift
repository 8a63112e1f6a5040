// SPDX-License-Identifier: Apache-2.0
import PNG

/// Draws the ground below a tile.
struct TerrainPicture {
  let kind: TerrainKind

  /// The picture of a grid; nil if all of it is unknown.
  func image(_ grid: TerrainGrid) -> PNGImage? {
    switch kind {
    case .hillshade: hillshade(grid)
    case .terrainRGB: terrainRGB(grid)
    case .slopes: slopes(grid)
    }
  }

  /// The step of greys, too small to see; it makes files smaller.
  private static let greyStep = 4.0

  private func hillshade(_ grid: TerrainGrid) -> PNGImage? {
    let shades = grid.means { metres, index, row in
      Hillshade.brightness(
        GroundSlope(
          in: metres, at: index, columns: grid.side, metresPerPixel: grid.spacing[row],
          fillsGaps: true))
    }
    let hasGaps = shades.contains { $0.isNaN }
    guard !hasGaps || shades.contains(where: { !$0.isNaN }) else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(shades.count * 2)
    for shade in shades {
      let grey = shade.isNaN ? 0 : (shade * 255 / Self.greyStep).rounded() * Self.greyStep
      pixels.append(UInt8(min(max(grey, 0), 255)))
      if hasGaps { pixels.append(shade.isNaN ? 0 : 255) }
    }
    return picture(hasGaps ? .greyAlpha : .grey, pixels)
  }

  private func terrainRGB(_ grid: TerrainGrid) -> PNGImage? {
    let heights = grid.means { metres, index, _ in Double(metres[index]) }
    let hasGaps = heights.contains { $0.isNaN }
    guard !hasGaps || heights.contains(where: { !$0.isNaN }) else { return nil }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(heights.count * 4)
    for height in heights {
      let steps = height.isNaN ? 0 : min(max(((height + 10_000) * 10).rounded(), 0), 16_777_215)
      let number = Int(steps)
      pixels.append(UInt8(truncatingIfNeeded: number >> 16))
      pixels.append(UInt8(truncatingIfNeeded: number >> 8))
      pixels.append(UInt8(truncatingIfNeeded: number))
      if hasGaps { pixels.append(height.isNaN ? 0 : 255) }
    }
    return picture(hasGaps ? .colourAlpha : .colour, pixels)
  }

  private func slopes(_ grid: TerrainGrid) -> PNGImage? {
    let slopes = grid.means { metres, index, row in
      GroundSlope(
        in: metres, at: index, columns: grid.side, metresPerPixel: grid.spacing[row],
        fillsGaps: false
      ).steepness
    }
    guard slopes.contains(where: { !$0.isNaN }) else { return nil }
    let pixels = slopes.map { (SlopeClass(steepness: $0) ?? .gentle).rawValue }
    return picture(.palette(SlopeClass.palette), pixels)
  }

  private func picture(_ form: PNGImage.Form, _ pixels: [UInt8]) -> PNGImage? {
    PNGImage(width: TerrainGrid.pixels, height: TerrainGrid.pixels, form: form, pixels: pixels)
  }
}
