// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

private let andorra2013 = sharedData("andorra-2013.osm.pbf")

@Suite("cairn delta")
struct DeltaCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  /// A database of places of the sample.
  private func places(_ options: [String], _ name: String) throws -> String {
    let trails = folder.file(name + ".trails")
    let database = folder.file(name + ".places.db")
    try Executables.succeed(
      "cairn-decode-pbf",
      ["--input", packageRoot + "/sample-data/valley.osm.pbf", "--output", trails, "-q"] + options)
    try Executables.succeed(
      "cairn-index-places", ["--input", trails, "--output", database, "-q"])
    return database
  }

  @Test("made, shown and applied, it gives the new database of places; nothing foreign is replaced")
  func places() throws {
    let old = try places(["--bbox", "10,47,10.1,47.1"], "old")
    let new = try places([], "new")
    let delta = folder.file("x.delta")
    let result = folder.file("result.db")
    let made = try cairn("delta", "make", old, new, "--output", delta)
    #expect(made.status == 0, "\(made.stderr)")
    let shown = try jsonObject(try cairn("delta", "show", delta, "--json").stdout)
    #expect(shown["method"] as? String == "bytes")
    #expect(try cairn("delta", "show", delta).stdout.contains("SHA-256"))
    #expect(try cairn("delta", "apply", old, delta, "--output", result).status == 0)
    #expect(try bytesOfFile(result) == bytesOfFile(new))
    #expect(try cairn("delta", "apply", old, delta, "--output", result).status == 0)

    let wrong = try cairn("delta", "apply", new, delta, "--output", result)
    #expect(wrong.status == 65)
    #expect(wrong.stderr.contains("SHA-256"), "\(wrong.stderr)")
    try folder.write("mine", to: "mine.txt")
    let mine = folder.file("mine.txt")
    #expect(try cairn("delta", "apply", old, delta, "--output", mine).status == 73)
    #expect(try cairn("delta", "make", old, new, "--output", mine).status == 73)
    #expect(try cairn("delta", "apply", old, mine, "--output", result).status == 65)
    #expect(try cairn("delta", "show", folder.file("missing")).status == 66)
    #expect(try cairn("delta", "make", old, folder.file("missing"), "--output", delta).status == 66)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix(".") })
  }

  @Test(
    "every kind of file that has a delta is replaced in place, and others are not",
    arguments: ["a.pmtiles", "a.trails.mbtiles", "region.json"])
  func inPlace(name: String) throws {
    let old = try folder.write("the first version of " + name, to: name)
    let new = try folder.write("the second version of " + name, to: "new." + name)
    let delta = folder.file("x.delta")
    try Executables.succeed("cairn", ["delta", "make", old, new, "--output", delta])
    let applied = try cairn("delta", "apply", old, delta, "--output", old)
    #expect(applied.status == 0, "\(applied.stderr)")
    #expect(try bytesOfFile(old) == bytesOfFile(new))
    let other = try folder.write("another file", to: "other")
    try folder.write("the first version of " + name, to: name)
    #expect(try cairn("delta", "apply", old, delta, "--output", other).status == 73)
    #expect(try bytesOfFile(other) == Array("another file".utf8))
  }

  /// Edits of a thousandth of the ways: other tags, other places of nodes, ways that go or are new.
  private func edits(of database: String, seed: UInt64) throws -> String {
    var random = SeededGenerator(seed: seed)
    let ways = try rows(of: database, "SELECT DISTINCT osm_way_id FROM routing_edges ORDER BY 1")
      .compactMap { $0[0] }.shuffled(using: &random).prefix(12)
    var (created, modified, deleted) = ("", "", "")
    for (index, way) in ways.enumerated() {
      let edge = try #require(
        try rows(
          of: database,
          """
          SELECT from_node, to_node, latitude, longitude FROM routing_edges
          JOIN routing_nodes n ON n.id = from_node WHERE osm_way_id = \(way) LIMIT 1
          """
        ).first)
      let from = try #require(edge[0])
      let to = try #require(edge[1])
      let latitude = try #require(edge[2].flatMap(Double.init))
      let longitude = try #require(edge[3].flatMap(Double.init))
      let version = #"version="99" timestamp="2026-11-22T10:00:00Z""#
      let path = #"<nd ref="\#(from)"/><nd ref="\#(to)"/><tag k="highway" v="path"/>"#
      switch index % 4 {
      case 0:
        modified += #"<way id="\#(way)" \#(version)>\#(path)<tag k="surface" v="rock"/></way>"#
      case 1:
        let moved = latitude + Double.random(in: -2e-4...2e-4, using: &random)
        modified += #"<node id="\#(from)" \#(version) lat="\#(moved)" lon="\#(longitude)"/>"#
      case 2: deleted += #"<way id="\#(way)" \#(version)/>"#
      default:
        created += #"<way id="\#(9_000_000_000 + index)" \#(version)>\#(path)</way>"#
      }
    }
    return """
      <osmChange version="0.6"><modify>\(modified)</modify><delete>\(deleted)</delete>\
      <create>\(created)</create></osmChange>
      """
  }

  /// The share of the new database that a delta takes, after it was applied with success.
  private func share(from old: String, to new: String) throws -> Double {
    let delta = folder.file("x.delta")
    let result = folder.file("result.routing.db")
    try Executables.succeed("cairn", ["delta", "make", old, new, "--output", delta])
    try Executables.succeed("cairn", ["delta", "apply", old, delta, "--output", result])
    #expect(try bytesOfFile(result) == bytesOfFile(new))
    return Double(try bytesOfFile(delta).count) / Double(try bytesOfFile(new).count)
  }

  @Test(
    "with a thousandth of the ways edited, it takes less than a fiftieth of Andorra's database",
    .enabled(if: Andorra.isThere, "needs ../shared/data"))
  func nightly() throws {
    let (source, hgt) = (try #require(Andorra.extract), try #require(Andorra.tiles))
    let old = try Andorra.database()
    var shares: [Double] = []
    for seed in 1...3 as ClosedRange<UInt64> {
      let changes = try folder.write(try edits(of: old, seed: seed), to: "\(seed).osc")
      let after = try Chain()
      let new = try after.build(source, hgt: hgt, options: ["--changes", changes])
      #expect(try bytesOfFile(new) != bytesOfFile(old))
      shares.append(try share(from: old, to: new))
    }
    #expect(shares.sorted()[1] < 0.02, "\(shares)")
  }

  @Test(
    "after seven years it is smaller than the new database when that is compressed",
    .enabled(if: Andorra.isThere && andorra2013 != nil, "needs ../shared/data"))
  func years() throws {
    let before = try Chain()
    let old = try before.build(try #require(andorra2013), hgt: try #require(Andorra.tiles))
    #expect(try share(from: old, to: Andorra.database()) < 0.6)
  }
}
