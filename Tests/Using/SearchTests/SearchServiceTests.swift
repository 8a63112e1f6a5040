// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnSearch
import TestSupport
import Testing

/// A valley with a town, a village, peaks, a hut, a trail and a route.
private let valley = PlaceMap(
  [
    .init(
      1, 42.5, 1.5,
      [
        "place": "town", "name": "Andorra la Vella", "population": "22000",
        "name:fr": "Andorre-la-Vieille", "name:zh": "安道尔城", "old_name": "Oldtown",
      ]),
    .init(2, 42.53, 1.58, ["place": "village", "name": "Encamp"]),
    .init(3, 42.557, 1.633, ["natural": "peak", "name": "Pic d'Encampadana", "ele": "2491"]),
    .init(4, 42.5918, 1.4437, ["natural": "peak", "name": "Alt de Comapedrosa", "ele": "2942"]),
    .init(5, 42.579, 1.4494, ["tourism": "alpine_hut", "name": "Refugi de Comapedrosa"]),
    .init(6, 42.6, 1.6, ["natural": "peak", "name": "Pic Negre", "ele": "2600"]),
    .init(7, 42.45, 1.55, ["natural": "peak", "name": "Pic Negre", "ele": "2600"]),
    .init(8, 42.61, 1.59, ["natural": "peak", "name": "Pic de l'Estanyó"]),
    .init(9, 42.501, 1.501, ["amenity": "drinking_water", "name": "Font Col·lada"]),
    .init(10, 42.7, 1.7, ["natural": "cave_entrance", "name": "Straße am Gießbach"]),
  ],
  ways: [
    .init(
      1, [(42.575, 1.440), (42.5807, 1.4497), (42.585, 1.455)], ["highway": "path"], routes: [0]),
    .init(2, [(42.50, 1.50), (42.505, 1.505)], ["highway": "path", "name": "Camí de la Font"]),
  ],
  routes: [
    [
      "route": "hiking", "network": "nwn", "ref": "GR 11", "name": "Senda Pirenaica",
      "from": "Cap-de-Creus", "to": "Cabo-Higer",
    ]
  ])

@Suite("Search by name")
struct SearchServiceTests {
  private let search: SearchService
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    search = try SearchService(path: try valley.placesDatabase(in: folder))
  }

  private func titles(_ query: String, near: Coordinate? = nil, limit: Int = 10) throws -> [String]
  {
    try search.search(query, near: near, limit: limit).results.map(\.title)
  }

  @Test(
    "a name is found by its beginning, without accents, in any language and with one typo",
    arguments: [
      ("enc", "Encamp"), ("ENCAMP", "Encamp"), ("estanyo", "Pic de l'Estanyó"),
      ("lestanyo", "Pic de l'Estanyó"), ("andorre la v", "Andorra la Vella"),
      ("安道", "Andorra la Vella"), ("oldtown", "Andorra la Vella"), ("encmap", "Encamp"),
      ("comapedroza", "Refugi de Comapedrosa"), ("coma pedrosa", "Refugi de Comapedrosa"),
      ("refugi comap", "Refugi de Comapedrosa"), ("comapedrosa refugi", "Refugi de Comapedrosa"),
      ("gr11", "Senda Pirenaica"), ("GR 11", "Senda Pirenaica"), ("senda pir", "Senda Pirenaica"),
      ("collada", "Font Col·lada"), ("col.lada", "Font Col·lada"),
      ("pedrosa", "Refugi de Comapedrosa"),
      ("strasse", "Straße am Gießbach"), ("giessb", "Straße am Gießbach"),
      ("cami font", "Camí de la Font"), ("picnegre", "Pic Negre"), ("picxnegre", "Pic Negre"),
    ])
  func found(query: String, title: String) throws { #expect(try titles(query).first == title) }

  @Test("what is called so comes before what begins so, and that before what is similar")
  func order() throws {
    #expect(try titles("encamp") == ["Encamp", "Pic d'Encampadana"])
    #expect(try search.search("encamp").results.map(\.match) == [.exact, .words])
    #expect(try search.search("encmap").results.first?.match == .nearlyExact)
  }

  @Test("of equal names the nearer comes first, with distance and bearing")
  func near() throws {
    let here = Coordinate(latitude: 42.46, longitude: 1.55)
    let results = try search.search("pic negre", near: here).results
    #expect(results.map(\.id).prefix(2) == ["n7", "n6"])
    #expect(abs((results[0].distance ?? 0) - 1112) < 1)
    #expect(results[0].bearing == 180)
    #expect(try search.search("pic negre").results[0].distance == nil)
  }

  @Test("the nearest point of a route is its place")
  func nearRoute() throws {
    let here = Coordinate(latitude: 42.5807, longitude: 1.4507)
    let route = try #require(try search.search("gr11", near: here).results.first)
    #expect(try #require(route.distance) < 90)
    #expect(route.ref == "GR 11")
    #expect(route.subtitle == "Waymarked route, 1.7 km, Cap-de-Creus – Cabo-Higer")
  }

  @Test("a result says what it is, where, and by which other name it was found")
  func subtitle() throws {
    let peak = try #require(try search.searchLocations(query: "encampadana").first)
    #expect(peak.subtitle == "Peak, 2\u{A0}491 m, near Andorra la Vella")
    #expect(peak.elevation == 2491)
    #expect(peak.matchedName == nil)
    let town = try search.searchLocations(query: "andorre").first
    #expect(town?.matchedName == "Andorre-la-Vieille")
  }

  @Test("names are suggested only where nothing has the words of the query")
  func suggestions() throws {
    #expect(try search.search("encmap").suggestions == ["Encamp", "Pic d'Encampadana"])
    #expect(try search.search("encamp").suggestions.isEmpty)
    #expect(try search.search("refugi encamp zzzz").suggestions.isEmpty == false)
    #expect(try search.search("zzzzqqq").results.isEmpty)
    #expect(try search.search("komapedrossa").suggestions.first == "Refugi de Comapedrosa")
  }

  @Test(
    "nothing that is typed breaks the search",
    arguments: [
      "", " ", "\"", "'", "*", "\" OR \"", "name:foo", "a AND", "NOT", "NEAR(a b)", "(", "a\0b",
      "{", "^x", "-", "%", "_", "\u{FFFD}", "\u{200D}", "a\u{301}\u{301}\u{301}", "🏔️", "\u{10FFFF}",
      "-- ; DROP TABLE places", String(repeating: "a ", count: 500),
      String(repeating: "x", count: 1000), String(repeating: "安", count: 300),
    ])
  func hostile(query: String) throws { _ = try search.search(query) }

  @Test("a query that is too long and a place that is nowhere are refused")
  func refused() {
    let long = String(repeating: "a", count: 10_000_000)
    #expect(throws: SearchError.queryTooLong(bytes: 10_000_000)) { try search.search(long) }
    let nowhere = Coordinate(latitude: 91, longitude: 0)
    #expect(throws: SearchError.invalidLocation(nowhere)) { try search.search("a", near: nowhere) }
    #expect(throws: SearchError.invalidLocation(nowhere)) {
      try search.reverseGeocode(location: nowhere)
    }
  }

  @Test("limits outside their range count as the nearest", arguments: [-5, 0, 1, Int.max])
  func limits(limit: Int) throws {
    let count = try search.search("pic", limit: limit).results.count
    #expect(limit > 1 ? count >= 4 : count == 1)
  }

  @Test("threads may search at the same time")
  func threads() async throws {
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<40 {
        group.addTask { try search.search("encmap").results.first?.title }
      }
      for try await title in group { #expect(title == "Encamp") }
    }
  }

  @Test("an app that asks by the protocol gets the same")
  func byProtocol() async throws {
    let service: any SearchServiceProtocol = search
    #expect(try await service.searchLocations(query: "enc").first?.title == "Encamp")
  }
}

@Suite("Where a point is")
struct WhereTests {
  private let search: SearchService
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    search = try SearchService(path: try valley.placesDatabase(in: folder))
  }

  private func describe(_ latitude: Double, _ longitude: Double) throws -> String? {
    try search.describe(location: Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test("a point is described by what tells most about it, and by the lines that it lies on")
  func described() throws {
    #expect(try describe(42.5807, 1.4497) == "190 m N of Refugi de Comapedrosa, on GR 11")
    #expect(try describe(42.501, 1.501) == "at Font Col·lada, on Camí de la Font")
    #expect(try describe(42.5, 1.6) == "8.2 km E of Andorra la Vella")
    #expect(try describe(42.4, 1.4) == "14 km SW of Andorra la Vella")
    #expect(try describe(10, 10) == nil)
  }

  @Test("nobody is on a stream, a lift or a valley")
  func notWalkedOn() throws {
    let line = [(42.5, 1.5), (42.501, 1.501)]
    var map = PlaceMap(
      ways: [.init(1, line, ["highway": "path", "name": "Camí del Riu"])])
    map.lines = [
      .init(2, line, ["waterway": "stream", "name": "Riu"]),
      .init(3, line, ["aerialway": "gondola", "name": "Funicamp"]),
      .init(4, line, ["natural": "valley", "name": "Vall"]),
      .init(5, line, ["natural": "ridge", "name": "Serra"]),
    ]
    let search = try SearchService(path: try map.placesDatabase(in: folder, name: "l.places.db"))
    let marks = try search.reverseGeocode(
      location: Coordinate(latitude: 42.5005, longitude: 1.5005))
    #expect(Set(marks.map(\.place.title)) == ["Camí del Riu", "Serra"])
    let river = try search.searchLocations(query: "Riu").first { $0.kind == .river }
    #expect(river?.title == "Riu", "it is found all the same")
  }

  @Test("placemarks begin with the best and end with the lines")
  func placemarks() throws {
    let marks = try search.reverseGeocode(
      location: Coordinate(latitude: 42.5807, longitude: 1.4497))
    #expect(marks.map(\.relation) == [.near, .near, .on])
    #expect(marks.first?.direction == "N")
    #expect(marks[1].place.title == "Andorra la Vella")
  }

  @Test("points at the poles and the antimeridian have an answer", arguments: [-90.0, 0, 90])
  func edges(latitude: Double) throws {
    for longitude in [-180.0, 180] { #expect(try describe(latitude, longitude) == nil) }
  }

  @Test("a place across the antimeridian is near")
  func antimeridian() throws {
    let map = PlaceMap(
      [.init(1, -16.8, -179.99, ["place": "village", "name": "Taveuni"])],
      ways: [.init(1, [(-16.8, 179.999), (-16.8, -179.999)], ["highway": "path", "name": "Way"])])
    let search = try SearchService(path: try map.placesDatabase(in: folder, name: "f.places.db"))
    let point = Coordinate(latitude: -16.8, longitude: 179.9995)
    #expect(try search.describe(location: point) == "1.1 km W of Taveuni, on Way")
  }
}

@Suite("Search in several databases")
struct SearchSetTests {
  private let search: SearchSet
  private let folders: [TemporaryFolder]

  init() throws {
    var west = valley
    west.points = valley.points.filter { $0.coordinate.longitude < 1.6 }
    var east = valley
    east.points = valley.points.filter { $0.coordinate.longitude >= 1.5 }
    folders = try [TemporaryFolder(), TemporaryFolder()]
    search = try SearchSet(paths: [
      west.placesDatabase(in: folders[0]), east.placesDatabase(in: folders[1]),
    ])
  }

  @Test("places of both are found, and what both have once")
  func merged() throws {
    #expect(try search.search("pic negre").results.map(\.id).sorted() == ["n6", "n7"])
    #expect(try search.search("encamp").results.map(\.title).first == "Encamp")
    let results = try search.search("senda").results
    #expect(results.count == 1)
    let ids = try search.search("pic").results.map(\.id)
    #expect(Set(ids).count == ids.count && ids.contains("n3") && ids.contains("n7"))
  }

  @Test("what is only similar in one is left out where the other has the words")
  func similar() throws {
    #expect(try search.search("estanyo").results.map(\.title) == ["Pic de l'Estanyó"])
    #expect(try !search.search("estenyo").suggestions.isEmpty)
    #expect(try search.search("estanyo", limit: 1).suggestions.isEmpty)
  }

  @Test("a location is described by the nearest place of either")
  func nearest() throws {
    let hut = Coordinate(latitude: 42.579, longitude: 1.4494)
    #expect(
      try Placemark.description(of: search.reverseGeocode(location: hut))?
        .hasPrefix("at Refugi de Comapedrosa") == true)
    let peak = Coordinate(latitude: 42.557, longitude: 1.633)
    #expect(
      try Placemark.description(of: search.reverseGeocode(location: peak))?
        .hasPrefix("at Pic d'Encampadana") == true)
  }

  @Test("one that is damaged or missing is named, and not another one")
  func damaged() throws {
    let good = try valley.placesDatabase(in: folders[0])
    let bad = try folders[1].write("not a database", to: "bad.places.db")
    for path in [bad, folders[1].file("none.places.db")] {
      do throws(SearchError) {
        _ = try SearchSet(paths: [good, path])
        Issue.record("is opened")
      } catch {
        #expect(error.description.contains(path) && !error.description.contains(good), "\(error)")
      }
    }
  }
}
