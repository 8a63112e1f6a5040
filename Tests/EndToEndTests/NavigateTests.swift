// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn navigate")
struct NavigateTests {
  private let folder: TemporaryFolder
  private let database: String
  /// A planned route from A to C around a corner, in a folder.
  private let routes: String
  private let map = AsciiMap(
    """
    A---------B---------C
              |
    D         E---------F
    """,
    ways: [
      .init("ABC", tags: ["highway": "path", "name": "Talweg"]),
      .init("BEF", tags: ["highway": "path", "name": "Hangweg"]),
    ])

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder, profiles: ["hiking"])
    routes = folder.file("routes")
    try FileManager.default.createDirectory(
      atPath: routes, withIntermediateDirectories: true, attributes: nil)
    let planned = try Executables.succeed(
      "cairn",
      [
        "route", database, "--from", try point("A"), "--to", try point("F"), "--format", "planned",
        "--name", "corner", "--created", "2026-06-01T08:00:00Z",
      ])
    try planned.stdout.write(toFile: routes + "/corner.json", atomically: true, encoding: .utf8)
  }

  private func point(_ letter: Character) throws -> String {
    let coordinate = try map.coordinate(letter)
    return "\(coordinate.latitude),\(coordinate.longitude)"
  }

  private func navigate(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["navigate"] + words)
  }

  private func lines(_ result: ProcessResult) throws -> [[String: Any]] {
    try result.stdout.split(separator: "\n").map { try jsonObject(String($0)) }
  }

  /// A GPX file along some letters, a point every ten metres and every eight seconds.
  private func track(_ letters: String, in name: String) throws -> String {
    var points: [String] = []
    var seconds = 0
    let path = try letters.map { try map.coordinate($0) }
    for (one, other) in zip(path, path.dropFirst()) {
      let steps = 40
      for step in 0..<steps {
        let share = Double(step) / Double(steps)
        let latitude = one.latitude + share * (other.latitude - one.latitude)
        let longitude = one.longitude + share * (other.longitude - one.longitude)
        let time = Date(timeIntervalSince1970: 1_780_000_000 + Double(seconds))
        points.append(
          "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><time>\(time.ISO8601Format())</time></trkpt>"
        )
        seconds += 20
      }
    }
    return try folder.write(
      "<gpx version=\"1.1\" creator=\"test\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
        + points.joined() + "</trkseg></trk></gpx>", to: name)
  }

  @Test(
    "a simulated walk is told each turn once and arrives, and the same seed gives the same bytes")
  func simulated() throws {
    let walk = ["--simulate", "--seed", "7", "--format", "jsonl"]
    let result = try Executables.run("cairn", ["navigate", routes, "corner"] + walk)
    #expect(result.status == 0, "\(result.stderr)")
    let rows = try lines(result)
    let events = rows.compactMap { $0["event"] as? String }
    #expect(events.filter { $0 == "atTurn" }.count == 1)
    #expect(events.last == "arrived")
    let turn = try #require(rows.first { $0["event"] as? String == "atTurn" })
    #expect(turn["haptic"] as? String == "right")
    #expect((turn["text"] as? String)?.contains("Hangweg") == true)
    let summary = try #require(rows.last?["summary"] as? [String: Any])
    #expect(summary["arrived"] as? Bool == true)
    let evaluation = try #require(summary["evaluation"] as? [String: Any])
    #expect(evaluation["missedTurns"] as? Int == 0)
    #expect(evaluation["falseAlarms"] as? Int == 0)
    let again = try Executables.run(
      "cairn", ["navigate", routes + "/corner.json"] + walk)
    #expect(again.stdout == result.stdout)
  }

  @Test("a track past the turn is off the route, and with a database there is a new one")
  func offRoute() throws {
    let gpx = try track("ABC", in: "straight.gpx")
    let plain = try lines(try navigate(routes, "--track", gpx, "--format", "jsonl"))
    #expect(plain.contains { $0["event"] as? String == "offRoute" })
    #expect(!plain.contains { $0["event"] as? String == "reroute" })
    let rerouted = try lines(
      try navigate(routes, "--track", gpx, "--db", database, "--format", "jsonl"))
    let reroute = try #require(rerouted.first { $0["event"] as? String == "reroute" })
    #expect((reroute["text"] as? String)?.hasPrefix("New route: ") == true)
    let summary = try #require(rerouted.last?["summary"] as? [String: Any])
    #expect(summary["newRoutes"] as? Int ?? 0 >= 1)
    #expect(summary["arrived"] as? Bool == false)
  }

  @Test("the table has a line for all that was said, and a summary")
  func table() throws {
    let gpx = try track("ABEF", in: "right.gpx")
    let result = try navigate(routes, "corner", "--track", gpx)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.hasPrefix("corner\n\n"))
    #expect(result.stdout.contains("1 turn told"))
    #expect(result.stdout.contains("never off the route"))
  }

  @Test("a batch measures simulated and recorded walks, the same for any number of threads")
  func batch() throws {
    let one = try navigate("batch", routes, "--noise", "5", "--walks", "3", "-j", "1")
    let two = try navigate("batch", routes, "--noise", "5", "--walks", "3", "-j", "2")
    #expect(one.status == 0, "\(one.stderr)")
    #expect(one.stdout == two.stdout)
    #expect(one.stdout.contains("3 of 3"))
    let tracks = folder.file("tracks")
    try FileManager.default.createDirectory(
      atPath: tracks, withIntermediateDirectories: true, attributes: nil)
    for (letters, name) in [("ABEF", "a.gpx"), ("ABC", "b.gpx")] {
      try FileManager.default.moveItem(
        atPath: try track(letters, in: name), toPath: tracks + "/" + name)
    }
    let recorded = try navigate("batch", routes, tracks, "--format", "json")
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(recorded.stdout.utf8)) as? [[String: Any]])
    #expect(records.map { $0["track"] as? String } == ["a.gpx", "b.gpx"])
    #expect(records[0]["turnsTold"] as? Int == 1)
    #expect(records[0]["falseAlarms"] as? Int == 0)
    #expect(records[0]["arrived"] as? Bool == true)
    #expect(records[1]["arrived"] as? Bool == false)
  }

  @Test("what is wrong with a request is said")
  func wrong() throws {
    let gpx = try track("AB", in: "short.gpx")
    for (words, status, part) in [
      ([routes], 64, "give either --track FILE or --simulate"),
      ([routes, "--simulate", "--track", gpx], 64, "give either --track FILE or --simulate"),
      ([routes, "--track", gpx, "--noise", "5"], 64, "--noise needs --simulate"),
      ([routes, "--track", gpx, "--bursts", "480"], 64, "--bursts needs --simulate"),
      ([routes, "--simulate", "--reroute-after", "9"], 64, "--reroute-after needs --db"),
      ([routes, "--simulate", "--on-route", "60"], 64, "--on-route must not be greater"),
      ([routes, "cornr", "--simulate"], 66, "did you mean “corner”?"),
      ([gpx, "--simulate"], 65, "is not a planned route"),
      ([folder.file("nowhere"), "--simulate"], 66, "no such file"),
      ([routes, "--track", folder.file("nowhere.gpx")], 66, "no such file"),
      (["batch", routes, "--noise", "x"], 64, "--noise takes up to 20 numbers"),
      (["batch", routes, routes], 66, "has no GPX files or journals"),
      (["batch", routes, routes, "--walks", "2"], 64, "--walks works only with simulated walks"),
    ] as [([String], Int, String)] {
      let result = try Executables.run("cairn", ["navigate"] + words)
      #expect(Int(result.status) == status, "\(words): \(result.stderr)")
      #expect(result.stderr.contains(part), "\(words): \(result.stderr)")
    }
  }
}
