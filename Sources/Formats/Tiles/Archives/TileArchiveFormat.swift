// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import SystemIO

/// The files that tiles are written to.
package enum TileArchiveFormat: String, Sendable, CaseIterable {
  /// MBTiles 1.3, an SQLite database.
  case mbtiles
  /// PMTiles 3, a single file read by byte ranges.
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
  /// The file is not an archive of tiles, or is damaged.
  package static let notATileArchive: Self = "not-a-tile-archive"
}

/// An archive of tiles, open for reading.
package protocol TileArchive {
  /// The path as given.
  var path: String { get }
  /// The size of the file.
  var byteCount: Int { get }
  /// The entries of the metadata, `json` among them, as texts.
  var entries: [String: String] { get }
  /// Whether its tiles are gzip files; nil if the format does not say.
  var isPacked: Bool? { get }
  /// The contradictions between its parts, in words that follow its name. Throws as ``forEachTile``.
  func contradictions() throws(CairnError) -> [String]
  /// Calls `look` with each content once, however many tiles share it, and `body` with all tiles
  /// and the result for their content, in the order of the archive. Throws 65 if it is damaged and
  /// 74 if it was truncated meanwhile.
  func forEachTile<Found>(
    look: (UnsafeRawBufferPointer) -> Found,
    _ body: (TileSquare, Found) throws(CairnError) -> Void
  ) throws(CairnError)
  /// Calls `body` with the bytes of a tile, or nil if there is none.
  func withTile<Result>(_ id: TileID, _ body: (UnsafeRawBufferPointer?) -> Result)
    throws(CairnError) -> Result
}

/// Limits for reading an archive, far beyond any real one.
package enum TileLimits {
  /// The bytes of a tile, packed or not.
  package static let tileBytes = 1 << 24
  /// The layers of a tile.
  package static let layers = 1000
  /// The features of a tile, and the parts of all of its geometries.
  package static let features = 1 << 20
  /// The bytes of all metadata.
  package static let metadataBytes = 1 << 20

  /// The cost of decoding a layer and a feature, as the number of bytes that take as long to
  /// unpack.
  static let (layerWork, featureWork) = (100, 30)
  /// The tiles of a PMTiles file, counted in squares if many share a content.
  static let squares = 1 << 22

  /// The unpacked size allowed for the tiles of an archive: vector tiles and relief compress to half or
  /// a third, slope classes to a thirtieth.
  package static func unpackedBytes(ofFile bytes: Int) -> Int { 1 << 26 + 64 * bytes }
}

/// Opens an archive in the format given by its first bytes: MBTiles or PMTiles. Throws 66 if it
/// cannot be read and 65 if it is neither, or damaged.
package func openTileArchive(_ path: String) throws(CairnError) -> any TileArchive {
  let file = try InputFile(path)
  var head = [UInt8](repeating: 0, count: min(128, file.size))
  try head.withUnsafeMutableBufferPointer { buffer throws(CairnError) in
    _ = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
  }
  if PMTilesHeader.recognises(head: head) { return try PMTilesFile(path) }
  return try MBTilesFile(path)
}
