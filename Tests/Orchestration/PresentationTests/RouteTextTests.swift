// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import Foundation
import TestSupport
import Testing

@testable import Presentation

@Suite("Routes as text and as data")
struct RouteTextTests {
  private let folder: TemporaryFolder
  private let map = AsciiMap(
    """
    A---B---C
    |       |
    D-------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "name": "Talweg"]),
      .init("BC", tags: ["highway": "path", "name": "Grat", "sac_scale": "alpine_hiking"]),
      .init("ADEC", tags: ["highway": "track", "name": "Forststraße"]),
    ])
  private let store: RoutingStore

  init() throws {
    folder = try TemporaryFolder()
    store = RoutingStore(path: try map.routingDatabase(in: folder, profiles: ["hiking"]))
    try store.open()
  }

  private func found(
    _ preferences: RoutingPreferences = .init(), format: RouteFormat? = nil, north: Double = 0
  ) throws -> FoundRoute {
    var points = [try map.coordinate("A"), try map.coordinate("C")]
    points[0].latitude += north / (earthRadiusMetres * .pi / 180)
    let route = try RoutingEngine(store: store).findRoute(
      from: points[0], to: points[1], profile: "hiking")
    return try FoundRoute(route, through: points, preferences, store, rules: nil, for: format)
  }

  @Test("what goes against the preferences and lies off the network is said")
  func remarks() throws {
    let plain = try found()
    try #require(plain.route.edges.map(\.name) == ["Talweg", "Grat"])
    #expect(plain.lines.count == 2 && plain.lines[0].hasPrefix("Hardest stretch: T4, "))
    #expect(
      plain.lines[1]
        == "caution: alpine path, T4, 400 m from 0.40 km to 0.80 km (sac_scale=alpine_hiking, way/101)"
    )
    #expect(plain.notes(isText: false) == [])
    var preferences = RoutingPreferences()
    preferences.maximumSACGrade = SACScale(grade: "T2")
    let strict = try found(preferences, north: 50)
    #expect(strict.lines[2].hasPrefix("Goes against --max-sac T2: T4, "))
    #expect(strict.lines[3] == "start lies 50 m off the network")
    #expect(strict.notes(isText: true).count == 1)
    #expect(
      strict.notes(isText: false).last == "start lies 50 m off the network")
    // Up to 20 m are not worth a word.
    #expect(try found(north: 19).lines.count == 2)
    #expect(try found(north: 19).offNetwork[0].distanceMetres == 19)
  }

  @Test("warnings are in JSON, in the properties of GeoJSON, and waypoints of GPX")
  func warnings() throws {
    let route = try found(format: .gpx)
    for format in [RouteFormat.json, .geojson] {
      let text = try format.text(route, columns: nil)
      #expect(text.contains("\"warnings\"") && text.contains("\"alpine-grade\""))
      #expect(text.contains("\"osm\"") && text.contains("way/101"))
    }
    let gpx = try RouteFormat.gpx.text(route, columns: nil)
    #expect(gpx.contains("<name>alpine path, T4</name>"))
    #expect(gpx.contains("<desc>sac_scale=alpine_hiking, way/101</desc>"))
    let place = try map.coordinate("B")
    let waypoint = try #require(route.track?.waypoints.first)
    #expect(haversineDistance(waypoint.coordinate, place) < 0.5)
  }

  @Test("text is in a language, and nothing else is")
  func language() throws {
    let route = try found(format: .gpx, north: 50)
    let text = try RouteFormat.text.text(route, columns: nil, in: .german)
    #expect(text.contains("\nSchwierigste Stelle: T4, 400 m von 0,40 km bis 0,80 km\n"), "\(text)")
    #expect(
      text.contains("\nVorsicht: Alpinwandern, T4, 400 m von 0,40 km bis 0,80 km (sac_scale="))
    #expect(text.contains("\nDer Start liegt 50 m neben dem Wegenetz\n"))
    #expect(text.hasSuffix("\n"))
    for format in RouteFormat.allCases where format != .text {
      #expect(
        try format.text(route, columns: nil, in: .german) == format.text(route, columns: nil))
    }
  }

  @Test("warnings that are alike share a line")
  func alike() {
    func ford(_ metres: Double, _ node: Int) -> RouteWarning {
      RouteWarning(
        kind: .ford, severity: .caution, fromMetres: metres, toMetres: metres,
        osm: "node/\(node)", tag: "ford=yes", text: "ford")
    }
    #expect([ford(1200, 5)].lines == ["caution: ford at 1.20 km (ford=yes, node/5)"])
    #expect(
      [ford(1200, 5), ford(4000, 6)].lines
        == ["caution: ford in 2 places, the first at 1.20 km (ford=yes, node/5)"])
    let steep = RouteWarning(
      kind: .steep, severity: .notice, fromMetres: 0, toMetres: 60, osm: nil, tag: nil,
      text: "steep ascent")
    #expect([steep].lines == ["notice: steep ascent, 60 m from 0.00 km to 0.06 km"])
    #expect([RouteWarning]().lines == [])
  }

  @Test("a point whose nearest way is cut off is named by what the route does there")
  func cutOff() {
    func line(_ point: String) -> String {
      FoundRoute.OffNetwork(point: point, distanceMetres: 12, isCutOff: true).line
    }
    #expect(
      line("start") == "the way nearest to the start is cut off; the route begins 12 m from it")
    #expect(line("via 1") == "the way nearest to via 1 is cut off; the route passes 12 m from it")
    #expect(
      line("destination")
        == "the way nearest to the destination is cut off; the route ends 12 m from it")
  }

  @Test("a point near nothing but a ferry, a tunnel or a bridge says so, however near that is")
  func lastResort() throws {
    let points = [
      FoundRoute.OffNetwork(point: "start", distanceMetres: 5, .ferry),
      FoundRoute.OffNetwork(point: "via 2", distanceMetres: 40, isCutOff: true, .tunnel),
      FoundRoute.OffNetwork(point: "destination", distanceMetres: 12, .bridge),
    ]
    #expect(
      FoundRoute.lines(points) == [
        "the only way near the start is a ferry, 5 m from it",
        "the only way near via 2 is a tunnel, 40 m from it",
        "the only way near the destination is a bridge, 12 m from it",
      ])
    #expect(
      FoundRoute.lines([points[0]], in: .german)
        == ["beim Start gibt es nur eine Fähre, 5 m entfernt"])
    let json = String(decoding: try JSONEncoder().encode(points[0]), as: UTF8.self)
    #expect(json.contains(#""lastResort":"ferry""#))
  }

  @Test("each format has what it is for")
  func formats() throws {
    let route = try found(format: .gpx)
    let text = try RouteFormat.text.text(route, columns: nil)
    #expect(text.contains("Talweg") && text.contains("Grat") && text.contains("Arrival at "))
    #expect(try RouteFormat.json.text(route, columns: nil).contains(#""hardestStretch""#))
    let geojson = try RouteFormat.geojson.text(route, columns: nil)
    #expect(isGeoJSONOfCairn(Array(geojson.utf8)))
    let gpx = try RouteFormat.gpx.text(route, columns: nil)
    #expect(gpx.contains("<name>Talweg – Grat</name>"))
    var named = route
    named.names = [nil, "Joch & Sohn"]
    let title = "<name>Talweg – Joch &amp; Sohn</name>"
    #expect(try RouteFormat.gpx.text(named, columns: nil).contains(title))
    named.names = ["Dorf", nil, "Dorf"]
    #expect(named.title == "Dorf")
    named.names = ["Dorf", nil, "Hütte", "Dorf"]
    #expect(named.title == "Dorf – Hütte – Dorf")
    #expect(
      try RouteFormat.gpx.text(route, name: "Hike", columns: nil).contains("<name>Hike</name>"))
    func tableWidth(_ text: String) -> Int {
      text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map(\.count).max() ?? 0
    }
    let narrow = try RouteFormat.text.text(route, columns: 45)
    #expect(tableWidth(narrow) < tableWidth(text))
  }

  @Test("alternatives are compared with the best one")
  func alternatives() throws {
    let best = try found(format: .gpx)
    let points = [try map.coordinate("A"), try map.coordinate("C")]
    let other = try RoutingEngine(store: store).findRoute(
      from: points[0], to: points[1], profile: "hiking",
      avoidedEdges: Set(best.route.edges.map(\.id)))
    let routes = [
      best, try FoundRoute(other, through: points, .init(), store, rules: nil, for: .gpx),
    ]
    let text = try RouteFormat.text.text(routes, columns: nil)
    #expect(text.hasPrefix("Route 1 of 2: best\n"))
    let further = other.totalDistance - best.route.totalDistance
    try #require(further > 0)
    let line = text.split(separator: "\n").first { $0.hasPrefix("Route 2 of 2: ") }
    #expect(line?.contains(" longer, ") == true)
    let gpx = try RouteFormat.gpx.text(routes, name: "Hike", columns: nil)
    #expect(gpx.contains("<name>Hike 1</name>") && gpx.contains("<name>Hike 2</name>"))
    #expect(try RouteFormat.json.text(routes, columns: nil).hasPrefix("[\n"))
    #expect(try RouteFormat.geojson.text(routes, columns: nil).contains("FeatureCollection"))
  }

  @Test("a line of a batch quotes names, and says why there is no route")
  func batch() throws {
    let route = try found().route
    let pair = (line: 7, start: try map.coordinate("A"), end: try map.coordinate("C"))
    let day = try JudgedDay(TravelDay("2026-12-24T08:00"), store)
    let engine = RoutingEngine(store: store)
    let rules = try RuleTally(route, engine, profile: "hiking", mode: .hiking)
    let places = ["Say \"Hut\"", nil]
    let csv = BatchFormat.csv.line(pair, route, unmet: [.avoidSteps], places, day, rules)
    #expect(csv.hasPrefix("7,\(Int(route.totalDistance))."))
    #expect(csv.hasSuffix(",\"Say \"\"Hut\"\"\",,2026-12-24,2026-12-24T08:00,0,0,,\n"))
    #expect(csv.split(separator: ",", omittingEmptySubsequences: false).count == 21)
    #expect(csv.contains(",avoid-steps,"))
    let json = BatchFormat.jsonl.line(pair, route, unmet: [], places, day, nil)
    #expect(json.contains(#""where":["Say \"Hut\"",null]"#))
    #expect(json.contains(#""accessDate":"2026-12-24","departure":"2026-12-24T08:00""#))
    #expect(json.hasSuffix(#","rules":null}"# + "\n"))
    let unknown = try JudgedDay(nil, store)
    let none = BatchFormat.csv.line(pair, error: "none", [nil, nil], unknown)
    #expect(none == "7,,,,,,\"none\",,,,,,,,,,,,,,\n")
    #expect(none.count { $0 == "," } == csv.count { $0 == "," })
    let missing = BatchFormat.jsonl.line(pair, error: "none", [nil, nil], unknown)
    #expect(missing.hasSuffix(#""where":[null,null],"accessDate":null,"departure":null}"# + "\n"))
  }

  @Test("an explanation names the dearest stretches and the best routes without them")
  func explanation() throws {
    let found = try found()
    let profile = CostProfile.hiking
    let edges = try found.route.edges.map { edge in
      (edge: edge, tags: try #require(try store.tags(ofEdge: edge.id)))
    }
    let costs = CostExplanation(edges, profile, on: nil) { _ in true }
    let engine = RoutingEngine(store: store)
    let points = [try map.coordinate("A"), try map.coordinate("C")]
    let explanation = try RouteExplanation(
      found.route, costs, found.offNetwork, JudgedDay(TravelDay("2026-12-24"), store), nil
    ) { stretches in
      try engine.detours(
        of: found.route, through: points, profile: "hiking", avoiding: stretches)
    }
    let dearest = try #require(costs.stretches.max { $0.cost < $1.cost })
    #expect(explanation.avoidable.first?.edgeIDs == dearest.edgeIDs)
    // Both stretches are avoided by the same route.
    #expect(explanation.detours.count == 1)
    #expect(explanation.avoided(by: explanation.detours[0]).count == 2)
    let text = ExplanationSheet(explanation, columns: nil).text
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains(" Open ways: those of noon on 2026-12-24 "))
    #expect(text.contains(", or ") && text.contains(", the best alternative"))
    let json = String(decoding: try encodeJSON(ExplanationRecord(explanation)), as: UTF8.self)
    #expect(json.contains(#""avoidedEdges""#))
  }
}
