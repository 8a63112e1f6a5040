// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn audit")
struct AuditCommandTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let map = AsciiMap(
      "A---B---C",
      ways: [.init("AB", tags: ["highway": "path", "sac_scale": "alpine_hiking"]), .init("BC")])
    database = try map.routingDatabase(in: folder)
  }

  @Test("a database and the folder that it lies in are told alike, in every format")
  func formats() throws {
    let text = try Executables.succeed("cairn", ["audit", database]).stdout
    #expect(text.contains("hardest grade       T4") && text.contains("way/100"))
    let json = ["--format", "json"]
    let whole = try Executables.succeed("cairn", ["audit", database] + json).stdout
    #expect(whole == (try Executables.succeed("cairn", ["audit", folder.path] + json).stdout))
    let output = folder.file("audit.geojson")
    for _ in 0..<2 {
      try Executables.succeed(
        "cairn", ["audit", database, "--format", "geojson", "--output", output])
    }
    let features = try jsonObject(String(contentsOfFile: output, encoding: .utf8))
    #expect((features["features"] as? [Any])?.count == 1)
    // What is not Cairn's GeoJSON is not written over.
    #expect(try Executables.run("cairn", ["audit", database, "-o", output]).status == 73)
  }

  @Test(
    "limits that make no sense end with 64",
    arguments: [
      ["--tree-line", "nan"], ["--tree-line", "-5"], ["--steep", "0"], ["--steep", "inf"],
      ["--limit", "-1"], ["--format", "gpx"],
    ])
  func usage(words: [String]) throws {
    #expect(try Executables.run("cairn", ["audit", database] + words).status == 64)
  }

  @Test("what is missing ends with 66, what is no database or damaged with 65")
  func bad() throws {
    #expect(try Executables.run("cairn", ["audit", folder.file("none.routing.db")]).status == 66)
    let text = try folder.write("no database", to: "text.routing.db")
    #expect(try Executables.run("cairn", ["audit", text]).status == 65)
    try changeDatabase(database, ["UPDATE routing_nodes SET longitude = 9e999"])
    let result = try Executables.run("cairn", ["audit", database])
    #expect(result.status == 65 && result.stderr.contains("damaged"), "\(result.stderr)")
  }

  @Test(
    "Andorra has the grades, the fords and the doubtful tags that its extract has",
    .enabled(if: Andorra.isThere, "needs ../shared/data"))
  func real() throws {
    let object = try jsonObject(
      Executables.succeed("cairn", ["audit", Andorra.database(), "--format", "json"]).stdout)
    let summary = try #require(object["summary"] as? [String: Any])
    let grades = try #require(summary["grades"] as? [String: Double])
    #expect(summary["highestGrade"] as? String == "T5" && grades["T6"] == 0)
    #expect(abs((grades["T5"] ?? 0) - 6.2) < 0.1 && abs((grades["T4"] ?? 0) - 20.1) < 0.1)
    #expect(summary["treeLineMetres"] as? Double == 2350)
    #expect(summary["closures"] as? Int == 0)
    let findings = try #require(object["findings"] as? [[String: Any]])
    func tags(_ way: String, _ category: String) -> Set<String?> {
      Set(
        findings.filter {
          ($0["osm"] as? [String])?.contains(way) == true && $0["category"] as? String == category
        }.map { $0["tag"] as? String })
    }
    #expect(
      tags("way/33184252", "suspicious") == [
        "sac_scale=demanding_alpine_hiking, highway=track",
        "sac_scale=demanding_alpine_hiking, mtb:scale=2",
      ])
    #expect(tags("way/704181829", "hazard") == ["safety_rope=yes"])
    #expect(tags("way/235359821", "hazard").contains("obstacle=precipice"))
  }
}
