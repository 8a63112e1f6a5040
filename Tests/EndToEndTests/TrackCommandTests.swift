// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn track")
struct TrackCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A walk north at a bit more than 1 m/s with a fix every 10 s, 10 m up in each, and a rest of 20
  /// minutes in its middle.
  private func hike(_ name: String = "Zur Höhe & zurück", start: Int = 0) -> String {
    var points = ""
    var second = start
    for index in 0..<200 {
      if index == 100 { second += 1200 }
      let (minutes, seconds) = (second / 60, second % 60)
      let time = [8 + minutes / 60, minutes % 60, seconds].map { ($0 < 10 ? "0" : "") + "\($0)" }
      points +=
        "<trkpt lat=\"\(42.5 + Double(index) * 1e-4)\" lon=\"1.5\"><ele>\(1000 + index)</ele>"
        + "<time>2024-05-06T\(time.joined(separator: ":"))Z</time></trkpt>"
      second += 10
    }
    return
      "<gpx version=\"1.1\" creator=\"x\"><wpt lat=\"42.5\" lon=\"1.5\"><name>Font</name></wpt>"
      + "<trk><name>\(name.replacing("&", with: "&amp;"))</name><trkseg>\(points)</trkseg></trk></gpx>"
  }

  private func track(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["track"] + words)
  }

  @Test("stats prints figures with units")
  func stats() throws {
    let file = try folder.write(hike(), to: "hike.gpx")
    let result = try track("stats", file, "--splits")
    #expect(result.status == 0, "\(result.stderr)")
    let rows = result.stdout.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    for row in [
      "Zur Höhe & zurück", "points 200", "distance 2.21 km", "from 2024-05-06 08:00 UTC",
      "recorded 53 min", "resting 20 min", "ascent 199 m", "descent 0 m",
      "1.00 km 14:59 14:59 4.0 km/h 90 m 0 m",
    ] { #expect(rows.contains(row), "\(row) in\n\(result.stdout)") }
  }

  @Test("what a file has that cannot be read is counted by every command that reads its tracks")
  func leftOut() throws {
    let points = (0..<5).map {
      "<g:trkpt lat=\"47.00\($0)\" lon=\"10\"><g:ele>\($0 == 1 ? 65535 : 1000 + 20 * $0)</g:ele>"
        + "<g:time>2024-05-06 07:0\($0):00\($0 == 2 ? " PM" : "")</g:time></g:trkpt>"
    }
    let file = try folder.write(
      "<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\"><g:trk><g:trkseg>\(points.joined())"
        + "</g:trkseg></g:trk></g:gpx>", to: "odd.gpx")
    let notes = [
      "\(file): an elevation is none of a place on Earth: 1, such as “65535”",
      "\(file): a time cannot be read: 1, such as “2024-05-06 07:02:00 PM”",
    ]
    for words in [["track", "stats"], ["planned", "import", folder.file("planned")]] {
      let result = try Executables.run("cairn", words + [file])
      #expect(result.status == 0)
      for note in notes { #expect(result.stderr.contains(note), "\(result.stderr)") }
    }
    let figures = try track("stats", file).stdout
    #expect(figures.contains("80 m") && figures.contains("4 min"), "\(figures)")
    #expect(try Executables.succeed("cairn", ["inspect", file]).stdout.contains("GPX"))
  }

  @Test("stats tells the length without noise from the plain sum of a noisy track")
  func noisyStats() throws {
    let points = (0..<300).map { index in
      let (east, north) = (index * 7919 % 101 - 50, index * 104_729 % 97 - 48)
      let (latitude, longitude) = (
        42.5 + Double(index) * 1.1e-5 + Double(north) * 1e-6, 1.5 + Double(east) * 1e-6
      )
      let time = "2024-05-06T08:0\(index / 60):\(index % 60 < 10 ? "0" : "")\(index % 60)Z"
      return "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"><time>\(time)</time></trkpt>"
    }
    let file = try folder.write(
      "<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>", to: "noisy.gpx")
    let json = try track("stats", "--json", file).stdout
    let files = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    let total = try #require(files?.first?["total"] as? [String: Any])
    let length = try #require(total["distanceMetres"] as? Double)
    #expect(length > 330 && length < 400, "\(length)")
    #expect(try #require(total["plainMetres"] as? Double) > 1000)
    let text = try track("stats", file).stdout
    #expect(text.contains("plain sum") && text.contains("noise and all"), "\(text)")
  }

  @Test("stats --json has null where nothing is known, and reads stdin and gzip")
  func statsJSON() throws {
    let plain = "<gpx><rte><rtept lat='1' lon='1'/><rtept lat='2' lon='1'/></rte></gpx>"
    let file = try folder.write(plain, to: "plain.gpx")
    #expect(try runProcess("gzip", ["-k", file]).status == 0)
    let expected = try track("stats", "--json", file)
    #expect(expected.stdout.contains("\"ascentMetres\" : null"))
    #expect(expected.stdout.contains("\"recordedSeconds\" : null"))
    #expect(expected.stdout.contains("\"distanceMetres\" : 111194.9"))
    let packed = try track("stats", "--json", file + ".gz")
    #expect(packed.stdout == expected.stdout.replacing(".gpx\"", with: ".gpx.gz\""))
    let piped = try Executables.run("cairn", ["track", "stats", "--json", "-"], stdin: file)
    #expect(piped.stdout == expected.stdout.replacing(file, with: "stdin"), "\(piped.stderr)")
    let shell = "cat '\(file)' | '\(Executables.folder)/cairn' track stats --json -"
    #expect(try runProcess("sh", ["-c", shell]).stdout == piped.stdout)
  }

  @Test("smooth doubles points, simplify leaves some out, and both keep waypoints and ends")
  func shapes() throws {
    let file = try folder.write(hike(), to: "hike.gpx")
    let smooth = try track("smooth", file, "--iterations", "1")
    #expect(smooth.stdout.components(separatedBy: "<trkpt").count == 401)
    let simple = try track("simplify", file)
    #expect(simple.stdout.components(separatedBy: "<trkpt").count == 3)
    #expect(simple.stderr.contains("kept 2 of 200 points"))
    for result in [smooth, simple] {
      #expect(result.status == 0 && result.stdout.contains("<name>Font</name>"))
      #expect(result.stdout.contains("<ele>1199</ele>"))
      #expect(result.stdout.contains("2024-05-06T08:00:00"))
    }
  }

  @Test("convert writes what it reads, by the ending of the output")
  func convert() throws {
    let file = try folder.write(hike(), to: "hike.gpx")
    let outputs = ["a.gpx", "a.geojson", "a.csv"].map(folder.file)
    for output in outputs {
      for _ in 1...2 { #expect(try track("convert", file, "--output", output).status == 0) }
    }
    let again = try track("convert", outputs[0])
    #expect(try Array(again.stdout.utf8) == folder.read("a.gpx"))
    let csv = String(decoding: try folder.read("a.csv"), as: UTF8.self).split(separator: "\n")
    #expect(csv.count == 201)
    #expect(csv[1].hasPrefix("1,1,42.5000000,1.5000000,1000,2024-05-06T08:00:00"))
    let json = try jsonObject(String(decoding: try folder.read("a.geojson"), as: UTF8.self))
    #expect(json["type"] as? String == "FeatureCollection")
  }

  @Test("split gives parts that merge joins again, in the order of time")
  func splitAndMerge() throws {
    let file = try folder.write(hike(), to: "hike.gpx")
    let parts = folder.file("parts")
    let split = try track("split", file, "--gap", "15", "--folder", parts)
    #expect(split.stdout == "\(parts)/hike-1.gpx\n\(parts)/hike-2.gpx\n", "\(split.stderr)")
    let first = String(decoding: try folder.read("parts/hike-1.gpx"), as: UTF8.self)
    #expect(first.contains("<name>Zur Höhe &amp; zurück 1</name>"))
    let merged = try track(
      "merge", "\(parts)/hike-2.gpx", "\(parts)/hike-1.gpx", "--name", "Whole")
    #expect(merged.stdout.components(separatedBy: "<trkseg>").count == 3)
    let text = merged.stdout
    let (early, late) = (text.range(of: "08:00:00"), text.range(of: "09:10:00"))
    if let early, let late { #expect(early.lowerBound < late.lowerBound) }
    #expect(merged.stderr.isEmpty)
    let other = try folder.write(hike("Other", start: 600), to: "other.gpx")
    let overlap = try track("merge", file, other)
    #expect(overlap.stderr.contains("segments 1 and 2 overlap by 43 min"), "\(overlap.stderr)")
    for words in [["--day"], ["--distance", "1"], ["--rest", "10"]] {
      let result = try Executables.run("cairn", ["track", "split", file] + words)
      #expect(result.status == 0 && result.stdout.contains("<trkpt"), "\(result.stderr)")
    }
  }

  @Test("nothing is overwritten that is not such a file", arguments: ["gpx", "geojson", "csv"])
  func foreignOutput(_ format: String) throws {
    let file = try folder.write(hike(), to: "hike.gpx")
    let output = try folder.write("my notes", to: "notes.\(format)")
    let result = try track("convert", file, "--output", output)
    #expect(result.status == 73 && result.stderr.contains("move it away"), "\(result.stderr)")
    #expect(try folder.read("notes.\(format)") == Array("my notes".utf8))
  }

  @Test(
    "errors have an exit code and a reason",
    arguments: [
      (["stats", "none.gpx"], 66, "no such file"), (["stats"], 64, "FILE"),
      (["stats", "FOREIGN"], 65, "FOREIGN"), (["stats", "EMPTY"], 65, "neither tracks nor routes"),
      (["stats", "-", "-"], 64, "only once"), (["split", "EMPTY"], 64, "--gap"),
      (["split", "EMPTY", "--day", "--gap", "3"], 64, "give one of"),
      (["split", "EMPTY", "--gap", "3", "--utc-offset", "2"], 64, "needs --day"),
      (["smooth", "EMPTY", "--iterations", "9"], 64, "0 to 8"),
      (["simplify", "EMPTY", "--tolerance", "-1"], 64, "--tolerance"),
      (["convert", "EMPTY", "--format", "kml"], 64, "gpx, geojson, csv"),
      (["convert", "LATER"], 65, "version 7"), (["shift"], 64, "unknown command"),
    ])
  func refused(_ words: [String], _ status: Int, _ message: String) throws {
    try folder.write("hello", to: "FOREIGN")
    try folder.write("<gpx><trk><trkseg/></trk></gpx>", to: "EMPTY")
    try folder.write(
      try bytesOfFile("\(packageRoot)/Tests/Fuzz/Seeds/journal/later"), to: "LATER")
    let files = ["FOREIGN", "EMPTY", "LATER"]
    let result = try Executables.run(
      "cairn", ["track"] + words.map { files.contains($0) ? folder.file($0) : $0 })
    #expect(result.status == Int32(status), "\(result.stderr)")
    #expect(result.stderr.contains(message), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
  }

  @Test("a journal is read as a track, and left as it is, with a note on what is missing")
  func journal() throws {
    let seeds = "\(packageRoot)/Tests/Fuzz/Seeds/journal"
    let path = folder.file("route.journal")
    try folder.write(try bytesOfFile("\(seeds)/torn"), to: "route.journal")
    let result = try track("convert", path, "--format", "csv")
    #expect(result.status == 0 && result.stderr.contains("the last fix was cut off"))
    #expect(result.stdout.split(separator: "\n").count == 2)
    #expect(try folder.read("route.journal") == bytesOfFile("\(seeds)/torn"))
    let damaged = try track("stats", "\(seeds)/damaged")
    #expect(damaged.stderr.contains("damaged bytes were skipped"), "\(damaged.stderr)")
  }
}
