// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CommandLineKit
import Tiles

extension Viewer {
  /// An empty picture of one pixel.
  private static let nothing: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9C, 0x63, 0, 1, 0, 0, 5, 0, 1, 0x0D, 0x0A, 0x2D, 0xB4, 0, 0, 0, 0, 0x49, 0x45, 0x4E,
    0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// A tile: a picture of the relief, or the ways as GeoJSON.
  func tile(_ path: TilePath, _ data: ServedData) throws -> HTTPAnswer {
    switch path.kind {
    case .relief:
      HTTPAnswer(try relief.file(path.id, data) ?? Self.nothing, type: "image/png")
    case .ways:
      HTTPAnswer(try encodeJSON(try data.ways(in: path.id), pretty: false))
    }
  }
}
