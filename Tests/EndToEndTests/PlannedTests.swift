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
        "Caution: steep ascent, 200 m from 0.40 km to 0.60 km", "0.00 km  Head east on Talweg",
        "0.40 km  Turn left onto Höhenweg, then caution, steep ascent",
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
    // Every point has an elevation.
    let track = String(decoding: try bytesOfFile(gpx), as: UTF8.self)
    let points = track.components(separatedBy: "<trkpt").count
    #expect(points > 3 && track.components(separatedBy: "<ele>").count == points, "\(track)")
    #expect(track.contains("<time>2026-07-15T08:30:00.000Z</time>"))
    let other = folder.file("other")
    #expect(try planned("import", other, gpx).status == 0)
    let again = try planned("show", other, "Zur Höhe").stdout
    #expect(again.contains("Turn left"), "\(again)")
    #expect(again.contains("200 m up"), "\(again)")
    let line = try planned("export", store, "Zur Höhe", "--format", "geojson").stdout
    #expect(line.contains("\"LineString\""))
  }

  @Test("the file of a planned route is shown and exported without a folder")
  func file() throws {
    let json = try route("--format", "planned", "--name", "Höhe").stdout
    let file = try folder.write(json, to: "plan.json")
    let instructions = try route("--instructions", "--name", "Höhe").stdout
    #expect(try planned("show", file).stdout == instructions)
    #expect(try planned("show", file, "--language", "de").stdout.contains("Ankunft"))
    #expect(try planned("show", file, "--svg").stdout.contains(">Höhe<"))
    #expect(try planned("export", file, "--format", "json").stdout == json)
    let track = try folder.write("<gpx version=\"1.1\"/>", to: "track.gpx")
    let other = try planned("show", track)
    #expect(other.status == 65 && other.stderr.contains("is not a planned route"))
    #expect(try planned("show", folder.file("none.json")).status == 66)
    #expect(try planned("show", file, "Höhe").status == 66)
    #expect(try planned("show", folder.path).status == 64)
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
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    let result = try Executables.run(
      "cairn", ["planned"] + words.map { $0.replacing("STORE", with: store) })
    #expect(result.status == Int32(status))
    #expect(result.stderr.contains(message), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
  }

  @Test("list, show and export leave JSON of other programs alone, and skip it with a note")
  func foreignJSON() throws {
    let store = folder.file("store")
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    for name in ["bundle.json", "package.json", "x.json"] {
      try folder.write(name == "x.json" ? "{" : "{\"name\": \"a\"}", to: "store/\(name)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: store).sorted()
    for words in [["list", store], ["show", store, "none"], ["export", store, "none"]] {
      let result = try Executables.run("cairn", ["planned"] + words)
      #expect(result.status == (words[0] == "list" ? 0 : 66))
      #expect(result.stderr.contains("bundle.json: skipped, not a planned route"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: store).sorted() == files)
    }
    #expect(try folder.read("store/package.json") == Array("{\"name\": \"a\"}".utf8))
  }

  @Test("a folder that does not exist is an error for list, show and export")
  func missingFolder() throws {
    let missing = folder.file("missing")
    for words in [["list", missing], ["show", missing, "a"], ["export", missing, "a"]] {
      let result = try Executables.run("cairn", ["planned"] + words)
      #expect(result.status == 66 && result.stderr.contains("no such folder"))
    }
    let file = try folder.write("", to: "file")
    #expect(try planned("list", file).stderr.contains("is not a folder"))
  }

  @Test("export replaces its own files, and nothing else", arguments: ["gpx", "geojson", "json"])
  func exportReplaces(_ format: String) throws {
    let file = try folder.write(route("--format", "planned", "--name", "Höhe").stdout, to: "a.json")
    let store = folder.file("store")
    #expect(try planned("import", store, file).status == 0)
    let output = folder.file("hike")
    for _ in 1...2 {
      let result = try planned("export", store, "Höhe", "--format", format, "--output", output)
      #expect(result.status == 0, "\(result.stderr)")
    }
    for text in [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"other\">",
      "{\n  \"geometry\" : {\n    \"coordinates\" : [\n", "{\n  \"coordinates\" : [\n    {\n",
    ] {
      try folder.write(text, to: "hike")
      let result = try planned("export", store, "Höhe", "--format", format, "--output", output)
      #expect(result.status == 73 && result.stderr.contains("move it away"), "\(result.stderr)")
      #expect(try folder.read("hike") == Array(text.utf8))
    }
  }

  @Test("a drawing is XML with the name of the route, and replaces only drawings of cairn")
  func drawing() throws {
    let name = "Höhe & <Tal>"
    let file = try folder.write(
      route("--format", "planned", "--name", name).stdout, to: "a.json")
    let store = folder.file("store")
    #expect(try planned("import", store, file).status == 0)
    let printed = try planned("show", store, name, "--svg").stdout
    let output = folder.file("hike.svg")
    for _ in 1...2 {
      let result = try planned("show", store, name, "--svg", "--output", output)
      #expect(result.status == 0 && result.stdout.isEmpty, "\(result.stderr)")
    }
    #expect(try String(decoding: folder.read("hike.svg"), as: UTF8.self) == printed)
    #expect(printed.contains("<title>Höhe &amp; &lt;Tal&gt;</title>"))
    #expect(printed.contains("Turn left onto Höhenweg") && printed.hasSuffix("</svg>\n"))
    try folder.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg>", to: "hike.svg")
    let refused = try planned("show", store, name, "--svg", "--output", output)
    #expect(refused.status == 73 && refused.stderr.contains("move it away"))
    let usage = try planned("show", store, name, "--output", output)
    #expect(usage.status == 64 && usage.stderr.contains("--output needs --svg"))
  }

  @Test("a route has the region's UUID, its profile and the mode of that, and keeps what apps add")
  func fields() throws {
    let database = try map.routingDatabase(in: folder, profiles: ["trail-hiking", "bike-touring"])
    let words = [
      "route", database, "--from", try text("A"), "--to", try text("D"), "--via", try text("C"),
      "--format", "planned", "--name", "Tour", "--profile", "trail-hiking",
    ]
    let json = try Executables.succeed("cairn", words).stdout
    let object = try jsonObject(json)
    // A database that lies in no bundle has none.
    #expect(object["regionId"] == nil && object["profile"] as? String == "trail-hiking")
    #expect((object["viaDistances"] as? [Double])?.map { $0.rounded() } == [600])
    let named = folder.file("named.routing.db")
    try Executables.succeed(
      "cairn-compute-costs",
      [
        "--input", database + ".graph", "--output", named, "--profile", "bike-touring",
        "--region-id", "west", "-q",
      ])
    let other = try jsonObject(
      Executables.succeed(
        "cairn",
        [
          "route", named, "--from", text("A"), "--to", text("D"), "--profile", "bike-touring",
          "--format", "planned",
        ]
      ).stdout)
    #expect(other["mode"] as? String == "cycling" && other["regionId"] == nil)
    let uuid = "7D444840-9DC0-11D1-B245-5FFDCE74FAD2"
    let box = "\"boundingBox\":{\"north\":1,\"south\":0,\"east\":1,\"west\":0}"
    try folder.write(
      "{\"id\":\"\(uuid)\",\"manifestId\":\"west\",\"name\":\"West\",\(box),\"zoomLevels\":[12,16],"
        + "\"minZoom\":12,\"maxZoom\":16,\"createdAt\":0,\"tileCount\":0,\"fileSizeBytes\":1,"
        + "\"hasRoutingData\":true,\"routingDbFilename\":\"named.routing.db\"}", to: "region.json")
    let inBundle = try jsonObject(
      Executables.succeed(
        "cairn",
        [
          "route", named, "--from", text("A"), "--to", text("D"), "--profile", "bike-touring",
          "--format", "planned",
        ]
      ).stdout)
    #expect(inBundle["regionId"] as? String == uuid)
    let added = json.replacing("\"mode\"", with: "\"cloudKitRecordID\" : \"A-1\",\n  \"mode\"")
    let file = try folder.write(added, to: "a.json")
    let store = folder.file("store")
    #expect(try planned("import", store, file).status == 0)
    let exported = try planned("export", store, "Tour", "--format", "json").stdout
    #expect(try jsonObject(exported)["cloudKitRecordID"] as? String == "A-1")
  }

  @Test("the climb of a planned route without elevations is unknown, not 0")
  func unknownClimb() throws {
    let gpx = try folder.write(
      "<gpx version=\"1.1\"><trk><name>Flat</name><trkseg><trkpt lat=\"47\" lon=\"10\"/>"
        + "<trkpt lat=\"47.01\" lon=\"10\"/></trkseg></trk></gpx>", to: "flat.gpx")
    let store = folder.file("store")
    #expect(try planned("import", store, gpx).status == 0)
    #expect(try planned("list", store).stdout.contains("  –  "))
    #expect(try planned("show", store, "Flat").stdout.contains("climb unknown, "))
    #expect(try planned("show", store, "Flat").stdout.contains(" min without climb"))
    #expect(try planned("list", store, "--json").stdout.contains("\"elevationGain\" : null"))
    let line = try planned("export", store, "Flat", "--format", "geojson").stdout
    #expect(line.contains("\"elevationLoss\" : null"))
    #expect(line.contains("\"durationWithoutClimb\" : true"))
  }

  @Test("a bend of 45° and less is announced where every turn is asked for")
  func everyTurn() throws {
    let points = [(47.0, 10.0), (47.003, 10.0), (47.006, 10.0025)].map {
      "<trkpt lat=\"\($0.0)\" lon=\"\($0.1)\"/>"
    }
    let gpx = try folder.write(
      "<gpx version=\"1.1\"><trk><name>Bend</name><trkseg>\(points.joined())</trkseg></trk></gpx>",
      to: "bend.gpx")
    let store = folder.file("store")
    #expect(try planned("import", store, gpx).status == 0)
    #expect(try !planned("show", store, "Bend").stdout.contains("Keep right"))
    #expect(try planned("import", store, gpx, "--every-turn").status == 0)
    #expect(try planned("show", store, "Bend").stdout.contains("Keep right"))
  }

  @Test("options that cannot be combined are refused")
  func options() throws {
    #expect(try route("--instructions", "--format", "gpx").status == 64)
    #expect(try route("--format", "planned", "--created", "yesterday").status == 64)
  }

  @Test("-o writes a file, - is stdout, and only a file of Cairn's is replaced")
  func output() throws {
    for (format, name) in [("planned", "a.json"), ("gpx", "a.gpx"), ("geojson", "a.geojson")] {
      let path = folder.file(name)
      for _ in 0..<2 {
        let result = try route("--format", format, "--created", "2026-01-01T00:00:00Z", "-o", path)
        #expect(result.status == 0 && result.stdout.isEmpty, "\(result.stderr)")
      }
      let text = try route(
        "--format", format, "--created", "2026-01-01T00:00:00Z", "-o", "-"
      ).stdout
      #expect(try bytesOfFile(path) == Array(text.utf8))
      try folder.write("mine", to: name)
      #expect(try route("--format", format, "--output", path).status == 73)
      #expect(try bytesOfFile(path) == Array("mine".utf8))
    }
  }

  @Test("a route is deleted by its name, and nothing else is")
  func deletion() throws {
    let path = folder.file("a.json")
    #expect(try route("--format", "planned", "--name", "Grat", "-o", path).status == 0)
    let routes = folder.file("routes")
    #expect(try planned("import", routes, path).status == 0)
    try folder.write("mine", to: "routes/notes.json")
    #expect(try planned("delete", routes, "Nordgrat").status != 0)
    let deleted = try planned("delete", routes, "Grat")
    #expect(deleted.status == 0 && deleted.stderr.contains("deleted Grat"), "\(deleted.stderr)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: routes) == ["notes.json"])
  }

  @Test("pairs are read from stdin, and a database is validated without --input")
  func words() throws {
    let database = try map.routingDatabase(in: folder)
    let pairs = try folder.write("\(text("A")),\(text("C"))\n", to: "pairs.csv")
    let piped = try Executables.run("cairn", ["routes", "batch", database, "-"], stdin: pairs)
    #expect(piped.status == 0, "\(piped.stderr)")
    #expect(
      try Executables.run("cairn", ["routes", "batch", database, pairs]).stdout == piped.stdout)
    #expect(try Executables.run("cairn-validate", [database, "-q"]).status == 0)
    #expect(try Executables.run("cairn-validate", [database, "--input", database]).status == 64)
    #expect(try Executables.run("cairn-validate", []).status == 64)
  }
}
