// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CommandLineKit
import Foundation
import TestSupport
import Testing

@testable import Validation

@Suite("What can hurt in a region")
struct RegionAuditTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func audit(
    _ map: AsciiMap, _ limits: AuditLimits = AuditLimits(), date: String? = nil,
    changes: [String] = []
  ) throws -> RegionAudit {
    let path = try map.routingDatabase(in: folder, date: date)
    try changeDatabase(path, changes)
    let store = RoutingStore(path: path)
    try store.open()
    return try RegionAudit(store, limits)
  }

  /// The findings of a category as KIND:SEVERITY METRES OBJECTS TAG.
  private func text(_ audit: RegionAudit, _ category: AuditFinding.Category) -> [String] {
    audit.findings.filter { $0.category == category }.map {
      "\($0.kind):\($0.severity.rawValue) \(Int($0.metres.rounded())) "
        + "\($0.osm.joined(separator: "+")) \($0.tag ?? "?")"
    }
  }

  private let grades = AsciiMap(
    """
    A---B---C---D---E---F
            |
            G---H
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "sac_scale": "T4", "trail_visibility": "bad"]),
      .init("BC", tags: ["highway": "path", "sac_scale": "T4", "name": "Grat"]),
      .init("CD", tags: ["highway": "track"]),
      .init("DE", tags: ["highway": "path", "sac_scale": "demanding_alpine_hiking"]),
      .init("EF", tags: ["highway": "path", "ladder": "yes"]), .init("CG"),
      .init("GH", tags: ["highway": "residential", "foot": "no"]),
    ])

  @Test("kilometres are told by grade and visibility, of what walkers may use")
  func kilometres() throws {
    let summary = try audit(grades).summary
    #expect(summary.kilometres == .init(paths: 1.8, tracks: 0.4, roads: 0))
    #expect(summary.grades["T4"] == 0.8 && summary.grades["T5"] == 0.4)
    #expect(summary.grades["unknown"] == 0.6 && summary.grades["T6"] == 0)
    #expect(summary.highestGrade == "T5")
    #expect(summary.visibility["bad"] == 0.4 && summary.visibility["unknown"] == 1.4)
    #expect(summary.visibility["no"] == 0)
  }

  @Test("neighbours with the same hazard are one, and the worst comes first")
  func hazards() throws {
    let audit = try audit(grades)
    #expect(
      text(audit, .hazard) == [
        "alpine-grade:danger 400 way/103 sac_scale=demanding_alpine_hiking",
        "alpine-grade:caution 800 way/100+way/101 sac_scale=T4",
        "equipment:caution 400 way/104 ladder=yes",
        "visibility:caution 400 way/100 trail_visibility=bad",
      ])
    #expect(
      audit.summary.hazards == [
        .init(kind: "alpine-grade", severity: .danger, count: 2, kilometres: 1.2),
        .init(kind: "equipment", severity: .caution, count: 1, kilometres: 0.4),
        .init(kind: "visibility", severity: .caution, count: 1, kilometres: 0.4),
      ])
  }

  @Test("a line leads along its ways, whichever way they are drawn, and through a crossing")
  func lines() throws {
    let tags = ["highway": "path", "sac_scale": "T4"]
    let map = AsciiMap(
      """
      A---B---C---D
          |
          E
      """, ways: [.init("BA", tags: tags), .init("BCD", tags: tags), .init("CE"), .init("BE")])
    let finding = try #require(try audit(map).findings.first)
    let ends = try [map.coordinate("A"), map.coordinate("D")].map(\.longitude)
    // The direction is that of the first way.
    let found = Array(finding.line.map(\.longitude).reversed())
    #expect(abs(found[0] - ends[0]) < 1e-6 && abs(found[found.count - 1] - ends[1]) < 1e-6)
    #expect(found == found.sorted() && Set(found).count == found.count)
    // Three pieces of the theme meet at B: those of one way go on, the third one does not.
    let crossing = AsciiMap(
      """
      A---B---C
          |
          D
      """, ways: [.init("ABC", tags: tags), .init("BD", tags: tags)])
    #expect(try audit(crossing).findings.map { Int($0.metres.rounded()) } == [800, 200])
  }

  @Test("a ring ends where it begins")
  func ring() throws {
    let tags = ["highway": "path", "sac_scale": "T4"]
    let map = AsciiMap(
      """
      A---B
      |   |
      C---D
      """, ways: [.init("ABDCA", tags: tags), .init("AB", tags: ["highway": "track"])])
    let audit = try audit(map)
    #expect(audit.findings.filter { $0.category == .hazard }.count == 1)
    #expect(audit.findings[0].line.first == audit.findings[0].line.last)
  }

  @Test("nodes and areas are told by their objects, a node at a junction once")
  func places() throws {
    var map = AsciiMap(
      """
      a-------b
      |A--B--C|-D
      c-------d
      """,
      ways: [.init("AB"), .init("BC"), .init("CD")], nodeTags: ["B": ["ford": "yes"]])
    map.areas = [.init("abdc", id: 77, tags: ["natural": "glacier"])]
    let audit = try audit(map)
    let found = text(audit, .hazard)
    #expect(found.count == 2 && found[1] == "ford:caution 0 node/2 ford=yes")
    #expect(found[0].hasPrefix("glacier:danger 7") && found[0].hasSuffix("way/77 natural=glacier"))
    let ford = try #require(audit.findings.first { $0.kind == "ford" })
    let place = try map.coordinate("B")
    #expect(
      ford.line.count == 1
        && abs(ford.line[0].longitude - place.longitude) < 1e-6)
  }

  private let climb = AsciiMap(
    """
    A--B--C--D
             E
    """, cellMetres: 50,
    ways: [
      .init("AB"), .init("BC", tags: ["highway": "path", "sac_scale": "T2"]), .init("CD"),
      .init("DE", tags: ["highway": "track"]),
    ], elevations: ["A": 1900, "B": 1970, "C": 2000, "D": 2040, "E": 2042])

  @Test(
    "paths without a grade are told where they are high, or steep, by the limits that are given")
  func unknownGrades() throws {
    let usual = try audit(climb)
    // 85 m for each of the 23 degrees from 47° N to 70°.
    #expect(usual.summary.treeLineMetres == 1950)
    let summary = try #require(usual.summary.unknownGrade.aboveTreeLine)
    #expect(summary > 0.15 && summary < 0.3)
    #expect(usual.summary.unknownGrade.steep == 0.15)
    #expect(usual.summary.unknownGrade.withoutElevation == 0)
    let kinds = Set(usual.findings.filter { $0.category == .unknownGrade }.map(\.kind))
    #expect(kinds == [AuditFinding.highKind, AuditFinding.steepKind])
    let others = try audit(climb, AuditLimits(treeLineMetres: 2500, steepPercent: 60))
    #expect(others.summary.unknownGrade == .init(aboveTreeLine: 0, steep: 0, withoutElevation: 0))
    #expect(others.summary.treeLineMetres == 2500 && others.summary.steepPercent == 60)
  }

  @Test("without elevations nobody can tell, which is not nothing")
  func noElevations() throws {
    let summary = try audit(grades).summary
    #expect(summary.unknownGrade == .init(aboveTreeLine: nil, steep: nil, withoutElevation: 0.6))
  }

  @Test("the tree line falls with the latitude, on both sides of the equator")
  func treeLine() {
    #expect(AuditLimits.usualTreeLine(latitude: 42.5) == 2350)
    #expect(AuditLimits.usualTreeLine(latitude: -42.5) == 2350)
    #expect(AuditLimits.usualTreeLine(latitude: 0) == 4000)
    #expect(AuditLimits.usualTreeLine(latitude: 69.9) == 0)
    #expect(AuditLimits.usualTreeLine(latitude: 90) == 0)
  }

  @Test("what is closed at times is told with its days, seen from the day of the database")
  func closures() throws {
    let map = AsciiMap(
      "A---B---C---D---E",
      ways: [
        .init("AB", tags: ["highway": "path", "foot:conditional": "no @ (Nov-Mar)"]),
        .init("BC", tags: ["highway": "path", "foot:conditional": "no @ snow"]),
        .init("CDE"),
      ],
      nodeTags: ["D": ["barrier": "gate", "opening_hours": "08:00-18:00"]])
    let audit = try audit(map, date: "2026-07-01")
    let found = Dictionary(
      grouping: audit.findings.filter { $0.category == .closure }, by: { $0.osm[0] }
    ).mapValues { $0[0] }
    #expect(audit.summary.closures == 3 && audit.summary.hasSeasonalClosures == true)
    #expect(
      found["way/100"]?.year?.closed.map { "\($0.from) \($0.to)" } == ["2026-11-01 2027-03-31"])
    #expect(found["way/100"]?.tag == "foot:conditional=no @ (Nov-Mar)")
    #expect(found["way/101"]?.year?.unknown.count == 1)
    #expect(found["node/4"]?.year?.hasHours == true && found["node/4"]?.kind == "barrier")
    // Said once, and not as a hazard, too.
    #expect(!audit.findings.contains { $0.category == .hazard && $0.kind == "conditional" })
  }

  @Test("a region without closures has none, and one that is closed for hours has no season")
  func noClosures() throws {
    let plain = try audit(AsciiMap("A-B", ways: [.init("AB")]), date: "2026-07-01").summary
    #expect(plain.closures == 0 && plain.hasSeasonalClosures == false)
    let hours = AsciiMap(
      "A-B", ways: [.init("AB", tags: ["highway": "path", "opening_hours": "08:00-18:00"])])
    let summary = try audit(hours, date: "2026-07-01").summary
    #expect(summary.closures == 1 && summary.hasSeasonalClosures == false)
  }

  @Test("tags that cannot all be right are told with the tags")
  func suspicious() throws {
    let map = AsciiMap(
      "A---B",
      ways: [.init("AB", tags: ["highway": "track", "sac_scale": "T5", "mtb:scale": "2"])])
    let audit = try audit(map)
    #expect(
      text(audit, .suspicious) == [
        "tags:notice 400 way/100 sac_scale=T5, highway=track",
        "tags:notice 400 way/100 sac_scale=T5, mtb:scale=2",
      ])
    #expect(audit.summary.suspicious == 2)
  }

  @Test("a closed way is told only where a hazard closes it")
  func closed() throws {
    let map = AsciiMap(
      "A---B---C---D",
      ways: [
        .init("AB", tags: ["highway": "path", "bridge": "collapsed", "sac_scale": "T5"]),
        .init("BC", tags: ["highway": "path", "access": "no", "sac_scale": "T5"]), .init("CD"),
      ])
    #expect(text(try audit(map), .hazard) == ["bridge:danger 400 way/100 bridge=collapsed"])
  }

  @Test("a database with only the core tables is told by its columns; what is not there is unknown")
  func coreTables() throws {
    let summary = try audit(
      grades,
      changes: [
        "DROP VIEW routing_edge_tags", "DROP TABLE routing_tags",
        "DROP TABLE routing_tagset_blocks", "DROP TABLE routing_hazards",
        "DROP TABLE routing_rules",
      ]
    ).summary
    #expect(summary.grades["T5"] == 0.4 && summary.highestGrade == "T5")
    #expect(summary.closures == nil && summary.suspicious == nil)
    #expect(summary.hasSeasonalClosures == nil)
  }

  @Test(
    "what a forged database says is refused or ignored, and never trapped on",
    arguments: [
      "UPDATE routing_edges SET distance = 9e999 WHERE id = 1",
      "UPDATE routing_edges SET distance = 'long' WHERE id = 1",
      "UPDATE routing_edges SET from_node = 4711 WHERE id = 1",
      "UPDATE routing_edges SET geometry = x'00' WHERE id = 1",
      "UPDATE routing_nodes SET latitude = 9e999 WHERE id = 1",
      "UPDATE routing_tagset_blocks SET tagsets = x'00ff'",
      "UPDATE routing_elevation_blocks SET profiles = x'00ff'",
    ])
  func damaged(change: String) throws {
    #expect(throws: RoutingError.self) { try audit(steepGrades, changes: [change]) }
  }

  /// Every edge has something to tell, so that each of its columns is read.
  private var steepGrades: AsciiMap {
    AsciiMap(
      "A---B---C", cellMetres: 25,
      ways: [.init("AB", tags: ["highway": "path", "exposed": "yes"]), .init("BC")],
      elevations: ["A": 2000, "B": 2090, "C": 2100])
  }

  @Test(
    "ids and places that are not there are left out",
    arguments: [
      (9_223_372_036_854_775_807, 0), (1, -9_223_372_036_854_775_807),
      (1, 9_223_372_036_854_775_807),
    ])
  func foreign(edge: Int, place: Int) throws {
    let map = AsciiMap("A---B", ways: [.init("AB")], nodeTags: ["B": ["ford": "yes"]])
    let audit = try audit(
      map,
      changes: [
        "UPDATE routing_hazards SET edge = \(edge), start_decimetres = \(place), "
          + "end_decimetres = \(place)"
      ])
    #expect(audit.findings.count == (edge == 1 ? 1 : 0))
  }

  @Test("the validator's report has the summary, also after it was written and read")
  func report() throws {
    let path = try grades.routingDatabase(in: folder)
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    let safety = try #require(report.safety)
    #expect(safety.highestGrade == "T5")
    let again = try JSONDecoder().decode(
      ValidationReport.self, from: Data(try encodeJSON(report)))
    #expect(again.safety == safety)
  }

  @Test(
    "the rows that the rules have read give the summary that a store gives",
    arguments: [
      "", "DROP TABLE routing_elevation_blocks", "DELETE FROM routing_elevation_blocks",
      "UPDATE routing_edges SET osm_way_id = NULL", "UPDATE routing_edges SET osm_way_id = 0",
      "UPDATE routing_edges SET elevation_gain = NULL, elevation_loss = NULL",
      "DROP TABLE routing_tagset_blocks", "UPDATE routing_metadata SET value = '0' WHERE key = 'x'",
    ])
  func rows(change: String) throws {
    var map = grades
    map.nodeTags = ["B": ["barrier": "gate", "foot:conditional": "no @ (Dec-Mar)"]]
    let path = try map.routingDatabase(in: folder, date: "2024-07-01")
    // Tables may be missing in a database of another writer.
    try changeDatabase(path, ["PRAGMA application_id=0"] + (change.isEmpty ? [] : [change]))
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    let store = RoutingStore(path: path)
    try store.open()
    let summary = try RegionAudit(store).summary
    #expect(report.safety == summary && !summary.hazards.isEmpty)
  }

  @Test("a cost that no store believes is found, though the rules about costs hold")
  func cost() throws {
    let path = try grades.routingDatabase(in: folder)
    try changeDatabase(
      path,
      [
        "PRAGMA application_id=0", "DROP TABLE routing_cost_blocks",
        "UPDATE routing_edges SET cost = 1e19 WHERE id = 1",
      ])
    var validator = try DatabaseValidator(path)
    let report = try validator.run()
    let broken = report.checks.filter { $0.status == "error" }
    #expect(broken.map(\.rule) == ["hazards"], "\(report.text(isVerbose: true))")
    #expect(broken.first?.details.first?.contains("cannot be audited") == true)
  }
}
