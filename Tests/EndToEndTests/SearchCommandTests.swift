// SPDX-License-Identifier: Apache-2.0
import CairnSQLiteKit
import Foundation
import TestSupport
import Testing

@Suite("cairn search and cairn where")
struct SearchCommandTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let trails = folder.file("valley.trails")
    database = folder.file("valley.places.db")
    try Executables.succeed(
      "cairn-decode-pbf",
      ["--input", packageRoot + "/sample-data/valley.osm.pbf", "--output", trails, "-q"])
    try Executables.succeed(
      "cairn-index-places", ["--input", trails, "--output", database, "-q"])
  }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  @Test("a place is printed with what it is and where, and with --near how far it is")
  func search() throws {
    let plain = try cairn("search", database, "krahenhutte")
    #expect(plain.status == 0, "\(plain.stderr)")
    #expect(plain.stdout.hasPrefix("Krähenhütte"))
    #expect(plain.stderr.isEmpty)
    let near = try cairn("search", database, "Krähenhütte", "--near", "47.03,10.05", "--limit", "1")
    #expect(near.stdout.split(separator: "\n").count == 1)
    #expect(near.stdout.contains(" km  N"))
  }

  @Test("a database that another program is writing ends a search with 75")
  func locked() throws {
    let other = try SQLiteConnection(database, .shared(patienceMilliseconds: 0))
    try other.execute("BEGIN EXCLUSIVE")
    for words in [["search", database, "Haus"], ["where", database, "47.0508,10.0809"]] {
      let found = try Executables.run("cairn", words)
      #expect(found.status == 75, "\(found.stderr)")
      #expect(found.stderr.contains("database is locked"))
      #expect(found.stderr.contains("another program is writing it"))
    }
    try other.execute("COMMIT")
    #expect(try cairn("search", database, "krahenhutte").status == 0)
  }

  @Test("words that are names of files or folders beside are words, unless these hold a database")
  func namesOfFiles() throws {
    try folder.write("a letter", to: "Krähenhütte")
    try FileManager.default.createDirectory(
      atPath: folder.file("Haus"), withIntermediateDirectories: true)
    let cairn = "\(Executables.folder)/cairn"
    for words in [[database, "Krähenhütte"], [database, database, "Krähenhütte"]] {
      let found = try runProcess(
        cairn, ["search"] + words + ["--limit", "1"], in: folder.path)
      #expect(found.stdout.hasPrefix("Krähenhütte"), "\(found.stderr)")
    }
    let both = try runProcess(cairn, ["search", database, "Krähenhütte", "Haus"], in: folder.path)
    #expect([0, 1].contains(both.status), "\(both.stderr)")
    let kind = try runProcess(
      cairn, ["search", database, "Haus", "--kind", "water", "--near", "47.03,10.05"],
      in: folder.path)
    #expect([0, 1].contains(kind.status), "\(kind.stderr)")
  }

  @Test("a typo is noted on stderr, and the answer of no place ends with 1")
  func suggestions() throws {
    let typo = try cairn("search", database, "krähenhüttte")
    #expect(typo.status == 0)
    #expect(typo.stderr.contains("did you mean “Krähenhütte”"))
    let none = try cairn("search", database, "qqqqq")
    #expect(none.status == 1)
    #expect(
      none.stderr == "cairn search: no place is called “qqqqq” or anything like it\n")
  }

  @Test("JSON has the results and null for what is unknown")
  func json() throws {
    let result = try cairn("search", database, "krähenhütte", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(result.stdout.utf8))
    let results = try #require((object as? [String: Any])?["results"] as? [[String: Any]])
    #expect(results.first?["title"] as? String == "Krähenhütte")
    #expect(results.first?["distance"] is NSNull)
  }

  @Test("a kind gives the nearest places, around a point or along a line with the detour")
  func kinds() throws {
    let near = try cairn("search", database, "--kind", "Hütte", "--near", "47.05,10.08")
    #expect(near.status == 0, "\(near.stderr)")
    #expect(near.stdout.hasPrefix("Krähenhütte"))
    let named = try cairn("search", database, "hut near Krähenjoch")
    #expect(named.stdout.contains("Krähenhütte"))
    #expect(named.stderr.contains("cairn search: near Krähenjoch"))
    let track = try folder.write(
      """
      <gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
      <trkpt lat="47.04" lon="10.081"/><trkpt lat="47.06" lon="10.081"/></trkseg></trk></gpx>
      """, to: "walk.gpx")
    let along = try cairn("search", database, "--kind", "hut", "--along", track, "--json")
    let object = try JSONSerialization.jsonObject(with: Data(along.stdout.utf8))
    let results = try #require((object as? [String: Any])?["results"] as? [[String: Any]])
    #expect(results.first?["kind"] as? String == "hut")
    #expect(results.first?["detour"] is Double)
    #expect(try cairn("search", database, "--kind", "qqqqq", "--near", "47,10").status == 64)
    #expect(try cairn("search", database, "--kind", "hut").status == 64)
    #expect(try cairn("search", database, "a", "--within", "5").status == 64)
  }

  @Test("a coordinate gives that point, and what is wrong with it is said")
  func coordinates() throws {
    let point = try cairn("search", database, "47.05076, 10.080916")
    #expect(point.status == 0, "\(point.stderr)")
    #expect(point.stdout.contains("Point, at Krähenhütte"))
    let swapped = try cairn("search", database, "10.080916, 47.05076")
    #expect(swapped.stderr == "cairn search: latitude and longitude are swapped\n")
  }

  @Test("a point is described, also by the folder of a bundle or another database of it")
  func whereItIs() throws {
    let point = "47.05076,10.080916"
    let direct = try cairn("where", database, point)
    #expect(direct.status == 0, "\(direct.stderr)")
    #expect(direct.stdout.contains("Krähenhütte"))
    #expect(try cairn("where", folder.path, point).stdout == direct.stdout)
    try folder.write("", to: "valley.routing.db")
    #expect(
      try cairn("where", folder.file("valley.routing.db"), point).stdout == direct.stdout)
    #expect(try cairn("where", database, "10,10").status == 1)
  }

  @Test("wrong arguments and files end with the exit code that says so")
  func errors() throws {
    #expect(try cairn("where", database, "north").status == 64)
    #expect(try cairn("search", database).status == 64)
    #expect(try cairn("search", database, "a", "--limit", "0").status == 64)
    #expect(try cairn("search", folder.file("absent.places.db"), "a").status == 66)
    let text = try folder.write("<html>", to: "page.places.db")
    #expect(try cairn("search", text, "a").status == 65)
    #expect(try cairn("search", folder.path, "a").status == 66)
    #expect(try cairn("search", database, String(repeating: "a", count: 5000)).status == 64)
  }
}
