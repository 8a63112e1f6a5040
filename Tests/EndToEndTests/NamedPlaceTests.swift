// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Folders in place of databases, and names of places in place of points")
struct NamedPlaceTests {
  private let chain: Chain
  private let folder: String
  private let hut = "47.05096,10.08092"

  /// The folder of a bundle of the sample.
  init() throws {
    chain = try Chain()
    folder = chain.folder.path
    _ = try chain.build(
      packageRoot + "/sample-data/valley.osm.pbf", hgt: packageRoot + "/sample-data/hgt")
    try Executables.succeed(
      "cairn-index-places",
      chain.files.arguments + ["--output", chain.folder.file("r.places.db"), "-q"])
    try Executables.succeed(
      "cairn-collect-places",
      chain.files.arguments + ["--output", chain.folder.file("r.waypoints.db"), "-q"])
  }

  private func cairn(_ words: String...) throws -> ProcessResult {
    try Executables.run("cairn", words)
  }

  @Test(
    "a route from one named place to another is that between their points, and says which they are")
  func routeByName() throws {
    let named = try cairn("route", folder, "--from", "Unterarven", "--to", "krahenhutte")
    #expect(named.status == 0, "\(named.stderr)")
    let points = try cairn(
      "route", chain.folder.file("r.routing.db"), "--from", "47.02718,10.04759", "--to", hut)
    #expect(named.stdout.split(separator: "\n").first == points.stdout.split(separator: "\n").first)
    #expect(named.stderr.contains("cairn: --from is Unterarven, 47.02718,10.04759 (Settlement"))
    #expect(named.stderr.contains("--to is Krähenhütte, \(hut) (Hut, 1"))
    for command in ["explain", "elevation-profile"] {
      let result = try cairn(command, folder, "--from", "Unterarven", "--to", "Krähenhütte")
      #expect(result.status == 0, "\(command): \(result.stderr)")
    }
    let trip = try cairn("round-trip", folder, "--from", "Unterarven", "--length-km", "5")
    #expect(trip.status == 0, "\(trip.stderr)")
    let reach = try cairn("isochrone", folder, "--from", "Unterarven", "--minutes", "10")
    #expect(reach.status == 0, "\(reach.stderr)")
    let near = try cairn("waypoints", "near", folder, "--at", "Krähenhütte")
    #expect(near.status == 0 && near.stdout.contains("Krähenhütte"), "\(near.stderr)")
    let found = try cairn("search", folder, "see", "--near", "Unterarven")
    #expect(found.stdout.contains(" km "), "\(found.stderr)")
  }

  @Test("routes, files and pictures have the names of their places, in the spelling of the map")
  func titles() throws {
    let ends = ["--from", "unterarven", "--to", "krahenhutte"]
    func text(_ command: String, _ words: [String]) throws -> String {
      try Executables.succeed("cairn", [command, folder] + words).stdout
    }
    let title = "Unterarven – Krähenhütte"
    let gpx = try text("route", ends + ["--format", "gpx"])
    #expect(gpx.components(separatedBy: "<name>\(title)</name>").count == 3, "\(gpx.prefix(900))")
    for format in ["json", "geojson", "planned"] {
      let object = try jsonObject(try text("route", ends + ["--format", format]))
      let named = object["properties"] as? [String: Any] ?? object
      #expect(named["name"] as? String == title, "\(format)")
    }
    #expect(try text("route", ends).contains("\nArrival at Krähenhütte, 1"))
    #expect(try text("route", ends + ["--instructions"]).hasPrefix(title + "\n"))
    #expect(try text("elevation-profile", ends).contains(">\(title)<"))
    let chart = try text("elevation-profile", ends + ["--title", "Up", "--format", "json"])
    #expect(try jsonObject(chart)["title"] as? String == "Up")
    let named = try text("route", ends + ["--format", "gpx", "--name", "Up"])
    #expect(named.contains("<name>Up</name>") && !named.contains(title))

    let mixed = try text(
      "route", ["--from", "47.02718,10.04759", "--to", "Krähenhütte", "--format", "gpx"])
    #expect(mixed.contains(" – Krähenhütte</name>") && !mixed.contains("<name>47."))
    let there = try text(
      "route",
      [
        "--from", "Unterarven", "--via", "Krähenhütte", "--to", "Unterarven", "--format", "geojson",
      ])
    let properties = try jsonObject(there)["properties"] as? [String: Any]
    #expect(properties?["name"] as? String == "\(title) – Unterarven")
    let several = try text("route", ends + ["--format", "gpx", "--alternatives", "2"])
    #expect(several.contains("<name>\(title)"))
    let trip = try text(
      "round-trip", ["--from", "Unterarven", "--length-km", "5", "--format", "gpx"])
    #expect(trip.contains("<name>Unterarven"))
  }

  @Test(
    "GPX of a route has huts, summits and passes on it, no times without a departure, few points")
  func waypoints() throws {
    let ends = ["--from", "Unterarven", "--via", "Krähenhütte", "--to", "47.0603,10.0990"]
    func gpx(_ words: [String]) throws -> String {
      let text = try Executables.succeed("cairn", words).stdout
      let file = try chain.folder.write(text, to: "valid.gpx")
      let valid = try runProcess(
        "/usr/bin/xmllint",
        ["--nonet", "--noout", "--schema", packageRoot + "/Tests/Schemas/gpx-1.1.xsd", file])
      #expect(valid.status == 0, "\(valid.stderr)")
      return text
    }
    func points(_ text: String, _ name: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.contains("<\(name) ") }
    }
    let route = ["route", folder, "--format", "gpx"] + ends
    let text = try gpx(route)
    let names = text.components(separatedBy: "<wpt ").dropFirst()
    #expect(names.contains { $0.contains("<name>Krähenhütte</name>") && $0.contains("Hut") })
    #expect(names.contains { $0.contains("<name>Krähenjoch</name>") && $0.contains("Saddle") })
    #expect(names.allSatisfy { !$0.contains("<name>Unterarven</name>") })
    #expect(points(text, "trkpt").allSatisfy { $0.contains("<ele>") && !$0.contains("<time>") })

    let bare = try gpx(route + ["--no-waypoints"])
    #expect(!bare.contains("<wpt") && points(bare, "trkpt") == points(text, "trkpt"))
    let timed = try gpx(route + ["--depart", "2026-07-15T08:30"])
    let times = points(timed, "trkpt").compactMap { $0.firstRange(of: "<time>") }
    #expect(times.count == points(text, "trkpt").count)
    #expect(points(timed, "trkpt").first?.contains("<time>2026-07-15T06:30:00.000Z</time>") == true)
    #expect(points(timed, "wpt").allSatisfy { !$0.contains("<time>") })

    let json = try jsonObject(
      try Executables.succeed("cairn", ["route", folder, "--format", "json"] + ends).stdout)
    let all = try #require(json["coordinates"] as? [Any])
    #expect(points(text, "trkpt").count < all.count, "\(all.count)")

    let refused = try cairn("route", folder, "--no-waypoints", "--from", hut, "--to", hut)
    #expect(refused.status == 64)
    #expect(refused.stderr.contains("--no-waypoints needs --format gpx"))

    let plan = try Executables.succeed(
      "cairn", ["route", folder, "--format", "planned", "--depart", "2026-07-15T08:30"] + ends)
    let file = try chain.folder.write(plan.stdout, to: "plan.json")
    let plans = chain.folder.file("plans")
    try Executables.succeed("cairn", ["planned", "import", plans, file])
    let title = try #require(try jsonObject(plan.stdout)["name"] as? String)
    let export = ["planned", "export", plans, title]
    let exported = try gpx(export + ["--places", folder])
    #expect(points(exported, "wpt").count == points(text, "wpt").count)
    #expect(points(exported, "trkpt").count == points(text, "trkpt").count)
    #expect(points(exported, "trkpt").first?.contains("<time>2026-07-15T06:30:00") == true)
    #expect(try !gpx(export + ["--no-waypoints"]).contains("<wpt"))
  }

  @Test("a walk that ends in the dark says so in text and in JSON, and in no other case")
  func darkness() throws {
    let ends = ["--from", "Unterarven", "--to", "47.0603,10.0990"]
    func run(_ words: [String]) throws -> ProcessResult {
      try Executables.succeed("cairn", ["route", folder] + ends + words)
    }
    let late = ["--depart", "2026-12-24T15:00"]
    let line = "\nEnds after dark: arrival 1"
    let text = try run(late).stdout
    #expect(text.contains(line) && text.contains(", sunset 16:") && text.contains(" (UTC+1)\n"))
    for words in [["--depart", "2026-12-24T08:30"], ["--date", "2026-12-24"], []] {
      #expect(try !run(words).stdout.contains("dark"), "\(words)")
    }
    #expect(try run(late + ["--language", "de"]).stdout.contains("\nEndet im Dunkeln: Ankunft 1"))
    #expect(try run(["--depart", "2026-12-24T02:00"]).stdout.contains("sunrise 8:"))
    let told = try run(late + ["--instructions"])
    #expect(told.stdout.contains(line) && !told.stderr.contains("dark"))
    let gpx = try run(late + ["--format", "gpx"])
    #expect(gpx.stderr.contains("cairn route: ends after dark: "))
    let json = try jsonObject(run(late + ["--format", "json"]).stdout)
    let end = try #require(json["end"] as? [String: Any])
    #expect(end["endsInTheDark"] as? Bool == true && end["utcOffsetMinutes"] as? Int == 60)
    #expect((end["sunset"] as? String)?.hasPrefix("2026-12-24T16:") == true)
    #expect((end["arrival"] as? String)?.hasPrefix("2026-12-24T1") == true)
    let geojson = try jsonObject(run(late + ["--format", "geojson"]).stdout)
    let properties = try #require(geojson["properties"] as? [String: Any])
    #expect((properties["end"] as? [String: Any])?["endsInTheDark"] as? Bool == true)
    #expect(try jsonObject(run(["--format", "json"]).stdout)["end"] is NSNull)
    let plan = try chain.folder.write(
      run(late + ["--format", "planned"]).stdout, to: "late.json")
    let shown = try Executables.succeed("cairn", ["planned", "show", plan]).stdout
    #expect(shown.contains(line), "\(shown)")
  }

  @Test("waymarked routes, round trips and lists of planned routes are told in other languages")
  func languages() throws {
    func text(_ words: String...) throws -> String {
      try Executables.succeed("cairn", words).stdout
    }
    let list = try text("trails", "list", folder, "--language", "de")
    #expect(list.hasPrefix("Relation") && list.contains("Grad") && !list.contains("network"))
    let german = try text("trails", "show", folder, "r17000002", "--language", "de")
    #expect(german.contains(" Aufstieg, ") && german.contains("Relation 17000002"))
    #expect(!german.contains(" up, ") && german.contains("\nLängster Abschnitt ohne\n"))
    let french = try text("trails", "show", folder, "r17000002", "--language", "fr")
    #expect(french.contains("relation 17000002") && french.contains(" km"))
    #expect(!french.contains("Hardest"))
    let trip = ["round-trip", folder, "--from", "Unterarven", "--length-km", "5", "--language"]
    let italian = try Executables.succeed("cairn", trip + ["it"])
    #expect(italian.stdout.contains("\nArrivo a Unterarven"), "\(italian.stdout)")
    let far = try Executables.succeed(
      "cairn",
      ["round-trip", folder, "--from", "Unterarven", "--length-km", "150", "--language", "ca"])
    #expect(far.stderr.contains("no s’ha trobat cap volta de 150,00 km"), "\(far.stderr)")
    for words in [["trails", "list", folder, "--json"], trip.dropLast() + ["--format", "gpx"]] {
      let refused = try Executables.run("cairn", words + ["--language", "de"])
      #expect(refused.status == 64 && refused.stderr.contains("cannot be combined"))
    }
    let plans = chain.folder.file("plans")
    let plan = try chain.folder.write(
      text("route", folder, "--from", "Unterarven", "--to", hut, "--format", "planned"),
      to: "plan.json")
    _ = try text("planned", "import", plans, plan)
    #expect(try text("planned", "list", plans, "--language", "es").contains("  a pie  "))
    #expect(try text("planned", "list", plans).contains("  hiking  "))
  }

  @Test(
    "a name that is unknown, mistyped, that of a line or of several places is refused with what helps",
    arguments: [
      ("kräh", "3 places match “kräh” (type a whole name, or the point of one: Krähen"),
      ("peak", "places match “peak” (type a whole name, or the point of one: "),
      ("Unterarvn", "no place is called “Unterarvn” (did you mean “Unterarven"),
      ("Seepromenade", ": “Seepromenade” is not a point: Trail"),
      ("Seeprom", "no place is called “Seeprom”, and “Seepromenade” is not a point: Trail"),
      ("qqqqq", "no place is called “qqqqq” (give LAT,LON"),
      ("147.03,10.05", "(latitude 147.03 is out of range, −90 to 90)"),
    ])
  func refused(name: String, reason: String) throws {
    let result = try cairn("route", folder, "--from", name, "--to", hut)
    #expect(result.status == 64)
    #expect(result.stderr.contains(reason), "\(result.stderr)")
    #expect(result.stdout.isEmpty)
  }

  @Test("without a database of places beside the database, a name is no point")
  func noPlaces() throws {
    let alone = try TemporaryFolder()
    try alone.write(bytesOfFile(chain.folder.file("r.routing.db")), to: "r.routing.db")
    let result = try cairn("route", alone.path, "--from", "Unterarven", "--to", hut)
    #expect(result.status == 64)
    #expect(result.stderr.contains("names of places need a .places.db beside"))
    let empty = try TemporaryFolder()
    let missing = try cairn("route", empty.path, "--from", "Unterarven", "--to", hut)
    #expect(missing.status == 66 && missing.stderr.contains("has no .routing.db"))
  }

  @Test("every command that takes a database takes the folder of a bundle")
  func folders() throws {
    let points = try chain.folder.write("47.02718,10.04759\n\(hut)\n", to: "points.csv")
    let gpx = packageRoot + "/pipelines/tuning/kraehenjoch.gpx"
    for words in [
      ["profiles", folder], ["inspect", folder], ["matrix", folder, "--points", points],
      ["track", "match", folder, gpx], ["waypoints", "list", folder], ["search", folder, "see"],
      ["delta", "make", folder, folder, "-o", chain.folder.file("x.delta")],
    ] {
      let result = try Executables.run("cairn", words)
      #expect(result.status == 0, "\(words): \(result.stderr)")
    }
    #expect(try Executables.run("cairn-validate", [folder]).status == 0)
    let listing = try cairn("inspect", folder, "--json").stdout
    let list = try JSONSerialization.jsonObject(with: Data(listing.utf8)) as? [Any]
    #expect(list?.count == 3)
    let added = try cairn("waypoints", "add", folder, "--at", hut)
    #expect(added.status == 73 && added.stderr.contains("bundles are never changed"))
  }

  @Test("published waypoints are listed by their objects and kinds")
  func published() throws {
    let text = try cairn("waypoints", "near", folder, "--at", hut).stdout
    let rows = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(rows.contains { $0[0].hasPrefix("n") && $0[2] == "guidepost" }, "\(text)")
    #expect(Set(rows.map { $0[0] }).count == rows.count, "\(text)")
    let json = try cairn("waypoints", "list", folder, "--json").stdout
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
    #expect(list?.contains { $0["kind"] as? String == "peak" } == true)
    #expect(list?.allSatisfy { ($0["osm"] as? String)?.isEmpty == false } == true)
  }

  @Test("batches, comparisons and reports say where pairs begin and end")
  func whereEndsLie() throws {
    let pairs = try chain.folder.write("47.02718,10.04759,\(hut)\n", to: "pairs.csv")
    let csv = try cairn("routes", "batch", folder, pairs, "--where").stdout
      .split(separator: "\n")
    #expect(csv[0].contains(",start_where,destination_where,"))
    #expect(csv[1].contains(",Unterarven,Krähenhütte,"), "\(csv)")
    let lines = try cairn("routes", "batch", folder, pairs, "--where", "--format", "jsonl").stdout
    #expect(try jsonObject(lines)["where"] as? [String] == ["Unterarven", "Krähenhütte"])
    let unasked = try cairn("routes", "batch", folder, pairs, "--format", "jsonl").stdout
    #expect(try jsonObject(unasked)["where"] as? [NSNull] == [NSNull(), NSNull()])
    let alone = try TemporaryFolder()
    try alone.write(bytesOfFile(chain.folder.file("r.routing.db")), to: "r.routing.db")
    let refused = try cairn("routes", "batch", alone.file("r.routing.db"), pairs, "--where")
    #expect(refused.status == 66 && refused.stderr.contains("has no .places.db beside it"))
    #expect(refused.stdout == "")

    let suite = try chain.folder.write(
      """
      cairn-suite: 1
      name: valley
      datasets: [ { id: valley, database: . } ]
      pairs: [ { file: pairs.csv } ]
      expectations: [ { from: "47.02718,10.04759", to: "\(hut)", no-route: true } ]
      """, to: "suite.yaml")
    let words = [
      "compare", "--suite", suite, "--base", "hiking", "--set", "highways.track=20", "--set",
      "highways.residential=20",
    ]
    let text = try Executables.run("cairn", words).stdout
    #expect(text.contains("valley:1  Unterarven → Krähenhütte\n"), "\(text)")
    #expect(text.contains("suite.yaml:5 (Unterarven → Krähenhütte)"), "\(text)")
    let json = chain.folder.file("comparison.json")
    _ = try Executables.run("cairn", words + ["--format", "json", "-o", json])
    let page = chain.folder.file("report.html")
    try Executables.succeed("cairn", ["report", json, "--output", page])
    let html = String(decoding: try bytesOfFile(page), as: UTF8.self)
    #expect(html.contains("<b>Unterarven → Krähenhütte</b><span>valley:1"))
    #expect(!html.contains("Pair 1"))
  }
}
