// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing

@Suite("cairn route and cairn routes batch")
struct RouteCommandTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    A----B----C         X-Y
    |         |
    D---------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "name": "Talweg"]),
      .init("BC", tags: ["highway": "steps"]), .init("ADEC"), .init("XY"),
    ], nodeTags: ["B": ["barrier": "stile"]])
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder)
  }

  private func text(_ letter: Character, east: Double = 0) throws -> String {
    let coordinate = try map.coordinate(letter)
    let metresPerDegree = earthRadiusMetres * .pi / 180
    let shrinking = longitudeShrinking(atLatitude: coordinate.latitude)
    return "\(coordinate.latitude),\(coordinate.longitude + east / metresPerDegree / shrinking)"
  }

  private func route(_ words: String...) throws -> ProcessResult {
    try Executables.run(
      "cairn", ["route", database, "--from", text("A", east: 100), "--to", text("C")] + words)
  }

  private func batch(_ list: String, _ words: String...) throws -> ProcessResult {
    let pairs = try folder.write(list, to: "pairs.csv")
    return try Executables.run("cairn", ["routes", "batch", database, pairs] + words)
  }

  @Test("a route begins within an edge, and barriers have no line in the table")
  func sheet() throws {
    let result = try route()
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stdout.hasPrefix("0.90 km,"), "\(result.stdout)")
    #expect(result.stdout.split(separator: "\n").count == 5, "\(result.stdout)")
    // Start and C: the line is straight.
    let track = try route("--format", "gpx").stdout
    #expect(track.components(separatedBy: "<trkpt").count - 1 == 2, "\(track)")
    #expect(track.contains("<copyright author=\"OpenStreetMap contributors\">"))
    #expect(track.contains("<bounds minlat="))
  }

  @Test("text is in the language that is asked for; pipes and planned routes know no LANG")
  func languages() throws {
    let english = try route("--instructions").stdout
    let italian = try route("--instructions", "--language", "it")
    #expect(italian.status == 0, "\(italian.stderr)")
    #expect(italian.stdout.contains("Parti verso est su Talweg"), "\(italian.stdout)")
    #expect(italian.stdout.contains("Arrivo a destinazione"))
    #expect(english.contains("Head east on Talweg"))
    let arguments = try [
      "route", database, "--from", text("A", east: 100), "--to", text("C"), "--created",
      "2026-07-15T08:30:00Z",
    ]
    let outputs = ["instructions", "format=planned", "format=json"].map { ["--\($0)"] }
    for output in outputs {
      let texts = try [[:], ["LANG": "it_IT.UTF-8", "LC_ALL": "ca_ES.UTF-8"]].map { variables in
        try Executables.run(
          "cairn", arguments + output,
          environment: Executables.environment.merging(variables) { $1 }
        ).stdout
      }
      #expect(texts[0] == texts[1] && !texts[0].isEmpty, "\(output)")
    }
    #expect(try route("--language", "nl").status == 64)
    #expect(try route("--language", "it", "--format", "json").status == 64)
  }

  @Test("without an option the first profile is used, and a mode takes the first of its vehicle")
  func defaultProfile() throws {
    let path = try map.routingDatabase(
      in: folder, name: "default.routing.db",
      profiles: ["trail-hiking", "bike-touring", "hiking", "shortest"])
    func cost(_ words: String...) throws -> Double {
      let result = try Executables.succeed(
        "cairn",
        ["route", path, "--from", text("A", east: 100), "--to", text("C"), "--format", "json"]
          + words)
      return try #require(try jsonObject(result.stdout)["totalCost"] as? Double)
    }
    let (trail, bike) = (
      try cost("--profile", "trail-hiking"), try cost("--profile", "bike-touring")
    )
    #expect(try cost() == trail)
    #expect(try cost("--mode", "cycling") == bike)
    #expect(try cost("--mode", "hiking") == cost("--profile", "hiking"), "by its name")
    #expect(Set([trail, bike, try cost("--mode", "hiking")]).count == 3)
    let pairs = try folder.write("\(text("A")),\(text("C"))\n", to: "pairs.csv")
    for words in [["--mode", "cycling"], []] {
      let command = ["routes", "batch", path, pairs] + words
      let inMemory = try Executables.succeed("cairn", command).stdout
      #expect(try Executables.succeed("cairn", command + ["--paged"]).stdout == inMemory)
    }
    let planned = try Executables.succeed(
      "cairn",
      [
        "route", path, "--from", text("A"), "--to", text("C"), "--profile", "bike-touring",
        "--format", "planned",
      ])
    #expect(try jsonObject(planned.stdout)["mode"] as? String == "cycling")
  }

  @Test("a route of no length has no table")
  func nowhere() throws {
    let point = try text("A", east: 100)
    let result = try Executables.succeed(
      "cairn", ["route", database, "--from", point, "--to", point])
    #expect(result.stdout.hasPrefix("0.00 km, climb unknown, 0 min\n\nArrival at 47.0"))
  }

  @Test("preferences are options, and invalid values are refused by name")
  func preferences() throws {
    let around = try route("--avoid-steps", "--format", "json")
    #expect(try #require(try jsonObject(around.stdout)["totalDistance"] as? Double) > 1500)
    for (words, part) in [
      (["--max-sac", "T9"], "--max-sac takes a grade"), (["--max-slope", "steep"], "--max-slope"),
      (["--mode", "hiking", "--profile", "hiking"], "cannot be combined"),
    ] {
      let result = try Executables.run(
        "cairn", ["route", database, "--from", text("A"), "--to", text("C")] + words)
      #expect(result.status == 64 && result.stderr.contains(part), "\(result.stderr)")
    }
    #expect(try route("--max-sac", "t2", "--prefer-waymarked", "--prefer-paved").status == 0)
    #expect(try route("--radius", "1").status == 0)
    #expect(try route("--profile", "hikin").stderr.contains("did you mean hiking?"))
  }

  @Test("a batch prints one line per pair, in order, with a reason if there is no route")
  func batch() throws {
    let (a, c, x) = (try text("A"), try text("C"), try text("X"))
    let list = "lat,lon,lat,lon\r\n\(a),\(c)\n\(a),\(x)\n\n0,0,\(c)\n\(c),\(a)"
    let result = try batch(list)
    #expect(result.status == 1)
    #expect(result.stderr.contains("2 of 4 pairs have no route"))
    let lines = result.stdout.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(
      lines[0]
        == "line,distance_m,duration_s,ascent_m,descent_m,cost,error,start_off_network_m,"
        + "destination_off_network_m,unmet,duration_p10_s,duration_p50_s,duration_p90_s,"
        + "start_where,destination_where,access_date,departure,rules,uncertain_rules,"
        + "start_last_resort,destination_last_resort")
    #expect(lines[1].hasPrefix("2,1000.0,") && lines[1].hasSuffix(",0,0,,"))
    #expect(lines[2].hasPrefix("3,,,,,,\"no route: the nearest of "))
    #expect(lines[3].hasPrefix("5,,,,,,\"no route: no open path or road"))
    #expect(lines[4].hasPrefix("6,1000.0,"))

    let json = try batch(list, "--format", "jsonl").stdout.split(separator: "\n")
    #expect(json.count == 4)
    let objects = try json.map { try jsonObject(String($0)) }
    #expect(objects.map { $0["line"] as? Int } == [2, 3, 5, 6])
    #expect(objects.map { $0["error"] == nil } == [true, false, false, true])
    #expect(objects[0]["distanceMetres"] as? Double == 1000)
    #expect(try batch("\(a),\(c)\n").status == 0)
  }

  @Test("a batch gives the same bytes for any number of threads, paged and from memory")
  func threads() throws {
    var random = SeededGenerator(seed: 5)
    let letters = Array("ABCDEXY")
    var list = ""
    for _ in 0..<500 {
      let points = try (0..<2).map { _ in
        try text(
          letters[Int.random(in: 0..<letters.count, using: &random)],
          east: Double.random(in: -200...200, using: &random))
      }
      list += points.joined(separator: ",") + "\n"
    }
    let expected = try batch(list, "-j", "1").stdout
    #expect(expected.split(separator: "\n").count == 501)
    #expect(try batch(list, "-j", "3").stdout == expected)
    #expect(try batch(list, "-j", "8", "--paged").stdout == expected)
  }

  @Test(
    "a bad line is reported with line and column before anything is printed",
    arguments: [
      ("1,2,3\n", ":1:6: has 3 columns, not four"),
      ("a,b,c,d\n1,2,3,x\n", ":2:7: “x” is not a number"),
      ("1,2,3,4\n1,2,91,4\n", ":2:5: 91.0 is not a latitude"),
      ("1,2,3,4,5\n", ":1:9: has more than four columns"),
      ("1,2,3,4\nlat,lon,lat,lon\n", ":2:1: “lat” is not a number"),
      ("47.1\t10.2\t47.2\t10.3\n", ":1:1: “47.1\\t10.2\\t47.2\\t10.3” is not a number"),
      ("lat\tlon\tlat\tlon\n", ":1:1: “lat"), ("lat;lon;lat;lon\n", ":1:1: “lat"),
      ("47.1;10.2;47.2;10.3\n", "separated by commas"), ("nan,nan,nan,nan\n", ":1:1: “nan”"),
      ("0x1p3,10,47,10\n", ":1:1: “0x1p3” is not a number"), ("47.1N,10.2E,1,2\n", ":1:1:"),
      ("a,b,c,d\n0x1p3,10,47,10\n", ":2:1: “0x1p3” is not a number"),
      ("1,2,3,inf\n", ":1:7: “inf” is not a number"), ("1,2,3,1e999\n", "is not a longitude"),
    ])
  func badLines(list: String, message: String) throws {
    let result = try batch(list)
    #expect(result.status == 65 && result.stdout.isEmpty)
    #expect(result.stderr.contains(message), "\(result.stderr)")
  }

  @Test("up to ten bad lines are reported at once")
  func manyBadLines() throws {
    let result = try batch(String(repeating: "1,2,3,4\n1,2,3,y\n", count: 30))
    #expect(result.status == 65)
    #expect(result.stderr.split(separator: "\n").count { $0.contains("“y” is not a number") } == 10)
  }

  @Test("a list that is only a line of nan is not a header for a matrix")
  func matrixHeader() throws {
    for text in ["nan,nan\n", "0x1p3,0x1p3\n", "47.1;10.2\n", "47.1\t10.2\n"] {
      let points = try folder.write(text, to: "points.csv")
      let result = try Executables.run("cairn", ["matrix", database, "--points", points])
      #expect(result.status == 65 && result.stderr.contains("points.csv:1:1:"), "\(result.stderr)")
    }
    let hex = try Executables.run(
      "cairn", ["route", database, "--from", "0x1p3,10", "--to", text("C")])
    #expect(hex.status == 64 && hex.stderr.contains("takes LAT,LON"), "\(hex.stderr)")
  }

  @Test("a missing list, an unknown profile and a defective database have exit codes")
  func failures() throws {
    let missing = try Executables.run("cairn", ["routes", "batch", database, "none.csv"])
    #expect(missing.status == 66)
    let (a, c) = (try text("A"), try text("C"))
    #expect(try batch("\(a),\(c)\n", "--profile", "skiing").status == 1)
    try changeDatabase(database, ["UPDATE routing_edges SET cost = -1"])
    #expect(try batch("\(a),\(c)\n").status == 65)
    #expect(try batch("", "--paged").status == 0)
  }

  @Test("a benchmark counts the routes it finds")
  func benchmark() throws {
    let (a, c, x) = (try text("A"), try text("C"), try text("X"))
    let result = try batch("\(a),\(c)\n\(a),\(x)\n", "--benchmark")
    let json = try jsonObject(result.stdout)
    #expect(json["routes"] as? Int == 1 && json["pairsWithoutRoute"] as? Int == 1)
    #expect(try #require(json["medianMilliseconds"] as? Double) > 0)
  }
}
