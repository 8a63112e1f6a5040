// SPDX-License-Identifier: Apache-2.0

/// What raster tiles of the terrain show.
package enum TerrainKind: String, CaseIterable, Sendable {
  /// Greys of the ground in the light of a low sun.
  case hillshade
  /// Elevations as colours, by Mapbox's formula.
  case terrainRGB = "terrain-rgb"
  /// Classes of steepness as colours.
  case slopes

  /// The zooms that can be drawn: at 12 a pixel is as large as the cell of a model of 1″, and more
  /// would invent detail.
  package static let zooms = 0...12

  /// The zooms that are drawn unless told otherwise. Slopes begin later: where a pixel is much larger
  /// than the cells of the model, a slope would look gentler than it is.
  package var defaultZooms: ClosedRange<Int> { self == .slopes ? 10...12 : 8...12 }

  /// What it is, for the metadata of an archive.
  package var title: String {
    switch self {
    case .hillshade: "Hillshade"
    case .terrainRGB: "Terrain-RGB"
    case .slopes: "Slope classes"
    }
  }

  /// What its tiles mean, for the metadata of an archive.
  package var explanation: String {
    switch self {
    case .hillshade:
      "Brightness of the ground in light from the north-west, 45° above the horizon"
    case .terrainRGB:
      "Metres above sea level = −10000 + (red · 65536 + green · 256 + blue) · 0.1; transparent "
        + "where unknown"
    case .slopes:
      "How steep the ground is: terrain alone, not an avalanche forecast. Classes: "
        + SlopeClass.allCases.dropFirst().map(\.label).joined(separator: ", ")
    }
  }

  /// The legend as HTML, which MBTiles have in their metadata; nil if there is nothing to explain.
  package var legend: String? {
    guard self == .slopes else { return nil }
    let rows = SlopeClass.allCases.dropFirst().map { slope in
      let colour = slope.colour
      let numbers = [colour.red, colour.green, colour.blue].map { "\($0)" }
      return "<li><span style=\"background:rgb(\(numbers.joined(separator: ",")))\">&emsp;</span> "
        + "\(slope.label)</li>"
    }
    return "<p>Terrain alone, not an avalanche forecast</p><ul>\(rows.joined())</ul>"
  }
}
