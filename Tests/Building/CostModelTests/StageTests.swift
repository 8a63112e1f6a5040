// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRoutingDatabase
import CairnSQLiteKit
import CommandLineKit
import RoutingGraph
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("cairn-compute-costs")
struct StageTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap("A-B-C", ways: [.init("AB"), .init("BC")])

  init() throws { folder = try TemporaryFolder() }

  private func run(_ words: String...) throws {
    try runStage(ComputeCostsCommand.self, ["--output", folder.file("out.db")] + words)
  }

  private func metadata(_ path: String, _ key: String) throws -> String? {
    try rows(of: path, "SELECT value FROM routing_metadata WHERE key = '\(key)'").first?[0]
  }

  @Test("the first profile fills the contract's columns, all are in routing_costs")
  func profiles() throws {
    let path = try map.routingDatabase(in: folder, profiles: ["cycling", "hiking"])
    #expect(
      try rows(of: path, "SELECT name FROM routing_profiles ORDER BY id") == [
        ["cycling"], ["hiking"],
      ])
    #expect(
      try rows(of: path, "SELECT cost, reverse_cost FROM routing_edges ORDER BY id")
        == rows(of: path, "SELECT cost, reverse_cost FROM routing_costs WHERE profile = 1"))
    #expect(try metadata(path, "profile") == "cycling")
    #expect(try metadata(path, "profile_fingerprint") == CostProfile.cycling.fingerprint())
    #expect(
      try rows(of: path, "SELECT fingerprint, definition FROM routing_profiles WHERE id = 2")
        == [[CostProfile.hiking.fingerprint(), CostProfile.hiking.canonicalText()]])
  }

  @Test("a profile file can be used beside a built-in profile")
  func profileFile() throws {
    let file = try folder.write("cairn-profile: 1\nname: slow\ntime-factor: 2.5", to: "slow.yaml")
    let path = try map.routingDatabase(in: folder, profiles: ["hiking", file])
    let durations = try rows(of: path, "SELECT duration FROM routing_costs ORDER BY edge, profile")
      .compactMap { $0[0].flatMap(Double.init) }
    #expect(durations.count == 4)
    #expect(abs(durations[1] / durations[0] / 2.5 - 1) < 2 * CostBlock.precision)
  }

  @Test("the metadata hold the region's id and name, if they are given")
  func regionNames() throws {
    let graph = try map.graphFile(in: folder)
    try run(
      "--input", graph, "--profile", "hiking", "--region-id", "ordino",
      "--region-name=-Òrdino, \"nord\"")
    #expect(try metadata(folder.file("out.db"), "region_id") == "ordino")
    #expect(try metadata(folder.file("out.db"), "region_name") == "-Òrdino, \"nord\"")
    let nameless = try map.routingDatabase(in: folder)
    #expect(try metadata(nameless, "region_id") == nil)
    #expect(try metadata(nameless, "region_name") == nil)
  }

  @Test("all points, rounded to Float32, lie inside bounding_box, which is no larger than needed")
  func boundingBox() throws {
    // At most places rounding moves some point past the original ones.
    var moved = 0
    for step in 0..<20 {
      let folder = try TemporaryFolder()
      let map = AsciiMap(
        """
          b
        A   C
          d
        """, cellMetres: 100 + Double(step) / 7, ways: [.init("AbC"), .init("CdA")])
      let path = try map.routingDatabase(in: folder)
      let box = try #require(try metadata(path, "bounding_box")).split(separator: ",")
        .compactMap { Double($0) }
      var points: [Coordinate] = []
      let store = try SQLiteConnection(path, .readOnly)
      let row = try store.prepare("SELECT geometry FROM routing_edges WHERE geometry NOT NULL")
      while try row.step() {
        points += try row.withBlob(0) { EdgeGeometry.unpack($0) ?? [] }
      }
      let (south, north) = (try map.coordinate("d").latitude, try map.coordinate("b").latitude)
      let low = try #require(points.map(\.latitude).min())
      let high = try #require(points.map(\.latitude).max())
      if low < south || high > north { moved += 1 }
      #expect(box[1] <= low && box[3] >= high, "step \(step)")
      #expect(box[1] > low - 1.01e-7 && box[3] < high + 1.01e-7, "step \(step)")
    }
    #expect(moved > 5)
  }

  @Test("the same profile twice is a wrong command line")
  func twice() throws {
    let graph = try map.graphFile(in: folder)
    expectError(.usage, .usage) {
      try run("--input", graph, "--profile", "hiking", "--profile", "hiking")
    }
  }

  @Test("whatever is wrong leaves no output")
  func noOutput() throws {
    let graph = try map.graphFile(in: folder)
    let elevated = try map.elevatedFiles(in: folder).elevated
    expectError(.unknownProfile, .configuration) {
      try run("--input", graph, "--profile", "hikng")
    }
    expectError(.wrongContainerKind, .dataError) {
      try run("--input", elevated, "--profile", "hiking")
    }
    expectError("cannot-read", .noInput) {
      try run("--input", folder.file("absent.graph"), "--profile", "hiking")
    }
    #expect(try !folder.contents.contains { $0.contains("out.db") })
  }

  @Test("a file that is not a routing database of Cairn is never replaced")
  func foreignOutput() throws {
    let graph = try map.graphFile(in: folder)
    try folder.write("my only copy", to: "out.db")
    expectError("output-is-foreign", .cannotCreate) {
      try run("--input", graph, "--profile", "hiking")
    }
    #expect(try folder.read("out.db") == Array("my only copy".utf8))
  }

  @Test("a database of ours is replaced")
  func ownOutput() throws {
    let graph = try map.graphFile(in: folder)
    try run("--input", graph, "--profile", "cycling")
    try run("--input", graph, "--profile", "hiking")
    #expect(try metadata(folder.file("out.db"), "profile") == "hiking")
  }

  @Test("SOURCE_DATE_EPOCH is when the database counts as made")
  func sourceDateEpoch() throws {
    #expect(try ComputeCostsCommand.createdAt(epoch: "0") == "1970-01-01T00:00:00Z")
    #expect(try ComputeCostsCommand.createdAt(epoch: "1700000000") == "2023-11-14T22:13:20Z")
    #expect(
      try ComputeCostsCommand.createdAt(epoch: "253402300799") == "9999-12-31T23:59:59Z")
    #expect(try ComputeCostsCommand.createdAt(epoch: nil) == nil)
  }

  @Test(
    "a SOURCE_DATE_EPOCH that is not a time is refused",
    arguments: ["", "yesterday", "-1", "1.5", "253402300800", "99999999999999999999"])
  func badEpoch(value: String) {
    expectError(.usage, .usage) { try ComputeCostsCommand.createdAt(epoch: value) }
  }

  @Test("without it that is the time of the data, and 1970 where nobody knows")
  func timeOfData() throws {
    let unknown = try map.routingDatabase(in: folder, profiles: ["hiking"])
    #expect(try metadata(unknown, "created_at") == "1970-01-01T00:00:00Z")
    #expect(try metadata(unknown, "osm_data_date") == "unknown")

    let trails = try map.elevatedFiles(in: folder).open()
    let path = folder.file("dated.graph")
    try RoutingGraphBuilder(trails).build().write(
      to: path, strings: trails.strings,
      provenance: Provenance(tool: "a test", dataTimestamp: "2024-05-06T07:08:09Z"))
    try run("--input", path, "--profile", "hiking")
    #expect(try metadata(folder.file("out.db"), "created_at") == "2024-05-06T07:08:09Z")
    #expect(try metadata(folder.file("out.db"), "osm_data_date") == "2024-05-06T07:08:09Z")
  }

  /// The graph of a map with a path that is closed in winter, and nothing that is not, of data of
  /// a time.
  private func seasonalGraph(timestamp: String?, condition: String = "no @ (Nov-Apr)") throws
    -> String
  {
    let map = AsciiMap(
      "A-B-C",
      ways: [.init("AB"), .init("BC", tags: ["highway": "path", "foot:conditional": condition])])
    let trails = try map.elevatedFiles(in: folder).open()
    let path = folder.file("seasonal.graph")
    try RoutingGraphBuilder(trails).build().write(
      to: path, strings: trails.strings,
      provenance: Provenance(tool: "a test", dataTimestamp: timestamp))
    return path
  }

  private func passableEdges() throws -> Int {
    try rows(
      of: folder.file("out.db"), "SELECT id FROM routing_edges WHERE cost < 9e999"
    ).count
  }

  @Test(
    "seasons are read for --date, else for the day of the data, else strictly",
    arguments: [
      ("2026-07-15", "2024-01-06T07:08:09Z", 2, "2026-07-15"),
      ("2026-01-15", "2024-07-06T07:08:09Z", 1, "2026-01-15"),
      (nil, "2024-07-06T07:08:09Z", 2, "2024-07-06"),
      (nil, "2024-01-06T07:08:09Z", 1, "2024-01-06"),
      (nil, nil, 1, "unknown"), (nil, "once upon a time", 1, "unknown"),
      ("2026-07-15", nil, 2, "2026-07-15"),
    ] as [(String?, String?, Int, String)])
  func accessDate(date: String?, timestamp: String?, passable: Int, stored: String) throws {
    let graph = try seasonalGraph(timestamp: timestamp)
    try runStage(
      ComputeCostsCommand.self,
      ["--output", folder.file("out.db"), "--input", graph, "--profile", "hiking"]
        + (date.map { ["--date", $0] } ?? []))
    #expect(try passableEdges() == passable)
    #expect(try metadata(folder.file("out.db"), "access_date") == stored)
  }

  @Test(
    "a --date that the calendar does not have is refused",
    arguments: ["2026-02-29", "today", "15.7.2026", "2026-7-15"])
  func badDate(date: String) throws {
    let graph = try map.graphFile(in: folder)
    let error = expectError(.usage, .usage) {
      try run("--input", graph, "--profile", "hiking", "--date", date)
    }
    #expect(error?.hint?.contains("YYYY-MM-DD") == true)
    #expect(try !folder.contents.contains { $0.contains("out.db") })
  }

  @Test("a condition that makes no sense closes the way and is counted")
  func unreadableCondition() throws {
    let graph = try seasonalGraph(timestamp: nil, condition: "no @ now and then")
    try run(
      "--input", graph, "--profile", "hiking", "--date", "2026-07-15", "--report",
      folder.file("report.json"))
    #expect(try passableEdges() == 1)
    let report = String(decoding: try folder.read("report.json"), as: UTF8.self)
    #expect(report.contains("unreadable-condition"))
    #expect(report.contains(": foot:conditional=no @ now and then"))
    #expect(report.contains("way "))
  }
}
