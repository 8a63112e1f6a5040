// SPDX-License-Identifier: Apache-2.0
import CairnPlaceDatabase
import CairnSQLiteKit
import CairnSearch
import TestSupport
import Testing

/// A village with what a hiker looks for.
private let village = PlaceMap(
  [
    .init(1, 42.5, 1.5, ["place": "village", "name": "Encamp"]),
    .init(2, 42.6, 1.6, ["place": "village", "name": "Ordino"]),
    .init(3, 42.501, 1.5, ["amenity": "drinking_water"]),
    .init(4, 42.503, 1.5, ["natural": "spring", "name": "Font Roja", "potable": "no"]),
    .init(5, 42.601, 1.6, ["natural": "spring", "name": "Font Freda"]),
    .init(6, 42.55, 1.5, ["tourism": "alpine_hut", "name": "Refugi Vell", "access": "private"]),
    .init(
      7, 42.56, 1.5, ["tourism": "alpine_hut", "name": "Refugi Nou", "opening_hours": "closed"]),
    .init(8, 42.5, 1.51, ["amenity": "pharmacy", "name": "Meritxell"]),
    .init(9, 42.5, 1.52, ["natural": "water", "name": "Estany Blau"]),
    .init(10, 42.5002, 1.5002, ["addr:housenumber": "4", "addr:street": "Carrer Major"]),
    .init(11, 42.5004, 1.5004, ["addr:housenumber": "8", "addr:street": "Carrer Major"]),
    .init(12, 42.5006, 1.5006, ["addr:housenumber": "8a", "addr:street": "Carrer Major"]),
    .init(13, 42.6002, 1.6002, ["addr:housenumber": "4", "addr:street": "Carrer Major"]),
    .init(14, 42.6004, 1.6004, ["addr:housenumber": "7", "addr:street": "Gärtnerstraße"]),
    .init(15, 42.5, 1.505, ["shop": "supermarket", "name": "Spar"]),
    .init(16, 42.5, 1.506, ["amenity": "bar", "name": "Bar Central"]),
  ],
  ways: [
    .init(1, [(42.5, 1.5), (42.501, 1.501)], ["highway": "residential", "name": "Carrer Major"]),
    .init(2, [(42.6, 1.6), (42.601, 1.601)], ["highway": "residential", "name": "Carrer Major"]),
    .init(3, [(42.5, 1.5), (42.51, 1.5)], ["highway": "path"], routes: [0]),
    .init(4, [(42.7, 1.7), (42.71, 1.7)], ["highway": "path", "ref": "12"]),
  ],
  routes: [["route": "hiking", "ref": "GR 99", "name": "Camí Llarg", "distance": "11.8 km"]])

@Suite("Kinds, addresses and coordinates")
struct KindSearchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let search: SearchService
  private let encamp = Coordinate(latitude: 42.5, longitude: 1.5)

  init() throws {
    folder = try TemporaryFolder()
    path = try village.placesDatabase(in: folder)
    search = try SearchService(path: path)
  }

  private func titles(_ query: String, near: Coordinate? = nil) throws -> [String] {
    try search.search(query, near: near).results.map(\.title)
  }

  @Test(
    "a word for a kind gives its places, the nearest first, also without a name",
    arguments: ["water", "Wasser", "eau", "acqua", "agua", "aigua"])
  func kinds(word: String) throws {
    let results = try search.search(word, near: encamp).results
    #expect(results.map(\.title) == ["Drinking water", "Font Roja", "Font Freda"])
    #expect(results.allSatisfy { $0.kind == .water && $0.match == .kind })
    #expect(results[0].id == "n3")
    #expect(results[1].flags == .notDrinkable)
    #expect(results[1].subtitle.hasPrefix("Spring, not for drinking"))
  }

  @Test(
    "a kind near a place is looked for there",
    arguments: [
      "water near Ordino", "Wasser bei Ordino", "eau près d'Ordino", "acqua vicino a Ordino",
      "agua cerca de Ordino", "aigua a prop d'Ordino",
    ])
  func near(query: String) throws {
    let response = try search.search(query)
    #expect(response.results.first?.title == "Font Freda")
    #expect(response.near?.title == "Ordino")
  }

  @Test("what is closed is marked, in search and by where, and what is private left out")
  func flags() throws {
    #expect(try titles("hut") == ["Refugi Nou"])
    #expect(try titles("Refugi Vell").first == "Refugi Nou")
    let hut = try #require(try search.search("Refugi Nou").results.first)
    #expect(hut.flags == .closed)
    let point = Coordinate(latitude: 42.56, longitude: 1.5)
    #expect(try search.describe(location: point)?.contains("Refugi Nou (closed)") == true)
  }

  @Test("a kind and a name find the name among its places, whatever the map calls them")
  func kindAndName() throws {
    #expect(try titles("lake blau").first == "Estany Blau")
    #expect(try titles("farmacia meritxell").first == "Meritxell")
    #expect(try titles("Weg 12").first == "12")
  }

  @Test("the nearest of a kind, more closely, and no farther than asked for")
  func nearby() throws {
    #expect(try search.nearby(kind: .water, of: encamp, within: 200).map(\.id) == ["n3"])
    #expect(
      try search.nearby(kind: .food, detail: .foodShop, of: encamp, within: 5000).map(\.title)
        == ["Spar"])
    #expect(try search.nearby(kind: .food, of: encamp, within: -1).isEmpty)
    #expect(try search.nearby(kind: .food, of: encamp, within: .nan).isEmpty)
    #expect(throws: SearchError.self) {
      try search.nearby(
        kind: .food, of: Coordinate(latitude: 91, longitude: 0), within: 1)
    }
    for (_, words) in [("food", "grocery"), ("transport", "bus stop"), ("hut", "hut")] {
      #expect(SearchService.kind(named: words) != nil)
    }
    #expect(SearchService.kind(named: "Encamp") == nil)
  }

  @Test("along a line the places come in the order of the walk, with the detour")
  func along() throws {
    let line = [
      Coordinate(latitude: 42.6, longitude: 1.5995),
      Coordinate(latitude: 42.602, longitude: 1.5995),
    ]
    let found = try search.nearby(kind: .water, along: line, within: 100)
    #expect(found.map(\.title) == ["Font Freda"])
    #expect(abs((found[0].position ?? 0) - 111) < 2)
    #expect(abs((found[0].detour ?? 0) - 82) < 3)
    #expect(try search.nearby(kind: .water, along: []).isEmpty)
    let there = Array(repeating: line, count: 30_000).flatMap { $0 }
    #expect(try search.nearby(kind: .water, along: there).count == 1)
  }

  @Test("a route that is cut says how much of it is here")
  func cutRoutes() throws {
    let route = try #require(try search.search("GR 99").results.first)
    #expect(route.taggedLength == 11_800)
    #expect(route.isCut)
    #expect(route.subtitle == "Waymarked route, 1.1 km of 12 km here")
  }

  @Test(
    "an address is found with the number before or behind, letters, and the settlement",
    arguments: [
      ("Carrer Major 4, Encamp", 42.5002), ("4 carrer major, encamp", 42.5002),
      ("4, carrer major, encamp", 42.5002), ("Carrer Major 4 Ordino", 42.6002),
      ("carrer major 8A", 42.5006), ("carrer major 8 a", 42.5006), ("Carrer Major 8", 42.5004),
      ("Gaertnerstr. 7", 42.6004), ("Gärtnerstraße 7", 42.6004),
    ])
  func addresses(query: String, latitude: Double) throws {
    let result = try #require(try search.search(query).results.first)
    #expect(result.kind == .address)
    #expect(result.match <= .words)
    #expect(abs(result.coordinate.latitude - latitude) < 2e-5)
  }

  @Test("a number between two others is between them, and marked")
  func interpolation() throws {
    let result = try #require(try search.search("Carrer Major 6, Encamp").results.first)
    #expect(result.title == "Carrer Major 6 (between 4 and 8)")
    #expect(result.match == .similar)
    #expect(abs(result.coordinate.latitude - 42.5003) < 2e-5)
    #expect(try search.search("Carrer Major 600").results.first?.kind != .address)
  }

  @Test(
    "numbers that the map interpolates are along its line; a rule that leads nowhere is ignored")
  func mappedInterpolation() throws {
    func house(_ id: Int64, _ number: String, _ latitude: Double, _ street: String = "Llarg")
      -> PlaceMap.Point
    {
      .init(
        id, latitude, 1.5, ["addr:housenumber": number, "addr:street": "Carrer \(street)"])
    }
    var map = PlaceMap([
      house(1, "1", 42.5), house(2, "41", 42.502), house(3, "2", 42.51), house(4, "41", 42.512),
      house(5, "1", 42.52, "Curt"), house(6, "99", 42.522), house(7, "1000", 42.53),
      house(8, "900000", 42.532), house(9, "21", 42.5015),
    ])
    map.lines = [
      // By way of a corner, where it has no house: three quarters of it lie behind.
      .init(1, [(42.5, 1.5), (42.5, 1.5001), (42.502, 1.5)], ["addr:interpolation": "odd"]),
      .init(2, [(42.51, 1.5), (42.512, 1.5)], ["addr:interpolation": "even"]),
      .init(3, [(42.52, 1.5), (42.522, 1.5)], ["addr:interpolation": "odd"]),
      .init(4, [(42.53, 1.5), (42.532, 1.5)], ["addr:interpolation": "all"]),
      .init(5, [(42.5, 1.5), (42.502, 1.5)], ["addr:interpolation": "alphabetic"]),
      .init(6, [(42.5, 1.5), (42.502, 1.5)], ["addr:interpolation": "0"]),
    ]
    let search = try SearchService(path: try map.placesDatabase(in: folder, name: "mapped.db"))
    let known = try #require(try search.search("Carrer Llarg 31").results.first)
    #expect(known.title == "Carrer Llarg 31" && known.match == .exact)
    #expect(abs(known.coordinate.latitude - 42.50148) < 3e-5, "\(known.coordinate)")
    // Mapped by itself.
    let mapped = try #require(try search.search("Carrer Llarg 21").results.first)
    #expect(abs(mapped.coordinate.latitude - 42.5015) < 1e-6)
    for query in ["Carrer Llarg 30", "Carrer Curt 51", "Carrer Llarg 5000"] {
      #expect(try search.search(query).results.first?.title != query)
    }
  }

  @Test("10,000 numbers in a street are found")
  func longStreet() throws {
    var map = village
    map.points += (0..<10_000).map {
      .init(
        100 + Int64($0), 42.5 + Double($0) * 1e-6, 1.5,
        ["addr:housenumber": "\($0 + 1)", "addr:street": "Carrer Llarg"])
    }
    let search = try SearchService(path: try map.placesDatabase(in: folder, name: "long.places.db"))
    #expect(try search.search("Carrer Llarg 9999").results.first?.title == "Carrer Llarg 9999")
  }

  @Test(
    "coordinates are read in the usual spellings",
    arguments: [
      "42.5462, 1.6016", "42.5462 1.6016", "42,5462 1,6016", "42,5462, 1,6016", "42.5462;1.6016",
      "42.5462N 1.6016E", "N42.5462 E1.6016", "1.6016E, 42.5462N", "lat 42.5462 lon 1.6016",
      "42° 32' 46.32\" N, 1° 36' 5.76\" E", "N 42° 32′ 46,32″ E 1° 36′ 5,76″",
      "42°32.772'N 1°36.096'E", "42°32'46.32''N 1°36'5.76''O", "42.5462° 1.6016°",
      "geo:42.5462,1.6016", "geo:42.5462,1.6016,2000;u=10?z=15", "geo:0,0?q=42.5462,1.6016(X)",
      "https://www.openstreetmap.org/#map=16/42.5462/1.6016",
      "https://www.openstreetmap.org/?mlat=42.5462&mlon=1.6016#map=5/1/1",
      "https://www.google.com/maps/place/X/@1,1,17z/data=!3d42.5462!4d1.6016",
      "https://www.google.com/maps/@42.5462,1.6016,17z",
      "https://maps.google.com/?q=42.5462%2C1.6016", "https://maps.apple.com/?ll=42.5462,1.6016",
      "https://www.bing.com/maps?cp=42.5462~1.6016", "https://share.here.com/l/42.5462,1.6016",
      "https://mapy.cz/turisticka?x=1.6016&y=42.5462",
    ])
  func coordinates(text: String) throws {
    let results = try search.search(text).results
    #expect(results.count == 1)
    let result = try #require(results.first)
    #expect(result.kind == .point)
    #expect(abs(result.coordinate.latitude - 42.5462) < 1e-6, "\(result.coordinate)")
    #expect(abs(result.coordinate.longitude - 1.6016) < 1e-6, "\(result.coordinate)")
  }

  @Test("a point is described; swapped ones, those outside and those nowhere are said")
  func notes() throws {
    let here = try search.search("42.5600, 1.5000")
    #expect(here.note == nil)
    #expect(here.results.first?.subtitle == "Point, at Refugi Nou (closed)")
    let swapped = try search.search("1.5, 42.56")
    #expect(swapped.note == "latitude and longitude are swapped")
    #expect(swapped.results.first?.coordinate.latitude == 42.56)
    #expect(try search.search("10.5, 20.5").note == "the point is outside the map")
    #expect(try search.search("95.5, 200.5").results.isEmpty)
    #expect(try search.search("95.5, 200.5").note?.contains("out of range") == true)
    for text in [
      "12 34", "GR 11", "42.5", "1.2 3.4 5.6", "42° 70' N 1° E", "geo:", "https://x.org",
    ] {
      #expect(try search.search(text).results.first?.kind != .point, "\(text)")
    }
  }

  @Test("a database of the first version is read, without kinds and numbers")
  func firstVersion() throws {
    try changeDatabase(
      path,
      [
        "DROP TABLE place_kinds", "DROP TABLE place_addresses",
        "ALTER TABLE places DROP COLUMN flags", "ALTER TABLE place_routes DROP COLUMN tagged",
        "PRAGMA user_version=1",
      ])
    let old = try SearchService(path: path)
    #expect(try old.search("refugi nou").results.first?.title == "Refugi Nou")
    #expect(try old.search("GR 99").results.first?.taggedLength == nil)
    #expect(try old.nearby(kind: .water, of: encamp, within: 1000).isEmpty)
    #expect(try old.search("Carrer Major 4").results.first?.kind == .road)
    #expect(try old.describe(location: encamp) == "at Encamp, on GR 99 and Carrer Major")
  }

  @Test(
    "damaged lists of kinds and numbers are errors",
    arguments: [
      "UPDATE place_kinds SET points = x'FF'",
      "UPDATE place_kinds SET places = x'FFFFFFFFFFFFFFFF'",
      "UPDATE place_kinds SET points = x'0100FFFF7F00'",
    ])
  func damage(statement: String) throws {
    try changeDatabase(path, [statement])
    let search = try SearchService(path: path)
    #expect(throws: SearchError.self) { try search.search("water", near: encamp) }
  }

  @Test("a damaged list of numbers is an error")
  func damagedNumbers() throws {
    try changeDatabase(path, ["UPDATE place_addresses SET numbers = x'04FF'"])
    #expect(throws: SearchError.self) {
      try SearchService(path: path).search("Carrer Major 4")
    }
  }

  @Test("whatever is typed, nothing is an operator, a crash or a hang")
  func hostileQueries() throws {
    let long = String(repeating: "water near ", count: 100_000)
    #expect(throws: SearchError.queryTooLong(bytes: long.utf8.count)) {
      try search.search(long)
    }
    let half = String(decoding: [0xED, 0xA0, 0x80, 0x61] as [UInt8], as: UTF8.self)
    let queries = [
      "\u{0}\u{1}\u{7F}water\u{0}", half, "water AND NOT near(\"x\", 2) OR *", "\" OR 1=1 --",
      "near near near near", "water near", "water near water near water", "4 4 4 4 4 4", "4,",
      ",,,,",
      "geo:999999999999999999999,1", "-- -- °°°''''", "N N N E E E", "1.5.5.5, 2..2",
      String(repeating: "4 ", count: 500), String(repeating: "°", count: 500),
      String(repeating: "st ", count: 300), "99999999999999999999 carrer major",
    ]
    for query in queries { _ = try search.search(query) }
    // One after another, as fast as they come.
    for index in 0..<100_000 { _ = try search.search(index % 1000 == 0 ? "water \(index)" : "?!") }
  }
}
