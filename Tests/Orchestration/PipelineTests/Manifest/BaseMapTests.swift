// SPDX-License-Identifier: Apache-2.0
import Diagnostics
import Geodesy
import SQLiteKit
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
}
