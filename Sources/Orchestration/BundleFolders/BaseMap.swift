// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnFormatting
import CairnGeodesy
import CairnSQLiteKit
import SystemIO
import Tiles

extension CairnError.Code {
  /// A base map is not one, is damaged, or does not cover its region.
  package static let baseMap: Self = "base-map"
}

/// A base map: an MBTiles file (version 1.3) not made by Cairn.
package struct BaseMap: Equatable, Sendable {
  /// The formats of tiles that apps can draw.
  static let formats = ["pbf", "png", "jpg", "webp"]
  /// The tolerance for the bounds of a map within a region, in degrees, due to rounding.
  private static let tolerance = 0.001

  /// The title in its metadata, if any.
  package var name: String?
  /// The attribution that it asks for, if any.
  package var attribution: String?
  /// The format of its tiles.
  package var format: String
  /// The zooms of its tiles.
  package var zooms: ClosedRange<Int>
  /// All its tiles.
  package var tileCount: Int
  /// The tiles within the region at the greatest zoom that are not there.
  package var missingTiles = 0

  /// Reads a base map and checks that it covers a region. Reading never writes, not even a journal
  /// next to it.
  ///
  /// Throws 66 if it cannot be read, and 65 if it is damaged, is not a map, or covers another area.
  package init(_ path: String, covering box: BoundingBox) throws(CairnError) {
    try Self.checkLength(path)
    let database = try SQLiteConnection(path, .readOnly)
    defer { database.close() }
    guard let source = try MBTilesSource(database) else {
      throw Self.error(
        path, "has no table tiles with \(MBTilesSource.columns.joined(separator: ", "))")
    }
    let entries = try database.columns(ofTable: "metadata") ?? []
    guard ["name", "value"].allSatisfy(entries.contains) else {
      throw Self.error(path, "has no table metadata with name, value")
    }
    let value = { (key: String) throws(CairnError) -> String? in
      let statement = try database.prepare("SELECT value FROM metadata WHERE name = ? LIMIT 1")
      try statement.bind(1, key)
      return try statement.step() ? statement.text(0) : nil
    }
    name = try value("name")
    attribution = try value("attribution")
    let totals = try database.prepare(
      "SELECT count(*), min(zoom_level), max(zoom_level) FROM tiles")
    guard try totals.step(), totals.integer(0) > 0, totals.isInteger(1), totals.isInteger(2),
      totals.integer(1) >= 0, totals.integer(2) <= TileID.greatestZoom
    else { throw Self.error(path, "has no tiles at zooms 0 to 24") }
    tileCount = Int(totals.integer(0))
    guard try tileCount <= source.mostTiles(database) else { throw MBTilesSource.ambiguous(path) }
    zooms = Int(totals.integer(1))...Int(totals.integer(2))
    // Tools write “jpeg” or nothing into the metadata, so the tiles decide.
    let stated = try value("format").flatMap { Self.formats.contains($0) ? $0 : nil }
    guard let format = try Self.formatOfTiles(database) ?? stated else {
      throw Self.error(
        path, "has tiles in a format that apps cannot draw",
        hint: "tiles may be \(Self.formats.joined(separator: ", "))")
    }
    self.format = format
    if let text = try value("bounds") { try Self.check(text, covers: box, path) }
    let needed = TileRange(covering: box, zoom: zooms.upperBound)
    let found = try needed.map { range throws(CairnError) in try Self.count(range, database) } ?? 0
    missingTiles = max(0, (needed?.count ?? 0) - found)
    guard found > 0 else {
      throw Self.error(
        path, "has no tile of the region at zoom \(zooms.upperBound)",
        hint: "give the base map of this region, whose box is \(box)")
    }
  }

  /// The format of the first tile with a content, by its first bytes; nil if it is not one of
  /// ``formats``.
  private static func formatOfTiles(_ database: SQLiteConnection) throws(CairnError) -> String? {
    let tile = try database.prepare(
      "SELECT tile_data FROM tiles WHERE length(tile_data) > 0 LIMIT 1")
    guard try tile.step() else { return nil }
    return try tile.withBlob(0) { bytes in
      let head = Array(bytes.prefix(12))
      return switch head.first {
      case 0x89 where head.dropFirst().starts(with: "PNG".utf8): "png"
      case 0xFF where head.dropFirst().starts(with: [0xD8, 0xFF]): "jpg"
      case 0x52
      where head.starts(with: "RIFF".utf8) && head.dropFirst(8).elementsEqual("WEBP".utf8):
        "webp"
      // Vector tiles are gzip, or not compressed and begin with a layer.
      case 0x1F where head.dropFirst().first == 0x8B, 0x1A: "pbf"
      default: nil
      }
    }
  }

  /// The number of existing tiles in a range.
  private static func count(_ range: TileRange, _ database: SQLiteConnection) throws(CairnError)
    -> Int
  {
    // Rows of MBTiles are counted from the south.
    let last = 1 << range.zoom - 1
    var found = 0
    for columns in range.columns {
      let statement = try database.prepare(
        """
        SELECT count(*) FROM tiles WHERE zoom_level = \(range.zoom)
        AND tile_column BETWEEN \(columns.lowerBound) AND \(columns.upperBound)
        AND tile_row BETWEEN \(last - range.rows.upperBound) AND \(last - range.rows.lowerBound)
        """)
      // Limited: SQLite counts rows.
      if try statement.step() { found += Int(statement.integer(0)) }
    }
    return found
  }

  private static func check(_ bounds: String, covers box: BoundingBox, _ path: String)
    throws(CairnError)
  {
    guard let map = BoundingBox(commandLine: bounds.filter { $0 != " " }) else {
      throw error(path, "has invalid bounds in its metadata: “\(bounds.prefix(60))”")
    }
    guard map.covers(box, within: tolerance) else {
      throw error(
        path, "covers \(map), but the region is \(box)",
        hint: "give a base map of the whole region")
    }
  }

  /// Throws 65 if a file is shorter than its header states.
  private static func checkLength(_ path: String) throws(CairnError) {
    guard let cut = SQLiteConnection.truncation(of: path) else { return }
    throw error(
      path, "is truncated: \(grouped(cut.bytes)) of \(grouped(cut.expected)) bytes are there",
      hint: "copy or download it again")
  }

  private static func error(_ path: String, _ message: String, hint: String? = nil) -> CairnError {
    CairnError(
      .baseMap, .dataError, message, at: Location(file: path),
      hint: hint ?? "a base map is an .mbtiles file")
  }
}
