// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnPlaceDatabase
import CairnSQLiteKit
import CommandLineKit
import TestSupport
import Testing
import TrailData

@testable import PlaceIndex

@Suite("cairn-index-places")
struct PlaceIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func rows(_ map: PlaceMap, _ sql: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let connection = try SQLiteConnection(try map.placesDatabase(in: folder), .readOnly)
    let statement = try connection.prepare(sql)
    var rows: [String] = []
    while try statement.step() {
      rows.append(
        (0..<statement.columnCount).map { statement.text($0) ?? "–" }.joined(separator: " "))
    }
    return rows
  }

  private static let hut: [String: String] = ["tourism": "alpine_hut", "name": "Hut"]

  @Test("all names are kept once, those in languages, too, but not their etymologies")
  func names() throws {
    let map = PlaceMap([
      .init(
        1, 42, 1,
        [
          "place": "town", "name": "Andorra la Vella", "name:ca": "Andorra La Vella",
          "name:fr": "Andorre-la-Vieille", "alt_name": "la Vella;Old One", "old_name": "Andorra",
          "name:etymology": "unknown",
        ])
    ])
    #expect(
      try rows(map, "SELECT key, name FROM place_names ORDER BY id") == [
        "name –", "name:fr Andorre-la-Vieille", "alt_name la Vella", "alt_name Old One",
        "old_name Andorra",
      ])
  }

  @Test("places of one importance are in the order of their names, then of their objects as texts")
  func orderOfNames() throws {
    let names = ["Coll de la Serra Baixa de Dalt", "Coll de la Serra Alta", "Coll de la Serra"]
    let ids: [Int64] = [2, 12, 13, 120, 1200, 1_000_000_000_000]
    var points: [PlaceMap.Point] = []
    for (column, id) in ids.enumerated() {
      for (row, name) in names.enumerated() {
        points.append(
          .init(
            id * 10 + Int64(row), 42 + Double(row), 1 + Double(column),
            ["natural": "saddle", "name": name]))
      }
    }
    let expected = [Int64]([2, 1, 0]).flatMap { row in
      ids.map { "n\($0 * 10 + row)" }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    #expect(try rows(PlaceMap(points), "SELECT osm FROM places ORDER BY id") == expected)
  }

  @Test("ways of one name that lie near each other are one place, others are not")
  func wayGroups() throws {
    let path = ["highway": "path", "name": "Camí Vell"]
    let map = PlaceMap(ways: [
      .init(1, [(42, 1), (42.001, 1)], path), .init(2, [(42.0015, 1), (42.002, 1)], path),
      .init(3, [(42.1, 1), (42.101, 1)], path),
      .init(4, [(42, 1), (42.001, 1)], ["highway": "residential", "name": "Camí Vell"]),
      .init(5, [(42, 1), (42.001, 1)], ["highway": "path"]),
    ])
    #expect(
      try rows(map, "SELECT osm, kind, CAST(length AS INTEGER) FROM places ORDER BY osm") == [
        "w1 trail 167", "w3 trail 111", "w4 road 111",
      ])
  }

  @Test("relations of one route are one place, and so are routes of one number on the same ways")
  func routes() throws {
    let route = ["route": "hiking", "network": "nwn", "ref": "GR 7", "name": "Gran Recorrido 7"]
    var other = route
    other["name"] = "Sentier GR7"
    other["ref"] = "GR7"
    let map = PlaceMap(
      ways: [
        .init(1, [(42, 1), (42.01, 1)], ["highway": "path"], routes: [0, 1, 2]),
        .init(2, [(42.01, 1), (42.02, 1)], ["highway": "path"], routes: [0, 1, 2]),
      ], routes: [route, route, other])
    #expect(
      try rows(map, "SELECT osm, kind, name, length FROM places") == [
        "r1000 route Gran Recorrido 7 2224.0"
      ])
    #expect(try rows(map, "SELECT ref, network FROM place_routes") == ["GR 7 nwn"])
    #expect(
      try rows(map, "SELECT name FROM place_names WHERE name NOT NULL") == ["GR 7", "Sentier GR7"])
  }

  @Test("a hut that is mapped twice is one place; a namesake far away is another")
  func duplicates() throws {
    let map = PlaceMap([
      .init(1, 42, 1, Self.hut), .init(2, 42.0005, 1, Self.hut.merging(["ele": "2250"]) { $1 }),
      .init(3, 42.5, 1, Self.hut),
    ])
    #expect(try rows(map, "SELECT osm, elevation FROM places") == ["n1 2250.0", "n3 –"])
  }

  @Test("points of one name that are one place are found as by comparing all with all")
  func samePlaces() {
    for seed in 0..<40 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      // At the poles and on both sides of the antimeridian, too.
      let latitude = [0, 47, 89.999, -89.999][Int(seed % 4)]
      let points = (0..<300).map { _ in
        let longitude = 180 + (random.nextShare() - 0.5) * (seed % 4 < 2 ? 0.02 : 360)
        return Coordinate(
          latitude: latitude + (random.nextShare() - 0.5) * 0.002 * Double(seed % 4 < 2 ? 10 : 1),
          longitude: longitude > 180 ? longitude - 360 : longitude)
      }
      var (search, kept) = (SamePlaceSearch(mostlyAt: [latitude]), [Int]())
      for (index, point) in points.enumerated() {
        let first = kept.first { haversineDistance(points[$0], point) <= 200 }
        #expect(search.add(index, 1, at: point) == first, "seed \(seed), point \(index)")
        if first == nil { kept.append(index) }
      }
    }
  }

  @Test("many points of one name take a number of steps that grows as they do")
  func manyNamesakes() {
    for spacing in [0.0, 0.0001, 0.01] {
      var search = SamePlaceSearch(mostlyAt: [])
      for index in 0..<20_000 {
        let (row, column) = (Double(index / 200), Double(index % 200))
        _ = search.add(
          index, 1, at: Coordinate(latitude: 42 + row * spacing, longitude: 1 + column * spacing))
      }
      #expect(search.comparisonCount < 20 * 20_000, "\(spacing)°")
    }
  }

  @Test("the nearest settlement of all places of a cell is found as by comparing with all")
  func settlements() {
    for seed in 0..<6 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let latitude = [0.0, 47, -84][Int(seed % 3)]
      func point(near centre: Coordinate, _ degrees: Double) -> Coordinate {
        Coordinate(
          latitude: centre.latitude + (random.nextShare() - 0.5) * degrees,
          longitude: centre.longitude + (random.nextShare() - 0.5) * degrees)
      }
      let centre = Coordinate(latitude: latitude, longitude: 11)
      let places = (0..<300).map { index in
        IndexedPlace(
          id: Int64(index), names: PlaceNames(), coordinate: point(near: centre, 0.4),
          importance: 0, type: .node, kind: .settlement,
          reach: PlaceReach(rawValue: index % 40 == 0 ? 3 : index % 3) ?? .close)
      }
      let finder = SettlementFinder(places)
      for round in 0..<100 {
        let first = point(near: centre, 0.6)
        let ofCell = (0..<10).map { _ in point(near: first, 0.02) }
          .filter { GridCell.containing($0) == GridCell.containing(first) }
        let reach: PlaceReach? = round % 4 == 0 ? .near : nil
        let candidates = finder.candidates(around: first, beyond: reach)
        for point in [first] + ofCell {
          let known = places.indices.filter { places[$0].reach.rawValue > reach?.rawValue ?? -1 }
          let shares = known.map { index in
            let metres = haversineDistance(point, places[index].coordinate)
            return (share: metres / (places[index].reach.metres * 2), id: index + 1)
          }
          let nearest = shares.filter { $0.share <= 1 }
            .min { ($0.share, $0.id) < ($1.share, $1.id) }
          #expect(
            finder.nearest(to: point, among: candidates) == nearest?.id,
            "seed \(seed), round \(round), \(point)")
        }
      }
    }
  }

  @Test("places are in the order of their importance, and know the settlement that they are near")
  func order() throws {
    let map = PlaceMap([
      .init(1, 42, 1, Self.hut),
      .init(2, 42.01, 1, ["place": "city", "name": "Town", "population": "20 000"]),
      .init(3, 42.001, 1, ["place": "hamlet", "name": "Hamlet"]),
      .init(4, 42.001, 1, ["amenity": "toilets", "name": "WC"]),
      .init(5, 42, 1, ["natural": "peak"]),
    ])
    #expect(
      try rows(
        map,
        """
        SELECT p.id, p.name, s.name FROM places p LEFT JOIN places s ON s.id = p.settlement
        ORDER BY p.id
        """) == ["1 Town –", "2 Hut Town", "3 Hamlet Town", "4 WC Hamlet"])
  }

  @Test("the same input gives the same bytes, and a file without names gives an empty database")
  func bytes() throws {
    let map = PlaceMap([.init(1, 42, 1, Self.hut)])
    let one = try bytesOfFile(try map.placesDatabase(in: folder, name: "one.places.db"))
    let two = try bytesOfFile(try map.placesDatabase(in: folder, name: "two.places.db"))
    #expect(one == two)
    #expect(PlaceSchema.recognises(head: one))
    #expect(try rows(PlaceMap(), "SELECT count(*) FROM places") == ["0"])
  }

  @Test("the command writes the region's id and refuses to replace what it did not write")
  func command() throws {
    let input = try PlaceMap([.init(1, 42, 1, Self.hut)]).trailsFile(in: folder)
    let output = folder.file("r.places.db")
    let words = ["--input", input, "--output", output, "--region-id", "r", "-q"]
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .success)
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .success)
    let connection = try SQLiteConnection(output, .readOnly)
    #expect(try connection.text("SELECT value FROM place_metadata WHERE key = 'region_id'") == "r")
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
    try folder.write("my notes", to: "r.places.db")
    #expect(CommandRunner.run(IndexPlacesCommand.self, words) == .cannotCreate)
    #expect(try folder.read("r.places.db") == Array("my notes".utf8))
  }

  @Test("the line of a route across a cell's border is found in both cells")
  func cells() throws {
    let map = PlaceMap(ways: [
      .init(1, [(42.0055, 1.0055), (42.0155, 1.0055)], ["highway": "path", "name": "Path"])
    ])
    #expect(try rows(map, "SELECT DISTINCT cell FROM place_lines").count == 2)
    #expect(try rows(map, "SELECT length(cells) > 0 FROM places") == ["1"])
  }

  @Test("the bytes do not depend on the number of threads")
  func threads() throws {
    var random = SplitMix64(seed: 5)
    let points = (1...3000 as ClosedRange<Int64>).map { id in
      PlaceMap.Point(
        id, Double.random(in: 42...43, using: &random), Double.random(in: 1...2, using: &random),
        ["natural": "peak", "name": "Pic \(id % 700)", "name:fr": "Pic; Tuc \(id % 13)"])
    }
    let ways = (1...2000 as ClosedRange<Int64>).map { id in
      let (latitude, longitude) = (
        Double.random(in: 42...42.2, using: &random), Double.random(in: 1...1.2, using: &random)
      )
      return PlaceMap.Way(
        id, (0..<5).map { (latitude + Double($0) * 0.002, longitude) },
        ["highway": id % 2 == 0 ? "path" : "residential", "name": "Camí \(id % 40)"],
        routes: [UInt32(id % 20)])
    }
    let routes = (0..<20).map { ["route": "hiking", "name": "Ruta \($0 / 2)", "network": "rwn"] }
    let map = PlaceMap(points, ways: ways, routes: routes)
    let one = try bytesOfFile(try map.placesDatabase(in: folder, name: "1.places.db"))
    for threads in 2...4 {
      let path = try map.placesDatabase(in: folder, name: "\(threads).places.db", threads: threads)
      #expect(try bytesOfFile(path) == one)
    }
    let connection = try SQLiteConnection(folder.file("1.places.db"), .readOnly)
    #expect(try connection.text("PRAGMA integrity_check") == "ok")
  }

  @Test("the elevation is the tagged one, or else that of the terrain")
  func elevations() throws {
    let map = PointMap([
      .init(1, ["natural": "peak", "name": "Tagged", "ele": "2946"], at: 42.6, 1.4, terrain: 2930),
      .init(2, ["natural": "peak", "name": "Feet", "ele": "9665"], at: 42.5, 1.4, terrain: 2946),
      .init(3, ["natural": "spring", "name": "Spring"], at: 42.4, 1.4, terrain: 1800),
      .init(4, ["natural": "spring", "name": "Unknown"], at: 42.3, 1.4),
    ])
    let output = folder.file("e.places.db")
    try runStage(
      IndexPlacesCommand.self, try map.elevatedFiles(in: folder).arguments + ["--output", output])
    let connection = try SQLiteConnection(output, .readOnly)
    let rows = try connection.prepare("SELECT name, elevation FROM places ORDER BY osm")
    var found: [String] = []
    while try rows.step() { found.append("\(rows.text(0) ?? "") \(rows.text(1) ?? "–")") }
    #expect(found == ["Tagged 2946.0", "Feet 2946.0", "Spring 1800.0", "Unknown –"])
  }

  @Test("of several tags the one that a hiker looks for decides")
  func kinds() throws {
    let map = PlaceMap([
      .init(1, 42, 1, ["name": "A", "place": "locality", "natural": "spring"]),
      .init(2, 42.1, 1, ["name": "B", "tourism": "viewpoint", "amenity": "restaurant"]),
      .init(3, 42.2, 1, ["name": "C", "amenity": "shelter", "highway": "bus_stop"]),
      .init(4, 42.3, 1, ["name": "D", "military": "bunker", "place": "locality"]),
      .init(5, 42.4, 1, ["name": "E", "place": "hamlet"]),
    ])
    #expect(
      try rows(map, "SELECT name, kind FROM places ORDER BY name") == [
        "A water", "B food", "C transport", "D locality", "E settlement",
      ])
  }

  @Test("ways are put together as by comparing the squares of all with those of all others")
  func clusters() throws {
    var random = SplitMix64(seed: 11)
    for round in 0..<30 {
      let ways = (1...40 as ClosedRange<Int64>).map { id in
        let (latitude, longitude) = (
          Double.random(in: -0.04...0.04, using: &random),
          Double.random(in: -0.04...0.04, using: &random)
        )
        return PlaceMap.Way(
          id, [(latitude, longitude), (latitude + 0.003, longitude - 0.002)], ["highway": "path"])
      }
      let path = try PlaceMap(ways: ways).trailsFile(in: folder, name: "\(round).trails")
      let trails = try TrailsFile(path)
      var clusters = WayClusters(WayLines(trails))
      let found = clusters.clusters(Array(ways.indices))
      #expect(found == Self.clusters(trails))
    }
  }

  /// The clusters of all ways, by comparing all with all until nothing changes.
  private static func clusters(_ trails: TrailsFile) -> [[Int]] {
    let cells = trails.wayIDs.indices.map { way in
      trails.refs(ofWay: way).map { ref -> (Int32, Int32) in
        let point = trails.coordinate(Int(trails.refs[ref]))
        return (point.latitude / 25_000, point.longitude / 25_000)
      }
    }
    var names = Array(cells.indices)
    var isChanging = true
    while isChanging {
      isChanging = false
      for one in names.indices {
        for other in names.indices where names[one] < names[other] {
          let isNear = cells[one].contains { left in
            cells[other].contains { abs(left.0 - $0.0) <= 1 && abs(left.1 - $0.1) <= 1 }
          }
          if isNear { (names[other], isChanging) = (names[one], true) }
        }
      }
    }
    return Dictionary(grouping: names.indices) { names[$0] }.values.map { $0.sorted() }
      .sorted { $0[0] < $1[0] }
  }
}
