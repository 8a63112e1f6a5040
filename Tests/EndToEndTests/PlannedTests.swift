// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn planned and cairn route --format planned")
struct PlannedTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
        C
        |
    A---B---D
    """,
    ways: [
      .init("ABD", tags: ["highway": "path", "name": "Talweg"]),
      .init("BC", tags: ["highway": "path", "name": "Höhenweg"]),
    ], elevations: ["A": 500, "B": 520, "C": 700, "D": 520])

  init() throws { folder = try TemporaryFolder() }

  private func text(_ letter: Character) throws -> String {
    let coordinate = try map.coordinate(letter)
    return "\(coordinate.latitude),\(coordinate.longitude)"
  }

  private func route(_ words: String...) throws -> ProcessResult {
    let database = try map.routingDatabase(in: folder)
    return try Executables.run(
      "cairn", ["route", database, "--from", text("A"), "--to", text("C")] + words)
  }

  private func planned(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["planned"] + words)
  }

  @Test("--instructions prints a title, totals and one line per instruction")
  func instructions() throws {
    let result = try route("--instructions")
    #expect(result.status == 0, "\(result.stderr)")
    let lines = result.stdout.split(separator: "\n").map(String.init)
    #expect(lines.first == "Talweg – Höhenweg")
    #expect(
      lines.dropFirst(2) == [
        "0.00 km  Head east on Talweg", "0.40 km  Turn left onto Höhenweg",
        "0.60 km  Arrive at the destination",
      ])
  }

  @Test("planning a route twice gives the same route, which is imported, shown and exported")
  func cycle() throws {
    let words = ["--format", "planned", "--name", "Zur Höhe", "--created", "2026-07-15T08:30:00Z"]
    let database = try map.routingDatabase(in: folder)
    let ask = ["route", database, "--from", try text("A"), "--to", try text("C")] + words
    let json = try Executables.succeed("cairn", ask).stdout
    #expect(try Executables.succeed("cairn", ask).stdout == json)
    let file = try folder.write(json, to: "a.json")
    let store = folder.file("store")
    #expect(try planned("import", store, file).status == 0)
    #expect(try planned("import", store, file).status == 0)
    let list = try planned("list", store).stdout
    #expect(list.split(separator: "\n").count == 1)
    #expect(list.contains("2026-07-15  hiking  0.6 km  +200 m"), "\(list)")
    #expect(try planned("show", store, "Zur Höhe").stdout.contains("Turn left onto Höhenweg"))
    #expect(try planned("export", store, "Zur Höhe", "--format", "json").stdout == json)
    let gpx = folder.file("hike.gpx")
    #expect(try planned("export", store, String(list.prefix(8)), "--output", gpx).status == 0)
    let other = folder.file("other")
    #expect(try planned("import", other, gpx).status == 0)
    let again = try planned("show", other, "Zur Höhe").stdout
    #expect(again.contains("Turn left"), "\(again)")
    #expect(again.contains("200 m up"), "\(again)")
    let line = try planned("export", store, "Zur Höhe", "--format", "geojson").stdout
    #expect(line.contains("\"LineString\""))
  }

  @Test(
    "errors have an exit code and a reason",
    arguments: [
      (["show", "STORE", "none"], 66, "no route is named “none”"),
      (["show", "STORE"], 64, "ROUTE"), (["shwo", "STORE"], 64, "did you mean show?"),
      (["import", "STORE", "STORE/none.gpx"], 66, "none.gpx"), ([], 64, "needs a subcommand"),
    ])
  func refused(_ words: [String], _ status: Int, _ message: String) throws {
    let store = folder.file("store")
    let result = try Executables.run(
      "cairn", ["planned"] + words.map { $0.replacing("STORE", with: store) })
    #expect(result.status == Int32(status))
    #expect(result.stderr.contains(message), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
  }

  @Test("a damaged file is set aside with a warning")
  func damaged() throws {
    let store = folder.file("store")
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    try folder.write("{", to: "store/x.json")
    let result = try planned("list", store)
    #expect(result.status == 0)
    #expect(result.stderr.contains("x.json: is not a planned route"), "\(result.stderr)")
    #expect(FileManager.default.fileExists(atPath: "\(store)/x.json.damaged"))
  }

  @Test("options that cannot be combined are refused")
  func options() throws {
    #expect(try route("--instructions", "--format", "gpx").status == 64)
    #expect(try route("--format", "planned", "--created", "yesterday").status == 64)
  }
}
