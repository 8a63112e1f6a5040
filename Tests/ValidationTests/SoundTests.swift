// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import Validation

/// A map on which every rule has something to look at: heights, a one-way street, points.
let loopMap = AsciiMap(
  """
  A-b-B---C
      |   |
      D---E
  """,
  ways: [
    .init("AbB", tags: ["highway": "path", "surface": "gravel"]),
    .init("BC", tags: ["highway": "residential", "oneway:foot": "yes"]),
    .init("BD"), .init("DE"), .init("EC"),
  ],
  elevations: ["A": 1000, "b": 1020, "B": 1010, "C": 1030, "D": 1000, "E": 1015])

/// A sound database that a test damages.
struct Damaged {
  let folder: TemporaryFolder
  let path: String

  init(_ statements: String...) throws {
    folder = try TemporaryFolder()
    path = try loopMap.routingDatabase(in: folder)
    try changeDatabase(path, statements)
  }

  func report() throws -> ValidationReport {
    var validator = try DatabaseValidator(path)
    return try validator.run()
  }

  /// The rules that are broken.
  func brokenRules() throws -> [String] {
    try report().checks.filter { $0.status == "error" || $0.status == "warning" }.map(\.rule)
  }
}

@Suite("The rules of a sound database")
struct SoundTests {
  @Test("all hold in a database of ours")
  func allPass() throws {
    let report = try Damaged().report()
    #expect(report.checks.map(\.rule) == ValidationRule.all.map(\.id))
    #expect(report.checks.allSatisfy { $0.status == "pass" && $0.count == 0 })
    #expect(report.valid)
    #expect(report.nodes == 5)
    #expect(report.edges == 5)
    #expect(abs(report.kilometres - 1.6) < 0.001)
    #expect(report.components == 1)
    #expect(report.largestComponentShare == 1)
    #expect(report.elevationCoverage == 1)
  }

  @Test("ids are unique words, and each rule says what must hold and what to do")
  func ruleTable() {
    #expect(Set(ValidationRule.all.map(\.id)).count == ValidationRule.all.count)
    for rule in ValidationRule.all {
      #expect(rule.id.utf8.allSatisfy { $0 == UInt8(ascii: "-") || (97...122).contains($0) })
      #expect(!rule.statement.isEmpty && !rule.fix.isEmpty)
    }
  }

  @Test("a database with the contract's tables alone is valid, too")
  func plain() throws {
    let folder = try TemporaryFolder()
    let path = try plainDatabase(
      in: folder,
      filledBy: [
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
      ])
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    #expect(report.valid, "\(report.table)")
  }
}
