// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnSQLiteKit
import CairnWaypoints
import CommandLineKit
import Foundation
import TestSupport
import Testing
import TrailData

@testable import WaypointCollection

@Suite("The stage cairn-collect-places")
struct CollectPlacesTests {
  private static let map = PointMap([
    .init(1, ["natural": "peak", "name": "Pic", "ele": "2942"], at: 42.6, 1.4, terrain: 2930),
    .init(2, ["natural": "spring"], at: 42.5, 1.5, terrain: 2000),
    .init(7, ["tourism": "camp_site", "name": "O'Neill \u{1F3D5}"], type: .way, at: 42.4, 1.6),
  ])

  private func run(_ map: PointMap, in folder: TemporaryFolder, _ options: String...) throws
    -> SQLiteConnection
  {
    let input = try map.elevatedFiles(in: folder).arguments
    let output = folder.file("map.waypoints.db")
    try runStage(CollectPlacesCommand.self, input + ["--output", output] + options)
    return try SQLiteConnection(output, .readOnly)
  }

  private func rows(_ sql: String, _ database: SQLiteConnection) throws -> [[String?]] {
    let statement = try database.prepare(sql)
    var rows: [[String?]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map(statement.text)) }
    return rows
  }

  @Test("the database has the table of every store, and is intact")
  func schema() throws {
    let folder = try TemporaryFolder()
    let database = try run(Self.map, in: folder)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.integer("PRAGMA application_id") == WaypointSchema.applicationID)
    #expect(try database.integer("PRAGMA user_version") == WaypointSchema.version)
    #expect(try database.columns(ofTable: "waypoints") == WaypointSchema.columns)
    #expect(
      try rows(
        "SELECT sql FROM sqlite_master WHERE tbl_name = 'waypoints' AND sql NOTNULL", database)
        == ([WaypointSchema.table] + WaypointSchema.indexes).map { [$0] })
    let plan = try rows(
      "EXPLAIN QUERY PLAN SELECT * FROM waypoints WHERE latitude BETWEEN 1 AND 2", database)
    #expect("\(plan)".contains("idx_waypoints_location"))
  }

  @Test("waypoints have the time of the data, and no photo")
  func content() throws {
    let folder = try TemporaryFolder()
    let database = try run(Self.map, in: folder, "--region-id", "a", "--region-name", "A & B")
    #expect(
      try rows(
        """
        SELECT latitude, longitude, altitude, timestamp, label, category, note, has_photo, hike_id,
          photo_data FROM waypoints ORDER BY id
        """, database) == [
          ["42.6", "1.4", "2942.0", "2026-05-01T20:59:03.000Z", "Pic", "viewpoint", "Peak", "0"]
            + [nil, nil],
          ["42.5", "1.5", "2000.0", "2026-05-01T20:59:03.000Z", "Spring", "waterSource", "", "0"]
            + [nil, nil],
          ["42.4", "1.6", nil, "2026-05-01T20:59:03.000Z", "O'Neill \u{1F3D5}", "campsite"]
            + ["Campsite", "0", nil, nil],
        ])
    #expect(
      try rows("SELECT kind, osm FROM waypoint_kinds ORDER BY id", database)
        == [["peak", "n1"], ["spring", "n2"], ["campsite", "w7"]])
    let metadata = try rows("SELECT * FROM waypoint_metadata ORDER BY key", database)
    #expect(metadata.contains(["bounding_box", "1.4,42.4,1.6,42.6"]))
    #expect(metadata.contains(["region_name", "A & B"]))
    #expect(metadata.contains(["license", "ODbL-1.0"]))
    #expect(metadata.contains(["waypoint_count", "3"]))
  }

  @Test("a region without points, a time and elevations gives an empty database")
  func empty() throws {
    let folder = try TemporaryFolder()
    var map = PointMap([])
    map.dataTimestamp = nil
    let output = folder.file("map.waypoints.db")
    try runStage(
      CollectPlacesCommand.self,
      ["--input", try map.trailsFile(in: folder), "--output", output])
    let database = try SQLiteConnection(output, .readOnly)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.integer("SELECT count(*) FROM waypoints") == 0)
  }

  @Test("the same input gives the same bytes, and replaces only a database of waypoints")
  func bytes() throws {
    let folder = try TemporaryFolder()
    _ = try run(Self.map, in: folder)
    let first = try folder.read("map.waypoints.db")
    _ = try run(Self.map, in: folder, "--threads", "2")
    #expect(try folder.read("map.waypoints.db") == first)
    try folder.write("mine", to: "map.waypoints.db")
    #expect(throws: (any Error).self) { try run(Self.map, in: folder) }
    #expect(try folder.read("map.waypoints.db") == Array("mine".utf8))
  }
}
