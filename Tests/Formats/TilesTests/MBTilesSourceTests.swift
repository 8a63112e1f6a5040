// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import TestSupport
import Testing

@testable import Tiles

@Suite("Where an MBTiles file has its tiles")
struct MBTilesSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let tables = [
    "CREATE TABLE metadata (name TEXT, value TEXT)",
    "CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT)",
    "CREATE TABLE images (tile_data BLOB, tile_id TEXT)",
    "INSERT INTO map VALUES (1, 0, 1, 'a'), (1, 1, 1, 'a')",
    "INSERT INTO images VALUES (x'01', 'a')",
  ]

  private func file(_ statements: [String]) throws -> String {
    let path = folder.file("map.mbtiles")
    try changeDatabase(path, statements)
    return path
  }

  private func count(_ path: String) throws -> Int {
    var count = 0
    try MBTilesFile(path).forEachTile(look: { _ in }) { _, _ in count += 1 }
    return count
  }

  @Test(
    "a view that joins two tables is read, however a tool writes it",
    arguments: [
      """
      CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data
        FROM map JOIN images ON images.tile_id = map.tile_id;
      """,
      """
      create view if not exists "tiles" as select zoom_level, tile_column, tile_row, tile_data
        from map, images where map.tile_id = images.tile_id
      """,
      """
      CREATE VIEW tiles AS SELECT m.zoom_level, m.tile_column, m.tile_row, i.tile_data
        FROM `map` m INNER JOIN [images] AS i ON (m.tile_id = i.tile_id)
      """,
      """
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
        FROM map JOIN images USING (tile_id)
      """,
    ])
  func joins(view: String) throws {
    #expect(try count(file(Self.tables + [view])) == 2)
  }

  @Test(
    "a view that is anything else is refused before it is evaluated",
    arguments: [
      """
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT 1 AS zoom_level, i AS tile_column, 0 AS tile_row, x'01' AS tile_data FROM n
      """,
      """
      CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
        FROM map, images
      """,
      """
      CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
        FROM map JOIN images ON map.tile_id = map.tile_id
      """,
      """
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row,
        hex(zeroblob(60000000)) AS tile_data FROM map
      """,
      """
      CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row, images.tile_data
        FROM map JOIN images ON map.tile_id = images.tile_id JOIN map AS third
      """,
      """
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
        FROM map JOIN images USING (tile_id) UNION ALL SELECT 1, 1, 1, x'01'
      """,
      "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM others",
    ])
  func others(view: String) throws {
    let others = """
      CREATE VIEW others AS SELECT a.zoom_level, a.tile_column, a.tile_row, x'01' AS tile_data
        FROM map a, map b, map c
      """
    let path = try file(Self.tables + [others, view])
    expectError(.computedSchema, .dataError) { try MBTilesFile(path) }
  }

  @Test("one content for each tile: a join that multiplies them is refused")
  func multiplied() throws {
    let view = """
      CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
        FROM map JOIN images USING (tile_id)
      """
    let more = "INSERT INTO images VALUES (x'02', 'a'), (x'03', 'a')"
    let path = try file(Self.tables + [more, view])
    expectError(.notATileArchive, .dataError) { try count(path) }
  }

  @Test("tiles with a column that is computed are none")
  func computed() throws {
    let path = try file([
      Self.tables[0],
      """
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER,
        tile_data AS (zeroblob(zoom_level)))
      """,
    ])
    expectError(.notATileArchive, .dataError) { try MBTilesFile(path) }
  }
}
