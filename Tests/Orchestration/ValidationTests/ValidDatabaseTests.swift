// SPDX-License-Identifier: Apache-2.0
import CostModel
import TestSupport
import Testing
import Validation

/// A map with something to check for every rule: elevations, a one-way street, geometry, a stile
/// that bicycles cannot pass, a ferry, an island.
let loopMap = AsciiMap(
  """
  A-b-B---C---F       K-L
      |   |
      D---E----------------------G
  """,
  ways: [
    .init("AbB", tags: ["highway": "path", "surface": "gravel", "sac_scale": "mountain_hiking"]),
    .init("BC", tags: ["highway": "residential", "oneway:foot": "yes"]),
    .init("BD"), .init("DE"), .init("EC", tags: ["highway": "track"]),
    .init("CF", tags: ["highway": "path", "access:conditional": "no @ (Nov-Apr)"]),
    .init("EG", tags: ["route": "ferry", "duration": "00:10", "foot": "yes"]),
    .init("KL"),
  ],
  nodeTags: ["C": ["barrier": "stile"]],
  elevations: [
    "A": 1000, "b": 1020, "B": 1010, "C": 1030, "D": 1000, "E": 1015, "F": 1025, "G": 1015,
    "K": 1040, "L": 1041,
  ])

/// Rows of a valid database that has only the core tables.
let plainRows = [
  "INSERT INTO routing_nodes VALUES (1, 47, 10, 800), (2, 47.001, 10, 810)",
  """
  INSERT INTO routing_edges(from_node, to_node, distance, elevation_gain, cost, reverse_cost)
  VALUES (1, 2, 111.2, 10, 190, 150)
  """,
  """
  INSERT INTO routing_metadata VALUES ('version', '1'), ('created_at', '2026-01-01'),
    ('osm_data_date', '2026-01-01'), ('elevation_source', 'Copernicus'),
    ('node_count', '2'), ('edge_count', '1'), ('bounding_box', '10,47,10,47.001')
  """,
]

/// A valid database that a test damages.
struct Damaged {
  let folder: TemporaryFolder
  let path: String

  init(_ statements: String...) throws { try self.init(statements) }

  init(_ statements: [String], profiles: [String] = ["hiking", "cycling"]) throws {
    folder = try TemporaryFolder()
    path = try loopMap.routingDatabase(in: folder, profiles: profiles)
    try changeDatabase(path, statements)
  }

  func report(isStrict: Bool = false) throws -> ValidationReport {
    var validator = try DatabaseValidator(path)
    validator.isStrict = isStrict
    return try validator.run()
  }

  /// The rules that are broken.
  func brokenRules() throws -> [String] {
    try report().checks.filter { $0.status == "error" || $0.status == "warning" }.map(\.rule)
  }
}

@Suite("Valid databases")
struct ValidDatabaseTests {
  @Test("all rules hold for a database written by Cairn")
  func allPass() throws {
    let report = try Damaged().report()
    #expect(report.checks.map(\.rule) == ValidationRule.all.map(\.id))
    for check in report.checks where check.rule != "drift" {
      #expect(check.status == "pass" && check.count == 0, "\(check)")
    }
    #expect(report.checks.last?.status == "skipped")
    #expect(report.valid && report.isReadable)
    #expect(report.nodes == 11)
    #expect(report.edges == 10)
    #expect(report.elevationCoverage == 1)
    #expect(report.components == 2)
    #expect(report.largestComponentShare > 0.9)
  }

  @Test("all rules hold with every built-in profile, without warnings")
  func profiles() throws {
    let report = try Damaged([], profiles: CostProfile.builtIn.map(\.name)).report(isStrict: true)
    #expect(report.valid, "\(report.text())")
    #expect(report.checks.first { $0.rule == "profile-costs" }?.status == "pass")
  }

  @Test("rule ids are unique, and each rule says what must hold, why, and what to do")
  func ruleTable() {
    #expect(Set(ValidationRule.all.map(\.id)).count == ValidationRule.all.count)
    for rule in ValidationRule.all {
      #expect(rule.id.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (97...122).contains($0) })
      #expect(!rule.statement.isEmpty && !rule.reason.isEmpty && !rule.fix.isEmpty)
    }
    #expect(Set(ValidationRule.all.map(\.statement)).count == ValidationRule.all.count)
  }

  @Test("a database that has only the core tables is valid")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(in: folder, filledBy: plainRows)
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    #expect(report.valid, "\(report.text())")
    let skipped = report.checks.filter { $0.status == "skipped" }.map(\.rule)
    #expect(skipped.contains("recomputed-costs") && skipped.contains("elevation-profiles"))
  }

  @Test("a surface is known if a profile of the database, or a built-in one, has a price for it")
  func pricedSurfaces() throws {
    func findings(_ surface: String, _ profile: String) throws -> Int {
      let folder = try TemporaryFolder()
      var map = loopMap
      map.ways[0].tags["surface"] = surface
      let path = try map.routingDatabase(in: folder, profiles: [profile])
      var validator = try DatabaseValidator(path)
      let report = try validator.run()
      return try #require(report.checks.first { $0.rule == "surfaces" }).count
    }
    for surface in ["gravel", "sett", "paving_stones", "wood"] {
      #expect(try findings(surface, "hiking") == 0, "\(surface)")
    }
    #expect(try findings("tiles", "hiking") > 0)
    let folder = try TemporaryFolder()
    // The advice helps.
    let own = try folder.write(
      "cairn-profile: 1\nname: own\nbased-on: hiking\nsurfaces: { tiles: 1.3 }\n", to: "own.yaml")
    #expect(try findings("tiles", own) == 0)
  }
}
