// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn waypoints")
struct WaypointsTests {
  private let folder: TemporaryFolder
  private var store: String { folder.file("waypoints.db") }

  init() throws { folder = try TemporaryFolder() }

  private func waypoints(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["waypoints"] + words)
  }

  private func add(_ at: String, _ words: String...) throws {
    let all = ["waypoints", "add", store, "--at", at, "--time", "2026-07-15T08:30:00Z"] + words
    _ = try Executables.succeed("cairn", all)
  }

  @Test("waypoints are added, listed, and found nearby")
  func adding() throws {
    try add("47.06,10.099", "--label", "Spring", "--category", "waterSource")
    try add("47.05,10.08", "--label", "Hut", "--category", "shelter", "--altitude", "1900")
    let list = try waypoints("list", store).stdout
    #expect(list.contains("waterSource  47.06000,10.09900        –"), "\(list)")
    #expect(list.contains("1\u{A0}900 m"), "\(list)")
    let huts = try waypoints("list", store, "--category", "shelter", "--json").stdout
    let rows = try JSONSerialization.jsonObject(with: Data(huts.utf8)) as? [[String: Any]]
    #expect(rows?.count == 1)
    #expect(rows?.first?["kind"] is NSNull && rows?.first?["osm"] is NSNull)
    #expect(rows?.first?["timestamp"] as? String == "2026-07-15T08:30:00.000Z")
    let near = try waypoints("near", store, "--at", "47.0601,10.099")
    #expect(near.status == 0 && near.stdout.contains("11 m") && near.stdout.contains("Spring"))
    #expect(!near.stdout.contains("Hut"))
    #expect(try waypoints("near", store, "--at", "0,0").status == 1)
    #expect(try folder.contents == ["waypoints.db"])
  }

  @Test("what is exported and imported is the same", arguments: ["gpx", "geojson", "csv"])
  func exchange(_ format: String) throws {
    try add("47.06,10.099", "--label", "a, \"b\" & <c>", "--note", "two\nlines")
    try add("-47.05,-179.9", "--category", "danger", "--altitude", "-3.25")
    let file = folder.file("export.\(format)")
    for _ in 1...2 { #expect(try waypoints("export", store, "--output", file).status == 0) }
    let other = folder.file("other.db")
    for _ in 1...2 { #expect(try waypoints("import", other, file).status == 0) }
    #expect(
      try waypoints("list", other, "--json").stdout == waypoints("list", store, "--json").stdout)
    // A file of others is not replaced.
    try folder.write("mine", to: "export.\(format)")
    #expect(try waypoints("export", store, "--output", file).status == 73)
  }

  @Test("a photo is added, or the reason is given why not")
  func photo() throws {
    let text = try folder.write("hello", to: "photo.jpg")
    let result = try waypoints("add", store, "--at", "47,10", "--photo", text)
    #expect(result.status == 65 && result.stderr.contains("is not a JPEG picture"))
    #expect(try folder.contents == ["photo.jpg"])
  }

  @Test(
    "errors have an exit code and a reason",
    arguments: [
      (["list", "STORE/none.db"], 66, "create it with cairn waypoints add"),
      (["list", "STORE"], 66, "has no .waypoints.db"),
      (["list", "STORE/text"], 65, "not a database"),
      (["add", "STORE/text", "--at", "47,10"], 65, "not a database"),
      (["add", "STORE/new.db"], 64, "--at LAT,LON is required"),
      (["add", "STORE/new.db", "--at", "97,10"], 64, "--at takes LAT,LON"),
      (["add", "STORE/new.db", "--at", "47,10", "--category", "hut"], 64, "--category"),
      (["add", "STORE/no/new.db", "--at", "47,10"], 74, "cannot be written"),
      (["import", "STORE/new.db", "STORE/text"], 64, "cannot tell the format"),
      (["import", "STORE/new.db", "STORE/text", "--format", "gpx"], 65, "text:1:1"),
      (["import", "STORE/new.db", "STORE/bad.csv"], 65, "bad.csv:2:1: latitude"),
      (["import", "STORE/new.db", "STORE/none.gpx"], 66, "none.gpx"), ([], 64, "subcommand"),
    ] as [([String], Int32, String)])
  func errors(_ words: [String], _ status: Int32, _ message: String) throws {
    try folder.write("hello", to: "text")
    try folder.write("lat,lon\nx,1\n", to: "bad.csv")
    let all = words.map { $0.replacingOccurrences(of: "STORE", with: folder.path) }
    let result = try Executables.run("cairn", ["waypoints"] + all)
    #expect(result.status == status && result.stderr.contains(message), "\(result.stderr)")
    #expect(try folder.contents == ["bad.csv", "text"])
  }
}
