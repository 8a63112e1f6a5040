// SPDX-License-Identifier: Apache-2.0
import CairnGuidance
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite("cairn trails", .enabled(if: Andorra.isThere))
struct TrailsCommandTests {
  private let folder: TemporaryFolder
  private let database: String
  private let places: String

  init() throws {
    folder = try TemporaryFolder()
    let built = try Andorra.database()
    database = folder.file("r.routing.db")
    places = folder.file("r.places.db")
    try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: built)
    let stem = splitPath(built).folder + "/r"
    try Executables.succeed(
      "cairn-index-places",
      ["--input", stem + ".elevated", "--trails", stem + ".trails", "--output", places, "-q"])
  }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  private func json(_ words: String...) throws -> [String: Any] {
    let result = try Executables.run("cairn", words)
    #expect(result.status == 0, "\(result.stderr)")
    return try jsonObject(result.stdout)
  }

  @Test("lists every relation with its length, and says how much of it is in the region")
  func list() throws {
    let text = try cairn("trails", "list", database)
    #expect(text.status == 0, "\(text.stderr)")
    #expect(text.stdout.split(separator: "\n").count == 34)
    #expect(text.stdout.contains("48.0 of 770.0 km here"))
    let list = try cairn("trails", "list", database, "--json")
    let records = try #require(
      try JSONSerialization.jsonObject(with: Data(list.stdout.utf8)) as? [[String: Any]])
    #expect(records.count == 33)
    for record in records {
      // What is in the region is at least what the ways of the pieces have.
      let pieces = record["pieces"] as? [[String: Any]] ?? []
      let length = record["lengthMetres"] as? Double ?? 0
      #expect(!pieces.isEmpty && length > 0)
      #expect((record["gaps"] as? [Any])?.count == pieces.count - 1)
      let closed = pieces.reduce(0.0) { $0 + ($1["lengthMetres"] as? Double ?? 0) }
      #expect(length <= closed + 1)
    }
  }

  /// Whole routes of the region, and lengths that they are compared with, in metres.
  private static let known: [(relation: String, metres: Double, within: Double)] = [
    // By the tag `distance`: the tour of Andorra; Encamp – Arinsal, whose line has a detour that the tag has
    // not; the Camí de l'Ossa.
    ("r5511920", 107_000, 0.04), ("r3509400", 17_000, 0.18), ("r5511185", 36_000, 0.15),
    // By the sum of their ways: GR 7 with streets of two carriageways; the other Encamp – Arinsal; a stage
    // of the Haute Randonnée.
    ("r7614536", 43_820, 0.02), ("r10603161", 14_937, 0.001), ("r3360496", 19_000, 0.01),
  ]

  @Test("whole routes are one piece, as long as is known", arguments: known)
  func lengths(relation: String, metres: Double, within: Double) throws {
    let trail = try json("trails", "show", database, relation, "--json")
    let length = try #require(trail["lengthMetres"] as? Double)
    #expect(abs(length / metres - 1) < within, "\(relation): \(length)")
    #expect((trail["pieces"] as? [Any])?.count == 1)
    #expect((trail["missingWays"] as? [Any])?.isEmpty == true)
  }

  @Test("a superroute has its parts, what is along it, and stages that add up")
  func show() throws {
    let trail = try json("trails", "show", database, "r3505803", "--stages", "8h", "--json")
    let parts = try #require(trail["parts"] as? [[String: Any]])
    #expect(parts.map { $0["relation"] as? Int } == [3_509_161, 3_509_400, 3_509_467])
    #expect((trail["missingParts"] as? [Any])?.count == 17 && trail["isCut"] as? Bool == true)
    let pieces = try #require(trail["pieces"] as? [[String: Any]])
    let bridges = pieces.flatMap { $0["bridges"] as? [[String: Any]] ?? [] }
    #expect(pieces.count == 1 && bridges.count == 1)
    let along = try #require(trail["along"] as? [String: Any])
    let found = try #require(along["places"] as? [[String: Any]])
    let names = found.compactMap { ($0["place"] as? [String: Any])?["title"] as? String }
    #expect(names.contains("Refugi de l'Illa") && names.contains("Refugi de Comapedrosa"))
    #expect(Set(found.compactMap { $0["need"] as? String }).count == 5)
    let positions = found.compactMap { $0["positionMetres"] as? Double }
    #expect(positions == positions.sorted() && positions.count == found.count)
    let gaps = try #require(along["longestGaps"] as? [[String: Any]])
    #expect(gaps.count == 5)
    let stages = try #require(along["stages"] as? [[String: Any]])
    #expect(stages.count == 4 && stages.allSatisfy { $0["isTooLong"] as? Bool == false })
    let sum = stages.reduce(0.0) { $0 + ($1["lengthMetres"] as? Double ?? 0) }
    #expect(abs(sum - (pieces[0]["lengthMetres"] as? Double ?? 0)) < 5)
  }

  @Test("names, numbers and relations choose a route; several and none end with 66")
  func names() throws {
    let named = try cairn("trails", "show", database, "volta", "andorra")
    #expect(named.status == 0 && named.stdout.hasPrefix("GPR La volta a Andorra (GPR, rwn"))
    let several = try cairn("trails", "show", database, "GR 7")
    #expect(several.status == 66 && several.stderr.contains("r7614536 (GR 7 - Andorra)"))
    let none = try cairn("trails", "plan", database, "qqq")
    #expect(none.status == 66 && none.stderr.contains("no waymarked route is called “qqq”"))
    #expect(try cairn("trails", "show", database, "r7614536", "--stages", "x").status == 64)
    #expect(try cairn("trails", "show", database, "r7614536", "--depart", "x").status == 64)
  }

  @Test("an older database of places says so, where there is none, too")
  func earlier() throws {
    try runSQL("DROP TABLE place_relations; PRAGMA user_version = 2", on: places)
    let old = try cairn("trails", "list", database)
    #expect(old.status == 65)
    #expect(old.stderr.contains("r.places.db") && old.stderr.contains("cairn index-places"))
    try FileManager.default.removeItem(atPath: places)
    #expect(try cairn("trails", "list", database).status == 66)
  }

  private func runSQL(_ sql: String, on path: String) throws {
    let result = try runProcess("/usr/bin/sqlite3", [path, sql])
    #expect(result.status == 0, "\(result.stderr)")
  }

  @Test("a planned route can be read, as GPX it is valid, and stages are one file each")
  func plan() throws {
    let file = folder.file("trail.json")
    let plan = try cairn("trails", "plan", database, "r3509400", "--output", file)
    #expect(plan.status == 0, "\(plan.stderr)")
    let route = try PlannedRoute(json: Data(contentsOf: URL(filePath: file)))
    #expect(route.name == "GR11 E14 - Encamp - Arinsal" && route.totalDistance > 19_000)
    #expect(!route.turnInstructions.isEmpty && route.warnings?.isEmpty == false)
    let gpx = folder.file("trail.gpx")
    let variant = try cairn(
      "trails", "plan", database, "r3330789", "--format", "gpx", "--output", gpx)
    #expect(variant.status == 0, "\(variant.stderr)")
    let text = try String(contentsOfFile: gpx, encoding: .utf8)
    #expect(text.components(separatedBy: "<trk>").count == 5)
    let schema = packageRoot + "/Tests/Schemas/gpx-1.1.xsd"
    let check = try runProcess(
      "/usr/bin/xmllint", ["--nonet", "--noout", "--schema", schema, gpx])
    #expect(check.status == 0, "\(check.stderr)")
    let routes = folder.file("routes")
    let stages = try cairn(
      "trails", "plan", database, "r5511920", "--stages", "8h", "--folder", routes)
    #expect(stages.status == 0 && stages.stdout.split(separator: "\n").count > 5)
    #expect(try cairn("planned", "list", routes).stdout.contains("GPR La volta a Andorra 2"))
    let longest = try cairn("trails", "plan", database, "r3330789")
    #expect(longest.status == 0 && longest.stderr.contains("the longest of 4 pieces"))
    #expect(try cairn("trails", "plan", database, "r5511920", "--stages", "8h").status == 64)
  }

  @Test("cairn route says what is along a route, in text and JSON")
  func along() throws {
    let ends = ["--from", "42.5565,1.5325", "--to", "42.5995,1.4450"]
    let text = try Executables.run("cairn", ["route", database, "--along"] + ends)
    #expect(text.status == 0 && text.stdout.contains("Refugi del Pla de l'Estany"))
    #expect(text.stdout.contains("Longest stretch without"))
    let french = try Executables.succeed(
      "cairn", ["route", database, "--stages", "4h", "--language", "fr"] + ends
    ).stdout
    for part in [
      "\nPlus long tronçon sans\n  eau ", "  refuges ", "\nÉtapes de 4 h 0 min au plus\n",
      "Refugi del Pla de l'Estany", " arrivée\n",
    ] { #expect(french.contains(part), "\(part)") }
    #expect(!french.contains("stretch") && !french.contains(" more ") && !french.contains(" stop"))
    let told = try Executables.succeed(
      "cairn", ["route", database, "--instructions"] + ends
    ).stdout
    let both = try Executables.succeed(
      "cairn", ["route", database, "--instructions", "--stages", "4h"] + ends
    ).stdout
    let table = try Executables.succeed("cairn", ["route", database, "--stages", "4h"] + ends)
    #expect(both.hasPrefix(told + "\n"))
    let places = String(both.dropFirst(told.count + 1))
    #expect(places.contains("Longest stretch without") && table.stdout.hasSuffix(places))
    let json = try Executables.run(
      "cairn", ["route", database, "--stages", "4h", "--format", "json"] + ends)
    let along = try #require(try jsonObject(json.stdout)["along"] as? [String: Any])
    #expect((along["stages"] as? [Any])?.count == 2)
    let plain = try Executables.run("cairn", ["route", database, "--format", "json"] + ends)
    #expect(try jsonObject(plain.stdout)["along"] == nil)
    let gpx = try Executables.run(
      "cairn", ["route", database, "--along", "--format", "gpx"] + ends)
    #expect(gpx.status == 64)
  }
}
