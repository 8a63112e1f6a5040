// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Points chosen beside ferries, tunnels and bridges")
struct LastResortTests {
  /// A shore, and 100 m north of it another way from A's jetty to C's.
  private func shore(_ tags: [String: String]) throws -> RoutedMap {
    try RoutedMap(
      AsciiMap(
        """
        D---------E
        A----B----C
        """, cellMetres: 100,
        ways: [.init("ABC"), .init("AD"), .init("CE"), .init("DE", tags: tags)]))
  }

  private static let ferry = ["route": "ferry", "foot": "yes", "bicycle": "yes"]

  @Test(
    "a point near one lies on a way further off, to every mode",
    arguments: [
      ferry, ["highway": "path", "tunnel": "yes"], ["highway": "path", "bridge": "yes"],
      ["highway": "path", "location": "underground"],
    ])
  func otherWay(tags: [String: String]) throws {
    let routed = try shore(tags)
    let place = try routed.point("B", north: 70)
    for mode in [RoutingMode.hiking, .cycling] {
      let route = try routed.engine.findRoute(
        from: place, to: routed.map.coordinate("C"), mode: mode)
      #expect(abs(route.totalDistance - 500) < 1 && route.letters == ".C", "\(route.letters)")
      #expect(route.lastResortStops.isEmpty && route.cutOffStops.isEmpty)
      let back = try routed.engine.findRoute(
        from: routed.map.coordinate("A"), to: routed.map.coordinate("C"), via: [place], mode: mode)
      #expect(abs(back.totalDistance - 1000) < 1)
    }
    let reach = try routed.engine.isochrone(from: place, seconds: 60)
    #expect(haversineDistance(reach.start, try routed.map.coordinate("B")) < 1)
    #expect(reach.startLastResort == nil)
  }

  @Test("what is covered, or passes through a building, is a way like any other")
  func covered() throws {
    for tags in [
      ["highway": "path", "covered": "yes"], ["highway": "path", "tunnel": "building_passage"],
      ["highway": "path", "tunnel": "no", "bridge": "no"],
    ] {
      let routed = try shore(tags)
      let route = try routed.engine.findRoute(
        from: routed.point("B", north: 70), to: routed.map.coordinate("C"))
      #expect(abs(route.totalDistance - 600) < 1, "\(tags)")
    }
  }

  @Test(
    "a bridge is meant within 15 m", arguments: [(10.0, 600.0), (14, 600), (16, 500), (20, 500)])
  func bridge(metres: Double, length: Double) throws {
    let routed = try shore(["highway": "path", "bridge": "yes"])
    let route = try routed.engine.findRoute(
      from: routed.point("B", north: 100 - metres), to: routed.map.coordinate("C"))
    #expect(abs(route.totalDistance - length) < 1)
  }

  @Test("where nothing else is within reach it is used, and the route says so")
  func nothingElse() throws {
    for (tags, way) in [
      (Self.ferry, LastResortWay.ferry), (["highway": "path", "tunnel": "yes"], .tunnel),
      (["highway": "path", "bridge": "yes"], .bridge),
    ] {
      let routed = try shore(tags)
      let (place, start) = (try routed.point("B", north: 400), try routed.map.coordinate("A"))
      var engine = routed.engine
      engine.nearestNodeSearchRadiusMetres = 350
      let route = try engine.findRoute(from: start, to: place)
      #expect(abs(route.totalDistance - 600) < 1)
      #expect(route.lastResortStops.map(\.index) == [1] && route.lastResortStops[0].way == way)
      let back = try engine.findRoute(from: place, to: start)
      #expect(back.lastResortStops.map(\.index) == [0])
      #expect(try engine.isochrone(from: place, seconds: 60).startLastResort == way)
    }
  }

  @Test("a terminal that a ferry shares with a path is on the path")
  func terminal() throws {
    let routed = try shore(Self.ferry)
    let route = try routed.route("D", "E")
    #expect(route.lastResortStops.isEmpty)
    #expect(
      try routed.engine.findRoute(
        from: routed.point("D", north: 30), to: routed.map.coordinate("A")
      ).letters == "DA")
  }

  @Test("a position, and what else nobody chose, may lie on any")
  func fixes() throws {
    let routed = try shore(Self.ferry)
    var engine = routed.engine
    engine.fixes = [0]
    let place = try routed.point("B", north: 70)
    let route = try engine.findRoute(from: place, to: routed.map.coordinate("C"))
    #expect(abs(route.totalDistance - 600) < 1 && route.lastResortStops.isEmpty)
    // The destination was chosen.
    let back = try engine.findRoute(from: routed.map.coordinate("C"), to: place)
    #expect(abs(back.totalDistance - 500) < 1)
    let reach = try engine.isochrone(from: place, seconds: 60)
    #expect(haversineDistance(reach.start, try routed.map.coordinate("B")) > 90)
  }

  @Test("matrices snap as routes do")
  func matrix() throws {
    let routed = try shore(Self.ferry)
    let graph = try ProfileGraph(
      RoadNetwork(reading: routed.store), profile: "hiking", reading: routed.store)
    let matrix = try RouteMatrix(
      graph, to: [routed.map.coordinate("C"), routed.point("B", north: 70)], measure: .metres)
    let row = try matrix.row(from: try routed.point("B", north: 70))
    #expect(abs((row[0] ?? 0) - 500) < 1 && row[1] == 0)
  }

  @Test("an island is within reach, too: a way that is no last resort comes first")
  func island() throws {
    let routed = try RoutedMap(
      AsciiMap(
        """
        D---------E
        A----B----C
         F
        """, cellMetres: 100,
        ways: [
          .init("DE", tags: ["highway": "path", "tunnel": "yes"]), .init("AB"),
          .init("EC"), .init("BF"),
        ]))
    let place = try routed.point("D", east: 300, north: -20)
    let point = try #require(
      try ProfileGraph(
        RoadNetwork(reading: routed.store), profile: "hiking", reading: routed.store
      ).snapCandidates(to: place, .chosen, radiusMetres: 500).first)
    #expect(abs(point.point.distanceMetres - 80) < 1 && point.point.lastResort == nil)
  }

  @Test("a database of nothing but core tables knows its ferries")
  func plain() throws {
    let folder = try TemporaryFolder()
    let points = EdgeGeometry.pack([]).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let line = "x'\(points.joined())'"
    func edge(_ from: Int, _ to: Int, _ highway: String) -> String {
      """
      INSERT INTO routing_edges(from_node, to_node, distance, highway_type, cost, reverse_cost,
        is_oneway, geometry) VALUES (\(from), \(to), 760, '\(highway)', 760, 760, 0, \(line))
      """
    }
    let store = RoutingStore(
      path: try plainDatabase(
        in: folder,
        filledBy: [
          "INSERT INTO routing_nodes VALUES (1, 47, 10, NULL), (2, 47, 10.01, NULL)",
          "INSERT INTO routing_nodes VALUES (3, 47.001, 10, NULL), (4, 47.001, 10.01, NULL)",
          edge(1, 2, "path"), edge(3, 4, "ferry"),
        ]))
    try store.open()
    let engine = try BothEngines(store)
    let route = try engine.findRoute(
      from: Coordinate(latitude: 47.0009, longitude: 10.005),
      to: Coordinate(latitude: 47, longitude: 10.01))
    #expect(route.edges.map(\.highwayType) == ["path"])
  }
}
