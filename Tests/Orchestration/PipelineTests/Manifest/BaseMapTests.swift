// SPDX-License-Identifier: Apache-2.0
import BundleFolders
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit
import Glibc
import Manifests
import RunSupport
import TestSupport
import Testing

@testable import Pipeline

@Suite("Base maps")
struct BaseMapTests {
  /// A box in one tile of zoom 8 and in four of zoom 10, columns 516 and 517, rows 378 and 379.
  private let box = BoundingBox(west: 1.5, south: 42.2, east: 1.8, north: 42.5)

  /// Writes a map that covers the box at zooms 8 to 10 and returns its path.
  private func map(
    in folder: TemporaryFolder, format: String = "png", bounds: String = "1,42,2,43",
    leaving: Int = 4
  ) throws -> String {
    let path = folder.file("base.mbtiles")
    let database = try SQLiteConnection(path, .build)
    try database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    try database.execute(
      """
      INSERT INTO metadata VALUES ('format', '\(format)'), ('bounds', '\(bounds)'),
        ('name', 'Ground'), ('attribution', '© somebody')
      """)
    try database.execute(
      """
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
      """)
    try database.execute("INSERT INTO tiles VALUES (8, 129, 161, x'01')")
    for index in 0..<leaving {
      try database.execute(
        "INSERT INTO tiles VALUES (10, \(516 + index % 2), \(1023 - 378 - index / 2), x'01')")
    }
    database.close()
    return path
  }

  @Test("a map is read with its zooms, its tiles and whom it asks to be named")
  func whole() throws {
    let folder = try TemporaryFolder()
    let map = try BaseMap(map(in: folder), covering: box)
    #expect(map.zooms == 8...10 && map.tileCount == 5 && map.format == "png")
    #expect(map.name == "Ground" && map.attribution == "© somebody")
    #expect(map.missingTiles == 0)
  }

  @Test("tiles that are not there at the greatest zoom are counted")
  func gaps() throws {
    let folder = try TemporaryFolder()
    #expect(try BaseMap(map(in: folder, leaving: 3), covering: box).missingTiles == 1)
  }

  @Test(
    "what the tiles begin with is the format, whatever the metadata say",
    arguments: [
      ("png", "89504E470D0A1A0A"), ("jpg", "FFD8FFE000104A46"), ("pbf", "1F8B0800"),
      ("pbf", "1A0578020A01"), ("webp", "524946460000000057454250"),
    ])
  func formats(_ format: String, _ head: String) throws {
    for stated in ["", "jpeg", "png", "bmp"] {
      let folder = try TemporaryFolder()
      let path = try map(in: folder, format: stated)
      try changeDatabase(
        path,
        [
          "UPDATE tiles SET tile_data = x'\(head)'",
          "DELETE FROM metadata WHERE name = 'format' AND value = ''",
        ])
      #expect(try BaseMap(path, covering: box).format == format)
    }
  }

  @Test("a map in an unknown format, or of another area, is refused")
  func wrongMaps() throws {
    for (format, bounds) in [("bmp", "1,42,2,43"), ("png", "5,42,6,43"), ("png", "1;2")] {
      let folder = try TemporaryFolder()
      let path = try map(in: folder, format: format, bounds: bounds)
      expectError(.baseMap, .dataError) { _ = try BaseMap(path, covering: box) }
    }
  }

  @Test("a file that is cut, that is no database or that is missing is refused")
  func brokenFiles() throws {
    let folder = try TemporaryFolder()
    let bytes = try bytesOfFile(map(in: folder))
    let cut = try folder.write(Array(bytes.dropLast(4096)), to: "cut.mbtiles")
    expectError(.baseMap, .dataError) { _ = try BaseMap(cut, covering: box) }
    let text = try folder.write("tiles", to: "text.mbtiles")
    expectError(.notADatabase, .dataError) { _ = try BaseMap(text, covering: box) }
    #expect(throws: CairnError.self) { try BaseMap(folder.file("none"), covering: box) }
  }

  /// A world with base maps for both regions.
  private func world() throws -> World {
    let world = try World()
    for (region, column) in [("west", 2161), ("east", 2163)] {
      try write(world, region, column: column)
    }
    try world.change("defaults: {", to: "defaults: { base-map: \"{region}.mbtiles\",")
    return world
  }

  /// Writes a map of one tile at zoom 12, which both regions touch with some of their box.
  private func write(_ world: World, _ region: String, column: Int, title: String = "Ground") throws
  {
    let path = world.folder.file("\(region).new")
    let database = try SQLiteConnection(path, .build)
    try database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    try database.execute(
      """
      INSERT INTO metadata VALUES ('format', 'png'), ('name', '\(title)'),
        ('attribution', '© somebody')
      """)
    try database.execute(
      """
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
      """)
    for row in 0..<4096 where (1400...1470).contains(row) {
      try database.execute("INSERT INTO tiles VALUES (12, \(column), \(4095 - row), x'01')")
    }
    database.close()
    #expect(rename(path, world.folder.file("\(region).mbtiles")) == 0)
  }

  @Test("it becomes part of the bundle, is recorded, and another one redoes no stage")
  func published() throws {
    let world = try world()
    #expect(try world.run().exitCode == .success)
    #expect(try world.publishedFiles["west/west.mbtiles"] == world.folder.read("west.mbtiles"))
    let region = try world.text("out/west/region.json")
    #expect(region.contains("\"baseMapFilename\" : \"west.mbtiles\""))
    #expect(region.contains("\"maxZoom\" : 12") && region.contains("\"tileCount\" : 71"))
    let bundle = try world.text("out/west/bundle.json")
    #expect(bundle.contains("\"title\" : \"Ground\"") && bundle.contains("© somebody"))
    #expect(try world.run().isNothingToDo)
    try write(world, "west", column: 2161, title: "Relief")
    let summary = try world.run()
    #expect(world.calls == [] && !summary.isNothingToDo)
    #expect(try world.text("out/west/bundle.json").contains("\"title\" : \"Relief\""))
    #expect(try world.publishedFiles["west/west.mbtiles"] == world.folder.read("west.mbtiles"))
  }

  @Test("damage to a user's map does not reach the bundle, nor the other way round")
  func isCopied() throws {
    let world = try world()
    func damage(_ name: String) throws {
      let file = open(world.folder.file(name), O_WRONLY)
      #expect(file >= 0 && pwrite(file, "damaged", 7, 100) == 7)
      close(file)
    }
    try world.run()
    let map = try world.folder.read("west.mbtiles")
    try damage("out/west/west.mbtiles")
    #expect(try world.folder.read("west.mbtiles") == map)
    try world.run()
    #expect(try world.folder.read("out/west/west.mbtiles") == map)
    // Another bundle with the same map has a copy as well.
    try world.folder.write("other line\n", to: "valley.osm.pbf")
    #expect(try world.run().failures.isEmpty)
    try damage("west.mbtiles")
    #expect(try world.folder.read("out/west/west.mbtiles") == map)
    #expect(try world.folder.read("out/east/east.mbtiles") == world.folder.read("east.mbtiles"))
  }

  @Test("a base map of another area, or none, fails its region alone, which keeps its bundle")
  func refused() throws {
    let world = try world()
    try world.run()
    let before = try world.publishedFiles["east/east.mbtiles"]
    try write(world, "east", column: 2000)
    let wrong = try world.run(force: true)
    #expect(wrong.failures.map(\.region) == ["east"])
    #expect(wrong.failures.first?.message.contains("has no tile of the region at zoom 12") == true)
    #expect(unlink(world.folder.file("east.mbtiles")) == 0)
    let missing = try world.run(force: true)
    #expect(
      missing.failures.map(\.region) == ["east"] && missing.failures.map(\.stage) == [.publish])
    #expect(try world.publishedFiles["east/east.mbtiles"] == before)
    let manifest = try Manifest.load(world.folder.file("m.yaml"))
    expectError(.cannotRead, .noInput) { try manifest.checkFiles(regions: manifest.regions) }
    try write(world, "east", column: 2000)
    expectError(.baseMap, .dataError) { try manifest.checkFiles(regions: manifest.regions) }
  }

  @Test(
    "a map whose tiles would take forever is refused at once",
    arguments: [
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)",
      "WITH n(i) AS (SELECT 1 FROM many a, many b)",
    ])
  func hostile(rows: String) throws {
    let folder = try TemporaryFolder()
    let path = try map(in: folder)
    try changeDatabase(
      path,
      [
        "CREATE TABLE many (a)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        INSERT INTO many SELECT i FROM n
        """,
        "DROP TABLE tiles",
        """
        CREATE VIEW tiles AS \(rows)
        SELECT 10 AS zoom_level, 516 AS tile_column, 645 AS tile_row, x'01' AS tile_data FROM n
        """,
      ])
    let error = expectError(.computedSchema, .dataError) { _ = try BaseMap(path, covering: box) }
    #expect(error?.description.contains("view tiles that is more than a join") == true)
  }

  @Test("a join of the usual form that pairs all with all ends when its work is used up")
  func work() throws {
    let folder = try TemporaryFolder()
    let path = try map(in: folder)
    try changeDatabase(
      path,
      [
        "CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id)",
        "CREATE TABLE images (tile_id, tile_data)",
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
        INSERT INTO map SELECT 10, 516, 645, 'a' FROM n
        """,
        "INSERT INTO images SELECT 'a', x'01' FROM map", "DROP TABLE tiles",
        """
        CREATE VIEW tiles AS SELECT map.zoom_level, map.tile_column, map.tile_row,
          images.tile_data FROM map JOIN images ON map.tile_id = images.tile_id
        """,
      ])
    let error = expectError(.damagedDatabase, .dataError) { _ = try BaseMap(path, covering: box) }
    #expect(error?.message == "takes more work to read than its size allows")
  }

  @Test("a map with several contents for one tile is refused")
  func multiplied() throws {
    let folder = try TemporaryFolder()
    let path = try map(in: folder)
    try changeDatabase(
      path,
      [
        "CREATE TABLE map AS SELECT zoom_level, tile_column, tile_row, 1 AS id FROM tiles",
        "CREATE TABLE images (id, tile_data)", "DROP TABLE tiles",
        "INSERT INTO images VALUES (1, x'01'), (1, x'02')",
        """
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
          FROM map JOIN images USING (id)
        """,
      ])
    expectError(.notATileArchive, .dataError) { _ = try BaseMap(path, covering: box) }
  }

  @Test("a map whose tiles are a view that joins two tables is read, whatever these are called")
  func joined() throws {
    let folder = try TemporaryFolder()
    let path = try map(in: folder)
    try changeDatabase(
      path,
      [
        "CREATE TABLE tiles_shallow AS SELECT zoom_level, tile_column, tile_row, 1 AS id FROM tiles",
        "CREATE TABLE tiles_data (id INTEGER PRIMARY KEY, tile_data BLOB)",
        "INSERT INTO tiles_data VALUES (1, x'01')", "DROP TABLE tiles",
        """
        CREATE VIEW tiles AS SELECT tiles_shallow.zoom_level, tiles_shallow.tile_column,
          tiles_shallow.tile_row, tiles_data.tile_data
          FROM tiles_shallow JOIN tiles_data ON tiles_shallow.id = tiles_data.id
        """,
      ])
    #expect(try BaseMap(path, covering: box).tileCount == 5)
  }
}
