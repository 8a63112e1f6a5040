// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnPhrases
import CairnSQLiteKit
import CairnSearch
import TestSupport
import Testing

@Suite("Files that are not databases of places")
struct HostilePlacesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let map = PlaceMap(
    [
      .init(1, 42.5, 1.5, ["place": "town", "name": "Encamp"]),
      .init(2, 42.51, 1.5, ["natural": "peak", "name": "Pic Negre", "ele": "2600"]),
    ],
    ways: [.init(1, [(42.5, 1.5), (42.51, 1.5)], ["highway": "path", "name": "Camí"])])

  private func error(_ path: String) -> SearchError? {
    do throws(SearchError) { _ = try SearchService(path: path) } catch { return error }
    return nil
  }

  private func changed(_ statements: [String]) throws -> SearchError? {
    let folder = try TemporaryFolder()
    let path = try Self.map.placesDatabase(in: folder)
    try changeDatabase(path, statements)
    return withExtendedLifetime(folder) { error(path) }
  }

  @Test("one that another program is writing is locked, and a command or an app may try again")
  func locked() throws {
    let folder = try TemporaryFolder()
    let path = try Self.map.placesDatabase(in: folder)
    let service = try SearchService(path: path)
    let other = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
    try other.execute("BEGIN EXCLUSIVE")
    let expected = SearchError.databaseLocked("database is locked")
    #expect(error(path) == expected)
    #expect(throws: expected) { try service.searchLocations(query: "Encamp") }
    #expect(expected.ofCommand(at: path).exitCode == .temporaryFailure)
    for language in Language.allCases where language != .english {
      #expect(expected.errorDescription(in: language) != expected.errorDescription)
    }
    #expect(throws: SearchError.databaseLocked("\(path): database is locked")) {
      try SearchSet(paths: [path, path])
    }
    try other.execute("COMMIT")
    #expect(error(path) == nil)
    #expect(try service.searchLocations(query: "Encamp").count == 1)
  }

  @Test("a missing file, a folder, an empty file and a page of text are told apart")
  func files() throws {
    #expect(error(folder.file("absent")) == .databaseUnreadable("no such file"))
    #expect(error(folder.path) == .databaseUnreadable("is a folder, not a file"))
    #expect(error(try folder.write("", to: "empty")) == .databaseUnusable("is empty"))
    let page = try folder.write(String(repeating: "<html>", count: 100), to: "page")
    #expect(error(page) == .databaseUnusable("is not an SQLite database"))
  }

  @Test("missing tables and columns, computed ones and other versions are refused")
  func schemas() throws {
    #expect(
      try changed(["DROP TABLE place_lines"]) == .databaseUnusable("has no table place_lines"))
    #expect(
      try changed(["ALTER TABLE places DROP COLUMN length"])
        == .databaseUnusable("has no column places.length"))
    #expect(
      try changed(["CREATE TRIGGER t AFTER INSERT ON places BEGIN SELECT 1; END"])
        == .databaseUnusable("has a trigger t, which is not evaluated"))
    #expect(
      try changed(["DROP TABLE place_text", "CREATE VIRTUAL TABLE place_text USING fts5(name)"])
        == .databaseUnusable("has no full-text index of places"))
    #expect(
      try changed(["PRAGMA user_version=4"])
        == .databaseUnusable("has version 4 of the tables, this reads 3"))
  }

  @Test("a place at an impossible coordinate is damage")
  func coordinates() throws {
    let path = try Self.map.placesDatabase(in: folder, name: "moved.places.db")
    try changeDatabase(path, ["UPDATE places SET latitude = 1e300"])
    #expect(throws: SearchError.self) { try SearchService(path: path).search("encamp") }
  }

  @Test("a database with any byte changed gives answers or typed errors")
  func changedBytes() throws {
    let whole = try bytesOfFile(try Self.map.placesDatabase(in: folder))
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      let path = try folder.write(bytes, to: "bytes.db")
      do throws(SearchError) {
        let search = try SearchService(path: path)
        for query in ["encamp", "encmap", "pic n", "zzzz"] { _ = try search.search(query) }
        _ = try search.reverseGeocode(location: Coordinate(latitude: 42.505, longitude: 1.5))
      } catch { #expect(!error.description.isEmpty) }
    }
  }

  @Test("each error has a sentence for the user of an app")
  func sentences() {
    let errors: [SearchError] = [
      .databaseUnreadable("x"), .databaseUnusable("x"), .databaseCorrupted("x"),
      .queryTooLong(bytes: 5), .invalidLocation(Coordinate(latitude: 99, longitude: 0)),
    ]
    for error in errors { #expect(error.errorDescription?.hasSuffix(".") == true) }
  }
}
