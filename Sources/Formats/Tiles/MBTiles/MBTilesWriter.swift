// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnSQLiteKit
import JSONKit
import SystemIO

/// MBTiles 1.3: https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md
package enum MBTiles {
  /// The format's value of `PRAGMA application_id`: "MPBX".
  package static let applicationID: Int64 = 0x4D50_4258
  /// The view that joins tiles with their contents.
  static let tilesView = """
    CREATE VIEW tiles AS
        SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
            map.tile_row AS tile_row, images.tile_data AS tile_data
        FROM map JOIN images ON images.tile_id = map.tile_id
    """
  /// Far beyond any real archive.
  static let mostEntries = 1000

  /// Whether a file that starts with these bytes (at least 72) is an MBTiles file with the format's
  /// application id.
  package static func recognises(head: [UInt8]) -> Bool {
    isDatabase(head: head, ofApplication: applicationID)
  }

  /// Writes tiles to an empty file.
  static func write(_ tiles: TileCollection, _ metadata: TileMetadata, to output: AtomicOutput)
    throws(CairnError)
  {
    try DatabasePages(try content(tiles, metadata)).writeAll { bytes, offset throws(CairnError) in
      try output.write(bytes, at: offset)
    }
  }

  /// The bytes of a file with a few tiles.
  package static func file(_ tiles: TileCollection, _ metadata: TileMetadata) throws(CairnError)
    -> [UInt8]
  {
    var file: [UInt8] = []
    try DatabasePages(try content(tiles, metadata)).writeAll { bytes, offset throws(CairnError) in
      let end = offset + bytes.count
      if file.count < end { file += [UInt8](repeating: 0, count: end - file.count) }
      file.replaceSubrange(offset..<end, with: bytes)
    }
    return file
  }

  private static func content(_ tiles: TileCollection, _ metadata: TileMetadata)
    throws(CairnError) -> DatabaseContent
  {
    var content = DatabaseContent(
      // Tiles of some kilobytes: larger pages would be a tenth of the file empty.
      pageSize: 1024, applicationID: applicationID, userVersion: 0)
    let entries = try entries(metadata)
    content.addTable(
      "metadata", sql: "CREATE TABLE metadata (name TEXT, value TEXT)", columns: 2
    ) { _, part throws(CairnError) in
      for (index, entry) in entries.enumerated() {
        part.record.add(entry.key)
        part.record.add(entry.value)
        try part.endRow(Int64(index + 1))
      }
    }
    let order = tiles.tiles.indices.sorted { key(tiles.tiles[$0].id) < key(tiles.tiles[$1].id) }
    content.addTable(
      "map",
      sql: """
        CREATE TABLE map (
            zoom_level INTEGER NOT NULL,
            tile_column INTEGER NOT NULL,
            tile_row INTEGER NOT NULL,
            tile_id INTEGER NOT NULL,
            PRIMARY KEY (zoom_level, tile_column, tile_row)
        ) WITHOUT ROWID
        """, columns: 4, keyColumns: 3
    ) { _, part throws(CairnError) in
      for index in order {
        let tile = tiles.tiles[index]
        part.record.add(Int64(tile.id.zoom))
        part.record.add(Int64(tile.id.column))
        part.record.add(Int64(tile.id.rowFromSouth))
        part.record.add(Int64(tile.content + 1))
        try part.endRow()
      }
    }
    content.addTable(
      "images",
      sql: """
        CREATE TABLE images (
            tile_id INTEGER PRIMARY KEY,
            tile_data BLOB NOT NULL
        )
        """, columns: 2
    ) { _, part throws(CairnError) in
      for number in 0..<tiles.contentCount {
        part.record.addNull()
        tiles.content(number).withUnsafeBytes { part.record.addBlob($0) }
        try part.endRow(Int64(number + 1))
      }
    }
    content.addView("tiles", sql: tilesView)
    return content
  }

  private static func key(_ id: TileID) -> (Int, Int, Int) {
    (id.zoom, id.column, id.rowFromSouth)
  }

  private static func entries(_ metadata: TileMetadata) throws(CairnError) -> [(
    key: String, value: String
  )] {
    let bounds = metadata.bounds
    var entries = metadata.further
    entries["name"] = metadata.name
    entries["format"] = metadata.content.rawValue
    entries["bounds"] = [bounds.west, bounds.south, bounds.east, bounds.north]
      .map { decimal($0, 7) }.joined(separator: ",")
    entries["center"] =
      "\(decimal(metadata.centre.longitude, 7)),"
      + "\(decimal(metadata.centre.latitude, 7)),\(metadata.centreZoom)"
    entries["minzoom"] = "\(metadata.zooms.lowerBound)"
    entries["maxzoom"] = "\(metadata.zooms.upperBound)"
    entries["attribution"] = metadata.attribution
    entries["description"] = metadata.description
    entries["type"] = metadata.isOverlay ? "overlay" : "baselayer"
    entries["version"] = "1"
    if metadata.content == .vector {
      let json = try encodeJSON(
        JSONValue.object(["vector_layers": metadata.vectorLayers]), pretty: false)
      entries["json"] = String(decoding: json.dropLast(), as: UTF8.self)
    }
    return entries.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
  }
}
