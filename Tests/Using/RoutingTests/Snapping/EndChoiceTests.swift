// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("The points of a route are snapped together")
struct EndChoiceTests {
  /// A road from A to B, and 20 m beside it a path from C to D, 200 m long, that nothing joins.
  private func cutOff() throws -> RoutedMap {
    try RoutedMap(
      AsciiMap(
        """
        A-------------------B
        C---------D
        """, cellMetres: 20, ways: [.init("AB", tags: ["highway": "track"]), .init("CD")]))
  }

  private func off(_ route: ComputedRoute, _ points: [Coordinate]) throws -> [Double] {
    let ends = [try #require(route.nodes.first), try #require(route.nodes.last)]
    return zip(points, ends).map { haversineDistance($0, $1.coordinate) }
  }

  @Test("a path cut off from a road leads from its one end to its other one, in both directions")
  func alongIsland() throws {
    let routed = try cutOff()
    #expect(try routed.nodes("C", "D") == "CD")
    #expect(try routed.nodes("D", "C") == "DC")
    let ends = [try routed.point("C", east: 30, north: -4), try routed.point("D", east: -30)]
    let inside = try routed.engine.findRoute(from: ends[0], to: ends[1])
    #expect(inside.letters == ".." && abs(inside.totalDistance - 140) < 0.5)
  }

  @Test("a route from a path that is cut off begins on the road beside it, and so it ends there")
  func fromIsland() throws {
    let routed = try cutOff()
    for (from, to, letters) in [("C", "B", "AB"), ("B", "C", "BA"), ("D", "B", ".B")] {
      let points = try [from, to].map { try routed.map.coordinate(Character($0)) }
      let route = try routed.route(Character(from), Character(to))
      #expect(route.letters == letters)
      #expect(abs(try off(route, points).reduce(0, +) - 20) < 0.5)
    }
  }

  @Test("a via point on a path that is cut off is passed on the road, unless the route stays there")
  func viaOnIsland() throws {
    let routed = try cutOff()
    let passing = try routed.route("A", "B", via: "D")
    #expect(passing.letters == "A.B" && passing.viaNodes == [1])
    let middle = try routed.point("C", east: 100)
    let (c, d) = (try routed.map.coordinate("C"), try routed.map.coordinate("D"))
    let staying = try routed.engine.findRoute(from: c, to: d, via: [middle])
    #expect(staying.letters == "C.D" && staying.viaNodes == [1])
    // The route leaves the island in the end, so it never begins there.
    let leaving = try routed.engine.findRoute(
      from: c, to: routed.map.coordinate("B"), via: [middle, d])
    #expect(leaving.letters == "A..B" && leaving.viaNodes == [1, 2])
  }

  @Test("a point between two networks is snapped to the one that the other point lies on")
  func betweenNetworks() throws {
    let map = AsciiMap(
      """
      A-------------------B



      C---------D
      """, cellMetres: 20, ways: [.init("AB"), .init("CD")])
    let routed = try RoutedMap(map)
    let between = try routed.point("C", east: 100, north: 30)
    let onNetwork = try routed.engine.findRoute(from: between, to: routed.point("B"))
    #expect(onNetwork.letters == ".B")
    #expect(abs(try off(onNetwork, [between, routed.point("B")])[0] - 50) < 0.5)
    let onIsland = try routed.engine.findRoute(from: between, to: routed.point("D"))
    #expect(onIsland.letters == ".D")
    #expect(abs(try off(onIsland, [between, routed.point("D")])[0] - 30) < 0.5)
    // Off both of them: the island, though a little further away, is the way there.
    let other = try routed.point("C", east: 180, north: 45)
    let near = try routed.point("C", east: 20, north: 25)
    #expect(try routed.engine.findRoute(from: near, to: other).letters == "..")
  }

  @Test("behind a locked gate a route begins in front of it, and within the fence it stays there")
  func lockedGate() throws {
    let map = AsciiMap(
      "A---G---B---C", cellMetres: 50,
      ways: [.init("AG", tags: ["highway": "track"]), .init("GBC", tags: ["highway": "track"])],
      nodeTags: ["G": ["barrier": "gate", "access": "private", "locked": "yes"]])
    // The longer half is the network, so the yard is that of A.
    let routed = try RoutedMap(map)
    let points = [try routed.point("A", east: 120), try routed.map.coordinate("C")]
    let out = try routed.engine.findRoute(from: points[0], to: points[1])
    #expect(out.nodes.first?.coordinate == (try routed.map.coordinate("G")))
    #expect(abs(try off(out, points)[0] - 80) < 1 && abs(out.totalDistance - 400) < 1)
    let deep = try routed.point("A", east: 20)
    #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: deep, to: points[1]) }
    let inside = try routed.engine.findRoute(from: deep, to: routed.point("A", east: 170))
    #expect(abs(inside.totalDistance - 150) < 1 && inside.letters == "..")
  }

  @Test("rather than walking further than to the other point, a request finds no route")
  func tooFar() throws {
    // The network leads back below the yard from A to the gate.
    let map = AsciiMap(
      """
      A---G
          |
      C---B
      """, cellMetres: 50,
      ways: [.init("AG", tags: ["highway": "track"]), .init("GBC", tags: ["highway": "track"])],
      nodeTags: ["G": ["barrier": "gate", "access": "private", "locked": "yes"]])
    let routed = try RoutedMap(map)
    let from = try routed.point("A", east: 80)
    let route = try routed.engine.findRoute(from: from, to: routed.point("C"))
    #expect(abs(route.totalDistance - 80) < 1, "the start is 100 m off, C 128 m")
    let beside = try routed.point("C", east: 80, north: 30)
    #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: from, to: beside) }
    let graph = try ProfileGraph(
      RoadNetwork(reading: routed.store), profile: "hiking", reading: routed.store)
    let points = [beside, try routed.map.coordinate("C")]
    let matrix = try RouteMatrix(graph, to: points, measure: .metres)
    let row = try matrix.row(from: from)
    #expect(row[0] == nil && abs((row[1] ?? .nan) - 80) < 1, "a matrix agrees")
  }

  @Test("where neither end has a route, the island's side of the other one is tried")
  func triedAgain() throws {
    // B and C are too far from the road for anything but the island, which ends 90 m south of F.
    let map = AsciiMap(
      """
      A---E
      |
      F

      C
      |
      |
      |
      |
      |
      |
      B
      """, cellMetres: 45, ways: [.init("AE"), .init("AF"), .init("CB")])
    var routed = try RoutedMap(map)
    routed.engine.nearestNodeSearchRadiusMetres = 300
    let route = try routed.route("F", "B")
    #expect(route.letters == "CB" && abs(route.totalDistance - 315) < 1)
    #expect(
      abs(try off(route, [routed.map.coordinate("F"), routed.map.coordinate("B")])[0] - 90) < 1)
  }

  @Test("a strict request is not evaded by moving its points")
  func strict() throws {
    let map = AsciiMap(
      "A---B---C", cellMetres: 50,
      ways: [
        .init("AB"), .init("BC", tags: ["highway": "path", "sac_scale": "alpine_hiking"]),
      ])
    let routed = try RoutedMap(map)
    var preferences = RoutingPreferences()
    preferences.maximumSACGrade = .t2
    preferences.isStrict = true
    let inside = try routed.point("B", east: 100)
    #expect(throws: RoutingError.self) {
      try routed.engine.findRoute(
        from: routed.map.coordinate("A"), to: inside, preferences: preferences)
    }
  }

  @Test("a route that avoids edges has the ends of the one that does not")
  func avoidedEdges() throws {
    let routed = try cutOff()
    let (c, d) = (try routed.map.coordinate("C"), try routed.map.coordinate("D"))
    let edge = try #require(try routed.route("C", "D").edges.first)
    #expect(throws: RoutingError.self) {
      try routed.engine.findRoute(
        from: c, to: d, profile: "hiking", avoidedEdges: [edge.id])
    }
  }

  @Test("a database that does not know its islands has every point on its nearest edge")
  func coreTables() throws {
    let routed = try cutOff()
    try changeDatabase(
      routed.store.path, ["DROP TABLE routing_islands", "DROP TABLE routing_components"])
    routed.store.close()
    try routed.store.open()
    let engine = RoutingEngine(store: routed.store)
    let (c, b) = (try routed.map.coordinate("C"), try routed.map.coordinate("B"))
    #expect(throws: RoutingError.self) { try engine.findRoute(from: c, to: b) }
  }

  @Test("a matrix chooses the ends of each pair by itself")
  func matrix() throws {
    let routed = try cutOff()
    let graph = try ProfileGraph(
      RoadNetwork(reading: routed.store), profile: "hiking", reading: routed.store)
    let points = try "BCD".map { try routed.map.coordinate($0) }
    let matrix = try RouteMatrix(graph, to: points, measure: .metres)
    for (start, expected) in zip(points, [[0, 400, 200], [400, 0, 200], [200, 200, 0.0]]) {
      let row = try matrix.row(from: start)
      #expect(zip(row, expected).allSatisfy { abs(($0 ?? .nan) - $1) < 0.5 }, "\(row)")
    }
  }

  @Test("alternatives have the ends of the best route")
  func alternatives() throws {
    // An island with two ways from C to D, beside a road.
    let map = AsciiMap(
      """
      A-----------------------------------B
      C-------------------D
      |                   |
      |                   |
      E-------------------F
      """, cellMetres: 20,
      ways: [.init("AB"), .init("CD"), .init("CE"), .init("EF"), .init("FD")])
    let routed = try RoutedMap(map)
    for engine in [routed.engine.paged, routed.engine.memory] {
      let routes = try engine.findAlternatives(
        from: map.coordinate("C"), to: map.coordinate("D"), count: 2)
      #expect(routes.map(\.letters) == ["CD", "CEFD"])
    }
  }
}
