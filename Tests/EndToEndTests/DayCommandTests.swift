// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Commands for the day of a walk")
struct DayCommandTests {
  private let folder: TemporaryFolder
  /// The direct way over B is closed in winter and at night.
  private let map = AsciiMap(
    """
    A----B----C
    |         |
    D---------E
    """, cellMetres: 300,
    ways: [
      .init(
        "ABC",
        tags: [
          "highway": "path", "access:conditional": "no @ (Nov-Apr)", "opening_hours": "06:00-22:00",
        ]), .init("ADEC"),
    ])
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder, date: "2026-07-01")
  }

  private func point(_ letter: Character) throws -> String {
    let coordinate = try map.coordinate(letter)
    return "\(coordinate.latitude),\(coordinate.longitude)"
  }

  private func ask(_ command: String...) throws -> [String] {
    command + [database, "--from", try point("A"), "--to", try point("C")]
  }

  private func ways(_ words: String...) throws -> [Int64] {
    let json = try jsonObject(
      Executables.succeed("cairn", ask("route") + ["--format", "json"] + words).stdout)
    let edges = try #require(json["edges"] as? [[String: Any]])
    return edges.compactMap { ($0["osmWayId"] as? NSNumber)?.int64Value }
  }

  @Test("a route is for the day of the database, for another day, or for a departure")
  func route() throws {
    #expect(try ways() == [100])
    #expect(try ways("--date", "2026-12-24") == [101])
    #expect(try ways("--depart", "2026-07-15T12:00") == [100])
    #expect(try ways("--depart", "2026-07-15T22:30") == [101])
    #expect(try ways("--date", "2026-12-24", "--profile", "mountain-hiking") == [101])
    #expect(try ways("--date", "2026-07-15", "--set", "climb-factor=9") == [100])
  }

  @Test("the answer says which day was used")
  func answer() throws {
    func json(_ words: String...) throws -> [String: Any] {
      try jsonObject(
        Executables.succeed("cairn", ask("route") + ["--format", "json"] + words).stdout)
    }
    let plain = try json()
    #expect(plain["accessDate"] as? String == "2026-07-01" && plain["departure"] is NSNull)
    let day = try json("--date", "2026-12-24")
    #expect(day["accessDate"] as? String == "2026-12-24" && day["departure"] is NSNull)
    let departure = try json("--depart", "2026-12-24T08:00")
    #expect(departure["accessDate"] as? String == "2026-12-24")
    #expect(departure["departure"] as? String == "2026-12-24T08:00")
    let text = try Executables.succeed("cairn", ask("route") + ["--date", "2026-12-24"]).stdout
    #expect(text.contains("\nOpen ways: those of noon on 2026-12-24\n"), "\(text)")
  }

  @Test("what shares these options has them, too")
  func others() throws {
    let pairs = folder.file("pairs.csv")
    try "\(point("A")),\(point("C"))\n".write(toFile: pairs, atomically: true, encoding: .utf8)
    func batch(_ words: String...) throws -> String {
      try Executables.succeed("cairn", ["routes", "batch", database, pairs] + words).stdout
    }
    #expect(try batch("--date", "2026-07-20") == batch())
    #expect(try batch("--date", "2026-12-24") != batch())
    #expect(try batch("--depart", "2026-12-24T08:00", "--paged") == batch("--date", "2026-12-24"))
    let points = folder.file("points.csv")
    try "\(point("A"))\n\(point("C"))\n".write(toFile: points, atomically: true, encoding: .utf8)
    func matrix(_ words: String...) throws -> String {
      try Executables.succeed("cairn", ["matrix", database, "--points", points] + words).stdout
    }
    #expect(try matrix("--date", "2026-12-24") != matrix())
    func reach(_ words: String...) throws -> String {
      try Executables.succeed(
        "cairn", ["isochrone", database, "--from", point("A"), "--minutes", "6"] + words
      ).stdout
    }
    #expect(try reach("--date", "2026-12-24") != reach())
    #expect(try reach("--depart", "2026-07-01T22:30") == reach("--date", "2026-12-24"))
    let explained = try Executables.succeed(
      "cairn", ask("explain") + ["--date", "2026-12-24"])
    #expect(!explained.stdout.contains("differ"), "\(explained.stdout)")
    _ = try Executables.succeed("cairn", ask("elevation-profile") + ["--date", "2026-12-24"])
  }

  @Test(
    "a hierarchy that was asked for is left aside on a day that changes costs, and that is said")
  func hierarchy() throws {
    let file = folder.file("map.hierarchy")
    _ = try Executables.succeed(
      "cairn-prepare-routing", ["--input", database, "--output", file])
    let pairs = folder.file("pairs.csv")
    try "\(point("A")),\(point("C"))\n".write(toFile: pairs, atomically: true, encoding: .utf8)
    func stderr(_ day: String) throws -> String {
      try Executables.succeed(
        "cairn",
        ["routes", "batch", database, pairs, "--hierarchy", file, "--date", day]
      ).stderr
    }
    #expect(try stderr("2026-12-24").contains("for 2026-12-24 A* answers"))
    #expect(try !stderr("2026-08-01").contains("A*"))
  }

  @Test("contradictions and what is no day are refused with 64")
  func refusals() throws {
    func status(_ words: [String]) throws -> Int32 {
      try Executables.run("cairn", words).status
    }
    let day = ["--date", "2026-12-24"]
    let departure = ["--depart", "2026-12-24T08:00"]
    #expect(try status(ask("route") + day + departure) == 64)
    #expect(try status(ask("explain") + departure) == 64)
    #expect(try status(ask("route") + departure + ["--set", "climb-factor=9"]) == 64)
    let start = try point("A")
    #expect(
      try status(["round-trip", database, "--from", start, "--length-km", "1"] + departure) == 64)
    for wrong in [
      ["--date", "tomorrow"], ["--date", "2026-02-30"], ["--date", "2026-12-24T08:00"],
      ["--depart", "2026-12-24"], ["--depart", "08:00"], ["--depart", "2026-12-24T25:00"],
    ] {
      let result = try Executables.run("cairn", ask("route") + wrong)
      #expect(result.status == 64, "\(wrong)")
      #expect(result.stderr.contains("write it as YYYY-MM-DD"), "\(result.stderr)")
    }
  }

  @Test("a database of version 3 answers for its own day and refuses others with 65")
  func withoutRules() throws {
    let old = folder.file("old.routing.db")
    try FileManager.default.copyItem(atPath: database, toPath: old)
    try changeDatabase(old, ["DROP TABLE routing_rules", "PRAGMA user_version = 3"])
    let ask = ["route", old, "--from", try point("A"), "--to", try point("C")]
    _ = try Executables.succeed("cairn", ask + ["--date", "2026-07-01"])
    let refused = try Executables.run("cairn", ask + ["--date", "2026-12-24"])
    #expect(refused.status == 65)
    #expect(refused.stderr.contains("has no rules on times"), "\(refused.stderr)")
  }
}
