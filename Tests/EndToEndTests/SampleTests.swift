// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import TrailData

@Suite("The sample, from a manifest to a hike")
struct SampleTests {
  static let data = "\(packageRoot)/sample-data"

  /// A copy of the sample manifest with its own output folder. The pictures of the terrain, which
  /// take most of the time, are only made where a test is about them.
  private func manifest(
    in folder: TemporaryFolder, profile: String = "trail-hiking", withPictures: Bool = false
  ) throws -> String {
    let pictures = withPictures ? ", hillshade, slopes" : ""
    let text = try String(contentsOfFile: "\(packageRoot)/pipelines/sample.yaml", encoding: .utf8)
      .replacingOccurrences(of: ", hillshade, slopes", with: pictures)
      .replacingOccurrences(of: "../build/sample", with: folder.file("out"))
      .replacingOccurrences(of: "../sample-data", with: Self.data)
      .replacingOccurrences(of: "profiles: [trail-hiking", with: "profiles: [\(profile)")
    return try folder.write(text, to: "sample.yaml")
  }

  private func run(_ manifest: String, _ options: [String] = []) throws -> ProcessResult {
    try Executables.run("cairn", ["run", manifest, "--progress", "plain"] + options)
  }

  @Test("two regions are built, published and valid, and a second run has nothing to do")
  func twoRegions() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(in: folder, withPictures: true)
    let first = try run(manifest)
    try #require(first.status == 0, "\(first.stderr)")
    for region in ["valley-west", "valley-east"] {
      let database = folder.file("out/\(region)/\(region).routing.db")
      let validation = try Executables.run("cairn-validate", ["--input", database, "-q"])
      #expect(validation.status == 0, "\(validation.stdout)")
      let siblings = try FileManager.default.contentsOfDirectory(
        atPath: folder.file("out/\(region)"))
      #expect(!siblings.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-journal") })
    }
    let before = try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db"))
    let second = try run(manifest)
    #expect(second.status == 0)
    #expect((second.stdout + second.stderr).contains("nothing to do"), "\(second.stderr)")
    #expect(try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db")) == before)
  }

  @Test("a region without routing is published, intact and searched, and has no route")
  func withoutRouting() throws {
    let folder = try TemporaryFolder()
    let manifest = try manifest(in: folder)
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
      .replacingOccurrences(of: "id: valley-west,", with: "id: valley-west, routing: false,")
    try folder.write(
      text + "routable-highways: [path, track, footway, tertiary]\n", to: "sample.yaml")
    let first = try run(manifest)
    try #require(first.status == 0, "\(first.stderr)")
    let west = folder.file("out/valley-west")
    #expect(!FileManager.default.fileExists(atPath: west + "/valley-west.routing.db"))
    let verified = try Executables.run("cairn", ["bundle", "verify", folder.file("out")])
    #expect(verified.status == 0, "\(verified.stdout)")
    let places = try Executables.run("cairn", ["search", west, "Krähenhütte"])
    #expect(places.status == 0 && places.stdout.contains("Krähenhütte"))
    let route = try Executables.run(
      "cairn", ["route", west, "--from", "47.02,10.04", "--to", "47.06,10.09"])
    #expect(route.status == 66 && route.stderr.contains("has no .routing.db"))
  }

  @Test("regions built together have the same bytes as regions built one by one")
  func togetherAndAlone() throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    // With a sanitizer, pictures take minutes.
    let withPictures = !Executables.areSanitized
    let together = try manifest(in: folder, withPictures: withPictures)
    let alone = try manifest(in: other, withPictures: withPictures)
    #expect(try run(together).status == 0)
    for region in ["valley-east", "valley-west"] {
      #expect(try run(alone, ["--regions", region]).status == 0)
    }
    for region in ["valley-west", "valley-east"] {
      for name in [
        "\(region).routing.db", "\(region).waypoints.db", "\(region).places.db",
        "\(region).trails.mbtiles", "region.json", "bundle.json",
      ] {
        #expect(
          try bytesOfFile(folder.file("out/\(region)/\(name)"))
            == bytesOfFile(other.file("out/\(region)/\(name)")), "\(name) of \(region)")
      }
    }
  }

  @Test("a region without ways fails with the decoder's message, and the others are built")
  func emptyRegion() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let sea = "  - { id: sea, name: Sea, bbox: [-30, 40, -29, 41] }\n"
    try folder.write(text + sea, to: "sample.yaml")
    let result = try run(path)
    #expect(result.status == 1)
    #expect(
      result.stderr.contains("Z sea: decode-pbf FAILED")
        && result.stderr.contains("Z sea: decode-pbf failed"), "\(result.stderr)")
    // Once, in one block.
    let reason = "no way with a routable highway in the region"
    #expect(result.stderr.ranges(of: reason).count == 1, "\(result.stderr)")
    for region in ["valley-west", "valley-east"] {
      let database = folder.file("out/\(region)/\(region).routing.db")
      #expect(FileManager.default.fileExists(atPath: database))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/sea")))
  }

  @Test("with --progress json every line is an object, also if the run fails")
  func jsonLines() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let sea = "  - { id: sea, name: Sea, bbox: [-30, 40, -29, 41] }\n"
    try folder.write(text + sea, to: "sample.yaml")
    let result = try Executables.run("cairn", ["run", path, "--progress", "json"])
    #expect(result.status == 1)
    #expect(result.stdout.isEmpty)
    let objects = try result.stderr.split(separator: "\n").map { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    let failure = objects.first { $0?["event"] as? String == "failed" } ?? nil
    #expect(failure?["region"] as? String == "sea")
    #expect((failure?["message"] as? String)?.contains("no way with a routable highway") == true)
    #expect((failure?["lastLines"] as? [String])?.isEmpty == false)
    let summary = try #require(objects.last ?? nil)
    #expect(summary["event"] as? String == "summary")
    #expect(summary["exitCode"] as? Int == 1)
    let report = try #require(summary["report"] as? String)
    #expect(FileManager.default.fileExists(atPath: report))
  }

  @Test("a box whose coordinates are swapped is told from one without ways")
  func swappedBox() throws {
    let folder = try TemporaryFolder()
    func message(_ box: String) throws -> String {
      let result = try Executables.run(
        "cairn-decode-pbf",
        [
          "--input", "\(Self.data)/valley.osm.pbf", "--bbox", box, "--output", folder.file("out"),
          "--progress", "none",
        ])
      #expect(result.status == 65)
      return result.stderr
    }
    let swapped = try message("47,10,47.1,10.1")
    #expect(swapped.contains("look swapped"), "\(swapped)")
    #expect(swapped.contains("did you mean [10.0, 47.0, 10.1, 47.1]?"), "\(swapped)")
    #expect(try message("-30,40,-29,41").contains("does the extract cover the region"))
  }

  @Test("regions without any elevation are built with a warning, unless a check requires it")
  func noElevation() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("empty"), withIntermediateDirectories: true)
    let path = try manifest(in: folder)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let without = text.replacing(
      /elevation:\n  - .*\n  - .*\n/,
      with: "elevation: { sources: [{ hgt: empty }], threshold-metres: 3 }\n")
    try folder.write(without, to: "sample.yaml")
    let refused = try run(path)
    #expect(refused.status == 1)
    #expect(refused.stderr.contains("N47E010 is not in the folder "), "\(refused.stderr)")
    #expect(
      refused.stderr.contains("; check elevation-coverage: 0 % of the nodes have an elevation"))
    #expect(!FileManager.default.fileExists(atPath: folder.file("out/valley-west")))
    try folder.write(
      without.replacingOccurrences(of: "elevation-coverage: 0.95, ", with: ""), to: "sample.yaml")
    #expect(try run(path).stderr.contains("at least 90 % required"), "without a check, too")
    try folder.write(
      without.replacingOccurrences(of: "elevation-coverage: 0.95", with: "elevation-coverage: 0"),
      to: "sample.yaml")
    let built = try run(path)
    try #require(built.status == 0, "\(built.stderr)")
    let database = folder.file("out/valley-west/valley-west.routing.db")
    let unknown = try rows(
      of: database,
      """
      SELECT count(*) = count(elevation IS NULL), count(elevation),
        (SELECT sum(elevation_gain + elevation_loss) FROM routing_edges),
        (SELECT count(*) FROM routing_elevation) FROM routing_nodes
      """)
    #expect(unknown == [["1", "0", "0.0", "0"]])
    let trails = folder.file("r.trails")
    try Executables.succeed(
      "cairn-decode-pbf", ["--input", "\(Self.data)/valley.osm.pbf", "--output", trails, "-q"])
    let sampled = try Executables.succeed(
      "cairn-sample-elevation",
      ["--input", trails, "--hgt", folder.file("empty"), "--output", folder.file("r.elevated")])
    #expect(sampled.stderr.contains("NO NODE HAS AN ELEVATION"), "\(sampled.stderr)")
  }

  @Test("a changed value in a profile reruns only the stages from the costs on")
  func changedProfile() throws {
    let folder = try TemporaryFolder()
    func writeProfile(climb: Double) throws {
      try folder.write(
        "cairn-profile: 1\nname: mine\nbased-on: hiking\nclimb-factor: \(climb)\n", to: "mine.yaml")
    }
    try writeProfile(climb: 8)
    let manifest = try manifest(in: folder, profile: "mine.yaml")
    let first = try run(manifest)
    try #require(first.status == 0, "\(first.stderr)")
    let old = try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db"))
    try writeProfile(climb: 9)
    let plan = try run(manifest, ["--dry-run"])
    let lines = (plan.stdout + plan.stderr)
    #expect(lines.contains("compute-costs"), "\(lines)")
    #expect(!lines.contains("build-graph"), "\(lines)")
    #expect(!lines.contains("decode-pbf"), "\(lines)")
    let second = try run(manifest)
    #expect(second.status == 0, "\(second.stderr)")
    #expect(!second.stderr.contains("build-graph"), "\(second.stderr)")
    #expect(try bytesOfFile(folder.file("out/valley-west/valley-west.routing.db")) != old)
  }

  @Test("the same data as PBF and as XML gives the same columns, byte for byte")
  func sameColumns() throws {
    let folder = try TemporaryFolder()
    try Executables.succeed(
      "cairn-decode-pbf",
      ["--input", "\(Self.data)/valley.osm.pbf", "--output", folder.file("pbf.trails"), "-q"])
    try Executables.succeed(
      "cairn-parse-overpass",
      ["--input", "\(Self.data)/valley.osm.gz", "--output", folder.file("xml.trails"), "-q"])
    let pbf = try ContainerReader(folder.file("pbf.trails"))
    let xml = try ContainerReader(folder.file("xml.trails"))
    #expect(pbf.sections.map(\.name) == xml.sections.map(\.name))
    #expect(pbf.sections.map(\.checksum) == xml.sections.map(\.checksum))
    #expect(pbf.sections.map(\.count) == xml.sections.map(\.count))
  }

  @Test("the number of threads does not change a byte of any stage's output")
  func threads() throws {
    let folder = try TemporaryFolder()
    for threads in ["1", "4"] {
      func file(_ name: String) -> String { folder.file("\(threads).\(name)") }
      let shared = ["--threads", threads, "-q"]
      try Executables.succeed(
        "cairn-decode-pbf",
        ["--input", "\(Self.data)/valley.osm.pbf", "--output", file("trails")] + shared)
      try Executables.succeed(
        "cairn-sample-elevation",
        ["--input", file("trails"), "--hgt", "\(Self.data)/hgt", "--output", file("elevated")]
          + shared)
      try Executables.succeed(
        "cairn-build-graph",
        ["--input", file("elevated"), "--trails", file("trails"), "--output", file("graph")]
          + shared)
      try Executables.succeed(
        "cairn-compute-costs",
        [
          "--input", file("graph"), "--profile", "hiking", "--profile", "cycling", "--output",
          file("routing.db"),
        ] + shared)
      for (stage, name) in [("collect-places", "waypoints.db"), ("index-places", "places.db")] {
        try Executables.succeed(
          "cairn-\(stage)",
          ["--input", file("elevated"), "--trails", file("trails"), "--output", file(name)]
            + shared)
      }
    }
    for name in ["trails", "elevated", "graph", "routing.db", "waypoints.db", "places.db"] {
      #expect(try folder.read("1.\(name)") == folder.read("4.\(name)"), "\(name)")
    }
  }

  @Test("a route as JSON has the keys of a computed route, and coordinates as [lat, lon]")
  func routeAsJSON() throws {
    let chain = try Chain()
    let database = try chain.build("\(Self.data)/valley.osm.pbf", hgt: "\(Self.data)/hgt")
    let points = try demoHike()
    let arguments = ["route", database, "--from", points.from, "--to", points.to]
    let result = try Executables.succeed("cairn", arguments + ["--format", "json"])
    let route = try jsonObject(result.stdout)
    for key in [
      "totalDistance", "totalCost", "estimatedDuration", "elevationGain", "elevationLoss",
    ] {
      #expect(try #require(route[key] as? Double) > 0, "\(key)")
    }
    let coordinates = try #require(route["coordinates"] as? [[Double]])
    #expect(
      coordinates.allSatisfy { (46.9...47.2).contains($0[0]) && (9.9...10.3).contains($0[1]) })
    let nodes = try #require(route["nodes"] as? [Any])
    let edges = try #require(route["edges"] as? [Any])
    #expect(nodes.count == edges.count + 1)
    let gpx = try Executables.succeed("cairn", arguments + ["--format", "gpx"]).stdout
    // Only the points that the line needs.
    let needed = gpx.components(separatedBy: "<trkpt").count - 1
    #expect(needed > coordinates.count / 4 && needed < coordinates.count / 2)
    let feature = try jsonObject(
      try Executables.succeed("cairn", arguments + ["--format", "geojson"]).stdout)
    #expect(feature["type"] as? String == "Feature")
  }

  /// Start and destination of the hike that `make demo` prints.
  private func demoHike() throws -> (from: String, to: String) {
    let makefile = try String(contentsOfFile: "\(packageRoot)/Makefile", encoding: .utf8)
    let line = try #require(
      makefile.split(separator: "\n").first { $0.hasPrefix("DEMO_HIKE") })
    let words = line.split(separator: " ").map(String.init)
    let from = try #require(words.firstIndex(of: "--from"))
    let to = try #require(words.firstIndex(of: "--to"))
    return (words[from + 1], words[to + 1])
  }
}
