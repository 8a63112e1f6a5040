// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CostModel
import Foundation
import JSONKit
import Presentation
import TestSupport
import Testing
import Tiles

@testable import Serving

@Suite("What the viewer answers")
struct ViewerTests {
  private let folder: TemporaryFolder
  private let path: String
  private let map = AsciiMap(
    """
    A---B---C
    |       |
    D-------E
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "name": "</script><b onclick=x>\u{2028}\u{202E}Weg"]),
      .init(
        "BC",
        tags: [
          "highway": "path", "name": "Grat", "sac_scale": "mountain_hiking", "surface": "gravel",
        ]),
      .init("ADEC", tags: ["highway": "track", "name": "javascript:alert(1)"]),
    ],
    elevations: ["A": 1000, "B": 1010, "C": 1000, "D": 1000, "E": 1000])

  init() throws {
    folder = try TemporaryFolder()
    path = try map.routingDatabase(in: folder, profiles: ["hiking", "family"])
  }

  private func text(_ point: Character) throws -> String {
    let point = try map.coordinate(point)
    return "\(point.latitude),\(point.longitude)"
  }

  private func ends(_ more: [(name: String, value: String)] = []) throws -> [(
    name: String, value: String
  )] {
    [("from", try text("A")), ("to", try text("C"))] + more
  }

  private func ask(
    _ viewer: Viewer, _ path: String, _ query: [(name: String, value: String)] = []
  ) -> HTTPAnswer {
    let request = HTTPRequest("GET", path, query: query, host: nil)
    return viewer.quickAnswer(request) ?? viewer.answer(request)
  }

  private func object(_ answer: HTTPAnswer) throws -> [String: JSONValue] {
    try JSONDecoder().decode([String: JSONValue].self, from: Data(answer.body))
  }

  @Test("a route is, byte for byte, what cairn route prints")
  func route() throws {
    let store = RoutingStore(path: path)
    try store.open()
    let points = [try map.coordinate("A"), try map.coordinate("C")]
    let engine = RoutingEngine(store: store)
    let route = try engine.findRoute(from: points[0], to: points[1], profile: "hiking")
    let rules = try RuleTally(route, engine, profile: "hiking", mode: .hiking)
    let found = try FoundRoute(route, through: points, .init(), store, rules: rules)
    let viewer = try Viewer([path])
    let answer = ask(viewer, "/api/route", try ends())
    #expect(answer.status == 200 && answer.type == "application/json; charset=utf-8")
    #expect(answer.headers[Viewer.generationHeader] == "1")
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == (try RouteFormat.json.text(found, columns: nil)))
    let line = ask(viewer, "/api/route", try ends([("format", "geojson")]))
    #expect(
      String(decoding: line.body, as: UTF8.self)
        == (try RouteFormat.geojson.text(found, columns: nil)))
    #expect(ask(viewer, "/api/route", try ends([("format", "gpx")])).type == "application/gpx+xml")
    let planned = try object(ask(viewer, "/api/route", try ends([("format", "planned")])))
    #expect(planned["turnInstructions"] != nil && planned["elevationProfile"] != nil)
  }

  @Test("the schema of a route has all of its keys and no other")
  func schema() throws {
    let viewer = try Viewer([path])
    func keys(_ value: JSONValue?) -> Set<String> {
      if case .object(let object)? = value { Set(object.keys) } else { [] }
    }
    let schema = try object(ask(viewer, "/api/route.schema.json"))
    let route = try object(ask(viewer, "/api/route", try ends()))
    #expect(keys(schema["properties"]) == Set(route.keys))
    guard case .list(let required)? = schema["required"] else {
      Issue.record("nothing is required")
      return
    }
    #expect(required == route.keys.sorted().map { .text($0) })
    guard case .object(let properties)? = schema["properties"],
      case .object(let edges)? = properties["edges"], case .object(let edge)? = edges["items"],
      case .list(let found)? = route["edges"]
    else {
      Issue.record("no edges")
      return
    }
    #expect(!found.isEmpty && found.allSatisfy { keys($0).isSubset(of: keys(edge["properties"])) })
  }

  @Test("tiles show the ways, and nothing where nothing is known")
  func tiles() throws {
    let viewer = try Viewer([path])
    let point = try map.coordinate("B")
    let place = WebMercator.position(point)
    let (x, y) = (Int(place.x * 4096), Int(place.y * 4096))
    let ways = try object(ask(viewer, "/tiles/ways/12/\(x)/\(y).json"))
    guard case .list(let features)? = ways["features"] else {
      Issue.record("no features")
      return
    }
    #expect(features.count == 2, "paths and tracks")
    let empty = try object(ask(viewer, "/tiles/ways/12/0/0.json"))
    #expect(empty["features"] == .list([]))
    let relief = ask(viewer, "/tiles/relief/12/\(x)/\(y).png")
    #expect(relief.status == 200 && relief.type == "image/png" && relief.body.count < 100)
    #expect(relief.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("databases too large for memory give the same routes, and their ways from near")
  func large() throws {
    let (small, large) = (try Viewer([path]), try Viewer([path], mostBytesInMemory: 0))
    for query in [try ends(), try ends([("alternatives", "2")]), try ends([("format", "planned")])]
    {
      let answer = ask(large, "/api/route", query)
      #expect(answer.status == 200 && answer.body == ask(small, "/api/route", query).body)
    }
    #expect(try object(ask(large, "/api/regions"))["waysFromZoom"] == 14)
    let place = WebMercator.position(try map.coordinate("B"))
    func count(_ zoom: Int) throws -> Int {
      let (x, y) = (Int(place.x * Double(1 << zoom)), Int(place.y * Double(1 << zoom)))
      let ways = try object(ask(large, "/tiles/ways/\(zoom)/\(x)/\(y).json"))
      if case .list(let features)? = ways["features"] { return features.count } else { return -1 }
    }
    #expect(try count(14) == 1 && (try count(12)) == 0)
  }

  @Test("relief is drawn from elevation tiles where no bundle has it")
  func relief() throws {
    let viewer = try Viewer([path], elevation: ["\(packageRoot)/sample-data/hgt"])
    let regions = try object(ask(viewer, "/api/regions"))
    #expect(regions["relief"] == .list([5, 12]))
    let place = WebMercator.position(Coordinate(latitude: 47.05, longitude: 10.05))
    let (x, y) = (Int(place.x * 4096), Int(place.y * 4096))
    let known = ask(viewer, "/tiles/relief/12/\(x)/\(y).png")
    #expect(known.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) && known.body.count > 1000)
    #expect(ask(viewer, "/tiles/relief/12/0/0.png").body.count < 100, "unknown ground")
  }

  @Test("names for a map are those in its box, as JSON; without a box, or places, that is said")
  func names() throws {
    let hostile = "</script>\u{2028}\u{202E}Hut"
    let places = PlaceMap([
      .init(1, 42, 1, ["place": "town", "name": "Town"]),
      .init(2, 42.1, 1, ["natural": "peak", "name": "Pic", "ele": "2912"]),
      .init(3, 42.2, 1, ["tourism": "alpine_hut", "name": hostile]),
      .init(4, 45, 1, ["natural": "peak", "name": "Far"]),
    ])
    let none = try object(ask(try Viewer([path]), "/api/names", [("box", "0,41,2,43")]))
    #expect(none["names"] == .list([]))
    let name = try #require(path.split(separator: "/").last?.split(separator: ".").first)
    _ = try places.placesDatabase(in: folder, name: "\(name).places.db")
    let viewer = try Viewer([path])
    let answer = try object(ask(viewer, "/api/names", [("box", "0,41,2,43")]))
    guard case .list(let names) = answer["names"] else {
      Issue.record("\(answer)")
      return
    }
    let texts = names.map { name -> String in
      guard case .object(let object) = name, case .text(let text) = object["text"] else {
        return ""
      }
      return text
    }
    #expect(texts == ["Town", hostile, "Pic 2\u{A0}912"])
    for box in ["", "x", "9,9,1,1", "nan,0,1,1", "0,0,1,91"] {
      #expect(ask(viewer, "/api/names", [("box", box)]).status == 400, "\(box)")
    }
  }

  @Test("routes, explanations, areas and searches take names of places where the commands do")
  func namedPlaces() throws {
    let (a, c) = (try map.coordinate("A"), try map.coordinate("C"))
    let places = PlaceMap([
      .init(1, a.latitude, a.longitude, ["place": "village", "name": "Dorf"]),
      .init(2, c.latitude, c.longitude, ["tourism": "alpine_hut", "name": "Hütte"]),
      .init(3, c.latitude, c.longitude, ["natural": "peak", "name": "Kopf"]),
      .init(4, a.latitude, a.longitude, ["natural": "peak", "name": "Kopf"]),
    ])
    let named = [(name: "from", value: "Dorf"), (name: "to", value: "hutte")]
    let alone = ask(try Viewer([path]), "/api/route", named)
    #expect(alone.status == 400)
    #expect(String(decoding: alone.body, as: UTF8.self).contains("need a .places.db"))
    let name = try #require(path.split(separator: "/").last?.split(separator: ".").first)
    _ = try places.placesDatabase(in: folder, name: "\(name).places.db")
    let viewer = try Viewer([path])
    let route = try object(ask(viewer, "/api/route", named))
    #expect(route["name"] == .text("Dorf – Hütte"))
    let same = try object(ask(viewer, "/api/route", try ends()))
    #expect(route["coordinates"] == same["coordinates"] && route["coordinates"] != nil)
    let gpx = ask(viewer, "/api/route", named + [("via", "Hütte"), ("format", "gpx")])
    let text = String(decoding: gpx.body, as: UTF8.self)
    #expect(text.contains("<name>Dorf – Hütte</name>") && text.contains("<wpt "), "\(text)")
    let bare = ask(viewer, "/api/route", named + [("format", "gpx"), ("no-waypoints", "1")])
    #expect(!String(decoding: bare.body, as: UTF8.self).contains("<wpt "))
    let plan = try object(ask(viewer, "/api/route", named + [("format", "planned")]))
    #expect(plan["name"] == .text("Dorf – Hütte"))
    #expect(try object(ask(viewer, "/api/explain", named))["stretches"] != nil)
    let reach = [(name: "from", value: "Dorf"), (name: "minutes", value: "10")]
    let area = ask(viewer, "/api/isochrone", reach)
    #expect(String(decoding: area.body, as: UTF8.self).contains("MultiPolygon"))
    let near = ask(viewer, "/api/search", [("q", "Kopf"), ("near", "Dorf")])
    #expect(String(decoding: near.body, as: UTF8.self).contains("distance"))
    for (query, reason) in [
      ([("from", "Dorf"), ("to", "Huxxe")], "to: no place is called “Huxxe”"),
      ([("from", "Kopf"), ("to", "Dorf")], "from: 2 places match “Kopf”"),
      ([("from", "Dorf"), ("to", "Dorf"), ("via", "<x>")], "via: no place is called “<x>”"),
      ([("from", "1,2,3"), ("to", "Dorf")], "from takes LAT,LON in degrees"),
    ] {
      let answer = ask(viewer, "/api/route", query)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(answer.status == 400 && text.contains(reason), "\(text)")
    }
  }

  @Test("a changed profile is a file that gives it again")
  func profile() throws {
    let viewer = try Viewer([path])
    let query = [
      (name: "profile", value: "hiking"), (name: "set", value: "climb-factor=9.5"),
      (name: "name", value: "mine"),
    ]
    let answer = try object(ask(viewer, "/api/profile", query))
    guard case .text(let yaml)? = answer["yaml"], case .list(let numbers)? = answer["numbers"]
    else {
      Issue.record("no profile")
      return
    }
    let file = try folder.write(yaml, to: "mine.yaml")
    let profile = try CostProfile(file: file)
    #expect(profile.name == "mine" && profile.climbFactor == 9.5)
    for case .object(let number) in numbers {
      guard case .text(let key)? = number["key"] else { continue }
      let value: String
      switch number["value"] {
      case .number(let number): value = "\(number)"
      case .integer(let number): value = "\(number)"
      default: value = "impassable"
      }
      #expect(throws: Never.self, "\(key)") { try ProfileSetting("\(key)=\(value)") }
    }
  }

  @Test("databases that no run made have no warnings of a run")
  func noRun() throws {
    let answer = ask(try Viewer([path]), "/api/warnings")
    #expect(String(decoding: answer.body, as: UTF8.self).contains("\"isRecorded\" : false"))
  }

  @Test("a damaged record of warnings is told, and not as if nothing had been warned of")
  func damagedRun() throws {
    let output = try TemporaryFolder()
    let region = output.file("region")
    for folder in [region, output.file(".cairn/warnings")] {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(atPath: path, toPath: region + "/region.routing.db")
    try output.write("broken", to: ".cairn/warnings/region.json")
    try output.write("{}", to: "region/bundle.json")
    let answer = ask(try Viewer([region + "/region.routing.db"]), "/api/warnings")
    #expect(answer.status == 500)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("not a record of warnings"))
  }

  @Test("numbers of a profile reprice the route, and flags are preferences")
  func changes() throws {
    let viewer = try Viewer([path])
    func names(_ more: [(name: String, value: String)]) throws -> [String] {
      guard case .list(let edges)? = try object(ask(viewer, "/api/route", try ends(more)))["edges"]
      else { return [] }
      return edges.compactMap { edge in
        if case .object(let edge) = edge, case .text(let name)? = edge["name"] { name } else { nil }
      }
    }
    #expect(try names([]).contains("Grat"))
    #expect(try names([("max-sac", "T1"), ("strict", "1")]).contains("javascript:alert(1)"))
    #expect(try names([("set", "surfaces.gravel=50")]).contains("javascript:alert(1)"))
    #expect(try names([("set", "surfaces.gravel=1")]).contains("Grat"))
    #expect(try names([("profile", "shortest")]).contains("Grat"), "a profile that it has not")
  }

  @Test("explanations, isochrones and alternatives are those of the commands")
  func others() throws {
    let viewer = try Viewer([path])
    #expect(try object(ask(viewer, "/api/explain", try ends()))["stretches"] != nil)
    let query = [(name: "from", value: try text("A")), (name: "minutes", value: "5,10")]
    #expect(try object(ask(viewer, "/api/isochrone", query))["features"] != nil)
    let routes = ask(viewer, "/api/route", try ends([("alternatives", "2")]))
    let list = try JSONDecoder().decode([JSONValue].self, from: Data(routes.body))
    #expect(!list.isEmpty)
  }

  @Test(
    "what is no request is said, and reads no file",
    arguments: [
      "route?from=1,2", "route?from=x&to=1,2", "route?from=1,2&to=1,2&profile=/etc/passwd",
      "route?from=1,2&to=1,2&profile=a/b.yaml", "route?from=1,2&to=1,2&output=/tmp/x",
      "route?from=1,2&to=1,2&set=climb-factor:1e99", "route?from=1,2&to=1,2&format=text",
      "route?from=1,2&from=1,2&to=1,2", "isochrone?from=1,2&minutes=99999999", "search?",
      "where?at=nowhere", "profile?profile=../x.yaml",
    ])
  func wrong(_ text: String) throws {
    let parts = text.split(separator: "?", omittingEmptySubsequences: false)
    let query = parts[1].split(separator: "&").map { item in
      let pair = item.split(separator: "=")
      return (name: String(pair[0]), value: String(pair[1].replacing(":", with: "=")))
    }
    let answer = ask(try Viewer([path]), "/api/\(parts[0])", query)
    #expect(answer.status == 400)
    #expect(try object(answer)["error"] != nil)
  }

  @Test(
    "what there is not, is not there",
    arguments: [
      "/index.html", "/api", "/api/", "/api/route/", "/../etc/passwd", "//", "/viewer.js/",
      "/tiles/relief/1/2/3.png", "",
    ])
  func missing(_ path: String) throws {
    #expect(ask(try Viewer([self.path]), path).status == 404)
  }

  @Test("that there is no route is an answer")
  func noRoute() throws {
    let far = [(name: "from", value: "80,80"), (name: "to", value: try text("A"))]
    let answer = ask(try Viewer([path]), "/api/route", far)
    #expect(answer.status == 200)
    guard case .text(let message)? = try object(answer)["error"] else {
      Issue.record("no message")
      return
    }
    #expect(message.hasPrefix("no route: "))
  }

  @Test(
    "a database that is replaced is opened anew, and one that is broken is said until it is not")
  func replaced() throws {
    let viewer = try Viewer([path], pauseMilliseconds: 0)
    func generation() -> String? {
      ask(viewer, "/api/regions").headers[Viewer.generationHeader]
    }
    #expect(generation() == "1")
    let other = AsciiMap("A--C", ways: [.init("AC", tags: ["highway": "path", "name": "Neu"])])
    let made = try other.routingDatabase(in: folder, name: "next.db", profiles: ["hiking"])
    try #require(rename(made, path) == 0)
    #expect(generation() == "2")
    let whole = try bytesOfFile(path)
    _ = try folder.write("no database", to: "new")
    try #require(rename(folder.file("new"), path) == 0)
    #expect(generation() == nil)
    let answer = ask(viewer, "/api/regions")
    #expect(answer.status == 503)
    #expect(
      String(decoding: answer.body, as: UTF8.self).contains("were replaced and cannot be read"))
    _ = try folder.write(whole, to: "new")
    try #require(rename(folder.file("new"), path) == 0)
    #expect(generation() == "3")
  }

  @Test("the page holds no data: names come as JSON, and become text")
  func page() throws {
    let viewer = try Viewer([path])
    let page = ask(viewer, "/")
    #expect(page.type == "text/html; charset=utf-8")
    let html = String(decoding: page.body, as: UTF8.self)
    #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("style="))
    let script = String(decoding: ask(viewer, "/viewer.js").body, as: UTF8.self)
    for word in [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
    ] {
      #expect(!script.contains(word))
    }
    #expect(String(decoding: ask(viewer, "/leaflet.js").body, as: UTF8.self).contains("Leaflet"))
    #expect(
      !String(decoding: ask(viewer, "/leaflet.js").body, as: UTF8.self).contains("sourceMappingURL")
    )
  }

  @Test("answering writes nothing")
  func writesNothing() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let bytes = try bytesOfFile(path)
    let viewer = try Viewer([path])
    _ = ask(viewer, "/api/route", try ends([("set", "climb-factor=2")]))
    _ = ask(viewer, "/api/regions")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
    #expect(try bytesOfFile(path) == bytes)
  }
}
