// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Validation

@Suite("A damaged database breaks just the rule that is about it")
struct DamageTests {
  /// What a rule must find in a database that these statements have damaged.
  struct Case: CustomTestStringConvertible, Sendable {
    let rule: String
    let statements: [String]

    init(_ rule: String, _ statements: String...) {
      self.rule = rule
      self.statements = statements
    }

    var testDescription: String { "\(rule): \(statements.joined(separator: "; "))" }
  }

  @Test(
    "in its rows",
    arguments: [
      Case("foreign-keys", "UPDATE routing_edges SET to_node = 4711 WHERE id = 3"),
      Case("foreign-keys", "UPDATE routing_edges SET to_node = 'x' WHERE id = 3"),
      Case("foreign-keys", "INSERT INTO routing_costs VALUES (9, 1, 5, 5, 5, 5)"),
      Case("metadata", "UPDATE routing_metadata SET value = '6' WHERE key = 'node_count'"),
      Case("metadata", "DELETE FROM routing_metadata WHERE key = 'edge_count'"),
      Case("metadata", "DELETE FROM routing_metadata WHERE key = 'created_at'"),
      Case(
        "metadata", "UPDATE routing_metadata SET value = '0,0,1,1' WHERE key = 'bounding_box'"),
      Case("metadata", "UPDATE routing_metadata SET value = 'nan' WHERE key = 'bounding_box'"),
      Case("metadata", "DELETE FROM routing_metadata WHERE key = 'bounding_box'"),
      Case("metadata", "INSERT INTO routing_nodes VALUES (99, 46.999, 10.001, 900)"),
      Case("nodes", "UPDATE routing_nodes SET latitude = 'north' WHERE id = 4"),
      Case("nodes", "UPDATE routing_nodes SET latitude = 91 WHERE id = 4"),
      Case("nodes", "UPDATE routing_nodes SET longitude = -9e999 WHERE id = 4"),
      Case(
        "positive-costs", "UPDATE routing_edges SET cost = -5 WHERE id = 3",
        "UPDATE routing_costs SET cost = -5 WHERE profile = 1 AND edge = 3"),
      Case("positive-costs", "UPDATE routing_costs SET cost = 0 WHERE profile = 2 AND edge = 3"),
      Case(
        "positive-costs",
        "UPDATE routing_costs SET reverse_cost = 'x' WHERE profile = 2 AND edge = 3"
      ),
      Case(
        "cost-covers-distance", "UPDATE routing_edges SET cost = distance / 2 WHERE id = 3",
        "UPDATE routing_costs SET cost = (SELECT cost FROM routing_edges WHERE id = 3) "
          + "WHERE profile = 1 AND edge = 3",
        "UPDATE routing_profiles SET min_cost_per_metre = 0.1",
        "UPDATE routing_metadata SET value = '0.1' WHERE key = 'min_cost_per_metre'"),
      Case("oneway", "UPDATE routing_edges SET is_oneway = 1 WHERE id = 3"),
      Case("oneway", "UPDATE routing_edges SET is_oneway = 0 WHERE id = 2"),
      Case("oneway", "UPDATE routing_edges SET is_oneway = 2 WHERE id = 2"),
      Case("oneway", "UPDATE routing_edges SET is_oneway = NULL WHERE id = 3"),
      Case("oneway", "UPDATE routing_edges SET is_oneway = 'yes' WHERE id = 2"),
      Case("length", "UPDATE routing_edges SET distance = distance - 0.1 WHERE id = 3"),
      Case("length", "UPDATE routing_edges SET distance = -1 WHERE id = 3"),
      Case("length", "UPDATE routing_edges SET distance = 'far' WHERE id = 3"),
      Case("length", "UPDATE routing_edges SET distance = 9e999 WHERE id = 3"),
      Case("geometry", "UPDATE routing_edges SET geometry = x'000000' WHERE id = 3"),
      Case("geometry", "UPDATE routing_edges SET geometry = x'0000C07F0000C07F' WHERE id = 3"),
      Case("climb", "UPDATE routing_edges SET elevation_gain = 500 WHERE id = 3"),
      Case("climb", "UPDATE routing_edges SET elevation_loss = -1 WHERE id = 3"),
      Case("climb", "UPDATE routing_edges SET elevation_gain = 'high' WHERE id = 3"),
      Case("climb", "UPDATE routing_nodes SET elevation = 1016 WHERE id = 5"),
      Case("elevation-profiles", "UPDATE routing_elevation SET profile = x'02' WHERE edge = 3"),
      Case("elevation-profiles", "UPDATE routing_elevation SET max_slope = 9e999 WHERE edge = 3"),
      Case("elevation-profiles", "ALTER TABLE routing_elevation RENAME COLUMN max_slope TO steep"),
      Case(
        "admissible", "UPDATE routing_metadata SET value = '99' WHERE key = 'min_cost_per_metre'"),
      Case(
        "admissible", "UPDATE routing_metadata SET value = 'much' WHERE key = 'min_cost_per_metre'"
      ),
      Case("admissible", "UPDATE routing_profiles SET min_cost_per_metre = 99 WHERE id = 2"),
      Case("admissible", "UPDATE routing_profiles SET min_cost_per_metre = -1 WHERE id = 1"),
      Case("profile-costs", "DELETE FROM routing_costs WHERE profile = 2 AND edge = 3"),
      Case("profile-costs", "UPDATE routing_costs SET cost = 9999 WHERE profile = 1 AND edge = 3"),
      Case(
        "profile-costs", "UPDATE routing_costs SET duration = -1 WHERE profile = 2 AND edge = 3"),
      Case(
        "profile-costs", "UPDATE routing_costs SET duration = 9e999 WHERE profile = 2 AND edge = 3"
      ),
      Case("profile-costs", "ALTER TABLE routing_costs RENAME COLUMN duration TO seconds"),
      Case("profile-costs", "DROP TABLE routing_costs"),
      Case("islands", "INSERT INTO routing_islands VALUES (1, 3, 1)"),
      Case("islands", "INSERT INTO routing_islands VALUES (1, 3, 7)"),
      Case("islands", "INSERT INTO routing_components VALUES (2, 2, 1, 0, 0, 1)"),
      Case("islands", "INSERT INTO routing_components VALUES (2, 2, 1, 1, 1e6, 0)"),
      Case("islands", "DROP TABLE routing_islands"),
      Case("islands", "ALTER TABLE routing_components RENAME COLUMN nodes TO size"),
    ])
  func rows(damage: Case) throws {
    let folder = try TemporaryFolder()
    let path = try loopMap.routingDatabase(in: folder)
    try changeDatabase(path, damage.statements)
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    #expect(report.checks.filter { $0.status == "error" }.map(\.rule) == [damage.rule])
    #expect(!report.valid)
    let check = try #require(report.checks.first { $0.rule == damage.rule })
    #expect(check.count > 0 && !check.details.isEmpty)
  }

  @Test("in its height: an absurd one is no place, an unknown one is none of anybody's business")
  func elevations() throws {
    let unknown = "UPDATE routing_nodes SET elevation = NULL WHERE id = 4"
    #expect(try Damaged(unknown).brokenRules() == ["elevation-coverage"])
    for value in ["'high'", "9e999", "-30000"] {
      let rules = try Damaged("UPDATE routing_nodes SET elevation = \(value) WHERE id = 4")
        .brokenRules()
      #expect(rules == ["nodes", "elevation-coverage"], "\(value)")
    }
  }

  @Test("a warning leaves it valid")
  func warnings() throws {
    let report = try Damaged("UPDATE routing_nodes SET elevation = NULL").report()
    #expect(report.valid)
    #expect(report.elevationCoverage == 0)
    #expect(
      report.checks.first { $0.rule == "elevation-coverage" }?.details == ["0 % have one"])
  }

  @Test("in its parts: a network that falls apart is a warning")
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

  @Test("impassable edges do not hold parts together")
  func impassable() throws {
    let map = AsciiMap(
      "A-B-C-D", ways: [.init("AB"), .init("BC", tags: ["access": "no"]), .init("CD")])
    let folder = try TemporaryFolder()
    var validator = try DatabaseValidator(try map.routingDatabase(in: folder))
    #expect(try validator.run().components == 2)
  }

  @Test("every breach is counted, three are named")
  func counted() throws {
    let report = try Damaged("UPDATE routing_edges SET geometry = x'00'").report()
    let check = try #require(report.checks.first { $0.rule == "geometry" })
    #expect(check.count == 5)
    #expect(
      check.details == [
        "edge 1: is no list of points", "edge 2: is no list of points",
        "edge 3: is no list of points",
      ])
  }

  @Test(
    "in its layout, and then no other rule is tried",
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
    #expect(!report.valid)
  }

  @Test("a view in place of a table is no table")
  func view() throws {
    let report = try Damaged(
      "DROP TABLE routing_metadata",
      """
      CREATE VIEW routing_metadata AS
      WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n)
      SELECT key, key AS value FROM n
      """
    ).report()
    #expect(report.checks[1].details == ["no table routing_metadata"])
  }

  @Test("a page that was overwritten breaks its integrity")
  func integrity() throws {
    let folder = try TemporaryFolder()
    var bytes = try bytesOfFile(try loopMap.routingDatabase(in: folder))
    let pageBytes = 4096
    for place in bytes.indices where place / pageBytes == 3 { bytes[place] = 0xA5 }
    var validator = try DatabaseValidator(try folder.write(bytes, to: "overwritten.db"))
    let report = try validator.run()
    #expect(report.checks[0].status == "error")
    #expect(report.checks.dropFirst().allSatisfy { $0.status == "skipped" })
  }
}
