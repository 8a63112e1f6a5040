// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Diagnostics
import SQLiteKit
import TestSupport
import Testing
import Tiles
import TrailTiles

@testable import Validation

@Suite("The validator of map tiles")
struct TileValidatorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Draws two paths and a hut, changes the archive and validates it.
  private func report(_ format: String = "mbtiles", after sql: String? = nil) throws
    -> CompanionReport
  {
    let map = PlaceMap(
      [.init(1, 42.5, 1.5, ["tourism": "alpine_hut", "name": "Hut"])],
      ways: [
        .init(1, [(42.5, 1.5), (42.51, 1.52)], ["highway": "path"]),
        .init(2, [(42.6, 1.5), (42.61, 1.52)], ["highway": "track"]),
      ])
    let path = folder.file("map.\(format)")
    try runStage(
      BuildTilesCommand.self, ["--input", try map.trailsFile(in: folder), "--output", path])
    if let sql {
      let database = try SQLiteConnection(path, .build)
      try database.execute(sql)
      database.close()
    }
    return try TileValidator(path).run()
  }

  @Test("what the stage writes is valid", arguments: ["mbtiles", "pmtiles"])
  func valid(format: String) throws {
    let report = try report(format)
    #expect(report.valid && report.isReadable, "\(report.text(isVerbose: true))")
    #expect(report.rows > 5)
    #expect(CompanionKind(file: folder.file("map.\(format)")) == .tiles)
  }

  @Test(
    "each breach is found by its rule",
    arguments: [
      ("tile-metadata", "DELETE FROM metadata WHERE name = 'attribution'"),
      ("tile-metadata", "UPDATE metadata SET value = 'here' WHERE name = 'bounds'"),
      ("tile-metadata", "UPDATE metadata SET value = '20' WHERE name = 'minzoom'"),
      ("tile-positions", "UPDATE metadata SET value = '13' WHERE name = 'maxzoom'"),
      ("tile-positions", "INSERT INTO map VALUES (14, 3, 3, 1)"),
      ("tile-contents", "UPDATE images SET tile_data = x'1F8B0800' WHERE tile_id = 1"),
      ("tile-contents", "UPDATE images SET tile_data = x'FFFF' WHERE tile_id = 2"),
      (
        "tile-contents",
        "UPDATE metadata SET value = replace(value, 'trails', 'roads') WHERE name = 'json'"
      ),
    ])
  func breaches(rule: String, sql: String) throws {
    let report = try report(after: sql)
    #expect(!report.valid)
    let check = report.checks.first { $0.rule == rule }
    #expect(check?.status == "error", "\(report.text(isVerbose: true))")
  }

  @Test("a row that is no tile, and a file that is no archive, are refused with 65")
  func refused() throws {
    for sql in ["INSERT INTO map VALUES (40, 0, 0, 1)", "DROP TABLE images"] {
      let error = #expect(throws: CairnError.self) { try report(after: sql) }
      #expect(error?.exitCode == .dataError)
    }
  }
}
