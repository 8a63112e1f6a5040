// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Bundles after they were published")
struct BundleCommandTests {
  /// The sample with two regions, built once for all tests of this suite.
  private static let sample = Result { try build() }

  private static func build() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let text = try String(contentsOfFile: "\(packageRoot)/pipelines/sample.yaml", encoding: .utf8)
      .replacingOccurrences(of: "../build/sample", with: folder.file("out"))
      .replacingOccurrences(of: "../sample-data", with: "\(packageRoot)/sample-data")
    let manifest = try folder.write(text, to: "sample.yaml")
    try Executables.succeed("cairn", ["run", manifest, "-q"])
    return folder
  }

  /// A copy of a bundle of the sample that may be changed.
  private func copy() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Self.sample.get().file("out/valley-west"), toPath: folder.file("valley-west"))
    return folder
  }

  private func verify(_ path: String, _ options: [String] = []) throws -> ProcessResult {
    try Executables.run("cairn", ["bundle", "verify", path] + options)
  }

  @Test("an output folder and a copy of one of its bundles are intact")
  func intact() throws {
    let output = try verify(Self.sample.get().file("out"))
    #expect(output.status == 0, "\(output.stdout)\(output.stderr)")
    #expect(output.stdout.split(separator: "\n").allSatisfy { $0.hasSuffix(": intact") })
    #expect(output.stdout.split(separator: "\n").count == 2)
    let folder = try copy()
    let bundle = try verify(folder.file("valley-west"), ["--json"])
    #expect(bundle.status == 0)
    #expect(try jsonObject(bundle.stdout)["intact"] as? Bool == true)
  }

  /// What is done to a bundle, and what is said about it.
  private static let damages: [(script: String, message: String)] = [
    ("rm valley-west.places.db", "valley-west.places.db: is missing"),
    ("rm bundle.json", "bundle.json: is missing"),
    ("echo x >> valley-west.waypoints.db", "valley-west.waypoints.db: has "),
    (
      "printf x | dd of=valley-west.routing.db bs=1 seek=5000 conv=notrunc status=none",
      "valley-west.routing.db: has the SHA-256"
    ),
    ("echo mine > notes.txt", "notes.txt: is not part of the bundle"),
    ("mkdir sub", "sub: is not part of the bundle"),
    (
      "mv valley-west.places.db ../p.db; ln -s ../p.db valley-west.places.db",
      "valley-west.places.db: is a link"
    ),
    ("echo '{}' > bundle.json", "bundle.json: is not a bundle record"),
    // What is recorded of a changed file is changed, too.
    (
      "sed -i 's/manifestId\" : \"valley-west/manifestId\" : \"valley-wext/' region.json; fix region.json",
      "region.json: manifestId is valley-wext"
    ),
    (
      "sed -i 's/valley-west.waypoints/valley-west.waypoinds/' region.json; fix region.json",
      "waypointsDbFilename is “valley-west.waypoinds.db”, which is not a file"
    ),
    (
      #"sed -i 's#^{#{ "otherFilename" : "../x.db",#' region.json; fix region.json"#,
      "otherFilename is “../x.db”, which is not a file"
    ),
    // A number that nothing holds must not keep the names from being looked at.
    (
      #"sed -i 's#^{#{ "x" : 1e400, "otherFilename" : "../x.db",#' region.json; fix region.json"#,
      "region.json: is not a region record"
    ),
    (
      "sed -i 's/\"highestGrade\" : \"T[0-9]\"/\"highestGrade\" : null/' bundle.json",
      "has other safety figures than the records: highestGrade"
    ),
    ("sed -i 's/\"edges\" : /\"edges\" : 9/' bundle.json", "valley-west.routing.db: has edges "),
    (
      "sed -i 's/\"sha256\" : \"[0-9a-f]*\",$/&/; s/\"dataTimestamp\" : \"20/\"dataTimestamp\" : \"21/' "
        + "bundle.json", "has data of “20"
    ),
    (
      "sed -i 's/\"dataTimestamp\" : \"20/\"dataTimestamp\" : \"21/' bundle.json",
      "region.json: createdAt is "
    ),
    (claim("routing.db", "osm_data_date", "1999"), "valley-west.routing.db: has data of “1999”"),
    (
      claim("waypoints.db", "osm_data_date", "1999"),
      "valley-west.waypoints.db: has data of “1999”"
    ),
    (claim("places.db", "osm_data_date", "1999"), "valley-west.places.db: has data of “1999”"),
    (
      claim("trails.mbtiles", "osm_data_date", "1999"),
      "valley-west.trails.mbtiles: has data of “1999”"
    ),
    (claim("routing.db", "source_sha256", "0"), "has a source with the SHA-256 “0”"),
    (claim("places.db", "region_id", "east"), "valley-west.places.db: has the region “east”"),
    (claim("waypoints.db", "region_name", "East"), "has the name “East”"),
    (
      "sqlite3 valley-west.routing.db \"update routing_edges set distance = -1 where id = 5\"; "
        + "fix valley-west.routing.db", "breaks the rule"
    ),
    (
      "sqlite3 valley-west.trails.mbtiles \"delete from metadata where name = 'bounds'\"; "
        + "fix valley-west.trails.mbtiles", "breaks the rule tile-metadata"
    ),
    (
      "sqlite3 valley-west.slopes.mbtiles \"update images set tile_data = x'00' where tile_id = 1\"; "
        + "fix valley-west.slopes.mbtiles", "breaks the rule tile-contents"
    ),
    (
      "cp valley-west.slopes.mbtiles valley-west.trails.mbtiles; fix valley-west.trails.mbtiles",
      "has tiles of the format png, pbf in the records"
    ),
    (
      "sqlite3 valley-west.mbtiles 'delete from map where zoom_level = 11'; "
        + "fix valley-west.mbtiles", "valley-west.mbtiles: has tiles "
    ),
    (
      "head -c 9000 valley-west.mbtiles > x; mv x valley-west.mbtiles; fix valley-west.mbtiles",
      "valley-west.mbtiles: is truncated"
    ),
  ]

  /// Lets a database of a bundle say something else of itself than the records say.
  private static func claim(_ suffix: String, _ key: String, _ value: String) -> String {
    let tables = [
      "routing.db": ("routing_metadata", "key"), "waypoints.db": ("waypoint_metadata", "key"),
      "places.db": ("place_metadata", "key"), "trails.mbtiles": ("metadata", "name"),
    ]
    let (table, column) = tables[suffix] ?? ("", "")
    return """
      sqlite3 valley-west.\(suffix) \
        "update \(table) set value = '\(value)' where \(column) = '\(key)'"
      fix valley-west.\(suffix)
      """
  }

  @Test("each damage is named, with 65 and what to do", arguments: damages.indices)
  func damage(index: Int) throws {
    let (script, message) = Self.damages[index]
    let folder = try copy()
    let head = """
      set -e; cd "$1"
      fix() { python3 - "$1" <<'END'
      import hashlib, json, sys
      data = open(sys.argv[1], "rb").read()
      record = json.load(open("bundle.json"))
      record["files"][sys.argv[1]] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
      json.dump(record, open("bundle.json", "w"))
      END
      }

      """
    let path = folder.file("valley-west")
    let change = try runProcess("bash", ["-c", head + script, "bash", path])
    try #require(change.status == 0, "\(change.stderr)")
    let result = try verify(path)
    #expect(result.status == 65, "\(result.stderr)")
    #expect(result.stdout.contains(message), "\(result.stdout)")
    #expect(result.stdout.contains("FINDING"))
  }

  @Test("an index that says something else than the bundles is found")
  func index() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: Self.sample.get().file("out"), toPath: folder.file("out"))
    try FileManager.default.removeItem(atPath: folder.file("out/valley-east"))
    let text = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    try folder.write(text.replacing("\"Valley West", with: "\"Valley Waste"), to: "out/index.json")
    let result = try verify(folder.file("out"))
    #expect(result.status == 65)
    #expect(result.stdout.contains("lists valley-east, which has no bundle"))
    for (key, value) in [("name", "x"), ("dataTimestamp", "2013-05-28T00:00:00Z")] {
      var index = try jsonObject(text)
      var regions = try #require(index["regions"] as? [[String: Any]])
      regions[0][key] = value
      index["regions"] = regions
      let bytes = try JSONSerialization.data(withJSONObject: index)
      try folder.write([UInt8](bytes), to: "out/index.json")
      let result = try verify(folder.file("out"))
      #expect(result.status == 65)
      #expect(result.stdout.contains("\(key) of valley-west is not as in"), "\(result.stdout)")
    }
  }

  @Test("what is no bundle ends with 66 or 65")
  func none() throws {
    let folder = try TemporaryFolder()
    #expect(try verify(folder.file("none")).status == 66)
    #expect(try verify(folder.path).status == 65)
  }

  @Test("a bundle is packed into the same bytes twice, without what is not part of it")
  func pack() throws {
    let folder = try copy()
    let bundle = folder.file("valley-west")
    func pack(_ name: String) throws -> ProcessResult {
      try Executables.run("cairn", ["bundle", "pack", bundle, "--output", folder.file(name)])
    }
    #expect(try pack("a.zip").status == 0)
    try folder.write("mine", to: "valley-west/notes.txt")
    let second = try pack("b.zip")
    #expect(second.status == 0)
    #expect(second.stderr.contains("notes.txt is not part of the bundle"))
    #expect(try bytesOfFile(folder.file("a.zip")) == bytesOfFile(folder.file("b.zip")))
    try folder.write("mine", to: "c.zip")
    #expect(try pack("c.zip").status == 73)
    let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])"
    let out = try runProcess("python3", ["-c", script, folder.file("a.zip"), folder.file("x")])
    #expect(out.status == 0, "\(out.stderr)")
    #expect(try verify(folder.file("x/valley-west")).status == 0)
    try folder.write("damaged", to: "valley-west/valley-west.places.db")
    #expect(try pack("d.zip").status == 65)
    #expect(!FileManager.default.fileExists(atPath: folder.file("d.zip")))
  }

  @Test(
    "a bundle whose id is not a region id is not packed",
    arguments: ["../../../x", "/etc/x", "", "a\\nb", "a\\u001bb", "..", "A"])
  func hostileID(id: String) throws {
    let folder = try copy()
    let record = folder.file("valley-west/bundle.json")
    let text = try String(contentsOfFile: record, encoding: .utf8)
    try folder.write(
      text.replacing("\"id\" : \"valley-west\"", with: "\"id\" : \"\(id)\""),
      to: "valley-west/bundle.json")
    let result = try Executables.run(
      "cairn", ["bundle", "pack", folder.file("valley-west"), "-o", folder.file("a.zip")])
    #expect(result.status == 65 && result.stderr.contains("is not a region id"))
    #expect(!result.stderr.contains("\u{1b}") && result.stderr.split(separator: "\n").count <= 2)
    #expect(!FileManager.default.fileExists(atPath: folder.file("a.zip")))
  }

  @Test("an archive goes to stdout, a pipe or /dev/null as a stream")
  func packToStream() throws {
    let folder = try copy()
    let bundle = folder.file("valley-west")
    let script = """
      set -e
      "$0" bundle pack "$1" -o a.zip -q
      "$0" bundle pack "$1" -o /dev/stdout | cmp - a.zip
      mkfifo pipe; cmp pipe a.zip & "$0" bundle pack "$1" -o pipe; wait $!
      "$0" bundle pack "$1" -o /dev/null; test -c /dev/null
      """
    let result = try runProcess(
      "sh", ["-c", script, "\(Executables.folder)/cairn", bundle], in: folder.path)
    #expect(result.status == 0 && result.stdout == "", "\(result.stderr)")
  }

  @Test("bundles and databases are compared, in three formats")
  func diff() throws {
    let folder = try copy()
    let (old, new) = (try Self.sample.get().file("out/valley-west"), folder.file("valley-west"))
    let same = try Executables.run("cairn", ["bundle", "diff", old, new])
    #expect(same.status == 0 && same.stdout.contains("Nothing has changed."), "\(same.stderr)")
    let east = try Self.sample.get().file("out/valley-east")
    let notes = try Executables.run("cairn", ["bundle", "diff", old, east])
    #expect(notes.status == 0 && notes.stdout.contains("## Added"), "\(notes.stderr)")
    for format in ["json", "geojson"] {
      let path = folder.file("changes.\(format)")
      let words = ["bundle", "diff", old, east, "--format", format, "--output", path]
      try Executables.succeed("cairn", words)
      // It is replaced, since it is one of Cairn's.
      try Executables.succeed("cairn", words)
      _ = try jsonObject(String(decoding: try bytesOfFile(path), as: UTF8.self))
    }
    let mixed = try Executables.run(
      "cairn", ["bundle", "diff", old, east + "/valley-east.routing.db"])
    #expect(mixed.status == 64)
  }

  @Test("bundle.json names tiles, profiles and licences, and the attribution is in all records")
  func provenance() throws {
    let folder = try Self.sample.get()
    let text = String(decoding: try folder.read("out/valley-west/bundle.json"), as: UTF8.self)
    let record = try jsonObject(text)
    let provenance = try #require(record["provenance"] as? [String: Any])
    let tiles = try #require(provenance["elevation"] as? [[String: Any]])
    #expect(!tiles.isEmpty && tiles.allSatisfy { ($0["sha256"] as? String)?.count == 64 })
    let profiles = try #require(provenance["profiles"] as? [[String: Any]])
    #expect(profiles.contains { $0["name"] as? String == "trail-hiking" })
    let licences = try #require(provenance["licences"] as? [[String: Any]])
    #expect(licences.first?["licence"] as? String == "ODbL-1.0")
    #expect(
      licences.map { $0["source"] as? String }
        == ["OpenStreetMap", "hgt", "hgt-coarse", "valley.mbtiles"])
    for name in ["out/index.json", "out/valley-west/region.json"] {
      let other = try jsonObject(String(decoding: try folder.read(name), as: UTF8.self))
      #expect(other["attribution"] as? String == record["attribution"] as? String)
    }
  }
}
