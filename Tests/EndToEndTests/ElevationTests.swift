// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("cairn elevation")
struct ElevationCommandTests {
  private let folder: TemporaryFolder
  private let tiles: String

  /// N46E009 with 100 m everywhere, 200 m at a post, and voids in the north.
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("tiles"), withIntermediateDirectories: false)
    tiles = folder.file("tiles")
    var posts = [Int16](repeating: Int16(100).bigEndian, count: 1201 * 1201)
    for post in 0..<(1201 * 300) { posts[post] = Int16.min.bigEndian }
    posts[600 * 1201 + 600] = Int16(200).bigEndian
    try folder.write(posts.withUnsafeBytes { Array($0) }, to: "tiles/N46E009.hgt")
  }

  private func run(_ words: [String], stdin: String = "/dev/null") throws -> ProcessResult {
    try Executables.run("cairn", ["elevation", "--hgt", tiles] + words, stdin: stdin)
  }

  @Test("elevations are printed one per line, and points without one are counted")
  func metres() throws {
    let result = try run(["46.5,9.5", "46.5,9.5004166", "46.9,9.5", "-46.5,9.5", "46.2, 9.2"])
    #expect(result.status == 0)
    #expect(result.stdout == "200.0\n150.0\nnone\nnone\n100.0\n")
    #expect(
      result.stderr
        == "cairn elevation: no elevation for 2 of 5 points (\(tiles) has 1 tile: N46E009)\n")
    #expect(try run(["46.5,9.5"]).stderr == "")
  }

  @Test("JSON also has tile and file, and null where the elevation is unknown")
  func json() throws {
    let lines = try run(["--json", "46.5,9.5", "46.9,9.5"]).stdout.split(separator: "\n")
    let known = try jsonObject(String(lines[0]))
    #expect(known["elevation"] as? Double == 200 && known["latitude"] as? Double == 46.5)
    #expect(known["tile"] as? String == "N46E009")
    #expect(known["source"] as? String == "\(tiles)/N46E009.hgt")
    let unknown = try jsonObject(String(lines[1]))
    #expect(unknown["elevation"] is NSNull && unknown["tile"] is NSNull)
  }

  @Test("a second folder answers where the first has no data")
  func secondSource() throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("more"), withIntermediateDirectories: false)
    let flat = [Int16](repeating: Int16(55).bigEndian, count: 1201 * 1201)
    try folder.write(flat.withUnsafeBytes { Array($0) }, to: "more/n46e009.HGT")
    let result = try run(["--hgt", folder.file("more"), "46.9,9.5", "46.5,9.5"])
    #expect(result.stdout == "55.0\n200.0\n")
  }

  @Test("points are read from stdin, with any line ending and without one at the end")
  func stdin() throws {
    let list = try folder.write("46.5,9.5\r\n 46.2,9.2\n46.9,9.5", to: "points.txt")
    #expect(try run(["-"], stdin: list).stdout == "200.0\n100.0\nnone\n")
    #expect(
      try run(["46.2,9.2", "-", "46.9,9.5"], stdin: list).stdout.split(separator: "\n").count == 5)
    #expect(try run(["-"]).stdout == "")
    #expect(try run(["-", "-"]).status == 64)
    let unreadable = try run(["-"], stdin: folder.path)
    #expect(unreadable.status == 74 && unreadable.stderr.contains("stdin: cannot be read"))
  }

  @Test("a caller that writes one point at a time gets each answer before it writes the next")
  func dialogue() throws {
    let script = """
      mkfifo questions answers
      "$0" elevation --hgt "$1" - <questions >answers &
      exec 3>questions 4<answers
      for point in 46.5,9.5 46.2,9.2; do
        echo $point >&3
        read -r answer <&4
        echo "$point: $answer"
      done
      exec 3>&-
      wait
      """
    let result = try runProcess(
      "timeout", ["60", "sh", "-c", script, "\(Executables.folder)/cairn", tiles],
      in: folder.path)
    #expect(result.stdout == "46.5,9.5: 200.0\n46.2,9.2: 100.0\n", "\(result.stderr)")
  }

  @Test("every one of many points is answered")
  func manyPoints() throws {
    let lines = Array(repeatElement("46.5,9.5\n", count: 200_000).joined().utf8)
    let list = try folder.write(lines, to: "many.txt")
    let result = try run(["-"], stdin: list)
    #expect(result.status == 0)
    #expect(result.stdout == String(repeating: "200.0\n", count: 200_000))
  }

  @Test(
    "an invalid coordinate is an error that quotes it, 64 for an argument and 65 for stdin",
    arguments: ["46.5", "46.5;9.5", "abc,9", "91,9", "46,181", "nan,9", "46,9,5", "46.5,"])
  func badCoordinate(word: String) throws {
    let result = try run(["46.5,9.5", word])
    #expect(result.status == 64 && result.stdout == "")
    #expect(result.stderr.contains("argument 2: “\(word)” is not a coordinate: expected LAT,LON"))
    let list = try folder.write("46.5,9.5\n\(word)\n46.2,9.2\n", to: "points.txt")
    let read = try run(["-"], stdin: list)
    #expect(read.status == 65 && read.stdout == "200.0\n")
    #expect(read.stderr.contains("stdin:2:1: “\(word)” is not a coordinate"))
  }

  @Test("an error for coordinates that look swapped says so")
  func swapped() throws {
    #expect(try run(["146.5,9.5"]).stderr.contains("latitude comes first"))
    #expect(try !run(["146.5,99.5"]).stderr.contains("latitude comes first"))
  }

  @Test("a line that never ends is an error and does not exhaust memory")
  func longLine() throws {
    let list = try folder.write([UInt8](repeating: 0x34, count: 3_000_000), to: "long.txt")
    let result = try run(["-"], stdin: list)
    #expect(result.status == 65)
    #expect(result.stderr.contains("stdin:1:1: has more than 1\u{A0}024 bytes"))
  }

  @Test("a folder or a tile that cannot be used is an error that names it")
  func badTiles() throws {
    let missing = try Executables.run("cairn", ["elevation", "--hgt", "/nowhere", "46,9"])
    #expect(missing.status == 66 && missing.stderr.contains("/nowhere"))
    try folder.write([1, 2, 3], to: "tiles/N47E009.hgt")
    let result = try run(["46.5,9.5", "47.5,9.5"])
    #expect(result.status == 65 && result.stderr.contains("N47E009.hgt: has 3 bytes"))
    #expect(try Executables.run("cairn", ["elevation", "46,9"]).status == 64)
    #expect(try run([]).status == 64)
  }
}

@Suite("cairn elevation-profile, on the sample")
struct ElevationProfileCommandTests {
  private let folder: TemporaryFolder
  private static let database = Result {
    let chain = try Chain()
    let path = try chain.build(
      "\(SampleTests.data)/valley.osm.pbf", hgt: "\(SampleTests.data)/hgt")
    return (chain, path)
  }
  private let hike = ["--from", "47.02484,10.04752", "--to", "47.0603,10.099"]
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Self.database.get().1
  }

  private func run(_ options: [String]) throws -> ProcessResult {
    try Executables.run("cairn", ["elevation-profile", path] + hike + options)
  }

  @Test("the earlier name, cairn profile DB, gives the same output and errors")
  func earlierName() throws {
    for words in [[path] + hike + ["--format", "csv"], [path, "--from", "91,0"]] {
      let new = try Executables.run("cairn", ["elevation-profile"] + words)
      let old = try Executables.run("cairn", ["profile"] + words)
      #expect(old.status == new.status, "\(words)")
      #expect(old.stdout == new.stdout, "\(words)")
      #expect(old.stderr == new.stderr, "\(words)")
    }
    let overview = try Executables.succeed("cairn", []).stdout.split(separator: "\n")
    #expect(overview.contains { $0.hasPrefix("  elevation-profile ") })
    #expect(!overview.contains { $0.hasPrefix("  profile  ") })
    // The other commands that begin with this word are still found.
    #expect(try Executables.succeed("cairn", ["profile", "show", "hiking"]).stdout != "")
  }

  @Test("the SVG shows the route's totals and is the same on stdout and in a file")
  func svg() throws {
    let result = try run(["--title", "<Tal> & \"Joch\""])
    #expect(result.status == 0 && result.stderr == "")
    let parser = XMLParser(data: Data(result.stdout.utf8))
    #expect(parser.parse())
    #expect(result.stdout.contains("&lt;Tal&gt; &amp; &quot;Joch&quot;"))
    let route = try Executables.succeed("cairn", ["route", path] + hike)
    let totals = try #require(route.stdout.split(separator: "\n").first)
      .components(separatedBy: ", ")
    // 1 116 m up, 18 m down, 3 h 23 min
    for total in totals.dropFirst().prefix(3) {
      let words = total.replacingOccurrences(of: " up", with: "")
        .replacingOccurrences(of: " down", with: "")
      #expect(result.stdout.contains(">\(words)</tspan>"), "\(words)")
    }
    let output = folder.file("hike.svg")
    #expect(try run(["--title", "<Tal> & \"Joch\"", "--output", output]).status == 0)
    #expect(try folder.read("hike.svg") == Array(result.stdout.utf8))
    // It may overwrite its own file.
    #expect(try run(["--output", output]).status == 0)
  }

  @Test("CSV and JSON have a row at least every 50 m, from 0 to the route's length")
  func numbers() throws {
    let csv = try run(["--format", "csv"]).stdout.split(separator: "\n")
    #expect(csv.first == "distance_m,elevation_m")
    let rows = csv.dropFirst().map { $0.split(separator: ",").compactMap { Double($0) } }
    #expect(rows.allSatisfy { $0.count == 2 } && rows.first?.first == 0)
    for (one, next) in zip(rows, rows.dropFirst()) {
      #expect(next[0] >= one[0] && next[0] - one[0] <= 50.1)
    }
    let json = try jsonObject(try run(["--format", "json"]).stdout)
    let length = try #require(json["distanceMetres"] as? Double)
    #expect(abs(try #require(rows.last?.first) - length) < 0.06)
    #expect(try #require(json["points"] as? [[Double]]) == rows)
  }

  @Test("a profile of the database can be chosen, but not together with a mode")
  func costProfile() throws {
    let cycling = try run(["--profile", "cycling", "--format", "json"])
    #expect(cycling.status == 0, "\(cycling.stderr)")
    #expect(cycling.stdout == (try run(["--mode", "cycling", "--format", "json"]).stdout))
    #expect(cycling.stdout != (try run(["--format", "json"]).stdout))
    #expect(try run(["--profile", "absent"]).status == 1)
    for command in ["route", "elevation-profile"] {
      let both = try Executables.run(
        "cairn", [command, path] + hike + ["--mode", "hiking", "--profile", "hiking"])
      #expect(both.status == 64 && both.stderr.contains("cannot be combined"))
    }
  }

  @Test("an unknown climb is not reported as 0 m")
  func unknownClimb() throws {
    let map = AsciiMap("A-B", ways: [.init("AB")])
    let database = try map.routingDatabase(in: folder)
    let (start, end) = (try map.coordinate("A"), try map.coordinate("B"))
    let way = [
      database, "--from", "\(start.latitude),\(start.longitude)", "--to",
      "\(end.latitude),\(end.longitude)",
    ]
    let route = try Executables.succeed("cairn", ["route"] + way)
    #expect(route.stdout.hasPrefix("0.20 km, climb unknown, "), "\(route.stdout)")
    let drawing = try Executables.succeed("cairn", ["elevation-profile"] + way)
    #expect(!drawing.stdout.contains("–</tspan>") && !drawing.stdout.contains("↑"))
  }

  @Test("a file that it did not write is not overwritten")
  func foreignFile() throws {
    try folder.write("my holiday", to: "a.svg")
    let result = try run(["--output", folder.file("a.svg")])
    #expect(result.status == 73)
    #expect(try folder.read("a.svg") == Array("my holiday".utf8))
    // Nor is an SVG overwritten with CSV.
    #expect(try run(["--output", folder.file("b.svg")]).status == 0)
    #expect(try run(["--output", folder.file("b.svg"), "--format", "csv"]).status == 73)
  }

  @Test("a missing route, a missing database and invalid options have their exit codes")
  func noRoute() throws {
    let nowhere = try Executables.run(
      "cairn", ["elevation-profile", path, "--from", "10,10", "--to", "47.0603,10.099"])
    #expect(nowhere.status == 1 && nowhere.stdout == "")
    #expect(try Executables.run("cairn", ["elevation-profile", "/no.db"] + hike).status == 66)
    #expect(try run(["--format", "png"]).status == 64)
    #expect(try run(["--mode", "flying"]).status == 64)
  }
}
