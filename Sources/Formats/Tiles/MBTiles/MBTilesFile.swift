// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnSQLiteKit
import SystemIO

/// An MBTiles file from any tool, open for reading; see ``MBTilesSource``.
package final class MBTilesFile: TileArchive {
  package let path: String
  package var byteCount: Int { file.size }
  package var isPacked: Bool? { nil }
  package let entries: [String: String]
  private let connection: SQLiteConnection
  private let source: MBTilesSource
  private let file: InputFile
  /// Whether the contents are in a table of their own.
  private let hasImages: Bool

  /// Opens a file. Throws 66 if it cannot be read and 65 if it is of another kind or damaged.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    connection = try SQLiteConnection(path, .readOnly)
    file = try InputFile(path)
    // A row takes more bytes than operations; forged pages may refer to each other any number of
    // times.
    connection.limitWork(operations: 10_000_000 + 20 * Int64(file.size))
    guard let source = try MBTilesSource(connection) else {
      throw CairnError(
        .notATileArchive, .dataError, "has no table of tiles", at: Location(file: path))
    }
    self.source = source
    hasImages = try Self.hasImages(connection, source)
    entries = try Self.entries(connection, path)
  }

  /// Whether a file, given with its first bytes (at least 72), is an MBTiles file: by the format's
  /// application id, or as most tools write it, without one but with a table or view of tiles. Throws
  /// if it is a database that cannot be read.
  package static func isMBTiles(_ path: String, head: [UInt8]) throws(CairnError) -> Bool {
    if MBTiles.recognises(head: head) { return true }
    guard isDatabase(head: head, ofApplication: 0) else { return false }
    let table = try SQLiteConnection(path, .readOnly).integer(
      """
      SELECT 1 FROM sqlite_master WHERE name = 'tiles' AND type IN ('table', 'view')
        AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'routing_edges')
      """)
    return table != nil
  }

  /// Whether a view joins the two tables that most tools use.
  private static func hasImages(_ connection: SQLiteConnection, _ source: MBTilesSource)
    throws(CairnError) -> Bool
  {
    guard source.tables.sorted() == ["images", "map"],
      let map = try connection.columns(ofTable: "map"),
      let images = try connection.columns(ofTable: "images")
    else { return false }
    return ["zoom_level", "tile_column", "tile_row", "tile_id"].allSatisfy(map.contains)
      && ["tile_id", "tile_data"].allSatisfy(images.contains)
  }

  private static func entries(_ connection: SQLiteConnection, _ path: String)
    throws(CairnError) -> [String: String]
  {
    guard let columns = try connection.columns(ofTable: "metadata"),
      ["name", "value"].allSatisfy(columns.contains)
    else {
      throw CairnError(
        .notATileArchive, .dataError, "has no table of metadata", at: Location(file: path))
    }
    var entries: [String: String] = [:]
    var bytes = 0
    let statement = try connection.prepare(
      "SELECT name, value FROM metadata LIMIT \(MBTiles.mostEntries)")
    while try statement.step() {
      guard let name = statement.text(0), let value = statement.text(1) else { continue }
      bytes += value.utf8.count
      guard bytes <= TileLimits.metadataBytes else {
        throw CairnError(
          .notATileArchive, .dataError,
          "has more than \(TileLimits.metadataBytes) bytes of metadata",
          at: Location(file: path))
      }
      entries[name] = value
    }
    return entries
  }

  package func forEachTile<Found>(
    look: (UnsafeRawBufferPointer) -> Found,
    _ body: (TileSquare, Found) throws(CairnError) -> Void
  ) throws(CairnError) {
    // SQLite's errors for missing pages are not the archive's fault.
    do throws(CairnError) {
      try hasImages ? forEachOfMap(look: look, body) : forEachRow(look: look, body)
    } catch {
      try file.checkSize()
      throw error
    }
    try file.checkSize()
  }

  private func forEachRow<Found>(
    look: (UnsafeRawBufferPointer) -> Found,
    _ body: (TileSquare, Found) throws(CairnError) -> Void
  ) throws(CairnError) {
    let statement = try connection.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
    var left = try source.mostTiles(connection)
    var bytes = 0
    while try statement.step() {
      guard left > 0 else { throw MBTilesSource.ambiguous(path) }
      left -= 1
      let id = try id(statement)
      try body(TileSquare(id), try content(statement, 3, &bytes, look))
    }
  }

  private func forEachOfMap<Found>(
    look: (UnsafeRawBufferPointer) -> Found,
    _ body: (TileSquare, Found) throws(CairnError) -> Void
  ) throws(CairnError) {
    var found: [String: Found] = [:]
    var bytes = 0
    let images = try connection.prepare("SELECT tile_id, tile_data FROM images")
    while try images.step() {
      guard let id = images.text(0) else { continue }
      try spend(id.utf8.count, &bytes)
      guard found.updateValue(try content(images, 1, &bytes, look), forKey: id) == nil else {
        throw MBTilesSource.ambiguous(path)
      }
    }
    let map = try connection.prepare("SELECT zoom_level, tile_column, tile_row, tile_id FROM map")
    while try map.step() {
      let id = try id(map)
      let key = map.text(3) ?? ""
      try spend(key.utf8.count, &bytes)
      // A tile without a content is as one whose content is empty.
      try body(TileSquare(id), found[key] ?? look(UnsafeRawBufferPointer(start: nil, count: 0)))
    }
  }

  package func contradictions() throws(CairnError) -> [String] {
    guard hasImages,
      let unused = try connection.integer(
        """
        SELECT count(*) FROM images
        WHERE tile_id NOT IN (SELECT tile_id FROM map WHERE tile_id IS NOT NULL)
        """),
      unused > 0
    else { return [] }
    return ["has \(counted(Int(unused), "content")) of no tile"]
  }

  /// The average number of times that a content may be read if a view joins it to tiles.
  private static let mostUses = 64

  /// Counts bytes read; throws 65 if there are more than in the file, in which case rows are forged
  /// to share them.
  private func spend(_ count: Int, _ bytes: inout Int) throws(CairnError) {
    bytes += count
    guard bytes > file.size * (hasImages || source.tables.count == 1 ? 1 : Self.mostUses) else {
      return
    }
    throw CairnError(
      .notATileArchive, .dataError, "is damaged: its tiles are larger than the file",
      at: Location(file: path))
  }

  private func content<Found>(
    _ row: SQLiteStatement, _ column: Int32, _ bytes: inout Int,
    _ look: (UnsafeRawBufferPointer) -> Found
  ) throws(CairnError) -> Found {
    try row.withBlob(column) { content throws(CairnError) in
      try spend(content.count, &bytes)
      return look(content)
    }
  }

  /// The tile in the first three columns of a row.
  private func id(_ columns: SQLiteStatement) throws(CairnError) -> TileID {
    let (zoom, column, row) = (columns.integer(0), columns.integer(1), columns.integer(2))
    if (0..<3).allSatisfy({ columns.isInteger($0) }), 0...Int64(TileID.greatestZoom) ~= zoom,
      0..<1 << zoom ~= row,
      let id = TileID(
        zoom: Int(zoom), column: Int(clamping: column), row: Int((1 << zoom) - 1 - row))
    {
      return id
    }
    throw CairnError(
      .notATileArchive, .dataError, "has an impossible tile \(zoom)/\(column)/\(row)",
      at: Location(file: path))
  }

  package func withTile<Result>(_ id: TileID, _ body: (UnsafeRawBufferPointer?) -> Result)
    throws(CairnError) -> Result
  {
    let statement = try connection.prepare(
      """
      SELECT tile_data FROM tiles
      WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
      """)
    try statement.bind(1, Int64(id.zoom))
    try statement.bind(2, Int64(id.column))
    try statement.bind(3, Int64(id.rowFromSouth))
    guard try statement.step() else { return body(nil) }
    return try statement.withBlob(0) { bytes in body(bytes) }
  }
}
