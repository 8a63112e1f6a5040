// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import PNG
import Tiles

/// Writes the base map of the sample, MBTiles with PNG tiles: the terrain in colours by elevation, from
/// the green of the valley to the white of the peaks, with a step every 120 m.
struct BaseMapWriter {
  /// The name in the metadata, which identifies an earlier version.
  static let title = "Valley, colours by elevation"
  private static let zooms = 10...12
  private static let pixels = 256
  private static let lowest = 840.0
  private static let step = 120.0

  private static let palette: [PNGImage.Colour] = [
    (0xA9, 0xC9, 0x8D), (0xB7, 0xD1, 0x98), (0xC4, 0xD9, 0xA2), (0xD1, 0xE0, 0xAD),
    (0xDD, 0xE5, 0xB6), (0xE6, 0xE6, 0xBC), (0xEB, 0xE2, 0xBA), (0xE9, 0xDA, 0xB0),
    (0xE2, 0xCF, 0xA5), (0xD8, 0xC3, 0x9C), (0xCF, 0xBA, 0x98), (0xCC, 0xBB, 0xA0),
    (0xD2, 0xC7, 0xB4), (0xDD, 0xD6, 0xCA), (0xEA, 0xE7, 0xE1), (0xF8, 0xF7, 0xF5),
  ].map { PNGImage.Colour(red: $0, green: $1, blue: $2) }

  /// The bytes of the file.
  static func file(_ world: SampleWorld) throws(CairnError) -> [UInt8] {
    let (west, east) = (SampleWorld.westBox, SampleWorld.eastBox)
    let box = BoundingBox(west: west.west, south: west.south, east: east.east, north: west.north)
    var tiles = TileCollection()
    for zoom in zooms {
      for tile in TileRange(covering: box, zoom: zoom)?.tiles ?? [] {
        picture(tile, world).withUnsafeBytes { tiles.add(tile, $0) }
      }
    }
    var metadata = TileMetadata(
      name: title, description: "A base map to try things with", content: .png, bounds: box,
      zooms: zooms, attribution: "Cairn's sample data")
    metadata.isOverlay = false
    return try MBTiles.file(tiles, metadata)
  }

  private static func picture(_ tile: TileID, _ world: SampleWorld) -> [UInt8] {
    let side = Double(pixels << tile.zoom)
    var colours: [UInt8] = []
    colours.reserveCapacity(pixels * pixels)
    for row in 0..<pixels {
      for column in 0..<pixels {
        let point = WebMercator.coordinate(
          x: (Double(tile.column * pixels + column) + 0.5) / side,
          y: (Double(tile.row * pixels + row) + 0.5) / side)
        let metres = FixedCoordinate(point).map { world.elevationMetres(at: $0) } ?? lowest
        let band = ((metres - lowest) / step).rounded(.down)
        colours.append(UInt8(min(max(band, 0), Double(palette.count - 1))))
      }
    }
    let image = PNGImage(
      width: pixels, height: pixels, form: .palette(palette), pixels: colours)
    return image?.file { Deflate.zlibStream($0) } ?? []
  }
}
