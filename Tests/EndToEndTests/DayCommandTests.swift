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

  @Test(
    "every answer says for which day it is, in the same fields",
    arguments: [
      ([], "2026-07-01", nil), (["--date", "2026-12-24"], "2026-12-24", nil),
      (["--depart", "2026-12-24T08:00"], "2026-12-24", "2026-12-24T08:00"),
      (["--date", "2026-12-24", "--set", "climb-factor=9"], "2026-12-24", nil),
    ] as [([String], String, String?)])
  func everyAnswer(words: [String], date: String, departure: String?) throws {
    let pairs = try folder.write(
      "\(point("A")),\(point("C"))\n0,0,\(point("C"))\n", to: "pairs.csv")
    func json(_ command: [String]) throws -> [String: Any] {
      try jsonObject(Executables.succeed("cairn", command + words).stdout)
    }
    func properties(_ json: [String: Any]) throws -> [String: Any] {
      let feature = (json["features"] as? [[String: Any]])?.first ?? json
      return try #require(feature["properties"] as? [String: Any])
    }
    func batch(_ format: String) throws -> [String] {
      try Executables.run(
        "cairn", ["routes", "batch", database, pairs, "--format", format] + words
      ).stdout.split(separator: "\n").map(String.init)
    }
    let round = ["round-trip", database, "--from", try point("A"), "--length-km", "7"]
    let reach = ["isochrone", database, "--from", try point("A"), "--minutes", "6"]
    var answers = [
      try json(ask("route") + ["--format", "json"]),
      try properties(json(ask("route") + ["--format", "geojson"])),
      try json(ask("route") + ["--format", "planned"]), try properties(json(reach)),
    ]
    for line in try batch("jsonl") { answers.append(try jsonObject(line)) }
    if departure == nil {
      answers.append(try json(ask("explain") + ["--json"]))
      answers.append(try json(round + ["--format", "json"]))
      answers.append(try json(round + ["--format", "planned"]))
      let text = try Executables.succeed("cairn", ask("explain") + words).stdout
      #expect(text.contains("\nOpen ways: those of noon on \(date)"), "\(text)")
    }
    for answer in answers {
      #expect(answer["accessDate"] as? String == date, "\(answer.keys.sorted())")
      #expect(answer["departure"] as? String == departure, "\(answer.keys.sorted())")
    }
    let rows = try batch("csv").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(
      rows[0].suffix(6).prefix(4) == ["access_date", "departure", "rules", "uncertain_rules"])
    for row in rows.dropFirst() {
      #expect(row.suffix(6).prefix(2) == [Substring(date), Substring(departure ?? "")])
    }
    let list = try Executables.succeed("cairn", ask("route") + ["--instructions"] + words).stdout
    #expect(list.contains("\nOpen ways: those o") && list.contains(departure ?? date), "\(list)")
  }

  @Test("a route says how many stretches are under rules, and of how many these are not certain")
  func rules() throws {
    let map = AsciiMap(
      "A---B---C---D", cellMetres: 300,
      ways: [
        .init("AB", tags: ["highway": "path", "access:conditional": "no @ (Nov-Apr)"]),
        .init("BC", tags: ["highway": "path", "opening_hours": "Mo-Su 08:00-18:00; PH off"]),
        .init("CD"),
      ])
    let database = try map.routingDatabase(in: folder, name: "rules.routing.db", date: "2026-07-01")
    let ends = try ["A", "D"].map { letter -> String in
      let place = try map.coordinate(Character(letter))
      return "\(place.latitude),\(place.longitude)"
    }
    let points = ["--from", ends[0], "--to", ends[1]]
    let counts = ["count": 2, "uncertain": 1, "unreadable": 0]
    for words in [[], ["--date", "2026-07-15"], ["--set", "climb-factor=9"]] {
      for command in [["route", "--format", "json"], ["explain", "--json"]] {
        let answer = try jsonObject(
          Executables.succeed(
            "cairn", [command[0], database] + command.dropFirst() + points + words
          )
          .stdout)
        #expect(answer["rules"] as? [String: Int] == counts, "\(command) \(words)")
      }
      for command in ["route", "explain"] {
        let text = try Executables.succeed("cairn", [command, database] + points + words).stdout
        #expect(
          text.contains("\nRules on times: 2 stretches, 1 of them not certain that day\n"),
          "\(text)")
      }
    }
    let spanish = try Executables.succeed(
      "cairn", ["route", database, "--language", "es"] + points)
    #expect(
      spanish.stdout.contains("\nReglas horarias: 2 tramos, de ellos 1 sin certeza ese día\n"),
      "\(spanish.stdout)")
    let pairs = try folder.write("\(ends[0]),\(ends[1])\n", to: "rules.csv")
    for back in [[], ["--paged"]] {
      let csv = try Executables.succeed("cairn", ["routes", "batch", database, pairs] + back).stdout
      #expect(csv.hasSuffix(",2026-07-01,,2,1,,\n"), "\(csv)")
    }
    // Of a database without rules nothing is known.
    try changeDatabase(database, ["DROP TABLE routing_rules", "PRAGMA user_version = 3"])
    let old = try jsonObject(
      Executables.succeed("cairn", ["route", database, "--format", "json"] + points).stdout)
    #expect(old["rules"] is NSNull)
  }

  @Test("what shares these options has them, too")
  func others() throws {
    let pairs = folder.file("pairs.csv")
    try "\(point("A")),\(point("C"))\n".write(toFile: pairs, atomically: true, encoding: .utf8)
    /// An answer without its day.
    func undated(_ command: [String]) throws -> String {
      try Executables.succeed("cairn", command).stdout.replacing(
        #/,20\d\d-\d\d-\d\d,[^,]*|"(accessDate|departure)":[^,}]*/#, with: "")
    }
    func batch(_ words: String...) throws -> String {
      try undated(["routes", "batch", database, pairs] + words)
    }
    #expect(try batch("--date", "2026-07-20") == batch())
    #expect(try batch("--date", "2026-12-24") != batch())
    #expect(try batch("--depart", "2026-12-24T08:00", "--paged") == batch("--date", "2026-12-24"))
    let points = folder.file("points.csv")
    try "\(point("A"))\n\(point("C"))\n".write(toFile: points, atomically: true, encoding: .utf8)
    func matrix(_ words: String...) throws -> (stdout: String, stderr: String) {
      let result = try Executables.succeed(
        "cairn", ["matrix", database, "--points", points] + words)
      return (result.stdout, result.stderr)
    }
    let winter = try matrix("--date", "2026-12-24")
    #expect(try winter.stdout != matrix().stdout)
    #expect(winter.stderr.contains("Open ways: those of noon on 2026-12-24"))
    #expect(try !matrix().stderr.contains("Open ways"))
    let json = try matrix("--date", "2026-12-24", "--format", "json").stdout
    #expect(json.contains(#""accessDate":"2026-12-24""#))
    func reach(_ words: String...) throws -> String {
      try undated(["isochrone", database, "--from", point("A"), "--minutes", "6"] + words)
    }
    #expect(try reach("--date", "2026-12-24") != reach())
    #expect(try reach("--depart", "2026-07-01T22:30") == reach("--date", "2026-12-24"))
    let explained = try Executables.succeed(
      "cairn", ask("explain") + ["--date", "2026-12-24"])
    #expect(!explained.stdout.contains("differ"), "\(explained.stdout)")
    _ = try Executables.succeed("cairn", ask("elevation-profile") + ["--date", "2026-12-24"])
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
