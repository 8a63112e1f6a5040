// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CommandLineKit
import Foundation
import TestSupport
import Testing
import Validation

@testable import Presentation

private func jsonObject(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

@Suite("An audit as text and as data")
struct AuditTextTests {
  private let audit: RegionAudit
  private let map = AsciiMap(
    """
    A---B---C---D
    E
    """, cellMetres: 100,
    ways: [
      .init("AB", tags: ["highway": "path", "sac_scale": "T5", "mtb:scale": "1"]),
      .init("BC", tags: ["highway": "path", "foot:conditional": "no @ (Nov-Mar)"]),
      .init("CD"), .init("AE", tags: ["highway": "track"]),
    ], nodeTags: ["C": ["ford": "yes"]],
    elevations: ["A": 2400, "B": 2400, "C": 2400, "D": 2500, "E": 2400])

  init() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(
      path: try map.routingDatabase(in: folder, profiles: ["hiking"], date: "2026-07-01"))
    try store.open()
    audit = try RegionAudit(store)
  }

  @Test("the text has everything, on at most 100 columns")
  func text() {
    let lines = AuditListing("map.routing.db", audit).lines
    #expect(lines.allSatisfy { $0.count <= 100 && !$0.hasSuffix(" ") }, "\(lines)")
    let text = lines.joined(separator: "\n")
    for words in [
      "map.routing.db: what can hurt, access as of 2026-07-01",
      "open to walkers     1.3 km: 1.2 km of paths, 0.1 km of tracks, 0.0 km of roads",
      "hardest grade       T5", "  T2         0.0 km  intermediate  0.0 km",
      "above 1\u{A0}950 m       0.8 km",
      "danger   alpine-grade         1 place  400 m",
      "caution  contradictory-grade  1 place  400 m",
      "caution  ford                 1 place", "  T5         0.4 km", "demanding alpine path, T5",
      "ford (ford=yes)",
      "node/3", "closed at times, 1 place", "foot:conditional=no @ (Nov-Mar)",
      "closed 2026-11-01 to 2027-03-31", "a grade for hands that is easy to cycle",
    ] {
      #expect(text.contains(words), "\(words) is not in\n\(text)")
    }
  }

  @Test("a limit cuts the lists of places, and says so; tables of figures stay")
  func limit() {
    let text = AuditListing("map.routing.db", audit, limit: 1).lines.joined(separator: "\n")
    #expect(text.contains("… and 2 more (--limit)"), "\(text)")
    #expect(text.contains("alpine-grade") && text.contains("ford "))
  }

  @Test("JSON has all findings with their places, and null for what is unknown")
  func json() throws {
    let object = try jsonObject(
      String(decoding: encodeJSON(AuditListing("map.routing.db", audit)), as: UTF8.self))
    #expect(Set(object.keys) == ["accessDate", "database", "findings", "name", "summary"])
    #expect(object["name"] is NSNull && object["accessDate"] as? String == "2026-07-01")
    let findings = try #require(object["findings"] as? [[String: Any]])
    #expect(findings.count == audit.findings.count)
    let keys: Set = [
      "category", "kind", "latitude", "longitude", "metres", "osm", "severity", "tag", "text",
    ]
    for finding in findings {
      let own = finding["category"] as? String == "closure"
      #expect(
        Set(finding.keys) == keys.union(own ? ["closed", "hasHours", "perhapsClosed"] : []))
    }
    let closure = try #require(findings.first { $0["category"] as? String == "closure" })
    #expect(
      closure["closed"] as? [[String: String]] == [["from": "2026-11-01", "to": "2027-03-31"]])
    let summary = try #require(object["summary"] as? [String: Any])
    #expect(summary.count == 12 && summary["closures"] as? Int == 1)
  }

  @Test("GeoJSON has a line or a point for each finding")
  func features() throws {
    let bytes = try encodeJSON(AuditFeatures(audit), pretty: false)
    #expect(isGeoJSONOfCairn(Array(bytes.prefix(64))))
    let object = try jsonObject(String(decoding: bytes, as: UTF8.self))
    let features = try #require(object["features"] as? [[String: Any]])
    #expect(features.count == audit.findings.count)
    var types: [String: String] = [:]
    for feature in features {
      let geometry = try #require(feature["geometry"] as? [String: Any])
      let kind = try #require((feature["properties"] as? [String: Any])?["kind"] as? String)
      types[kind] = geometry["type"] as? String
    }
    #expect(types["ford"] == "Point" && types["alpine-grade"] == "LineString")
  }
}
