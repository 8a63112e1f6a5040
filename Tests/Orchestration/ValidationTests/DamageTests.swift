// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Validation

@Suite("A damaged database breaks exactly the rule for its damage")
struct DamageTests {
  @Test("each damage breaks exactly one rule", arguments: damageCases)
  func one(damage: DamageCase) throws {
    let report = try damage.report()
    let broken = report.checks.filter { !["pass", "skipped"].contains($0.status) }
    #expect(broken.map(\.rule) == [damage.rule], "\(report.text(isVerbose: true))")
    let rule = try #require(ValidationRule.all.first { $0.id == damage.rule })
    #expect(broken.first?.status == rule.severity.rawValue)
    #expect(report.valid == (rule.severity != .error))
    let check = try #require(broken.first)
    #expect(check.count > 0 && !check.details.isEmpty && check.details.count <= 3)
  }

  @Test("every rule is broken by some damage")
  func allRules() {
    #expect(
      ValidationRule.all.map(\.id).filter { id in !damageCases.contains { $0.rule == id } } == [])
  }

  @Test("strict validation makes errors of warnings, but not of notes")
  func strict() throws {
    for damage in damageCases {
      guard let rule = ValidationRule.all.first(where: { $0.id == damage.rule }) else { continue }
      guard rule.severity != .error else { continue }
      let report = try damage.report(isStrict: true)
      #expect(report.valid == (rule.severity == .info), "\(damage)")
    }
  }

  @Test("an absurd elevation breaks the rule for nodes, an unknown one that for coverage")
  func elevations() throws {
    let unknown = [
      "UPDATE routing_nodes SET elevation = NULL WHERE id = 4", "DELETE FROM routing_elevation",
    ]
    #expect(try Damaged(unknown + [forgetClimbs]).brokenRules() == ["elevation-coverage"])
    #expect(try Damaged(unknown).brokenRules() == ["elevation-coverage", "admissible"])
    for value in ["'high'", "9e999", "-30000"] {
      let rules = try Damaged("UPDATE routing_nodes SET elevation = \(value) WHERE id = 4")
        .brokenRules()
      #expect(
        rules == ["nodes", "elevation-agreement", "elevation-coverage", "admissible"], "\(value)")
    }
  }

  @Test("a database with warnings is valid")
  func warnings() throws {
    let report = try Damaged(
      "UPDATE routing_nodes SET elevation = NULL", "DELETE FROM routing_elevation", forgetClimbs
    ).report()
    #expect(report.valid)
    #expect(report.elevationCoverage == 0)
    #expect(
      report.checks.first { $0.rule == "elevation-coverage" }?.details == [
        "0 % have one; node 1 has none"
      ])
  }

  @Test("nodes that only ferries touch need no elevation; those of a way besides do")
  func ferries() throws {
    func report(_ lost: String, flat: Bool = false) throws -> ValidationReport {
      let map = AsciiMap(
        "A-B---C---D",
        ways: [
          .init("AB"), .init("BC", tags: ["route": "ferry"]),
          .init("CD", tags: ["route": "ferry"]),
        ],
        elevations: ["A": 1, "B": 1, "C": 1, "D": 1])
      let folder = try TemporaryFolder()
      let path = try map.routingDatabase(in: folder)
      try changeDatabase(
        path,
        [
          "UPDATE routing_nodes SET elevation = NULL WHERE \(lost)",
          "DELETE FROM routing_elevation", forgetClimbs,
        ])
      var validator = try DatabaseValidator(path)
      validator.isWithoutElevation = flat
      return try validator.run()
    }
    func status(_ report: ValidationReport) -> String? {
      report.checks.first { $0.rule == "elevation-coverage" }?.status
    }
    let atSea =
      "id IN (SELECT to_node FROM routing_edges WHERE highway_type = 'ferry' "
      + "EXCEPT SELECT from_node FROM routing_edges WHERE highway_type <> 'ferry' "
      + "EXCEPT SELECT to_node FROM routing_edges WHERE highway_type <> 'ferry')"
    let ferry = try report(atSea)
    #expect(ferry.nodes == 4 && ferry.elevationCoverage == 1 && status(ferry) == "pass")
    let all = try report("true")
    #expect(all.elevationCoverage == 0 && status(all) == "warning")
    let landing = try report("NOT (\(atSea)) AND id > 1")
    #expect(landing.elevationCoverage == 0.5 && status(landing) == "warning")
    #expect(try status(report("true", flat: true)) == "skipped")
  }

  @Test("a disconnected network is a warning")
  func components() throws {
    let map = AsciiMap("A-B-C  D-E", ways: [.init("ABC"), .init("DE")])
    let folder = try TemporaryFolder()
    var validator = try DatabaseValidator(try map.routingDatabase(in: folder))
    let report = try validator.run()
    #expect(report.components == 2)
    #expect(abs(report.largestComponentShare - 2.0 / 3) < 0.001)
    #expect(report.checks.filter { $0.status == "warning" }.map(\.rule).contains("components"))
    #expect(report.valid)
  }

  @Test("impassable edges do not connect components")
  func impassable() throws {
    let map = AsciiMap(
      "A-B-C-D", ways: [.init("AB"), .init("BC", tags: ["access": "no"]), .init("CD")])
    let folder = try TemporaryFolder()
    var validator = try DatabaseValidator(try map.routingDatabase(in: folder))
    #expect(try validator.run().components == 2)
  }

  @Test("every breach is counted, and three are reported")
  func counted() throws {
    let report = try Damaged("UPDATE routing_edges SET geometry = x'00'").report()
    let check = try #require(report.checks.first { $0.rule == "geometry" })
    #expect(check.count == report.edges)
    #expect(
      check.details == [
        "edge 1: geometry is not a list of points", "edge 2: geometry is not a list of points",
        "edge 3: geometry is not a list of points",
      ])
  }

  @Test(
    "a broken schema leaves all later rules unchecked",
    arguments: [
      "DROP TABLE routing_metadata", "DROP INDEX idx_edges_to",
      "ALTER TABLE routing_edges DROP COLUMN sac_scale",
      "ALTER TABLE routing_nodes ADD COLUMN colour TEXT",
    ])
  func schema(statement: String) throws {
    let report = try Damaged(statement).report()
    #expect(report.checks.map(\.rule) == ValidationRule.all.map(\.id))
    #expect(
      report.checks.map(\.status)
        == ["pass", "error"] + Array(repeating: "skipped", count: report.checks.count - 2))
    #expect(!report.valid && !report.isReadable)
  }

  @Test("a view instead of a table breaks the schema")
  func view() throws {
    let report = try Damaged(
      "DROP TABLE routing_metadata",
      """
      CREATE VIEW routing_metadata AS
      WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n)
      SELECT key, key AS value FROM n
      """
    ).report()
    #expect(report.checks[1].details == ["has a view routing_metadata, which is not evaluated"])
  }

  @Test("an index with a costly expression breaks the schema before SQLite evaluates it")
  func costlyIndex() throws {
    // Each row would take a search through 60 MB; the index is made on a table without rows.
    let report = try Damaged(
      "CREATE TABLE costly(a)",
      "CREATE INDEX slow ON costly(instr(zeroblob(60000000), zeroblob(30000000) || a))"
    ).report()
    #expect(
      report.checks[1].details == ["index slow has an expression, which is not evaluated"])
    #expect(report.checks[0].status == "skipped")
    #expect(!report.valid && !report.isReadable)
  }

  @Test("an overwritten page breaks the integrity")
  func integrity() throws {
    let folder = try TemporaryFolder()
    var bytes = try bytesOfFile(try loopMap.routingDatabase(in: folder))
    let pageBytes = 8192
    for offset in bytes.indices where offset / pageBytes == 3 { bytes[offset] = 0xA5 }
    var validator = try DatabaseValidator(try folder.write(bytes, to: "overwritten.db"))
    let report = try validator.run()
    #expect(report.checks[0].status == "error")
    #expect(report.checks.dropFirst().allSatisfy { $0.status == "skipped" })
  }

  private static func schemaChange(_ change: String) -> [String] {
    ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET \(change)"]
  }

  /// Replaces an index by one of fewer rows, or of other values, under its name and definition.
  private static func replacing(_ index: String, by definition: String) -> [String] {
    ["DROP INDEX \(index)", "CREATE INDEX \(index) ON \(definition)"]
  }

  @Test(
    "an index that does not agree with the rows breaks the integrity",
    arguments: [
      replacing("idx_edges_from", by: "routing_edges(from_node) WHERE id <> 3")
        + schemaChange("sql = replace(sql, ' WHERE id <> 3', '')"),
      replacing("idx_edges_from", by: "routing_edges(to_node)")
        + schemaChange(
          "sql = replace(sql, 'from ON routing_edges(to_', 'from ON routing_edges(from_')"),
      replacing("idx_edges_to", by: "routing_edges(to_node DESC)")
        + schemaChange("sql = replace(sql, ' DESC', '')"),
      replacing("idx_nodes_lat_lon", by: "routing_nodes(longitude, latitude)")
        + schemaChange("sql = replace(sql, 'longitude, latitude', 'latitude, longitude')"),
      replacing("idx_nodes_lat_lon", by: "routing_nodes(latitude, longitude) WHERE id <> 2")
        + schemaChange("sql = replace(sql, ' WHERE id <> 2', '')"),
      replacing("idx_edges_to", by: "routing_edges(to_node) WHERE id <> 3")
        + schemaChange("sql = replace(sql, ' WHERE id <> 3', '')")
        + ["ALTER TABLE routing_nodes ADD COLUMN colour TEXT"],
      [
        "CREATE UNIQUE INDEX further ON routing_edges(id) WHERE id <> 3"
      ] + schemaChange("sql = replace(sql, ' WHERE id <> 3', '')"),
    ])
  func indexes(_ statements: [String]) throws {
    let report = try Damaged(statements).report()
    #expect(report.checks[0].rule == "integrity")
    #expect(report.checks[0].status == "error")
    #expect(report.checks.dropFirst(2).allSatisfy { $0.status == "skipped" })
  }

  @Test(
    "further indexes on the core tables, and others of the same names, are left to SQLite",
    arguments: [
      ["CREATE INDEX further ON routing_edges(osm_way_id, distance DESC)"],
      ["CREATE UNIQUE INDEX further ON routing_nodes(elevation, id)"],
      replacing("idx_edges_from", by: "routing_edges(from_node DESC)"),
      replacing("idx_edges_to", by: "routing_nodes(id)"),
    ])
  func furtherIndexes(_ statements: [String]) throws {
    let report = try Damaged(statements).report()
    #expect(report.checks[0].status == "pass")
    #expect(report.valid)
  }
}
