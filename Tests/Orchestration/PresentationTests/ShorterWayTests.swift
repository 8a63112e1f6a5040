// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CommandLineKit
import CostModel
import TestSupport
import Testing

@testable import Presentation

@Suite("A much shorter way that the limits of the profile close")
struct ShorterWayTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// From A to D straight on over BC, 600 m, or round by EF.
  private func map(
    _ tags: [String: String], rows: Int = 3, elevations: [Character: Float] = [:]
  ) -> AsciiMap {
    let sides = String(repeating: "|     |\n", count: rows - 1)
    return AsciiMap(
      "A-B-C-D\n\(sides)E-----F",
      ways: [
        .init("AB"), .init("BC", tags: ["highway": "path"].merging(tags) { $1 }), .init("CD"),
        .init("AEFD", tags: ["highway": "track"]),
      ], elevations: elevations)
  }

  /// What is found beside the route of a profile, on the database and in memory.
  private func shorterWay(
    _ map: AsciiMap, _ points: [Coordinate], profile: CostProfile = .family
  ) throws -> (route: ComputedRoute, way: ShorterWay?) {
    try map.wayBesideRoute(through: points, profile, in: folder) { route, engine, store in
      try ShorterWay(beside: route, engine, store, profile, on: nil)
    }
  }

  private func ends(_ map: AsciiMap) throws -> [Coordinate] {
    [try map.coordinate("A"), try map.coordinate("D")]
  }

  @Test("a grade that the profile refuses is named, with its length and both ways")
  func grade() throws {
    let map = map(["sac_scale": "mountain_hiking"])
    let (route, way) = try shorterWay(map, try ends(map))
    #expect(abs(route.totalDistance - 1200) < 5)
    #expect(way?.line() == "family avoids T2 (200 m): 0.60 km with it, this way 1.20 km")
    let json = String(decoding: try encodeJSON(try #require(way), pretty: false), as: UTF8.self)
    #expect(json.contains(#""tag":"sac_scale=mountain_hiking","what":"T2""#), "\(json)")
    #expect(json.contains(#""distanceMetres":60"#) && !json.contains("family"))
    // The other way round, too, and where it begins within an edge.
    #expect(try shorterWay(map, try ends(map).reversed()).way?.avoided == way?.avoided)
    let (a, b) = (try map.coordinate("A"), try map.coordinate("B"))
    let middle = Coordinate(latitude: a.latitude, longitude: (a.longitude + b.longitude) / 2)
    let inside = try shorterWay(map, [middle, try map.coordinate("D")])
    #expect(abs(inside.route.totalDistance - 1300) < 5)
    #expect(abs((inside.way?.distanceMetres ?? 0) - 500) < 5)
  }

  @Test("several limits are named, the longest first; what a table closes by its tag")
  func reasons() throws {
    let map = map(
      ["trail_visibility": "horrible"],
      elevations: ["A": 1000, "B": 1000, "C": 1090, "D": 1090, "E": 1000, "F": 1090])
    #expect(
      try shorterWay(map, try ends(map)).way?.line()
        == "family avoids trail_visibility=horrible (200 m) and slopes of more than 30 % (200 m): "
        + "0.60 km with them, this way 1.20 km")
  }

  @Test("a leg to a via point and back counts twice")
  func via() throws {
    let map = map(["sac_scale": "mountain_hiking"])
    let (a, d) = (try map.coordinate("A"), try map.coordinate("D"))
    let (route, way) = try shorterWay(map, [a, d, a])
    #expect(abs(route.totalDistance - 2400) < 10)
    #expect(abs((way?.distanceMetres ?? 0) - 1200) < 5)
    #expect(abs((way?.avoided.first?.lengthMetres ?? 0) - 400) < 5)
  }

  @Test("nothing is said of a way that is hardly shorter, or that the law or a gate closes")
  func nothing() throws {
    // 800 m are no more than half longer than 600 m.
    let near = map(["sac_scale": "mountain_hiking"], rows: 1)
    #expect(try shorterWay(near, try ends(near)).way == nil)
    for tags in [["access": "no"], ["sac_scale": "mountain_hiking", "access": "private"]] {
      let closed = map(tags)
      #expect(try shorterWay(closed, try ends(closed)).way == nil, "\(tags)")
    }
    // Steps are open to it, and so there is no other way to tell of.
    let open = map(["highway": "steps"])
    #expect(try shorterWay(open, try ends(open)).way == nil)
    // Nobody without the equipment is led up a via ferrata.
    let ferrata = map(["highway": "via_ferrata"])
    #expect(try shorterWay(ferrata, try ends(ferrata)).way == nil)
  }

  @Test("a few metres without access that force a long way round are named")
  func access() throws {
    let map = AsciiMap(
      "A-B-C-D\n|     |\n|     |\n|     |\nE-----F", cellMetres: 40,
      ways: [
        .init("AB"), .init("BC", id: 7, tags: ["highway": "path", "access": "private"]),
        .init("CD"), .init("AEFD", tags: ["highway": "track"]),
      ])
    let way = try shorterWay(map, try ends(map), profile: .hiking).way
    #expect(
      way?.line()
        == "hiking avoids access=private, way 7 (80 m): 0.24 km with it, this way 0.56 km")
    #expect(
      way?.line(in: .german)
        == "hiking meidet access=private, Weg 7 (80 m): damit 0,24 km, so 0,56 km")
  }

  @Test("a way that would cost more without limits is none: the profile would not take it")
  func dear() throws {
    // What is closed counts as the dearest that is open.
    let map = map(["trail_visibility": "horrible"])
    for (factor, isTold) in [(2, true), (20, false)] {
      let text = "cairn-profile: 1\nname: sure\nbased-on: hiking\n"
      let path = try folder.write(
        text + "trail-visibility: { bad: \(factor), horrible: impassable }\n", to: "sure.yaml")
      let profile = try CostProfile(file: path)
      let database = try map.routingDatabase(in: folder, profiles: [path])
      let store = RoutingStore(path: database)
      try store.open()
      defer { store.close() }
      let engine = RoutingEngine(store: store)
      let (start, end) = (try map.coordinate("A"), try map.coordinate("D"))
      let route = try engine.findRoute(from: start, to: end, profile: "sure")
      #expect(abs(route.totalDistance - 1200) < 5)
      let way = try ShorterWay(beside: route, engine, store, profile, on: nil)
      #expect((way != nil) == isTold, "\(factor)")
    }
  }

  @Test("text has a line, JSON and GeoJSON a property, and what has no room for it a note")
  func output() throws {
    let map = map(["sac_scale": "mountain_hiking"])
    let (route, way) = try shorterWay(map, try ends(map))
    let store = RoutingStore(path: folder.file("map.routing.db"))
    try store.open()
    defer { store.close() }
    var found = try FoundRoute(
      route, through: try ends(map), RoutingPreferences(), store, rules: nil)
    found.shorterWay = way
    #expect(
      try RouteFormat.text.text(found, columns: nil).contains("\nFamily avoids T2 (200 m): "))
    for format in [RouteFormat.json, .geojson] {
      #expect(try format.text(found, columns: nil).contains("\"shorterWay\""))
    }
    #expect(found.notes(isText: true).isEmpty)
    #expect(found.notes(isText: false) == [way?.line()])
  }
}
