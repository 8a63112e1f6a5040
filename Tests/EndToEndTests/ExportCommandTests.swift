// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("cairn export")
struct ExportCommandTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    let name = "a,\"b\" </script>\u{2028}\u{202E}\u{1F}'); DROP TABLE edges; --"
    let map = AsciiMap(
      "A---B---C",
      ways: [
        .init("AB", tags: ["highway": "path", "sac_scale": "alpine_hiking", "name": name]),
        .init("BC", tags: ["highway": "footway", "oneway:foot": "yes"]),
      ])
    database = try map.routingDatabase(in: folder)
  }

  private func export(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", ["export", database] + words)
  }

  /// What another program says. Fails unless it ends with 0.
  @discardableResult
  private func tool(_ name: String, _ words: [String]) throws -> String {
    let result = try runProcess(name, words)
    try #require(result.status == 0, "\(name): \(result.stderr)")
    return result.stdout
  }

  /// What GDAL reads of a layer, by feature id.
  private func features(_ path: String, _ layer: String) throws -> [Int: [String: Any]] {
    let output = folder.file("\(layer).json")
    try? FileManager.default.removeItem(atPath: output)
    try tool(
      "ogr2ogr",
      ["-f", "GeoJSON", "-preserve_fid", "-lco", "RFC7946=YES", output, path, layer])
    let object = try jsonObject(String(contentsOfFile: output, encoding: .utf8))
    var found: [Int: [String: Any]] = [:]
    for feature in try #require(object["features"] as? [[String: Any]]) {
      found[try #require(feature["id"] as? Int)] = feature
    }
    return found
  }

  @Test("GDAL reads what the database has, whatever names are")
  func package() throws {
    let output = folder.file("out.gpkg")
    let result = try export("-o", output)
    #expect(result.status == 0, "\(result.stderr)")
    #expect(result.stderr.contains("edges: 2 features"), "\(result.stderr)")
    #expect(result.stderr.contains("pois: skipped"), "\(result.stderr)")
    let edges = try features(output, "edges")
    #expect(edges.count == 2)
    let path = try #require(
      edges.values.compactMap { $0["properties"] as? [String: Any] }.first {
        $0["highway"] as? String == "path"
      })
    #expect(
      path["name"] as? String == "a,\"b\" </script>\u{2028}\u{202E}\u{1F}'); DROP TABLE edges; --")
    #expect(path["grade"] as? Int == 4 && path["severity"] as? String == "caution")
    #expect((path["warnings"] as? String)?.contains("T4") == true)
    #expect(path["ascent_m"] is NSNull, "without elevations the climb is unknown")
    let oneway = try #require(
      edges.values.compactMap { $0["properties"] as? [String: Any] }.first {
        $0["highway"] as? String == "footway"
      })
    #expect(oneway["cost_hiking"] is Double && oneway["reverse_cost_hiking"] is NSNull)
    #expect(oneway["seconds_hiking"] is Double && oneway["reverse_seconds_hiking"] is NSNull)
    #expect(try features(output, "nodes").count == 3)
    // The index, the style and the triggers are what readers expect: SQLite finds no fault, and the
    // index has each feature.
    #expect(try sqlite(output, "PRAGMA integrity_check") == "ok")
    #expect(try sqlite(output, "SELECT count(*) FROM rtree_edges_geom") == "2")
    #expect(try sqlite(output, "PRAGMA journal_mode") == "delete")
    let style = try sqlite(output, "SELECT styleQML FROM layer_styles WHERE f_table_name='edges'")
    #expect(style.contains("attr=\"grade\""))
  }

  private func sqlite(_ path: String, _ sql: String) throws -> String {
    try tool("sqlite3", ["-readonly", path, sql])
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("the same bytes each time, which reading does not change; only Cairn's own is replaced")
  func replacing() throws {
    let output = folder.file("out.gpkg")
    #expect(try export("-q", "-o", output).status == 0)
    let first = try folder.read("out.gpkg")
    _ = try features(output, "edges")
    #expect(try folder.read("out.gpkg") == first)
    #expect(try export("-q", "-o", output).status == 0)
    #expect(try folder.read("out.gpkg") == first)
    // One of another program has the same application id.
    let other = folder.file("other.gpkg")
    try tool("ogr2ogr", ["-f", "GPKG", other, output, "nodes"])
    let before = try folder.read("other.gpkg")
    #expect(try export("-o", other).status == 73)
    #expect(try folder.read("other.gpkg") == before)
  }

  /// A value of JSON as text; GDAL writes a digit more or less.
  private func text(_ value: Any) -> String {
    (value as? Double).map { String(format: "%.6f", $0) } ?? "\(value)"
  }

  @Test("lines of GeoJSON and CSV have the same features")
  func text() throws {
    let package = folder.file("out.gpkg")
    #expect(try export("-q", "-o", package).status == 0)
    let wanted = try features(package, "edges")
    let lines = try export("--format", "geojsonl").stdout.split(separator: "\n")
    #expect(lines.count == wanted.count)
    for line in lines {
      let feature = try jsonObject(String(line))
      let id = try #require(feature["id"] as? Int)
      let found = try #require(feature["properties"] as? [String: Any])
      let other = try #require(wanted[id]?["properties"] as? [String: Any])
      #expect(found.mapValues(text) == other.mapValues(text))
    }
    let table = folder.file("edges.csv")
    #expect(try export("--format", "csv", "-o", table).status == 0)
    #expect(try export("--format", "csv", "-o", table).status == 73)
    let read = try tool("ogrinfo", ["-al", "-oo", "GEOM_POSSIBLE_NAMES=geometry", table])
    #expect(read.contains("Feature Count: 2") && read.contains("LINESTRING ("), "\(read)")
    #expect(read.contains("DROP TABLE edges; --"))
  }

  @Test(
    "what cannot be meant ends with 64",
    arguments: [
      [], ["--format", "shp", "-o", "x"], ["--layer", "ways", "-o", "x"],
      ["--format", "csv", "--layer", "edges,nodes"], ["-o", "/dev/stdout"],
    ])
  func usage(words: [String]) throws {
    #expect(try Executables.run("cairn", ["export", database] + words).status == 64)
  }

  @Test("what is missing ends with 66, what is damaged with 65 and without a file")
  func bad() throws {
    #expect(try Executables.run("cairn", ["export", folder.file("no.routing.db")]).status == 64)
    let output = folder.file("out.gpkg")
    #expect(
      try Executables.run("cairn", ["export", folder.file("no.routing.db"), "-o", output]).status
        == 66)
    #expect(try export("--format", "csv", "--layer", "pois").status == 66)
    try folder.write(
      "no database",
      to: (database as NSString).lastPathComponent
        .replacingOccurrences(of: ".routing.db", with: ".places.db"))
    #expect(try export("-o", output).status == 65)
    #expect(!FileManager.default.fileExists(atPath: output))
    try changeDatabase(database, ["UPDATE routing_edges SET geometry = x'FF'"])
    #expect(try export("--layer", "edges", "-o", output).status == 65)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test(
    "Andorra has as many edges, nodes and metres as its database",
    .enabled(if: Andorra.isThere, "needs ../shared/data"))
  func real() throws {
    let database = try Andorra.database()
    let output = folder.file("andorra.gpkg")
    try Executables.succeed("cairn", ["export", database, "-o", output])
    let sums =
      "count(*), round(sum(distance), 3), round(sum(cost), 3), round(sum(elevation_gain), 3)"
    let exported =
      "count(*), round(sum(distance_m), 3), round(sum(cost), 3), round(sum(ascent_m), 3)"
    #expect(
      try sqlite(database, "SELECT \(sums) FROM routing_edges WHERE cost < 9e999")
        == sqlite(output, "SELECT \(exported) FROM edges WHERE cost IS NOT NULL"))
    #expect(
      try sqlite(database, "SELECT count(*), sum(elevation) FROM routing_nodes")
        == sqlite(output, "SELECT count(*), sum(elevation_m) FROM nodes"))
    let info = try tool("ogrinfo", ["-so", output, "edges"])
    #expect(info.contains("Geometry: Line String") && info.contains("FID Column = fid"), "\(info)")
  }
}
