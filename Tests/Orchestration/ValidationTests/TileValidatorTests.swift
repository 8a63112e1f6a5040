// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import CommandLineKit
import SystemIO
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

  @Test("an archive without an application id, as most tools write it, is one of map tiles")
  func withoutID() throws {
    let unnamed = "PRAGMA application_id = 0"
    let report = try report(after: unnamed)
    #expect(report.valid && report.rows > 5)
    let path = folder.file("map.mbtiles")
    #expect(CompanionKind(file: path) == .tiles)
    // One table, no view.
    try changeDatabase(
      path,
      [
        "CREATE TABLE copy AS SELECT * FROM tiles", "DROP VIEW tiles", "DROP TABLE map",
        "DROP TABLE images", "ALTER TABLE copy RENAME TO tiles",
      ])
    #expect(CompanionKind(file: path) == .tiles)
    #expect(try TileValidator(path).run().rows == report.rows)
    // A table of another kind is an error that says so, not a routing database.
    let forged = folder.file("forged.mbtiles")
    try changeDatabase(forged, ["CREATE VIEW tiles AS SELECT random()"])
    #expect(CompanionKind(file: forged) == .tiles)
    let error = #expect(throws: CairnError.self) { try TileValidator(forged) }
    #expect(error?.code == .computedSchema)
  }

  @Test("a routing database is none of map tiles, even with a table of that name and no id")
  func tilesOfRouting() throws {
    let path = try AsciiMap("A-B", ways: [.init("AB")]).routingDatabase(in: folder)
    try changeDatabase(path, ["CREATE TABLE tiles (a)", "PRAGMA application_id = 0"])
    #expect(CompanionKind(file: path) == nil)
    let other = folder.file("other.db")
    try changeDatabase(other, ["CREATE TABLE images (a)"])
    #expect(CompanionKind(file: other) == nil)
  }

  @Test("what the stage draws of trails at the borders of the world is valid")
  func borders() throws {
    for line in [
      [(-16.8, 179.99), (-16.7, -179.99)], [(42.5, 1.5), (42.6, 1.5)], [(42.5, 1.5), (42.5, 1.6)],
      [(84.9, 20), (86, 21)], [(86, 20), (87, 20)], [(-84.9, 20), (-90, 20)],
      [(42.5, 180), (42.6, 180)],
    ] {
      let map = PlaceMap(ways: [.init(1, line, ["highway": "path"])])
      for format in ["mbtiles", "pmtiles"] {
        let path = folder.file("border.\(format)")
        try runStage(
          BuildTilesCommand.self, ["--input", try map.trailsFile(in: folder), "--output", path])
        let report = try TileValidator(path).run()
        #expect(report.valid, "\(line): \(report.text(isVerbose: true))")
        #expect((report.rows > 0) == (abs(line[0].0) < 85))
      }
    }
  }

  @Test("terrain across the antimeridian and beyond the projection is valid")
  func terrainAtBorders() throws {
    let terrain = try TemporaryFolder()
    for name in ["N42E179", "N42W180", "N84E020"] {
      try terrain.write([UInt8](repeating: 1, count: 1201 * 1201 * 2), to: "\(name).hgt")
    }
    for (box, isEmpty) in [
      ("179.9,42,-179.9,42.1", false), ("20.1,84.8,20.2,88", false), ("20.1,86,20.2,88", true),
    ] {
      let path = folder.file("terrain.pmtiles")
      try runStage(
        BuildTilesCommand.self,
        [
          "--kind", "hillshade", "--hgt", terrain.path, "--bbox", box, "--output", path,
          "--zooms", "8-9",
        ])
      let report = try TileValidator(path).run()
      #expect(report.valid, "\(box): \(report.text(isVerbose: true))")
      #expect((report.rows == 0) == isEmpty)
    }
  }

  @Test("bounds may cross the antimeridian, as other tools write them")
  func boundsAcross() throws {
    let report = try report(
      after: "UPDATE metadata SET value = '170,42,2,43' WHERE name = 'bounds'")
    #expect(report.valid, "\(report.text(isVerbose: true))")
    let other = try self.report(
      after: "UPDATE metadata SET value = '170,42,-170,43' WHERE name = 'bounds'")
    #expect(!other.valid)
  }

  @Test("a file of some hundred bytes with billions of tiles is judged at once")
  func bomb() throws {
    let directory = PMTilesDirectory.encode(
      [.init(tile: 0, offset: 0, length: 4, run: .max)][...])
    let metadata = Array(#"{"name": "a", "type": "overlay", "vector_layers": [{"id": "a"}]}"#.utf8)
    var header = PMTilesHeader()
    header.internalCompression = PMTilesHeader.Code.plain
    header.tileCompression = PMTilesHeader.Code.plain
    header.bounds = [10_000_000, 420_000_000, 20_000_000, 430_000_000]
    header.zooms = (3, 15)
    let start = UInt64(PMTilesHeader.byteCount)
    header.root.offset = start
    header.root.length = UInt64(directory.count)
    header.metadata.offset = start + header.root.length
    header.metadata.length = UInt64(metadata.count)
    header.tiles.offset = header.metadata.offset + header.metadata.length
    header.tiles.length = 4
    let path = try folder.write(
      header.bytes + directory + metadata + [0x1A, 0, 0x1A, 0], to: "bomb.pmtiles")
    let begin = ContinuousClock.now
    let report = try TileValidator(path).run()
    // One by one they would take hours; a busy machine takes some seconds.
    #expect(ContinuousClock.now - begin < .seconds(300))
    #expect(report.rows == Int(UInt32.max))
    let positions = report.checks.first { $0.rule == "tile-positions" }
    // All but those of zooms 3 to 15 that touch the bounds.
    #expect((positions?.count ?? 0) > 4_294_000_000)
    #expect((positions?.count ?? 0) < report.rows)
    let contents = report.checks.first { $0.rule == "tile-contents" }
    #expect(contents?.count == 2 * report.rows)
  }

  @Test(
    "each breach is found by its rule",
    arguments: [
      ("tile-metadata", "DELETE FROM metadata WHERE name = 'attribution'"),
      ("tile-metadata", "UPDATE metadata SET value = 'here' WHERE name = 'bounds'"),
      ("tile-metadata", "UPDATE metadata SET value = '20' WHERE name = 'minzoom'"),
      ("tile-metadata", "UPDATE metadata SET value = '15' WHERE name = 'maxzoom'"),
      ("tile-metadata", "UPDATE metadata SET value = '1x' WHERE name = 'minzoom'"),
      ("tile-metadata", "UPDATE metadata SET value = 'pnf' WHERE name = 'format'"),
      ("tile-metadata", "UPDATE metadata SET value = 'over' WHERE name = 'type'"),
      ("tile-metadata", "UPDATE metadata SET value = '1.5,42.5' WHERE name = 'center'"),
      ("tile-metadata", "UPDATE metadata SET value = '7.5,42.5,11' WHERE name = 'center'"),
      ("tile-metadata", "UPDATE metadata SET value = '1.51,42.51,3' WHERE name = 'center'"),
      ("tile-structure", "DELETE FROM map WHERE tile_id = 3"),
      ("tile-structure", "DELETE FROM map"),
      ("tile-contents", "DELETE FROM images WHERE tile_id = 3"),
      ("tile-contents", "DELETE FROM images"),
      ("tile-contents", "UPDATE images SET tile_data = x'' WHERE tile_id = 1"),
      ("tile-contents", "UPDATE images SET tile_data = x'0A0161' WHERE tile_id = 1"),
      ("tile-contents", "UPDATE images SET tile_data = tile_data || x'00' WHERE tile_id = 1"),
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

  // MARK: Damaged files

  /// Relief and trails in both formats.
  private func archives() throws -> [String] {
    let map = PlaceMap(
      ways: [
        .init(1, [(42.5, 1.5), (42.51, 1.52)], ["highway": "path"]),
        .init(2, [(42.6, 1.5), (42.61, 1.52)], ["highway": "track"]),
      ])
    let terrain = try TemporaryFolder()
    var random = SeededGenerator(seed: 5)
    let heights = (0..<1201 * 1201 * 2).map {
      $0 % 2 == 0 ? 3 : UInt8.random(in: 0...9, using: &random)
    }
    try terrain.write(heights, to: "N42E001.hgt")
    var paths: [String] = []
    for format in ["mbtiles", "pmtiles"] {
      paths.append(folder.file("trails.\(format)"))
      try runStage(
        BuildTilesCommand.self,
        ["--input", try map.trailsFile(in: folder), "--output", paths[paths.count - 1]])
      paths.append(folder.file("slopes.\(format)"))
      try runStage(
        BuildTilesCommand.self,
        [
          "--kind", "slopes", "--hgt", terrain.path, "--bbox", "1.5,42.5,1.6,42.6", "--output",
          paths[paths.count - 1], "--zooms", "8-12",
        ])
    }
    return paths
  }

  /// The tiles of an archive, unpacked: nothing checks the time in the head of a gzip file.
  private func tiles(_ path: String) throws -> [TileID: [UInt8]] {
    var tiles: [TileID: [UInt8]] = [:]
    let unpacker = try GzipUnpacker()
    try openTileArchive(path).forEachTile(look: { bytes in
      unpacker.unpack(bytes, limit: TileLimits.tileBytes) ?? [UInt8](bytes)
    }) { tiles[$0.first] = $1 }
    return tiles
  }

  @Test("an archive with a byte changed or a piece missing has all of its tiles, or is not valid")
  func damaged() throws {
    for path in try archives() {
      #expect(try TileValidator(path).run().valid)
      let whole = try bytesOfFile(path)
      let expected = try tiles(path)
      #expect(expected.count > 5)
      let name = "damaged." + path.suffix(7)
      var found = 0
      for seed in 0..<100 as Range<UInt64> {
        var random = SeededGenerator(seed: seed)
        var bytes = whole
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        switch seed % 5 {
        case 0: bytes.removeLast(bytes.count - offset)
        case 1:
          let end = min(bytes.count, offset + 300)
          bytes.replaceSubrange(offset..<end, with: repeatElement(0, count: end - offset))
        case 2:
          bytes[Int.random(in: 0..<min(127, bytes.count), using: &random)] ^= 1 << UInt8(seed % 8)
        default: bytes[offset] ^= 1 << UInt8(seed % 8)
        }
        let damaged = try folder.write(bytes, to: name)
        do throws(CairnError) {
          guard try TileValidator(damaged).run().valid else {
            found += 1
            continue
          }
        } catch {
          #expect(error.exitCode == .dataError || error.exitCode == .noInput, "\(error)")
          found += 1
          continue
        }
        #expect(try tiles(damaged) == expected, "seed \(seed) of \(path)")
      }
      #expect(found > 40, "\(path)")
    }
  }

  @Test(
    "the check of contents ends where they unpack to far more than the archive explains, and says so"
  )
  func budget() throws {
    var tiles = TileCollection()
    let packer = try GzipPacker()
    for row in 0..<8 {
      // A field of another number than a layer's, of 15 MB.
      let length: [UInt8] = [0xC0, 0xC3, 0x93, 0x07]
      let content = [0x7A] + length + [UInt8](repeating: UInt8(row), count: 15_000_000)
      let id = try #require(TileID(zoom: 3, column: 0, row: row))
      packer.pack(content).withUnsafeBytes { tiles.add(id, $0) }
    }
    var metadata = TileMetadata(
      name: "a", description: "b", content: .vector, bounds: .world, zooms: 3...3,
      attribution: "nobody")
    metadata.layers = [.init(id: "a", description: "", zooms: 3...3, fields: [:])]
    let path = folder.file("budget.pmtiles")
    let output = try AtomicOutput(path) { _ in true }
    try TileArchiveFormat.pmtiles.write(tiles, metadata, to: output)
    try output.commit()
    let check = try TileValidator(path).run().checks.first { $0.rule == "tile-contents" }
    #expect(check?.status == "error")
    #expect(
      check?.details.first?.contains("not decoded: the check ended after") == true,
      "\(check?.details ?? [])")
  }
}
