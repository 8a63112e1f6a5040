// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnSQLiteKit
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import Tiles

@Suite("archives of tiles")
struct TileArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var metadata: TileMetadata {
    var metadata = TileMetadata(
      name: "Valley: trails", description: "A test", content: .vector,
      bounds: BoundingBox(west: 10, south: 47, east: 10.25, north: 47.125), zooms: 3...9,
      attribution: "© OpenStreetMap contributors")
    metadata.layers = [
      .init(id: "trails", description: "Ways", zooms: 3...9, fields: ["highway": "String"])
    ]
    return metadata
  }

  /// Tiles with contents of which many are equal.
  private func tiles(_ count: Int, contents: Int) -> TileCollection {
    var tiles = TileCollection()
    var random = SeededGenerator(seed: 3)
    var known: Set<TileID> = []
    while known.count < count {
      let zoom = Int.random(in: 3...9, using: &random)
      guard
        let id = TileID(
          zoom: zoom, column: Int.random(in: 0..<1 << zoom, using: &random),
          row: Int.random(in: 0..<1 << zoom, using: &random)), known.insert(id).inserted
      else { continue }
      let text = Array("content \(Int.random(in: 0..<contents, using: &random))".utf8)
      text.withUnsafeBytes { tiles.add(id, $0) }
    }
    return tiles
  }

  private func write(_ tiles: TileCollection, _ format: TileArchiveFormat, _ name: String) throws
    -> String
  {
    let path = folder.file(name)
    let output = try AtomicOutput(path) { format.recognises(head: $0) }
    try format.write(tiles, metadata, to: output)
    try output.commit()
    return path
  }

  private func open(_ path: String, _ format: TileArchiveFormat) throws -> any TileArchive {
    switch format {
    case .mbtiles: try MBTilesFile(path)
    case .pmtiles: try PMTilesFile(path)
    }
  }

  /// The contents of all tiles.
  private func contents(_ archive: any TileArchive) throws -> [TileID: [UInt8]] {
    var found: [TileID: [UInt8]] = [:]
    try archive.forEachTile(look: { Array($0) }) { square, content in
      for column in square.columns {
        for row in square.rows {
          guard let id = TileID(zoom: square.first.zoom, column: column, row: row) else { continue }
          #expect(found.updateValue(content, forKey: id) == nil)
        }
      }
    }
    return found
  }

  @Test(
    "every tile is read again, by a scan and by its number", arguments: TileArchiveFormat.allCases)
  func roundTrip(_ format: TileArchiveFormat) throws {
    let tiles = tiles(20_000, contents: 5000)
    let archive = try open(try write(tiles, format, "a"), format)
    var expected: [TileID: [UInt8]] = [:]
    for tile in tiles.tiles { expected[tile.id] = Array(tiles.content(tile.content)) }
    #expect(try contents(archive) == expected)
    for tile in tiles.tiles.prefix(300) {
      #expect(try archive.withTile(tile.id) { $0.map { Array($0) } } == expected[tile.id])
    }
    let absent = try #require(TileID(zoom: 10, column: 5, row: 5))
    #expect(try archive.withTile(absent) { $0 == nil })
  }

  @Test("the metadata is complete", arguments: TileArchiveFormat.allCases)
  func metadataEntries(_ format: TileArchiveFormat) throws {
    let entries = try open(try write(tiles(9, contents: 3), format, "a"), format).entries
    #expect(entries["name"] == "Valley: trails")
    #expect(entries["format"] == "pbf")
    #expect(entries["type"] == "overlay")
    #expect(entries["minzoom"] == "3")
    #expect(entries["maxzoom"] == "9")
    #expect(entries["attribution"] == "© OpenStreetMap contributors")
    #expect(
      entries["json"] == """
        {"vector_layers":[{"description":"Ways","fields":{"highway":"String"},"id":"trails",\
        "maxzoom":9,"minzoom":3}]}
        """)
    let bounds = entries["bounds"]?.split(separator: ",").compactMap { Double($0) }
    #expect(bounds == [10, 47, 10.25, 47.125])
  }

  @Test("equal contents are stored once, and the same tiles give the same bytes")
  func deterministic() throws {
    for format in TileArchiveFormat.allCases {
      let paths = try ["a", "b"].map {
        try write(tiles(500, contents: 7), format, "\($0).\(format.rawValue)")
      }
      #expect(try bytesOfFile(paths[0]) == bytesOfFile(paths[1]))
    }
    let connection = try SQLiteConnection(
      try write(tiles(500, contents: 7), .mbtiles, "c"), .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM images") == 7)
    #expect(try connection.integer("SELECT count(*) FROM tiles") == 500)
    #expect(try connection.integer("PRAGMA application_id") == 0x4D50_4258)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    let file = try PMTilesFile(try write(tiles(500, contents: 7), .pmtiles, "d"))
    #expect(file.header.tileContents == 7)
    #expect(file.header.addressedTiles == 500)
    #expect(file.header.isClustered)
  }

  @Test("a large PMTiles file has leaf directories, and its root is within the first 16 KiB")
  func leaves() throws {
    let file = try PMTilesFile(try write(tiles(60_000, contents: 50_000), .pmtiles, "a"))
    #expect(file.header.leaves.length > 0)
    #expect(file.header.root.offset + file.header.root.length <= 16_384)
    #expect(file.directory.count == Int(file.header.tileEntries))
  }

  @Test("an archive without tiles can be written and read", arguments: TileArchiveFormat.allCases)
  func empty(_ format: TileArchiveFormat) throws {
    let archive = try open(try write(TileCollection(), format, "a"), format)
    #expect(try contents(archive).isEmpty)
  }

  @Test("a file that Cairn did not write is not replaced", arguments: TileArchiveFormat.allCases)
  func foreign(_ format: TileArchiveFormat) throws {
    try folder.write("my notes", to: "a")
    #expect(throws: CairnError.self) { try write(tiles(3, contents: 3), format, "a") }
  }

  @Test("damaged PMTiles files are refused or read, but never trap")
  func damaged() throws {
    let bytes = try bytesOfFile(try write(tiles(400, contents: 300), .pmtiles, "a"))
    var random = SeededGenerator(seed: 5)
    for round in 0..<1000 {
      var broken = bytes
      for _ in 0..<3 {
        let limit = Bool.random(using: &random) ? 127 : min(3000, broken.count)
        broken[Int.random(in: 0..<limit, using: &random)] = .random(in: 0...255, using: &random)
      }
      if round % 4 == 0 { broken.removeLast(Int.random(in: 0..<broken.count, using: &random)) }
      let path = try folder.write(broken, to: "broken")
      do throws(CairnError) {
        try PMTilesFile(path).forEachTile(look: { _ in }, { _, _ in })
      } catch {
        #expect(error.exitCode == .dataError)
      }
    }
  }

  private typealias Entry = PMTilesDirectory.Entry

  /// A file of eight bytes of tiles whose directories are not compressed. The root's entries with a run
  /// of 0 become the leaf.
  private func plain(root: [Entry], leaf: [Entry]) throws -> PMTilesFile {
    let leafBytes = PMTilesDirectory.encode(leaf[...])
    let entries = root.map { entry in
      var entry = entry
      if entry.run == 0 { entry.length = UInt32(leafBytes.count) }
      return entry
    }
    let parts = [
      PMTilesDirectory.encode(entries[...]), Array("{}".utf8), leafBytes, Array("12345678".utf8),
    ]
    var header = PMTilesHeader()
    header.internalCompression = PMTilesHeader.Code.plain
    var end = UInt64(PMTilesHeader.byteCount)
    let placed = parts.map { part in
      defer { end += UInt64(part.count) }
      return PMTilesHeader.Part(offset: end, length: UInt64(part.count))
    }
    (header.root, header.metadata, header.leaves, header.tiles) =
      (placed[0], placed[1], placed[2], placed[3])
    return try PMTilesFile(folder.write(header.bytes + parts.joined(), to: "plain"))
  }

  @Test("tiles of a PMTiles file must ascend, through its leaves, too")
  func order() throws {
    let leaf = [
      Entry(tile: 5, offset: 0, length: 4, run: 2), .init(tile: 9, offset: 4, length: 4, run: 1),
    ]
    func names(_ tile: UInt64) -> Entry { .init(tile: tile, offset: 0, length: 0, run: 0) }
    func one(_ tile: UInt64, run: UInt32 = 1) -> Entry {
      .init(tile: tile, offset: 0, length: 4, run: run)
    }
    let good = try plain(root: [one(1, run: 4), names(5), one(10)], leaf: leaf)
    #expect(good.directory.map(\.tile) == [1, 5, 9, 10])
    for root in [
      [one(1, run: 5), names(5)], [names(5), one(9)], [names(5), names(6)], [one(.max)],
      [one(.max - 3, run: 5)],
    ] {
      let error = #expect(throws: CairnError.self) { try plain(root: root, leaf: leaf) }
      #expect(error?.exitCode == .dataError)
    }
    #expect(throws: CairnError.self, "a leaf of a leaf") {
      try plain(root: [names(5)], leaf: [names(5)])
    }
    // Refused at the second leaf, not after all of them.
    let root = (0..<4000).map { names(UInt64($0)) }
    let many = (0..<50_000).map { one(UInt64($0)) }
    #expect(throws: CairnError.self) { try plain(root: root, leaf: many) }
  }

  @Test("a content is looked at once, whatever number of tiles has it")
  func contentOfManyTiles() throws {
    let file = try plain(
      root: [
        .init(tile: 0, offset: 0, length: 4, run: .max - 1),
        .init(tile: UInt64(UInt32.max) + 9, offset: 0, length: 4, run: 1),
      ], leaf: [])
    var (looks, squares, count) = (0, 0, 0)
    try file.forEachTile(look: { _ in looks += 1 }) { square, _ in
      squares += 1
      count += square.count
    }
    #expect(looks == 1)
    #expect(count == Int(UInt32.max))
    #expect(squares < 200)
    let path = try write(tiles(500, contents: 7), .mbtiles, "few.mbtiles")
    looks = 0
    try MBTilesFile(path).forEachTile(look: { _ in looks += 1 }, { _, _ in })
    #expect(looks == 7)
  }

  @Test("an archive of more squares of tiles than any map has is refused on the way")
  func mostSquares() throws {
    // A run of all but the first and the last tile of a square of 64 × 64 is 32 smaller ones.
    let first = TileID.firstHilbertID(zoom: 24)
    let root = (0..<UInt64(140_000)).map {
      Entry(tile: first + 4096 * $0 + 1, offset: 0, length: 4, run: 4094)
    }
    let file = try plain(root: root, leaf: [])
    var squares = 0
    let error = #expect(throws: CairnError.self) {
      try file.forEachTile(look: { _ in }, { _, _ in squares += 1 })
    }
    #expect(error?.exitCode == .dataError)
    #expect(error?.message == "is damaged: its directories have far more tiles than any map")
    #expect(squares == TileLimits.squares)
  }

  @Test("the squares of a run are its tiles")
  func squares() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let first = UInt64.random(in: 0..<6000, using: &random)
      let count = UInt64.random(in: 1..<3000, using: &random)
      var found: [TileID] = []
      let areTiles = TileSquare.forEach(from: first, count: count) { square in
        for column in square.columns {
          for row in square.rows {
            guard let id = TileID(zoom: square.first.zoom, column: column, row: row) else {
              continue
            }
            found.append(id)
          }
        }
      }
      #expect(areTiles)
      #expect(found.map(\.hilbertID).sorted() == Array(first..<first + count))
    }
    #expect(!TileSquare.forEach(from: .max - 5, count: 3) { _ in })
    let last = try #require(TileID(zoom: 24, column: 1 << 24 - 1, row: 0)).hilbertID
    #expect(!TileSquare.forEach(from: last, count: 2) { _ in })
  }

  @Test("contents that overlap, and more leaves than writers make, are refused")
  func forgedDirectories() throws {
    let overlapping: [Entry] = [
      .init(tile: 1, offset: 0, length: 4, run: 1), .init(tile: 2, offset: 3, length: 4, run: 1),
    ]
    let leaves = (0..<20_000).map { Entry(tile: UInt64($0), offset: 0, length: 1, run: 0) }
    for root in [overlapping, leaves] {
      let error = #expect(throws: CairnError.self) { try plain(root: root, leaf: []) }
      #expect(error?.exitCode == .dataError)
    }
  }

  @Test(
    "an archive that is truncated while it is read ends with 74",
    arguments: TileArchiveFormat.allCases)
  func truncated(_ format: TileArchiveFormat) throws {
    let path = try write(tiles(20_000, contents: 9000), format, "a")
    let archive = try open(path, format)
    try #require(truncate(path, 40_960) == 0)
    let error = #expect(throws: CairnError.self) { try contents(archive) }
    #expect(error?.exitCode == .ioError)
    #expect(error?.message == "was truncated while being read")
  }

  @Test("an MBTiles file of another tool is read without evaluating its views")
  func foreignView() throws {
    let path = folder.file("foreign.mbtiles")
    do {
      let connection = try SQLiteConnection(path, .build)
      for sql in [
        "CREATE TABLE metadata (name TEXT, value TEXT)",
        "INSERT INTO metadata VALUES ('name', 'A map'), ('format', 'png')",
        "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
          + "tile_data BLOB)",
        "INSERT INTO tiles VALUES (1, 0, 1, x'0102')",
        "CREATE VIEW grids AS SELECT count(*) FROM tiles, tiles",
      ] { try connection.execute(sql) }
    }
    let file = try MBTilesFile(path)
    #expect(file.entries == ["name": "A map", "format": "png"])
    let id = try #require(TileID(zoom: 1, column: 0, row: 0))
    #expect(try file.withTile(id) { $0.map { Array($0) } } == [1, 2])
  }

  @Test("a database that is no archive is refused")
  func otherDatabase() throws {
    let path = folder.file("other.db")
    do {
      let connection = try SQLiteConnection(path, .build)
      try connection.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
      try connection.execute("CREATE VIEW tiles AS SELECT 1 AS zoom_level")
    }
    #expect(throws: CairnError.self) { try MBTilesFile(path) }
  }
}
