// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnSQLiteKit
import Foundation
import TestSupport
import Testing

@Suite("Routes over several databases")
struct JoinedRouteTests {
  /// A road with side paths on both sides of the border between D and E.
  static let road = AsciiMap(
    """
      a   b       c   d
      |   |       |   |
    A-B-C-D---|---E-F-G-H
        |         |
        e         f
    """,
    ways: [
      .init("ABCDEFGH"), .init("Ba"), .init("Db"), .init("Ec"), .init("Gd"), .init("Ce"),
      .init("Ef"),
    ],
    elevations: ["A": 500, "B": 520, "C": 510, "D": 560, "E": 540, "F": 600, "G": 610, "H": 590])

  static let sides = ["ABCDabe", "EFGHcdf"]

  @Test("a way that each region cuts at its own junctions is one way")
  func differentCuts() throws {
    let joined = try JoinedMap(Self.road, regions: Self.sides)
    for from in "ABCDEFGHabcdef" {
      for to in "ABCDEFGHabcdef" where from != to {
        try joined.expectSame(Self.road.coordinate(from), Self.road.coordinate(to))
      }
    }
    #expect(try joined.route("a", "d").letters == "aBCDEGd")
  }

  @Test("a point inside a piece of the way is reached from both sides")
  func insidePiece() throws {
    let joined = try JoinedMap(Self.road, regions: Self.sides)
    for east in stride(from: -900.0, through: 900, by: 130) {
      let point = try joined.whole.point("E", east: east, north: 5)
      for end in "abcdef" {
        try joined.expectSame(point, Self.road.coordinate(end))
        try joined.expectSame(Self.road.coordinate(end), point)
      }
    }
  }

  @Test("a path that crosses the border again and again")
  func zigzag() throws {
    let map = AsciiMap(
      """
      A---|---B
          |   |
      D---|---C
      |   |
      E---|---F
          |   |
      H---|---G
      """,
      ways: [
        .init("AB"), .init("BC"), .init("CD"), .init("DE"), .init("EF"), .init("FG"), .init("GH"),
      ])
    let joined = try JoinedMap(map, regions: ["ADEH", "BCFG"])
    #expect(try joined.route("A", "H").letters == "ABCDEFGH")
    try joined.expectSame(map.coordinate("A"), map.coordinate("H"))
    // One region alone knows of no way.
    #expect(throws: RoutingError.self) {
      let alone = RoutingEngine(store: joined.stores[0])
      _ = try alone.findRoute(from: map.coordinate("A"), to: map.coordinate("H"))
    }
    #expect(try joined.route("A", "H").regions.map(\.id) == ["region0", "region1"])
  }

  @Test("a region inside another one, and an end in a gap between polygons")
  func enclave() throws {
    let map = AsciiMap(
      """
      A---B---C
      |       |
      D   E   F
      |   |   |
      G---H---I
      """, ways: [.init("ABC"), .init("CFI"), .init("ADG"), .init("GHI"), .init("BE"), .init("EH")])
    let joined = try JoinedMap(map, regions: ["ABCDFGHI", "E"])
    for from in "ACDFGI" {
      try joined.expectSame(map.coordinate(from), map.coordinate("E"))
    }
    let gap = try joined.whole.point("E", east: 150, north: -60)
    try joined.expectSame(gap, map.coordinate("A"))
    #expect(try joined.route("E", "H").regions.count == 1)
  }

  @Test("an end on the seam, where three regions meet")
  func threeRegions() throws {
    let map = AsciiMap(
      """
      A---B---C
       \\  |  /
        D-S-E
          |
          F---G
      """,
      ways: [.init("AD"), .init("DSE"), .init("EC"), .init("ABC"), .init("BSF"), .init("FG")])
    let joined = try JoinedMap(map, regions: ["AD", "BCES", "FG"])
    for from in "ACG" {
      try joined.expectSame(map.coordinate(from), map.coordinate("S"))
    }
    #expect(try joined.route("A", "G").letters == "ADSFG")
    #expect(try joined.route("A", "G").regions.map(\.id) == ["region0", "region2"])
  }

  @Test("a database is opened when a request comes to it, and not before")
  func opensWhenReached() throws {
    let map = AsciiMap(
      "A---B---|---C---D---|---E---F---|---G---H", cellMetres: 1000,
      ways: [
        .init("AB"), .init("BC"), .init("CD"), .init("DE"), .init("EF"), .init("FG"), .init("GH"),
      ])
    let folder = try TemporaryFolder()
    let paths = try map.routingDatabases(ofRegions: ["AB", "CD", "EF", "GH"], in: folder)
    for path in paths {
      // Drawn maps do not say where they are.
      let connection = try SQLiteConnection(path, .shared(patienceMilliseconds: 0))
      try connection.execute(
        """
        INSERT OR REPLACE INTO routing_metadata SELECT '\(RoutingMetadataKey.boundingBox)', printf(
        '%.7f,%.7f,%.7f,%.7f', min(longitude), min(latitude), max(longitude),
        max(latitude) + 1e-5)
        FROM routing_nodes
        """)
    }
    let store = RoutingStore(joiningWhenReached: paths)
    try store.open()
    let all = RoutingStore(joining: paths.map { RoutingStore(path: $0) })
    try all.open()
    let engine = RoutingEngine(store: store)
    #expect(store.openDatabases == 0)
    for (ends, count) in [("AA", 1), ("AC", 2), ("CD", 3), ("AH", 4)] {
      let points = try ends.map { try map.coordinate($0) }
      let route = try engine.findRoute(from: points[0], to: points[1])
      #expect(try route == RoutingEngine(store: all).findRoute(from: points[0], to: points[1]))
      _ = try engine.rules(on: route)
      #expect(store.openDatabases == count, "\(ends)")
    }
    store.close()
    #expect(throws: RoutingError.databaseNotOpen) {
      _ = try engine.findRoute(from: map.coordinate("A"), to: map.coordinate("B"))
    }
    try store.open()
    #expect(store.openDatabases == 0)
  }

  @Test("an island of one region that the other one joins is none")
  func islands() throws {
    let map = AsciiMap(
      """
      A---------------------------B
      C--D                        |
       \\--------------------------E
      """, cellMetres: 400, ways: [.init("AB"), .init("BE"), .init("EC"), .init("CD")])
    let joined = try JoinedMap(map, regions: ["ACD", "BE"])
    let point = try joined.whole.point("D", north: 20)
    try joined.expectSame(point, map.coordinate("A"))
    #expect(try joined.route("D", "A").letters == "DCEBA")
  }

  @Test("a gate that one region closes stays closed")
  func gate() throws {
    var map = AsciiMap(
      """
      A---B---|---C---D
          |           |
          E-----------F
      """,
      ways: [.init("AB"), .init("BC"), .init("CD"), .init("BE"), .init("EF"), .init("FD")],
      nodeTags: ["C": ["barrier": "wall"]])
    let joined = try JoinedMap(map, regions: ["ABE", "CDF"])
    #expect(try joined.route("A", "D").letters == "ABEFD")
    try joined.expectSame(map.coordinate("A"), map.coordinate("D"))
    map.nodeTags = [:]
    #expect(try JoinedMap(map, regions: ["ABE", "CDF"]).route("A", "D").letters == "ABCD")
  }

  @Test("random maps in random regions have the routes of the whole", arguments: 0..<24)
  func randomMaps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij")
    let drawing = stride(from: 0, to: 36, by: 6).map { row in
      letters[row..<row + 6].map(String.init).joined(separator: "--")
    }.joined(separator: "\n\n")
    var ways: [AsciiMap.Way] = []
    for _ in 0..<26 {
      var place = Int.random(in: 0..<36, using: &random)
      var nodes = [letters[place]]
      for _ in 0..<Int.random(in: 1...7, using: &random) {
        let steps = [-6, 6, -1, 1].filter { step in
          let next = place + step
          return (0..<36).contains(next) && (abs(step) > 1 || next / 6 == place / 6)
            && !nodes.contains(letters[next])
        }
        guard let step = steps.randomElement(using: &random) else { break }
        place += step
        nodes.append(letters[place])
      }
      if nodes.count > 1 { ways.append(.init(String(nodes))) }
    }
    let heights = letters.map { ($0, Float.random(in: 500...560, using: &random)) }
    let map = AsciiMap(
      drawing, ways: ways, elevations: Dictionary(uniqueKeysWithValues: heights))
    // Columns, so that ways cross the borders.
    let west = Int.random(in: 1...3, using: &random)
    let regions = [0..<west, west..<5, 5..<6].map { columns in
      String(letters.indices.filter { columns.contains($0 % 6) }.map { letters[$0] })
    }
    let joined = try JoinedMap(map, regions: regions, profiles: ["hiking"])
    for _ in 0..<12 {
      let ends = try [0, 1].map { _ in
        try joined.whole.point(
          letters[Int.random(in: 0..<36, using: &random)],
          east: Double.random(in: -40...40, using: &random),
          north: Double.random(in: -40...40, using: &random))
      }
      // Heights are sampled edge by edge, so that a piece of one climbs a little less.
      try joined.expectSame(ends[0], ends[1], within: 0.02)
    }
  }
}

@Suite("Databases that do not go together")
struct UnfitDatabaseTests {
  private static func refusal(
    _ change: ([RoutingStore], TemporaryFolder) throws -> Void
  ) throws -> (message: String, paths: [String]) {
    let folder = try TemporaryFolder()
    let stores = try JoinedRouteTests.road.routingDatabases(
      ofRegions: JoinedRouteTests.sides, in: folder
    ).map { RoutingStore(path: $0) }
    try change(stores, folder)
    do throws(RoutingError) {
      try RoutingStore(joining: stores).open()
    } catch { return (error.description, stores.map(\.path)) }
    return ("", [])
  }

  @Test("the same region twice")
  func sameRegion() throws {
    let refusal = try Self.refusal { stores, _ in
      try JoinedMap.set(RoutingMetadataKey.regionID, "region0", in: stores[1].path)
    }
    #expect(refusal.message.contains("are the same region, region0"))
    #expect(refusal.paths.allSatisfy(refusal.message.contains))
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try JoinedRouteTests.road.routingDatabase(in: folder))
    #expect(throws: RoutingError.self) {
      try RoutingStore(joining: [store, RoutingStore(path: store.path)]).open()
    }
  }

  @Test("different versions of the schema")
  func versions() throws {
    let refusal = try Self.refusal { stores, _ in
      try JoinedMap.set(RoutingMetadataKey.version, "3", in: stores[1].path)
    }
    #expect(refusal.message.contains("the versions 6 and 3 of the schema"))
    #expect(refusal.paths.allSatisfy(refusal.message.contains))
  }

  @Test("a file that is damaged or missing is named")
  func damage() throws {
    let damaged = try Self.refusal { _, folder in
      try folder.write("not a database", to: "region1.routing.db")
    }
    #expect(damaged.message.contains(damaged.paths[1]))
    #expect(!damaged.message.contains(damaged.paths[0]))
  }

  @Test(
    "one that is closed while it is used is named, and one that is opened again is checked anew")
  func closed() throws {
    let map = JoinedRouteTests.road
    let folder = try TemporaryFolder()
    let stores = try map.routingDatabases(ofRegions: JoinedRouteTests.sides, in: folder)
      .map { RoutingStore(path: $0) }
    let store = RoutingStore(joining: stores)
    try store.open()
    let engine = RoutingEngine(store: store)
    let ends = try (map.coordinate("a"), map.coordinate("d"))
    _ = try engine.findRoute(from: ends.0, to: ends.1)
    stores[1].close()
    #expect(throws: RoutingError.databaseUnreadable("\(stores[1].path) is not open")) {
      try engine.findRoute(from: ends.0, to: ends.1)
    }
    try JoinedMap.set(RoutingMetadataKey.regionID, "region0", in: stores[1].path)
    try stores[1].open()
    #expect(throws: RoutingError.self) { try engine.findRoute(from: ends.0, to: ends.1) }
  }

  @Test(
    "one that is replaced, damaged or removed before it is reached is named",
    arguments: ["replaced", "damaged", "removed"])
  func changed(how: String) throws {
    let map = JoinedRouteTests.road
    let folder = try TemporaryFolder()
    let paths = try map.routingDatabases(ofRegions: JoinedRouteTests.sides, in: folder)
    let store = RoutingStore(joiningWhenReached: paths)
    try store.open()
    switch how {
    case "replaced":
      try JoinedMap.set(RoutingMetadataKey.osmDataDate, "2026-05-01T00:00:00Z", in: paths[1])
    case "damaged": try folder.write("not a database", to: "region1.routing.db")
    default: try FileManager.default.removeItem(atPath: paths[1])
    }
    let engine = RoutingEngine(store: store)
    do {
      _ = try engine.findRoute(from: map.coordinate("a"), to: map.coordinate("d"))
      Issue.record("there is a route")
    } catch let error as RoutingError {
      #expect(error.description.contains(paths[1]) && error.exitCode != .negative, "\(error)")
      #expect(error.description.contains("was replaced") == (how == "replaced"), "\(error)")
    }
  }

  @Test("one that is replaced or removed while it is open is read on as it was")
  func replacedWhileOpen() throws {
    let map = JoinedRouteTests.road
    let folder = try TemporaryFolder()
    let paths = try map.routingDatabases(ofRegions: JoinedRouteTests.sides, in: folder)
    let store = RoutingStore(joining: paths.map { RoutingStore(path: $0) })
    try store.open()
    func route() throws -> ComputedRoute {
      // A new engine has nothing in memory.
      try RoutingEngine(store: store).findRoute(from: map.coordinate("a"), to: map.coordinate("d"))
    }
    let before = try route()
    try Data(contentsOf: URL(fileURLWithPath: paths[0])).write(
      to: URL(fileURLWithPath: paths[1]), options: .atomic)
    #expect(try route() == before)
    try FileManager.default.removeItem(atPath: paths[0])
    #expect(try route() == before)
    store.close()
    // Whoever opens it anew is told of both.
    #expect(throws: RoutingError.self) { try store.open() }
  }

  @Test("one that is overwritten while it is open ends in an error, or is read", arguments: 0..<12)
  func overwritten(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let map = JoinedRouteTests.road
    let folder = try TemporaryFolder()
    let paths = try map.routingDatabases(ofRegions: JoinedRouteTests.sides, in: folder)
    let store = RoutingStore(joining: paths.map { RoutingStore(path: $0) })
    try store.open()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: paths[1]))
    let size = Int(try file.seekToEnd())
    for _ in 0..<12 {
      try file.seek(toOffset: UInt64(Int.random(in: 0..<size - 512, using: &random)))
      try file.write(
        contentsOf: Data((0..<512).map { _ in UInt8.random(in: 0...255, using: &random) }))
    }
    try file.close()
    for ends in ["ad", "dH", "HA"] {
      let points = try ends.map { try map.coordinate($0) }
      do throws(RoutingError) {
        let route = try RoutingEngine(store: store).findRoute(from: points[0], to: points[1])
        #expect(route.totalCost.isFinite && route.nodes.count == route.edges.count + 1)
      } catch {
        #expect(error.exitCode == .negative || error.description.contains(paths[1]), "\(error)")
      }
    }
  }

  @Test("data of different dates has a route, with a warning that names both")
  func dates() throws {
    let map = JoinedRouteTests.road
    let folder = try TemporaryFolder()
    let stores = try map.routingDatabases(ofRegions: JoinedRouteTests.sides, in: folder)
      .map { RoutingStore(path: $0) }
    for (store, date) in zip(stores, ["2024-05-01T00:00:00Z", "2026-05-01T00:00:00Z"]) {
      try JoinedMap.set(RoutingMetadataKey.osmDataDate, date, in: store.path)
    }
    let store = RoutingStore(joining: stores)
    try store.open()
    let route = try BothEngines(store).findRoute(
      from: map.coordinate("a"), to: map.coordinate("d"))
    let warnings = route.warnings.filter { $0.kind == .mixedData }
    #expect(
      warnings.map(\.text) == [
        "map data of different dates: region0 (2024-05-01T00:00:00Z) and "
          + "region1 (2026-05-01T00:00:00Z)"
      ])
  }
}

@Suite("Databases that contradict each other")
struct ContradictoryDatabaseTests {
  @Test("nodes of one id at two places, and ways in any order, never trap", arguments: 0..<20)
  func contradictions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let networks = try [0, 1].map { try RandomNetwork(seed: seed + 100 * $0) }
    for network in networks {
      network.store.close()
      // Few ways, so that each has edges all over the network.
      let connection = try SQLiteConnection(
        network.store.path, .shared(patienceMilliseconds: 0))
      try connection.execute(
        "UPDATE routing_edges SET osm_way_id = id / \(Int.random(in: 1...9, using: &random))")
    }
    let store = RoutingStore(joining: networks.map(\.store))
    try store.open()
    let engines = [RoutingEngine(store: store), try RoutingEngine.inMemory(store)]
    for _ in 0..<8 {
      let points = (0..<2).map { _ in
        Coordinate(
          latitude: Double.random(in: 42...42.05, using: &random),
          longitude: Double.random(in: 1...1.05, using: &random))
      }
      for engine in engines {
        do throws(RoutingError) {
          let route = try engine.findRoute(from: points[0], to: points[1])
          #expect(route.nodes.count == route.edges.count + 1 && route.totalCost.isFinite)
        } catch { #expect(error.exitCode == .negative, "\(error)") }
        _ = try? engine.isochrones(from: points[0], limitsSeconds: [900])
      }
    }
  }
}
