// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import SQLiteKit

/// An MBTiles file of whatever tool, open for reading; see ``MBTilesSource``.
package final class MBTilesFile: TileArchive {
  package let path: String
  package let entries: [String: String]
  private let connection: SQLiteConnection
  private let source: MBTilesSource

  private static let rows = "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"

  /// Opens a file. Throws 66 if it cannot be read and 65 if it is of another kind or damaged.
  package init(_ path: String) throws(CairnError) {
    self.path = path
    connection = try SQLiteConnection(path, .readOnly)
    guard let source = try MBTilesSource(connection) else {
      throw CairnError(
        .notATileArchive, .dataError, "has no table of tiles", at: Location(file: path))
    }
    self.source = source
    entries = try Self.entries(connection, path)
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
    let statement = try connection.prepare(
      "SELECT name, value FROM metadata LIMIT \(MBTiles.mostEntries)")
    while try statement.step() {
      guard let name = statement.text(0), let value = statement.text(1) else { continue }
      entries[name] = value
    }
    return entries
  }

  package func forEachTile(_ body: (TileID, UnsafeRawBufferPointer) throws(CairnError) -> Void)
    throws(CairnError)
  {
    let statement = try connection.prepare(Self.rows)
    var left = try source.mostTiles(connection)
    while try statement.step() {
      guard left > 0 else { throw MBTilesSource.ambiguous(path) }
      left -= 1
      let id = try id(statement.integer(0), statement.integer(1), statement.integer(2))
      try statement.withBlob(3) { bytes throws(CairnError) in try body(id, bytes) }
    }
  }

  private func id(_ zoom: Int64, _ column: Int64, _ row: Int64) throws(CairnError) -> TileID {
    if 0...Int64(TileID.greatestZoom) ~= zoom, 0..<1 << zoom ~= row,
      let id = TileID(
        zoom: Int(zoom), column: Int(clamping: column), row: Int((1 << zoom) - 1 - row))
    {
      return id
    }
    throw CairnError(
      .notATileArchive, .dataError, "has a tile \(zoom)/\(column)/\(row), which there is not",
      at: Location(file: path))
  }

  package func withTile<Result>(_ id: TileID, _ body: (UnsafeRawBufferPointer?) -> Result)
    throws(CairnError) -> Result
  {
    let statement = try connection.prepare(
      Self.rows + " WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?")
    try statement.bind(1, Int64(id.zoom))
    try statement.bind(2, Int64(id.column))
    try statement.bind(3, Int64(id.rowFromSouth))
    guard try statement.step() else { return body(nil) }
    return try statement.withBlob(3) { bytes in body(bytes) }
  }
}
