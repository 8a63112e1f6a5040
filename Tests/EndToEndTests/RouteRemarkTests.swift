// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing

@Suite("What routes say about themselves")
struct RouteRemarkTests {
  private let folder: TemporaryFolder
  /// From A to C there is only a way of T3 in the middle; steps lead from C to D, and a long path
  /// around them.
  private let map = AsciiMap(
    """
    A----B----C----D
              |    |
              |    |
              E----F
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "sac_scale": "hiking"]),
      .init("BC", tags: ["highway": "path", "sac_scale": "demanding_mountain_hiking"]),
      .init("CD", tags: ["highway": "steps"]), .init("CEFD"),
    ])
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder)
  }

  private func text(_ letter: Character, north: Double = 0) throws -> String {
    let coordinate = try map.coordinate(letter)
    let metresPerDegree = earthRadiusMetres * .pi / 180
    return "\(coordinate.latitude + north / metresPerDegree),\(coordinate.longitude)"
  }

  private func route(_ from: Character = "A", _ to: Character = "C", _ words: String...) throws
    -> ProcessResult
  {
    try Executables.run(
      "cairn", ["route", database, "--from", text(from), "--to", text(to)] + words)
  }

  /// The properties of the same route as JSON and as GeoJSON.
  private func records(_ words: String...) throws -> [[String: Any]] {
    let ask = ["route", database] + words + ["--format"]
    let json = try jsonObject(Executables.succeed("cairn", ask + ["json"]).stdout)
    let feature = try jsonObject(Executables.succeed("cairn", ask + ["geojson"]).stdout)
    return [json, try #require(feature["properties"] as? [String: Any])]
  }

  @Test("a route above --max-sac says so on stderr, in text, JSON and GeoJSON")
  func maximumGrade() throws {
    let result = try route("A", "C", "--max-sac", "T2")
    #expect(result.status == 0)
    #expect(
      result.stderr.contains("the route goes against --max-sac T2: T3, 500 m from 0.50 km"),
      "\(result.stderr)")
    #expect(
      result.stdout.contains("\nGoes against --max-sac T2: T3, 500 m from 0.50 km to 1.00 km\n"),
      "\(result.stdout)")
    let words = try ["--from", text("A"), "--to", text("C"), "--max-sac", "T2"]
    for record in try records(words[0], words[1], words[2], words[3], words[4], words[5]) {
      let unmet = try #require(record["unmet"] as? [[String: Any]])
      #expect(unmet.count == 1 && unmet[0]["preference"] as? String == "max-sac")
      #expect(unmet.first?["grade"] as? String == "T3")
      #expect(abs(try #require(unmet.first?["fromMetres"] as? Double) - 500) < 1)
      #expect(abs(try #require(unmet.first?["toMetres"] as? Double) - 1000) < 1)
      #expect(abs(try #require(unmet.first?["lengthMetres"] as? Double) - 500) < 1)
    }
    let german = try route("A", "C", "--max-sac", "T2", "--language", "de")
    #expect(german.stderr.contains("die Route verstößt gegen --max-sac T2: T3, 500 m von 0,50 km"))
    let gpx = try route("A", "C", "--max-sac", "T2", "--format", "gpx")
    #expect(gpx.stderr.contains("goes against --max-sac T2"))
  }

  @Test("a route within the preferences has nothing to say about them")
  func preferencesMet() throws {
    let result = try route("A", "C", "--max-sac", "T3", "--avoid-steps")
    #expect(result.status == 0 && result.stderr.isEmpty, "\(result.stderr)")
    #expect(!result.stdout.contains("Goes against"))
    for record in try records("--from", text("A"), "--to", text("C"), "--max-sac", "T3") {
      #expect((record["unmet"] as? [Any])?.isEmpty == true)
    }
  }

  @Test("with --strict there is no route that goes against a preference")
  func strict() throws {
    let none = try route("A", "C", "--max-sac", "T2", "--strict")
    #expect(none.status == 1 && none.stdout.isEmpty)
    #expect(none.stderr.contains("without --strict"), "\(none.stderr)")
    let french = try route("A", "C", "--max-sac", "T2", "--strict", "--language", "fr")
    #expect(french.status == 1 && french.stderr.contains("Aucun itinéraire ne mène"))
    #expect(
      french.stderr.hasSuffix(
        "(sans --strict, un itinéraire peut aller à l’encontre des "
          + "préférences)\n"), "\(french.stderr)")
    #expect(try route("A", "C", "--max-sac", "T3", "--strict").status == 0)
    let around = try route("C", "D", "--avoid-steps", "--strict")
    #expect(around.status == 0 && around.stdout.hasPrefix("1.10 km"), "\(around.stdout)")
    let alone = try route("A", "C", "--strict")
    #expect(alone.status == 64 && alone.stderr.contains("--strict needs a preference"))
    let pairs = try folder.write("\(text("A")),\(text("C"))\n", to: "pairs.csv")
    let ask = ["routes", "batch", database, pairs, "--max-sac", "T2", "--format", "jsonl"]
    let soft = try Executables.run("cairn", ask)
    #expect(soft.stdout.contains("\"unmet\":[\"max-sac\"]"), "\(soft.stdout)")
    #expect(soft.stderr.contains("1 of 1 routes go against a preference"))
    #expect(try Executables.run("cairn", ask + ["--strict"]).status == 1)
  }

  @Test("a route names its hardest stretch")
  func hardestStretch() throws {
    #expect(
      try route().stdout.contains("\nHardest stretch: T3, 500 m from 0.50 km to 1.00 km\n"))
    for record in try records("--from", text("A"), "--to", text("C")) {
      let hardest = try #require(record["hardestStretch"] as? [String: Any])
      #expect(hardest["grade"] as? String == "T3")
      #expect(abs(try #require(hardest["lengthMetres"] as? Double) - 500) < 1)
    }
    for record in try records("--from", text("C"), "--to", text("D")) {
      #expect(record["hardestStretch"] is NSNull)
    }
  }

  @Test("unknown climb is null or a dash, and the time is marked as without climb")
  func unknownClimb() throws {
    let sheet = try route().stdout
    let head = sheet.prefix { $0 != "\n" }
    #expect(head.hasPrefix("1.00 km, climb unknown, ") && head.hasSuffix(" min without climb"))
    #expect(sheet.contains("500 m   –     –") || sheet.contains("–  "), "\(sheet)")
    #expect(!sheet.contains("+0"), "\(sheet)")
    for record in try records("--from", text("A"), "--to", text("C")) {
      #expect(record["elevationGain"] is NSNull && record["elevationLoss"] is NSNull)
      #expect(record["durationWithoutClimb"] as? Bool == true)
    }
    let profile = try Executables.succeed(
      "cairn",
      [
        "elevation-profile", database, "--from", text("A"), "--to", text("C"), "--format", "json",
      ]
    ).stdout
    let record = try jsonObject(profile)
    #expect(record["elevationGainMetres"] is NSNull)
    #expect(record["durationWithoutClimb"] as? Bool == true)
    let pairs = try folder.write("\(text("A")),\(text("C"))\n", to: "pairs.csv")
    let batch = try Executables.succeed("cairn", ["routes", "batch", database, pairs]).stdout
    #expect(batch.split(separator: "\n").last?.contains(",,,") == true, "\(batch)")
  }

  @Test("a route says how far its points lie off the network")
  func offNetwork() throws {
    let from = try text("A", north: 212)
    let ask = ["--from", from, "--to", try text("C"), "--via", try text("B", north: 10)]
    let sheet = try Executables.succeed("cairn", ["route", database] + ask)
    #expect(
      sheet.stdout.contains("\nStart lies 212 m off the network\n"),
      "\(sheet.stdout)")
    #expect(!sheet.stdout.contains("ia 1 lies"))
    for record in try records(ask[0], ask[1], ask[2], ask[3], ask[4], ask[5]) {
      let list = try #require(record["offNetwork"] as? [[String: Any]])
      #expect(list.compactMap { $0["point"] as? String } == ["start", "via 1", "destination"])
      let distances = list.compactMap { $0["distanceMetres"] as? Double }
      #expect(zip(distances, [212, 10, 0]).allSatisfy { abs($0 - $1) < 0.5 }, "\(distances)")
    }
    let gpx = try Executables.succeed("cairn", ["route", database, "--format", "gpx"] + ask)
    #expect(gpx.stderr.contains("start lies 212 m off"), "\(gpx.stderr)")
  }

  @Test("a destination behind a wall: exit 1 and the wall, or where the route ends instead")
  func cutOff() throws {
    let map = AsciiMap(
      "A---W---B", cellMetres: 100, ways: [.init("AW"), .init("WB")],
      nodeTags: ["W": ["barrier": "wall"]])
    let database = try map.routingDatabase(in: folder, name: "wall.routing.db")
    let node = try #require(AsciiMap.nodeID("W"))
    let place = try map.coordinate("W")
    let metresPerDegree =
      earthRadiusMetres * .pi / 180 * longitudeShrinking(atLatitude: place.latitude)
    func ask(_ metres: Double, _ words: String...) throws -> ProcessResult {
      let start = try map.coordinate("A")
      let to = "\(place.latitude),\(place.longitude + metres / metresPerDegree)"
      let pairs = try folder.write("\(start.latitude),\(start.longitude),\(to)\n", to: "w.csv")
      return try Executables.run(
        "cairn",
        words.isEmpty
          ? ["routes", "batch", database, pairs]
          : ["route", database, "--from", "\(start.latitude),\(start.longitude)", "--to", to]
            + words)
    }
    let refused = try ask(300, "--format", "text")
    #expect(refused.status == 1)
    #expect(refused.stderr.contains("; in between: a wall, node \(node)"), "\(refused.stderr)")
    let italian = try ask(300, "--language", "it")
    #expect(italian.status == 1)
    #expect(
      italian.stderr.contains(": error: ")
        && italian.stderr.hasSuffix(
          " dalla destinazione. In mezzo: un muro, nodo \(node)\n"),
      "\(italian.stderr)")
    let batch = try ask(300)
    #expect(batch.status == 1 && batch.stdout.contains("; in between: a wall, node \(node)\""))
    let sentence = "he way nearest to the destination is cut off; the route ends 60 m from it"
    #expect(try ask(60, "--format", "text").stdout.contains("\nT" + sentence))
    for format in ["gpx", "planned"] {
      #expect(try ask(60, "--format", format).stderr.contains("t" + sentence), "\(format)")
    }
    let record = try jsonObject(try ask(60, "--format", "json").stdout)
    let off = try #require(record["offNetwork"] as? [[String: Any]])
    #expect(off.map { $0["isCutOff"] as? Bool } == [false, true])
    #expect(abs((off[1]["distanceMetres"] as? Double ?? .nan) - 60) < 0.2)
    #expect(try ask(60).stdout.contains(",0.0,60.0,"))
  }

  @Test("a batch says how far its points lie off the network, and what a route goes against")
  func batchColumns() throws {
    let pairs = try folder.write(
      "\(text("A", north: 212)),\(text("C"))\n0,0,\(text("C"))\n", to: "off.csv")
    let result = try Executables.run(
      "cairn", ["routes", "batch", database, pairs, "--max-sac", "T1"])
    let rows = result.stdout.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    try #require(rows.count == 3)
    #expect(
      rows[0][7...9]
        == ["start_off_network_m", "destination_off_network_m", "unmet"])
    #expect(rows[1].count == 21 && rows[1][6].isEmpty)
    #expect(abs((Double(rows[1][7]) ?? .nan) - 212) < 0.5 && rows[1][8] == "0.0")
    #expect(rows[1][9] == "max-sac", "\(rows[1])")
    #expect(rows[2].suffix(9).prefix(3) == ["", "", ""] && rows[2].count >= 21)
  }

  @Test("a point outside the database, or with latitude and longitude swapped, is named as such")
  func outside() throws {
    let there = try text("C")
    let far = try Executables.run("cairn", ["route", database, "--from", "0,0", "--to", there])
    #expect(far.status == 1)
    #expect(far.stderr.contains("the point lies outside the database"), "\(far.stderr)")
    let point = try map.coordinate("A")
    let swapped = "\(point.longitude),\(point.latitude)"
    let result = try Executables.run(
      "cairn", ["route", database, "--from", swapped, "--to", there])
    #expect(result.status == 1)
    #expect(result.stderr.contains("latitude and longitude look swapped"), "\(result.stderr)")
    #expect(result.stderr.contains("did you mean \(point.latitude),\(point.longitude)?"))
    let points = try folder.write("\(swapped)\n\(there)\n", to: "points.csv")
    let matrix = try Executables.run("cairn", ["matrix", database, "--points", points])
    #expect(matrix.stderr.contains("1 lie outside the database"), "\(matrix.stderr)")
  }
}
