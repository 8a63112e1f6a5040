// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes that begin or end inside an edge")
struct EdgeSnappingTests {
  @Test("a route enters an edge at its start point and leaves it at its end point")
  func inside() throws {
    let routed = try RoutedMap("A---B---C---D", "AB", "BC", "CD")
    let (start, end) = (
      try routed.point("A", east: 100, north: 30), try routed.point("C", east: 100, north: -20)
    )
    let route = try routed.engine.findRoute(from: start, to: end)
    #expect(route.letters == ".BC.")
    #expect(abs(route.totalDistance - 1000 * 0.8) < 0.2, "300 + 400 + 100 m")
    #expect(route.edges.map { $0.part != nil } == [true, false, true])
    let first = try #require(route.coordinates.first)
    #expect(abs(haversineDistance(first, start) - 30) < 0.1)
    #expect(abs(haversineDistance(try #require(route.coordinates.last), end) - 20) < 0.1)
    let back = try routed.engine.findRoute(from: end, to: start)
    #expect(back.letters == ".CB.")
    #expect(back.coordinates == route.coordinates.reversed())
    #expect(abs(back.totalDistance - route.totalDistance) < 1e-9)
  }

  @Test("the middle of an edge is found although its ends are beyond the radius")
  func longEdge() throws {
    let drawing = "A-----------------------B"
    let routed = try RoutedMap(drawing, "AB")
    let start = try routed.point("A", east: 1000, north: 450)
    let end = try routed.point("A", east: 1500, north: -450)
    let route = try routed.engine.findRoute(from: start, to: end)
    #expect(route.letters == "..")
    #expect(abs(route.totalDistance - 500) < 0.5)
  }

  @Test("a route between two points of an edge stays on it, in either direction")
  func sameEdge() throws {
    let routed = try RoutedMap("A-b---C", "AbC")
    let (one, other) = (try routed.point("A", east: 50), try routed.point("A", east: 450))
    let ahead = try routed.engine.findRoute(from: one, to: other)
    #expect(ahead.letters == ".." && ahead.edges.count == 1)
    #expect(!ahead.edges[0].isReversed)
    #expect(abs(ahead.totalDistance - 400) < 0.5)
    #expect(ahead.coordinates.count == 3, "b lies between them")
    let back = try routed.engine.findRoute(from: other, to: one)
    #expect(back.edges[0].isReversed)
    #expect(back.coordinates == ahead.coordinates.reversed())
  }

  @Test("a route leaves an edge and comes back where that is cheaper than staying")
  func around() throws {
    // The edge AB is mud; asphalt beside it joins the same two nodes.
    let map = AsciiMap(
      """
      A-----------B
      C-----------D
      """, cellMetres: 50,
      ways: [
        .init("AB", tags: ["highway": "path", "surface": "mud", "sac_scale": "alpine_hiking"]),
        .init("ACDB", tags: ["highway": "path", "surface": "asphalt"]),
      ])
    let routed = try RoutedMap(map)
    let (one, other) = (try routed.point("A", east: 30), try routed.point("B", east: -30))
    #expect(try routed.engine.findRoute(from: one, to: other).letters == ".AB.")
    let near = try routed.engine.findRoute(from: one, to: try routed.point("A", east: 90))
    #expect(near.letters == "..")
  }

  @Test("a route leaves an edge by whichever end makes it shorter")
  func nearerEnd() throws {
    // The distance to B is 980 m along the winding edge, but only 620 m by A and D.
    let map = AsciiMap(
      """
      A-B-------------C
      | |
      D-E

      x-y
      """, ways: [.init("AxyB"), .init("AD"), .init("DE"), .init("EB"), .init("BC")])
    let routed = try RoutedMap(map)
    let route = try routed.engine.findRoute(
      from: routed.point("A", north: -20), to: routed.point("C"))
    #expect(route.letters == ".ADEBC", "\(route.letters)")
  }

  @Test("a route between the same point twice has no length")
  func samePoint() throws {
    let routed = try RoutedMap("A---B---C", "AB", "BC")
    for point in [try routed.point("A", east: 150, north: 5), try routed.point("B")] {
      let route = try routed.engine.findRoute(from: point, to: point)
      #expect(route.nodes.count == 1 && route.edges.isEmpty && route.coordinates.count == 1)
      #expect(route.totalCost == 0 && route.totalDistance == 0 && route.estimatedDuration == 0)
      let via = try routed.engine.findRoute(from: point, to: point, via: [point])
      #expect(via.nodes.count == 1 && via.viaNodes == [0])
    }
  }

  @Test("a route inside a one-way edge obeys its direction")
  func oneway() throws {
    let oneway = ["highway": "path", "oneway:foot": "yes"]
    let map = AsciiMap(
      """
      A---B
      |   |
      D---C
      """, ways: [.init("AB", tags: oneway), .init("BC"), .init("CD"), .init("DA")])
    let routed = try RoutedMap(map)
    let (one, other) = (try routed.point("A", east: 100), try routed.point("A", east: 300))
    #expect(try routed.engine.findRoute(from: one, to: other).letters == "..")
    #expect(try routed.engine.findRoute(from: other, to: one).letters == ".BCDA.")
    #expect(try routed.engine.findRoute(from: one, to: routed.point("D")).letters == ".BCD")
    #expect(try routed.engine.findRoute(from: routed.point("B"), to: one).letters == "BCDA.")
  }

  @Test("there is no route off a one-way edge without an exit")
  func deadEnd() throws {
    let oneway = ["highway": "path", "oneway:foot": "yes"]
    var routed = try RoutedMap(
      AsciiMap("A---B---C", ways: [.init("AB"), .init("BC", tags: oneway)]))
    routed.engine.nearestNodeSearchRadiusMetres = 150
    let inside = try routed.point("B", east: 200)
    #expect(try routed.engine.findRoute(from: routed.point("A"), to: inside).letters == "AB.")
    #expect(throws: RoutingError.self) {
      try routed.engine.findRoute(from: inside, to: routed.point("A"))
    }
  }

  @Test("a route takes the shorter way round a loop")
  func loop() throws {
    let routed = try RoutedMap("A-B----C\n  |    |\n  E----D", "AB", "BCDEB")
    let near = try routed.point("C", east: 0, north: -1)
    let route = try routed.engine.findRoute(from: routed.point("A"), to: near)
    #expect(route.letters == "AB." && !route.edges[1].isReversed)
    // 200 m to B, then 450 and 200 m over E, or 550 and 200 m over C.
    let other = try routed.engine.findRoute(
      from: routed.point("A"), to: routed.point("D", east: -50))
    #expect(other.letters == "AB." && other.edges[1].isReversed)
    #expect(abs(other.totalDistance - 850) < 1)
    // The distance is 760 m along the edge, and 640 m over B, where the edge begins and ends.
    let within = try routed.engine.findRoute(
      from: routed.point("C", east: -60), to: routed.point("E"))
    #expect(within.letters == ".B." && abs(within.totalDistance - 640) < 1)
    #expect(within.edges.map(\.id) == [2, 2] && within.edges.allSatisfy(\.isReversed))
  }

  @Test("a route begins on the nearer of two parallel edges")
  func parallel() throws {
    let map = AsciiMap("A---B---C\n D-----E", ways: [.init("ADEC"), .init("ABC")])
    let routed = try RoutedMap(map)
    let upper = try routed.engine.findRoute(
      from: routed.point("A", east: 350), to: routed.point("C"))
    let lower = try routed.engine.findRoute(
      from: routed.point("D", east: 250), to: routed.point("C"))
    #expect(upper.edges.map(\.id) == [2] && lower.edges.map(\.id) == [1])
  }

  @Test("a route begins on the near side of a barrier and goes round it")
  func barrier() throws {
    let track = ["highway": "track"]
    let map = AsciiMap(
      """
      A---B---C
      |       |
      D-------E
      """, ways: [.init("ABC", tags: track), .init("AD", tags: track), .init("DEC", tags: track)],
      nodeTags: ["B": ["barrier": "wall"]])
    let routed = try RoutedMap(map)
    let route = try routed.engine.findRoute(
      from: routed.point("B", east: -20), to: routed.point("B", east: 20))
    #expect(route.letters == ".ADC.", "\(route.letters)")
  }

  @Test("snapping prefers the main network to an island that is hardly nearer")
  func island() throws {
    let map = AsciiMap(
      """
      A---B---C

      E---F
      """, cellMetres: 20, ways: [.init("AB"), .init("BC"), .init("EF")])
    let routed = try RoutedMap(map)
    let end = try routed.point("C")
    // The point is 5 m from the island and 35 m from the network.
    let near = try routed.point("E", east: 40, north: 5)
    #expect(try routed.engine.findRoute(from: near, to: end).letters == ".BC")
    let point = try routed.store.nearestPointOnEdge(to: near)
    #expect(try #require(point).edge == 1)
    // The network is out of reach.
    #expect(try routed.store.nearestPointOnEdge(to: near, radiusMetres: 30)?.edge == 3)
  }

  @Test("a point within a metre of a node snaps to the node")
  func atNode() throws {
    let routed = try RoutedMap("A---B---C", "AB", "BC")
    let near = try routed.point("B", east: 0.8, north: 3)
    #expect(try routed.engine.findRoute(from: near, to: routed.point("C")).letters == "BC")
    let beside = try routed.point("B", east: 3, north: 3)
    #expect(try routed.engine.findRoute(from: beside, to: routed.point("C")).letters == ".C")
  }

  @Test("a point that is not on Earth snaps to nothing")
  func offTheEarth() throws {
    let routed = try RoutedMap("A-B", "AB")
    let end = try routed.point("A")
    for point in [
      Coordinate(latitude: .nan, longitude: 10), Coordinate(latitude: 47, longitude: 1e300),
      Coordinate(latitude: -91, longitude: .infinity),
    ] {
      #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: point, to: end) }
    }
  }
}

@Suite("Via points inside edges")
struct ViaInsideTests {
  @Test("a via point inside an edge is passed straight through and cuts the edge in two")
  func through() throws {
    let routed = try RoutedMap("A-------B", "AB")
    let route = try routed.engine.findRoute(
      from: routed.point("A"), to: routed.point("B"), via: [routed.point("A", east: 300)])
    #expect(route.letters == "A.B" && route.viaNodes == [1])
    #expect(abs(route.totalDistance - 800) < 0.5)
    #expect(route.coordinates.count == 3)
  }

  @Test("a via point at a dead end turns the route round without losing a part of it")
  func deadEnd() throws {
    let routed = try RoutedMap("A---B---C\n    |\n    D", "AB", "BC", "BD")
    let turn = try routed.engine.findRoute(
      from: routed.point("A"), to: routed.point("C"), via: [routed.point("D")])
    #expect(turn.letters == "ABDBC" && turn.viaNodes == [2])
    #expect(abs(turn.totalDistance - 1200) < 0.5)
    let inside = try routed.engine.findRoute(
      from: routed.point("A"), to: routed.point("C"), via: [routed.point("D", north: 50)])
    #expect(inside.letters == "AB.BC" && inside.viaNodes == [2])
    #expect(abs(inside.totalDistance - 1100) < 0.5)
    #expect(inside.edges.map(\.id) == [1, 3, 3, 2])
  }

  @Test("via points on the edge of start and end are passed in their order")
  func sameEdge() throws {
    let routed = try RoutedMap("A---------B", "AB")
    let points = try [100, 700, 300].map { try routed.point("A", east: $0) }
    let route = try routed.engine.findRoute(from: points[0], to: points[2], via: [points[1]])
    #expect(route.letters == "..." && abs(route.totalDistance - 1000) < 0.5)
  }
}
