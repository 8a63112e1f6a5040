// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import Foundation
import TestSupport
import Testing

@Suite("cairn isochrone, cairn round-trip and cairn route --alternatives")
struct ExploreCommandTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    .  C-------D  .

    A-------------B   X-Y

    .  E-------F  .
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "name": "Talweg"]), .init("ACDB"), .init("AEFB"),
      .init("XY"),
    ])
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = try map.routingDatabase(in: folder)
  }

  private func text(_ letter: Character) throws -> String {
    let coordinate = try map.coordinate(letter)
    return "\(coordinate.latitude),\(coordinate.longitude)"
  }

  private func run(_ command: String, _ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", [command, database, "--from", text("A")] + words)
  }

  private func features(_ text: String) throws -> [[String: Any]] {
    let object = try jsonObject(text)
    #expect(object["type"] as? String == "FeatureCollection")
    return try #require(object["features"] as? [[String: Any]])
  }

  private func value<Value>(_ feature: [String: Any], _ part: String, _ key: String) throws -> Value
  {
    try #require((feature[part] as? [String: Any])?[key] as? Value)
  }

  @Test("an isochrone says how far its start lies off the network")
  func offNetwork() throws {
    let a = try map.coordinate("A")
    for west in [0.002, 0.0001] {
      let start = Coordinate(latitude: a.latitude, longitude: a.longitude - west)
      let metres = haversineDistance(a, start)
      let result = try Executables.run(
        "cairn",
        [
          "isochrone", database, "--from", "\(start.latitude),\(start.longitude)", "--minutes", "9",
        ])
      #expect(result.stderr.contains("start lies 152 m off the network") == (metres > 20))
      for feature in try features(result.stdout) {
        let off: Double = try value(feature, "properties", "offNetworkMetres")
        #expect(abs(off - metres) < 0.2)
      }
    }
  }

  @Test("an isochrone has one feature per distinct time, in ascending order")
  func lines() throws {
    let result = try run("isochrone", "--minutes", "60,5,12.5,5", "--ways")
    #expect(result.status == 0, "\(result.stderr)")
    let features = try features(result.stdout)
    let minutes: [Double] = try features.map { try value($0, "properties", "minutes") }
    #expect(minutes == [5, 12.5, 60])
    let lengths: [Double] = try features.map { try value($0, "properties", "reachedMetres") }
    #expect(lengths == lengths.sorted() && lengths[0] > 100)
    #expect(try value(features[0], "geometry", "type") == "MultiLineString")
    let lines: [[[Double]]] = try value(features[0], "geometry", "coordinates")
    // Longitude comes first.
    #expect(!lines.isEmpty && lines.joined().allSatisfy { $0[0] < 20 && $0[1] > 40 })
    let nodes: Int = try value(features[2], "properties", "reachedNodes")
    #expect(nodes == 2)
    #expect(try run("isochrone", "--minutes", "60,5,12.5,5", "--ways").stdout == result.stdout)
    let areas = try run("isochrone", "--minutes", "60,5,12.5,5").stdout
    let shapes = try self.features(areas).map { try value($0, "geometry", "type") as String }
    #expect(shapes == ["MultiPolygon", "MultiPolygon", "MultiPolygon"])
    #expect(try run("isochrone", "--minutes", "5", "--polygons").status == 64)
  }

  @Test("areas have closed rings and state the size of their cells; their file is overwritten")
  func polygons() throws {
    let file = folder.file("reach.geojson")
    for _ in 0..<2 {
      let result = try run("isochrone", "--minutes", "30", "--output", file)
      #expect(result.status == 0 && result.stdout.isEmpty, "\(result.stderr)")
    }
    let features = try features(String(decoding: bytesOfFile(file), as: UTF8.self))
    #expect(try value(features[0], "geometry", "type") == "MultiPolygon")
    let cellMetres: Double = try value(features[0], "properties", "cellMetres")
    #expect(cellMetres == 100)
    let polygons: [[[[Double]]]] = try value(features[0], "geometry", "coordinates")
    #expect(polygons.joined().allSatisfy { $0.first == $0.last && $0.count >= 5 })
    for text in ["a diary", "{\"features\":[{\"geometry\":{\"coordinates\":[[["] {
      let other = try folder.write(text, to: "other")
      #expect(try run("isochrone", "--minutes", "30", "--output", other).status == 73)
      #expect(try bytesOfFile(other) == Array(text.utf8))
    }
  }

  @Test(
    "invalid lists of minutes are refused",
    arguments: ["", "x", "30,", "0", "-5", "nan", "inf", "1e3", "10081", "30;60", "0x10"])
  func minutes(list: String) throws {
    let result = try run("isochrone", "--minutes", list)
    #expect(result.status == 64 && result.stderr.contains("--minutes"), "\(result.stderr)")
  }

  @Test("a point far from every path, an unknown profile and a missing database have exit codes")
  func failures() throws {
    for command in [["isochrone", "--minutes", "30"], ["round-trip", "--length-km", "1"]] {
      let rest = Array(command.dropFirst())
      let far = try Executables.run("cairn", [command[0], database, "--from", "0,0"] + rest)
      #expect(far.status == 1 && far.stderr.contains("within 500 m"), "\(far.stderr)")
      let profile = try Executables.run(
        "cairn", [command[0], database, "--from", text("A"), "--profile", "hikin"] + rest)
      #expect(profile.status == 1 && profile.stderr.contains("did you mean hiking?"))
      let missing = try Executables.run("cairn", [command[0], "none.db", "--from", "0,0"] + rest)
      #expect(missing.status == 66)
      let invalid = try Executables.run("cairn", [command[0], database, "--from", "91,0"] + rest)
      #expect(invalid.status == 64)
    }
    let island = try Executables.run(
      "cairn",
      ["round-trip", database, "--from", text("X"), "--length-km", "0.2", "--radius", "1"])
    #expect(island.status <= 1, "\(island.stderr)")
  }

  @Test("invalid lengths are refused", arguments: ["", "x", "0", "-3", "inf", "nan", "201"])
  func lengths(length: String) throws {
    let result = try run("round-trip", "--length-km", length)
    #expect(result.status == 64 && result.stderr.contains("--length-km"), "\(result.stderr)")
  }

  @Test("a round trip ends where it began, and a note says if its length is not the requested one")
  func roundTrip() throws {
    let result = try run("round-trip", "--length-km", "2.8", "--format", "geojson")
    #expect(result.status == 0 && result.stderr.isEmpty, "\(result.stderr)")
    let line: [[Double]] = try value(jsonObject(result.stdout), "geometry", "coordinates")
    #expect(line.count > 3 && line.first == line.last)
    #expect(
      try run("round-trip", "--length-km", "2.8", "--format", "geojson").stdout == result.stdout)
    let sheet = try run("round-trip", "--length-km", "2.8", "--seed", "7")
    #expect(sheet.status == 0 && sheet.stdout.contains("Talweg"), "\(sheet.stdout)")
    let far = try run("round-trip", "--length-km", "50")
    #expect(far.status == 0 && far.stderr.contains("found no trip of 50.00 km"))
    for seed in ["-1", "x", "1.5"] {
      #expect(try run("round-trip", "--length-km", "2", "--seed", seed).status == 64)
    }
  }

  @Test("alternatives are printed as tables, a JSON array, features or tracks")
  func alternatives() throws {
    func ask(_ words: String...) throws -> ProcessResult {
      try Executables.run(
        "cairn", ["route", database, "--from", text("A"), "--to", text("B")] + words)
    }
    let sheet = try ask("--alternatives", "3").stdout
    #expect(sheet.hasPrefix("Route 1 of 3: best\n1.40 km, "), "\(sheet)")
    #expect(sheet.contains("\n\nRoute 3 of 3: 0."), "\(sheet)")
    let list = try JSONSerialization.jsonObject(
      with: Data(ask("--alternatives", "2", "--format", "json").stdout.utf8))
    #expect((list as? [Any])?.count == 2)
    #expect(try features(ask("--alternatives", "3", "--format", "geojson").stdout).count == 3)
    let tracks = try ask("--alternatives", "3", "--format", "gpx").stdout
    #expect(tracks.components(separatedBy: "<trk>").count == 4)
    for words in [
      ["--alternatives", "0"], ["--alternatives", "4"], ["--alternatives", "two"],
      ["--alternatives", "2", "--via", "47,10"],
    ] {
      let result = try Executables.run(
        "cairn", ["route", database, "--from", text("A"), "--to", text("B")] + words)
      #expect(result.status == 64 && result.stderr.contains("--alternatives"))
    }
  }
}
