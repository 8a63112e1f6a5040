// SPDX-License-Identifier: Apache-2.0

/// A kind of raster tiles of the terrain.
package enum TerrainKind: String, CaseIterable, Sendable {
  /// Greys of the ground in the light of a low sun.
  case hillshade
  /// Elevations as colours, by Mapbox's formula.
  case terrainRGB = "terrain-rgb"
  /// Classes of steepness as colours.
  case slopes

  /// The greatest zoom: at 12 a pixel is as large as the cell of a model of 1″, and more would
  /// invent detail.
  package static let finestZoom = 12

  /// The possible zooms. Slopes begin late: if a pixel is much larger than the cells of the model,
  /// a slope looks gentler than it is.
  package var zooms: ClosedRange<Int> { (self == .slopes ? 10 : 5)...Self.finestZoom }

  /// The zooms that are drawn by default.
  package var defaultZooms: ClosedRange<Int> { max(8, zooms.lowerBound)...Self.finestZoom }

  /// The title in the metadata of an archive.
  package var title: String {
    switch self {
    case .hillshade: "Hillshade"
    case .terrainRGB: "Terrain-RGB"
    case .slopes: "Slope classes"
    }
  }

  /// The explanation in the metadata of an archive.
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

  /// Further entries of an archive's metadata: the legend as HTML, for MBTiles, and the encoding of
  /// elevations, for map libraries.
  package var metadata: [String: String] {
    switch self {
    case .hillshade: [:]
    case .terrainRGB: ["encoding": "mapbox"]
    case .slopes: ["legend": SlopeClass.legend]
    }
  }
}
