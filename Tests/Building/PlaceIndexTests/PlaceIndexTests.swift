// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import PlaceDatabase
import SQLiteKit
import TestSupport
import Testing

@testable import PlaceIndex

@Suite("cairn-index-places")
struct PlaceIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rows(_ map: PlaceMap, _ sql: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(try map.placesDatabase(in: folder), .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { statement.text($0) ?? "–" }.joined(separator: " "))
    }
    return rows
  }

  private static let hut: [String: String] = ["tourism": "alpine_hut", "name": "Hut"]

  @Test("all names are kept once, those in languages, too, but not their etymologies")
  func names() throws {
    let map = PlaceMap([
      .init(
        1, 42, 1,
        [
          "place": "town", "name": "Andorra la Vella", "name:ca": "Andorra La Vella",
          "name:fr": "Andorre-la-Vieille", "alt_name": "la Vella;Old One", "old_name": "Andorra",
          "name:etymology": "unknown",
        ])
    ])
    #expect(
      try rows(map, "SELECT key, name FROM place_names ORDER BY id") == [
        "name –", "name:fr Andorre-la-Vieille", "alt_name la Vella", "alt_name Old One",
        "old_name Andorra",
      ])
  }

  @Test("ways of one name that lie near each other are one place, others are not")
  func wayGroups() throws {
    let path = ["highway": "path", "name": "Camí Vell"]
    let map = PlaceMap(ways: [
      .init(1, [(42, 1), (42.001, 1)], path), .init(2, [(42.0015, 1), (42.002, 1)], path),
      .init(3, [(42.1, 1), (42.101, 1)], path),
      .init(4, [(42, 1), (42.001, 1)], ["highway": "residential", "name": "Camí Vell"]),
      .init(5, [(42, 1), (42.001, 1)], ["highway": "path"]),
    ])
    #expect(
      try rows(map, "SELECT osm, kind, CAST(length AS INTEGER) FROM places ORDER BY osm") == [
        "w1 trail 167", "w3 trail 111", "w4 road 111",
      ])
  }

  @Test("relations of one route are one place, and so are routes of one number on the same ways")
  func routes() throws {
    let route = ["route": "hiking", "network": "nwn", "ref": "GR 7", "name": "Gran Recorrido 7"]
    var other = route
    other["name"] = "Sentier GR7"
    other["ref"] = "GR7"
    let map = PlaceMap(
      ways: [
        .init(1, [(42, 1), (42.01, 1)], ["highway": "path"], routes: [0, 1, 2]),
        .init(2, [(42.01, 1), (42.02, 1)], ["highway": "path"], routes: [0, 1, 2]),
      ], routes: [route, route, other])
    #expect(
      try rows(map, "SELECT osm, kind, name, length FROM places") == [
        "r1000 route Gran Recorrido 7 2224.0"
      ])
    #expect(try rows(map, "SELECT ref, network FROM place_routes") == ["GR 7 nwn"])
    #expect(
      try rows(map, "SELECT name FROM place_names WHERE name NOT NULL") == ["GR 7", "Sentier GR7"])
  }

  @Test("a hut that is mapped twice is one place; a namesake far away is another")
  func duplicates() throws {
    let map = PlaceMap([
      .init(1, 42, 1, Self.hut), .init(2, 42.0005, 1, Self.hut.merging(["ele": "2250"]) { $1 }),
      .init(3, 42.5, 1, Self.hut),
    ])
    #expect(try rows(map, "SELECT osm, elevation FROM places") == ["n1 2250.0", "n3 –"])
  }

  @Test("places are in the order of their importance, and know the settlement that they are near")
  func order() throws {
    let map = PlaceMap([
      .init(1, 42, 1, Self.hut),
      .init(2, 42.01, 1, ["place": "city", "name": "Town", "population": "20 000"]),
      .init(3, 42.001, 1, ["place": "hamlet", "name": "Hamlet"]),
      .init(4, 42.001, 1, ["amenity": "toilets", "name": "WC"]),
      .init(5, 42, 1, ["natural": "peak"]),
    ])
    #expect(
      try rows(
        map,
        """
        SELECT p.id, p.name, s.name FROM places p LEFT JOIN places s ON s.id = p.settlement
        ORDER BY p.id
        """) == ["1 Town –", "2 Hut Town", "3 Hamlet Town", "4 WC Hamlet"])
  }

  @Test("the same input gives the same bytes, and a file without names gives an empty database")
  func bytes() throws {
    let map = PlaceMap([.init(1, 42, 1, Self.hut)])
    let one = try bytesOfFile(try map.placesDatabase(in: folder, name: "one.places.db"))
    let two = try bytesOfFile(try map.placesDatabase(in: folder, name: "two.places.db"))
    #expect(one == two)
    #expect(PlaceSchema.recognises(head: one))
    #expect(try rows(PlaceMap(), "SELECT count(*) FROM places") == ["0"])
  }

  @Test("the command writes the region's id and refuses to replace what it did not write")
  func command() throws {
    let input = try PlaceMap([.init(1, 42, 1, Self.hut)]).trailsFile(in: folder)
    let output = folder.file("r.places.db")
    let words = ["--input", input, "--output", output, "--region-id", "r", "-q"]
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .success)
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .success)
    let connection = try SQLiteConnection(output, .readOnly)
    #expect(try connection.text("SELECT value FROM place_metadata WHERE key = 'region_id'") == "r")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    try folder.write("my notes", to: "r.places.db")
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .cannotCreate)
    #expect(try folder.read("r.places.db") == Array("my notes".utf8))
  }

  @Test("the line of a route across a cell's border is found in both cells")
  func cells() throws {
    let map = PlaceMap(ways: [
      .init(1, [(42.0055, 1.0055), (42.0155, 1.0055)], ["highway": "path", "name": "Path"])
    ])
    #expect(try rows(map, "SELECT DISTINCT cell FROM place_lines").count == 2)
    #expect(try rows(map, "SELECT length(cells) > 0 FROM places") == ["1"])
  }
}
