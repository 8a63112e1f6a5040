// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing

@Suite("Routes over several databases by commands")
struct RegionRouteTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
        a       c
        |       |
    A---B---C---D---E---F---G
            |       |
            e       f
    """,
    ways: [
      .init("ABCDEFG", tags: ["highway": "path", "name": "Talweg"]), .init("Ba"), .init("Dc"),
      .init("Ce"), .init("Ef"),
    ])
  private let databases: [String]

  init() throws {
    folder = try TemporaryFolder()
    databases = try map.routingDatabases(ofRegions: ["ABCae", "DEFGcf"], in: folder)
  }

  private func text(_ letter: Character) throws -> String {
    let point = try map.coordinate(letter)
    return "\(point.latitude),\(point.longitude)"
  }

  /// The databases as bundles of an output folder whose index also names a region that is not there.
  private func output() throws -> String {
    let output = folder.file("build")
    var regions: [[String: Any]] = []
    for (index, database) in databases.enumerated() {
      let bundle = "\(output)/region\(index)"
      try FileManager.default.createDirectory(
        atPath: bundle, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: database, toPath: "\(bundle)/region\(index).routing.db")
      regions.append([
        "id": "region\(index)", "name": "Region \(index)", "status": "fresh",
        "routingDbFilename": "region\(index).routing.db",
      ])
    }
    let east = try map.coordinate("G")
    regions.append([
      "id": "far-east", "name": "Far East", "status": "fresh",
      "boundingBox": [
        "west": east.longitude, "south": east.latitude - 1, "east": east.longitude + 1,
        "north": east.latitude + 1,
      ],
    ])
    let index: [String: Any] = [
      "cairn": 1, "name": "test", "licence": "", "attribution": "", "totalBytes": 0,
      "regions": regions,
    ]
    let bytes = try JSONSerialization.data(withJSONObject: index)
    try bytes.write(to: URL(fileURLWithPath: "\(output)/index.json"))
    return output
  }

  @Test("several databases and an output folder are routed over as one")
  func route() throws {
    let ends = ["--from", try text("a"), "--to", try text("f")]
    for words in [databases, [try output()]] {
      let result = try Executables.run("cairn", ["route"] + words + ends + ["--format", "json"])
      #expect(result.status == 0, "\(result.stderr)")
      let json = try JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any]
      let regions = json?["regions"] as? [[String: Any]]
      #expect(regions?.map { $0["id"] as? String } == ["region0", "region1"])
      let distance = try #require(json?["totalDistance"] as? Double)
      #expect(abs(distance - 1600) < 2)
    }
  }

  @Test("batch, matrix, explain, isochrone and round-trip take them, too")
  func others() throws {
    let pairs = try folder.write("\(text("a")),\(text("f"))\n", to: "pairs.csv")
    let points = try folder.write("\(text("a"))\n\(text("f"))\n", to: "points.csv")
    let batch = try Executables.run("cairn", ["routes", "batch"] + databases + [pairs])
    #expect(batch.status == 0, "\(batch.stderr)")
    let paged = try Executables.run(
      "cairn", ["routes", "batch", "--paged"] + databases + [pairs])
    #expect(batch.stdout == paged.stdout)
    let matrix = try Executables.run("cairn", ["matrix"] + databases + ["--points", points])
    #expect(matrix.status == 0 && !matrix.stdout.hasPrefix("0.0,,"), "\(matrix.stdout)")
    let ends = ["--from", try text("a"), "--to", try text("f")]
    let explained = try Executables.run("cairn", ["explain"] + databases + ends)
    #expect(explained.status == 0 && explained.stdout.contains("Talweg"), "\(explained.stderr)")
    for words in [["isochrone", "--minutes", "20"], ["round-trip", "--length-km", "2"]] {
      let result = try Executables.run(
        "cairn", words.prefix(1) + databases + ["--from", try text("D")] + words.dropFirst())
      #expect(result.status == 0, "\(words) \(result.stderr)")
    }
  }

  @Test("audit, profiles, track match and navigate take them, and tell nothing twice")
  func wholeMaps() throws {
    let output = try output()
    let whole = try map.routingDatabase(in: folder, name: "whole.routing.db")
    func run(_ words: [String]) throws -> String {
      let result = try Executables.run("cairn", words)
      #expect(result.status == 0, "\(words) \(result.stderr)")
      return result.stdout
    }
    for command in ["audit", "profiles"] {
      let texts = try [databases, [output], [whole]].map { words in
        try run([command] + words).split(separator: "\n").dropFirst(command == "audit" ? 1 : 0)
      }
      #expect(texts[0] == texts[2] && texts[1] == texts[2], "\(command) \(texts)")
    }
    let ends = ["--from", try text("a"), "--to", try text("f")]
    let (track, plan) = (folder.file("track.gpx"), folder.file("plan.json"))
    _ = try run(["route", whole] + ends + ["--format", "gpx", "-o", track])
    _ = try run(["route", whole] + ends + ["--format", "planned", "-o", plan])
    let matches = try [databases, [output], [whole]].map { words in
      try run(["track", "match"] + words + [track])
    }
    #expect(matches[0] == matches[2] && matches[1] == matches[2], "\(matches)")
    #expect(matches[0].contains("Talweg"))
    let walks = try [databases, [output], [whole]].map { words in
      try run(
        ["navigate", plan, "--simulate", "--wrong-turns", "1"] + words.flatMap { ["--db", $0] })
    }
    #expect(walks[0] == walks[1])
    let one = try Executables.run("cairn", ["delta", "make", output, whole, "--output", plan])
    #expect(one.status == 66 && one.stderr.contains("it contains bundles"), "\(one.stderr)")
  }

  @Test("a region that is needed and not among them is named where the index knows it")
  func missingRegion() throws {
    let far = try map.coordinate("G")
    let output = try self.output()
    let result = try Executables.run(
      "cairn",
      [
        "route", output, "--from", try text("a"), "--to",
        "\(far.latitude),\(far.longitude + 0.1)",
      ])
    #expect(result.status == 1)
    #expect(result.stderr.contains("Far East (far-east)"), "\(result.stderr)")
    let near = "\(far.latitude),\(far.longitude)"
    for words in [
      // In none of the regions.
      ["--to", "0,20"],
      // What is wrong is the profile, whatever the points.
      ["--to", near, "--profile", "sailing"],
      ["--to", "\(far.latitude),\(far.longitude + 0.1)", "--profile", "sailing"],
    ] {
      let other = try Executables.run(
        "cairn", ["route", output, "--from", try text("a")] + words)
      #expect(other.status != 0 && !other.stderr.contains("Far East"), "\(other.stderr)")
      if words.contains("sailing") {
        #expect(other.stderr.contains("has no costs for sailing, only for "), "\(other.stderr)")
      }
    }
  }

  @Test("databases that do not go together end with 65, and are named")
  func unfit() throws {
    let ends = ["--from", try text("a"), "--to", try text("f")]
    let twice = try Executables.run(
      "cairn", ["route", databases[0], databases[1], databases[0]] + ends)
    #expect(twice.status == 65 && twice.stderr.contains("are the same region, region0"))
  }
}
