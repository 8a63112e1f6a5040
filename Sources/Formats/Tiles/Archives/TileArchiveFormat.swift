// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SystemIO

/// The files that tiles are written to.
package enum TileArchiveFormat: String, Sendable, CaseIterable {
  /// MBTiles 1.3, an SQLite database.
  case mbtiles
  /// PMTiles 3, one file that is read by ranges of bytes.
  case pmtiles

  /// Whether a file that begins with these bytes is an archive of this format.
  package func recognises(head: [UInt8]) -> Bool {
    switch self {
    case .mbtiles: MBTiles.recognises(head: head)
    case .pmtiles: PMTilesHeader.recognises(head: head)
    }
  }

  /// Writes tiles to an empty file; the caller commits it. The same tiles give the same bytes.
  package func write(_ tiles: TileCollection, _ metadata: TileMetadata, to output: AtomicOutput)
    throws(CairnError)
  {
    switch self {
    case .mbtiles: try MBTiles.write(tiles, metadata, to: output)
    case .pmtiles: try PMTilesWriter(tiles, metadata).write(to: output)
    }
  }
}

extension CairnError.Code {
  /// The file is not an archive of tiles, or a damaged one.
  package static let notATileArchive: Self = "not-a-tile-archive"
}

/// An archive of tiles, open for reading.
package protocol TileArchive {
  /// The path as it was given.
  var path: String { get }
  /// The entries of the metadata, `json` among them, as texts.
  var entries: [String: String] { get }
  /// Calls `body` with all tiles and their bytes, in an order that the archive decides. Throws 65
  /// where it is damaged.
  func forEachTile(_ body: (TileID, UnsafeRawBufferPointer) throws(CairnError) -> Void)
    throws(CairnError)
  /// Calls `body` with the bytes of a tile, nil where there is none.
  func withTile<Result>(_ id: TileID, _ body: (UnsafeRawBufferPointer?) -> Result)
    throws(CairnError) -> Result
}

/// Opens an archive by what its first bytes say: MBTiles or PMTiles. Throws 66 if it cannot be read
/// and 65 if it is neither, or damaged.
package func openTileArchive(_ path: String) throws(CairnError) -> any TileArchive {
  let file = try InputFile(path)
  var head = [UInt8](repeating: 0, count: min(128, file.size))
  try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
    _ = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
  }
  if PMTilesHeader.recognises(head: head) { return try PMTilesFile(path) }
  return try MBTilesFile(path)
}
