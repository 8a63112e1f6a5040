// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import PlaceIndex
import TestSupport
import Testing
import TrailData
import Validation
import WaypointCollection

@Suite("Validation of waypoints and places")
struct CompanionTests {
  private static let map = PointMap([
    .init(1, ["natural": "peak", "name": "Pic de Coma"], at: 42.6, 1.4, terrain: 2930),
    .init(2, ["place": "village", "name": "Ordino", "name:es": "Ordín"], at: 42.5, 1.5),
    .init(3, ["natural": "spring", "name": "Font Freda"], at: 42.4, 1.6),
  ])

  /// Makes both databases, changes the one of a kind and validates it.
  private func report(_ kind: CompanionKind, after statements: [String] = []) throws
    -> CompanionReport
  {
    let folder = try TemporaryFolder()
    let path = folder.file("map.\(kind.rawValue).db")
    let words = try Self.map.elevatedFiles(in: folder).arguments + ["--output", path]
    switch kind {
    case .waypoints: try runStage(CollectPlacesCommand.self, words)
    case .places: try runStage(IndexPlacesCommand.self, words)
    case .tiles: throw TestFailure("tiles have tests of their own")
    }
    if !statements.isEmpty {
      let database = try SQLiteConnection(path, .build)
      for statement in statements { try database.execute(statement) }
      database.close()
    }
    #expect(CompanionKind(file: path) == kind)
    let validator = try CompanionValidator(path, kind)
    return try validator.run()
  }

  @Test("what the stages write is valid", arguments: [CompanionKind.waypoints, .places])
  func valid(kind: CompanionKind) throws {
    let report = try report(kind)
    #expect(report.valid && report.isReadable, "\(report.text(isVerbose: true))")
    #expect(report.rows == 3)
    #expect(report.checks.allSatisfy { $0.status == "pass" })
    #expect(report.text().contains("valid"))
  }

  private static let damages: [(kind: CompanionKind, rule: String, sql: String)] = [
    (.waypoints, "companion-schema", "DROP INDEX idx_waypoints_location"),
    (.waypoints, "companion-schema", "ALTER TABLE waypoints ADD COLUMN more TEXT"),
    (.waypoints, "companion-schema", "DROP TABLE waypoint_kinds"),
    (.waypoints, "companion-metadata", "DELETE FROM waypoint_metadata WHERE key = 'license'"),
    (
      .waypoints, "companion-metadata",
      "UPDATE waypoint_metadata SET value = '4' WHERE key = 'waypoint_count'"
    ),
    (
      .waypoints, "companion-positions", "UPDATE waypoints SET latitude = 43 WHERE label = 'Ordino'"
    ),
    (.waypoints, "companion-positions", "UPDATE waypoints SET latitude = 'x' WHERE rowid = 1"),
    (
      .waypoints, "companion-positions",
      "INSERT INTO waypoint_metadata VALUES ('region', '1,42,1.55,43') "
        + "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    ),
    (.waypoints, "waypoint-ids", "UPDATE waypoint_kinds SET osm = 'n9' WHERE osm = 'n1'"),
    (.waypoints, "waypoint-kinds", "UPDATE waypoints SET category = 'spa' WHERE rowid = 1"),
    (.waypoints, "waypoint-kinds", "UPDATE waypoint_kinds SET kind = 'spa' WHERE osm = 'n1'"),
    (.waypoints, "waypoint-texts", "UPDATE waypoints SET label = '' WHERE rowid = 1"),
    (.waypoints, "waypoint-texts", "UPDATE waypoints SET timestamp = '2026' WHERE rowid = 1"),
    (.waypoints, "waypoint-texts", "UPDATE waypoints SET altitude = 12000 WHERE rowid = 1"),
    (.waypoints, "waypoint-texts", "UPDATE waypoints SET altitude = '12 m' WHERE rowid = 1"),
    (.waypoints, "waypoint-texts", "UPDATE waypoints SET has_photo = 1 WHERE rowid = 1"),
    (.places, "companion-schema", "PRAGMA user_version = 9"),
    (.places, "companion-metadata", "DELETE FROM place_metadata WHERE key = 'attribution'"),
    (.places, "companion-positions", "UPDATE places SET longitude = 3 WHERE id = 1"),
    (.places, "place-rows", "UPDATE places SET settlement = 99 WHERE id = 1"),
    (.places, "place-rows", "UPDATE place_kinds SET places = x'63' WHERE places IS NOT NULL"),
    (.places, "place-rows", "INSERT INTO place_addresses VALUES (99, x'0100')"),
    (.places, "place-blobs", "UPDATE place_kinds SET places = x'80' WHERE places IS NOT NULL"),
    (.places, "place-blobs", "UPDATE place_kinds SET points = x'03'"),
    (.places, "place-blobs", "UPDATE place_kinds SET kind = 'spa' WHERE kind = 'water'"),
    (.places, "place-blobs", "UPDATE place_kinds SET cell = -1 WHERE kind = 'water'"),
    (.places, "place-blobs", "INSERT INTO place_addresses VALUES (1, x'07')"),
    (.places, "place-blobs", "INSERT INTO place_relations(id, members) VALUES (1, x'00')"),
    (
      .places, "place-blobs",
      "INSERT INTO place_relations(id, tagged, members) VALUES (1, -3, x'')"
    ),
    (.places, "companion-schema", "DROP TABLE place_relations"),
    (.places, "place-names", "DELETE FROM place_words WHERE word = 'ordino'"),
    (.places, "place-text-index", "INSERT INTO place_text(rowid, name) VALUES (99, 'more')"),
    (
      .places, "place-text-index",
      "INSERT INTO place_text(place_text, rowid, name) VALUES ('delete', 1, 'ordino')"
    ),
  ]

  @Test("places of earlier versions are valid without the tables that they did not have")
  func earlierPlaces() throws {
    let withoutRelations = ["DROP TABLE place_relations", "PRAGMA user_version = 2"]
    let report = try report(
      .places,
      after: withoutRelations + ["UPDATE place_metadata SET value = '2' WHERE key = 'version'"])
    #expect(report.valid, "\(report.text(isVerbose: true))")
  }

  @Test("each damage breaks the rule for it", arguments: damages.indices)
  func damage(index: Int) throws {
    let damage = Self.damages[index]
    let report = try report(damage.kind, after: [damage.sql])
    let broken = report.checks.filter { $0.status == "error" }.map(\.rule)
    #expect(broken.contains(damage.rule), "\(damage.sql): \(report.text(isVerbose: true))")
    #expect(!report.valid)
    #expect(report.isReadable == (damage.rule != "companion-schema"))
    #expect(report.text().contains("to do: "))
  }

  /// Statements, and a schema that says something else than they do.
  private static func pretending(_ old: String, _ new: String, _ statements: String...)
    -> [String]
  {
    statements + [
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)')",
    ]
  }

  private static let indexDamages: [(kind: CompanionKind, statements: [String])] = [
    (
      .waypoints,
      pretending(
        " WHERE label <> ''Ordino''", "", "DROP INDEX idx_waypoints_location",
        "CREATE INDEX idx_waypoints_location ON waypoints(latitude, longitude) "
          + "WHERE label <> 'Ordino'")
    ),
    (
      .waypoints,
      pretending(
        "(longitude, latitude)", "(latitude, longitude)", "DROP INDEX idx_waypoints_location",
        "CREATE INDEX idx_waypoints_location ON waypoints(longitude, latitude)")
    ),
    (
      .waypoints,
      pretending(
        "waypoints(label)", "waypoints(hike_id)", "DROP INDEX idx_waypoints_hike",
        "CREATE INDEX idx_waypoints_hike ON waypoints(label)")
    ),
    (
      .waypoints,
      pretending(
        "id DESC", "id", "ALTER TABLE waypoint_kinds RENAME TO k",
        "CREATE TABLE waypoint_kinds (id TEXT, kind TEXT NOT NULL, osm TEXT NOT NULL, "
          + "PRIMARY KEY (id DESC)) WITHOUT ROWID",
        "INSERT INTO waypoint_kinds SELECT * FROM k", "DROP TABLE k")
    ),
    (
      .places,
      pretending(
        "(cell, reach)", "(reach, cell)", "DROP INDEX places_by_cell",
        "CREATE INDEX places_by_cell ON places(cell, reach)")
    ),
    (
      .places,
      pretending(
        " WHERE id <> 2", "", "DROP INDEX place_names_by_place",
        "CREATE INDEX place_names_by_place ON place_names(place) WHERE id <> 2")
    ),
    (
      .places,
      pretending(
        "word || 1", "word", "DROP INDEX place_words_by_word",
        "CREATE UNIQUE INDEX place_words_by_word ON place_words(word || 1)")
    ),
    // A table of a text index.
    (
      .places,
      pretending(
        "term DESC", "term", "CREATE TABLE i AS SELECT * FROM place_text_idx",
        "PRAGMA writable_schema = ON",
        "DELETE FROM sqlite_master WHERE name = 'place_text_idx'", "PRAGMA writable_schema = RESET",
        "CREATE TABLE place_text_idx(segid, term, pgno, PRIMARY KEY(segid, term DESC)) "
          + "WITHOUT ROWID",
        "INSERT INTO place_text_idx SELECT * FROM i",
        "INSERT INTO place_text_idx VALUES (99, 'a', 1), (99, 'b', 1)")
    ),
  ]

  @Test("an index that does not agree with the rows breaks the integrity", arguments: indexDamages)
  func indexes(kind: CompanionKind, statements: [String]) throws {
    let report = try report(kind, after: statements)
    let check = try #require(report.checks.first { $0.rule == "companion-integrity" })
    #expect(check.status == "error", "\(report.text(isVerbose: true))")
    #expect(check.details.contains { $0.contains("index") || $0.contains("PRIMARY KEY") })
    #expect(report.checks.count { $0.status == "error" } == 1 && !report.isReadable)
  }

  @Test("waypoints in another order than their kinds are valid")
  func otherOrder() throws {
    let report = try report(
      .waypoints, after: ["UPDATE waypoints SET rowid = 100 - rowid", "REINDEX"])
    #expect(report.valid, "\(report.text(isVerbose: true))")
  }

  @Test("further indexes are left to SQLite")
  func furtherIndex() throws {
    let report = try report(
      .waypoints, after: ["CREATE INDEX further ON waypoints(label COLLATE NOCASE DESC)"])
    #expect(report.valid, "\(report.text(isVerbose: true))")
  }

  @Test("a view, a trigger or another virtual table is refused, not evaluated")
  func computed() throws {
    for sql in [
      "CREATE VIEW v AS SELECT 1", "CREATE VIRTUAL TABLE t USING fts5(a)",
      "CREATE INDEX i ON waypoints(abs(latitude))",
    ] {
      let error = #expect(throws: CairnError.self) { try report(.waypoints, after: [sql]) }
      #expect(error?.exitCode == .dataError)
    }
  }

  @Test("other files are no databases of waypoints or places")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    #expect(CompanionKind(file: try folder.write("text", to: "a")) == nil)
    #expect(CompanionKind(file: folder.file("missing")) == nil)
    let map = AsciiMap("A-B", ways: [.init("AB")])
    #expect(CompanionKind(file: try map.routingDatabase(in: folder)) == nil)
  }
}
