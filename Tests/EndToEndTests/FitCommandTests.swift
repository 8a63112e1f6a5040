// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Profiles that commands fit to walks and vary")
struct FitCommandTests {
  private let folder: TemporaryFolder
  private let suite: String

  init() throws {
    folder = try TemporaryFolder()
    let map = AsciiMap(
      """
      A----H----B
      |         |
      C---------D
      """, cellMetres: 100, ways: [.init("AHB"), .init("ACDB")],
      elevations: ["A": 500, "B": 500, "C": 500, "D": 500, "H": 560])
    let database = try map.routingDatabase(in: folder, profiles: ["hiking"])
    let (a, b) = (try map.coordinate("A"), try map.coordinate("B"))
    // Walkers who need a third more than signposts say, give or take 2 %.
    let walks = (1...12).map { index in
      let minutes = 19.0 * Double(index) * (index % 2 == 0 ? 1.02 : 0.98)
      return "  - { distance-km: \(index), ascent-m: 0, descent-m: 0, minutes: \(minutes) }"
    }
    suite = try folder.write(
      """
      cairn-suite: 1
      name: hill
      datasets: [{ id: hill, database: "\(database)" }]
      pairs:
        - { from: [\(a.latitude), \(a.longitude)], to: [\(b.latitude), \(b.longitude)] }
      reference-times:
      \(walks.joined(separator: "\n"))
      """, to: "suite.yaml")
  }

  private func fit(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["fit", "--suite", suite, "--profile", "trail-hiking"] + words)
  }

  @Test("slow walkers give a slower profile, never written over a file of others")
  func fits() throws {
    let output = folder.path + "/mine.yaml"
    let words = ["--parameters", "time-factor,time-spread,surfaces.mud", "--output", output]
    let result = try fit(words[0], words[1], words[2], words[3])
    #expect(result.status == 0, "\(result.stdout)\(result.stderr)")
    #expect(result.stdout.contains("An improvement: "))
    #expect(result.stdout.contains("no walk depends on it"))
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.contains("based-on: trail-hiking\n") && text.contains("\ntime-factor: 1.3"))
    #expect(try Executables.run("cairn", ["profile", "check", output]).status == 0)
    #expect(try fit(words[0], words[1], words[2], words[3]).status == 0)
    let other = try folder.write("precious", to: "other.yaml")
    #expect(try fit(words[0], words[1], words[2], other).status == 73)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == "precious")
  }

  @Test("a table of times needs no suite and no database")
  func table() throws {
    let table = "\(packageRoot)/pipelines/tuning/walks-fitted.csv"
    let words = ["--profile", "trail-hiking", "--parameters", "time-spread"]
    let result = try Executables.run("cairn", ["fit", table] + words)
    #expect(result.status <= 1 && result.stderr.isEmpty, "\(result.stderr)")
    #expect(result.stdout.contains("30 timed walks"), "\(result.stdout)")
    let broken = try folder.write("distance-km,minutes\n1,x\n", to: "broken.csv")
    let refused = try Executables.run("cairn", ["fit", broken] + words)
    #expect(refused.status == 65 && refused.stderr.contains("broken.csv:1"), "\(refused.stderr)")
  }

  @Test("keys on which only routes depend are fitted to tracks, beside those of times")
  func fitsRoutes() throws {
    let map = AsciiMap(
      """
      A---------B
      |         |
      C---------D
      """,
      ways: [
        .init("AB", tags: ["highway": "path", "surface": "asphalt"]), .init("ACDB"),
      ])
    let database = try map.routingDatabase(
      in: folder, name: "detour.routing.db", profiles: ["hiking"])
    let points = try "ACDB".map { letter in
      let point = try map.coordinate(letter)
      return "<trkpt lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"/>"
    }
    // Ten walkers who avoid asphalt.
    let tracks = try (1...10).map { index in
      try folder.write(
        "<gpx version=\"1.1\" creator=\"x\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk>"
          + "<trkseg>\(points.joined())</trkseg></trk></gpx>", to: "\(index).gpx")
      return "  - { file: \(index).gpx }"
    }
    let suite = try folder.write(
      """
      cairn-suite: 1
      name: detour
      datasets: [{ database: "\(database)" }]
      reference-tracks:
      \(tracks.joined(separator: "\n"))
      """, to: "tracks.yaml")
    let output = folder.path + "/mine.yaml"
    let words = ["fit", "--suite", suite, "--profile", "hiking"]
    let result = try Executables.run(
      "cairn",
      words + ["--parameters", "surfaces.asphalt,surfaces.mud", "--output", output])
    #expect(result.status == 0, "\(result.stdout)\(result.stderr)")
    #expect(
      result.stdout.contains("An improvement: routes follow tracks that it was not fitted to"))
    #expect(result.stdout.contains("no track depends on it"))
    #expect(result.stdout.contains("100.0 %"))
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.contains("10 tracks of detour") && text.contains("surfaces:\n  asphalt: "))
    #expect(!text.contains("mud"))
    let json = try Executables.run(
      "cairn", words + ["--parameters", "surfaces.asphalt", "--json", "-j", "1"])
    let routes = try jsonObject(json.stdout)["routes"] as? [String: Any]
    #expect(routes?["tracks"] as? Int == 10 && routes?["unseen"] != nil)
  }

  @Test("a fit that proves nothing writes nothing unless it is forced")
  func refuses() throws {
    let output = folder.path + "/none.yaml"
    let result = try fit("--parameters", "surfaces.mud", "--output", output)
    #expect(result.status == 1 && result.stderr.contains("not written"))
    #expect(!FileManager.default.fileExists(atPath: output))
    let forced = try fit("--parameters", "surfaces.mud", "--output", output, "--force", "--json")
    #expect(forced.status == 1 && forced.stdout.contains("\"cairnFit\""))
    #expect(
      try String(contentsOfFile: output, encoding: .utf8).contains("no proven improvement"))
  }

  @Test("options that make no sense are refused")
  func usage() throws {
    #expect(try fit("--parameters", "climb-facter").status == 64)
    #expect(try fit("--parameters", "time-factor,time-factor").status == 64)
    #expect(try fit("--parameters", "time-factor", "--name", "hiking").status == 64)
    let none = try Executables.run(
      "cairn", ["fit", "--profile", "hiking", "--parameters", "time-factor"])
    #expect(
      none.status == 64 && none.stderr.contains("--suite, tracks or tables of times are required"))
  }

  @Test("a varied key gives a table, CSV, JSON and a picture")
  func sweeps() throws {
    let words = [
      "sweep", "--suite", suite, "--profile", "hiking", "--vary", "climb-factor=0,7.92,50",
    ]
    let table = try Executables.succeed("cairn", words).stdout
    #expect(table.contains("7.92 *") && table.contains("time-rmse"))
    let csv = try Executables.succeed("cairn", words + ["--format", "csv"]).stdout
    #expect(csv.hasPrefix("climb-factor,") && csv.split(separator: "\n").count == 4)
    let output = folder.path + "/sweep.svg"
    for _ in 0..<2 {
      _ = try Executables.succeed("cairn", words + ["--format", "svg", "--output", output])
    }
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("climb-factor"))
    let json = try Executables.succeed("cairn", words + ["--format", "json"]).stdout
    #expect(try jsonObject(json)["cairnSweep"] as? Int == 1)
    let unknown = try Executables.run("cairn", words + ["--measure", "chnged"])
    #expect(unknown.status == 64 && unknown.stderr.contains("did you mean changed?"))
  }
}
