// SPDX-License-Identifier: Apache-2.0
import Geodesy
import Routing
import RoutingDatabase
import TestSupport
import Testing

@Suite("Routes that begin or end inside an edge")
struct EdgeSnappingTests {
  @Test("a route enters an edge at its start point and leaves it at its end point")
  func inside() throws {
    let routed = try RoutedMap("A---B---C---D", "AB", "BC", "CD")
    let (start, end) = (
      try routed.place("A", east: 100, north: 30), try routed.place("C", east: 100, north: -20)
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
    let start = try routed.place("A", east: 1000, north: 450)
    let end = try routed.place("A", east: 1500, north: -450)
    let route = try routed.engine.findRoute(from: start, to: end)
    #expect(route.letters == "..")
    #expect(abs(route.totalDistance - 500) < 0.5)
  }

  @Test("a route between two points of an edge stays on it, in either direction")
  func sameEdge() throws {
    let routed = try RoutedMap("A-b---C", "AbC")
    let (one, other) = (try routed.place("A", east: 50), try routed.place("A", east: 450))
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
    // The edge AB is all mud; the asphalt beside it has both ends in common.
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
    let (one, other) = (try routed.place("A", east: 30), try routed.place("B", east: -30))
    #expect(try routed.engine.findRoute(from: one, to: other).letters == ".AB.")
    let near = try routed.engine.findRoute(from: one, to: try routed.place("A", east: 90))
    #expect(near.letters == "..")
  }

  @Test("a route leaves an edge by whichever end makes it shorter")
  func nearerEnd() throws {
    // To B it is 980 m along the winding edge, by A and D only 620 m.
    let map = AsciiMap(
      """
      A-B-------------C
      | |
      D-E

      x-y
      """, ways: [.init("AxyB"), .init("AD"), .init("DE"), .init("EB"), .init("BC")])
    let routed = try RoutedMap(map)
    let route = try routed.engine.findRoute(
      from: routed.place("A", north: -20), to: routed.place("C"))
    #expect(route.letters == ".ADEBC", "\(route.letters)")
  }

  @Test("a route between the same point twice has no length")
  func samePlace() throws {
    let routed = try RoutedMap("A---B---C", "AB", "BC")
    for place in [try routed.place("A", east: 150, north: 5), try routed.place("B")] {
      let route = try routed.engine.findRoute(from: place, to: place)
      #expect(route.nodes.count == 1 && route.edges.isEmpty && route.coordinates.count == 1)
      #expect(route.totalCost == 0 && route.totalDistance == 0 && route.estimatedDuration == 0)
      let via = try routed.engine.findRoute(from: place, to: place, via: [place])
      #expect(via.nodes.count == 1 && via.viaNodes == [0])
    }
  }

  @Test("a one-way edge binds a route inside it")
  func oneway() throws {
    let oneway = ["highway": "path", "oneway:foot": "yes"]
    let map = AsciiMap(
      """
      A---B
      |   |
      D---C
      """, ways: [.init("AB", tags: oneway), .init("BC"), .init("CD"), .init("DA")])
    let routed = try RoutedMap(map)
    let (one, other) = (try routed.place("A", east: 100), try routed.place("A", east: 300))
    #expect(try routed.engine.findRoute(from: one, to: other).letters == "..")
    #expect(try routed.engine.findRoute(from: other, to: one).letters == ".BCDA.")
    #expect(try routed.engine.findRoute(from: one, to: routed.place("D")).letters == ".BCD")
    #expect(try routed.engine.findRoute(from: routed.place("B"), to: one).letters == "BCDA.")
  }

  @Test("there is no route off a one-way edge without an exit")
  func deadEnd() throws {
    let oneway = ["highway": "path", "oneway:foot": "yes"]
    let routed = try RoutedMap(
      AsciiMap("A---B---C", ways: [.init("AB"), .init("BC", tags: oneway)]))
    let inside = try routed.place("B", east: 200)
    #expect(try routed.engine.findRoute(from: routed.place("A"), to: inside).letters == "AB.")
    #expect(throws: RoutingError.self) {
      try routed.engine.findRoute(from: inside, to: routed.place("A"))
    }
  }

  @Test("a route takes the shorter way round a loop")
  func loop() throws {
    let routed = try RoutedMap("A-B----C\n  |    |\n  E----D", "AB", "BCDEB")
    let near = try routed.place("C", east: 0, north: -1)
    let route = try routed.engine.findRoute(from: routed.place("A"), to: near)
    #expect(route.letters == "AB." && !route.edges[1].isReversed)
    // 200 m to B, then 450 and 200 m over E, or 550 and 200 m over C.
    let other = try routed.engine.findRoute(
      from: routed.place("A"), to: routed.place("D", east: -50))
    #expect(other.letters == "AB." && other.edges[1].isReversed)
    #expect(abs(other.totalDistance - 850) < 1)
    // Along the edge it is 760 m, over B, where it begins and ends, 640 m.
    let within = try routed.engine.findRoute(
      from: routed.place("C", east: -60), to: routed.place("E"))
    #expect(within.letters == ".B." && abs(within.totalDistance - 640) < 1)
    #expect(within.edges.map(\.id) == [2, 2] && within.edges.allSatisfy(\.isReversed))
  }

  @Test("a route begins on the nearer of two parallel edges")
  func parallel() throws {
    let map = AsciiMap("A---B---C\n D-----E", ways: [.init("ADEC"), .init("ABC")])
    let routed = try RoutedMap(map)
    let upper = try routed.engine.findRoute(
      from: routed.place("A", east: 350), to: routed.place("C"))
    let lower = try routed.engine.findRoute(
      from: routed.place("D", east: 250), to: routed.place("C"))
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
      from: routed.place("B", east: -20), to: routed.place("B", east: 20))
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
    let end = try routed.place("C")
    // 5 m off the island and 35 m off the network.
    let near = try routed.place("E", east: 40, north: 5)
    #expect(try routed.engine.findRoute(from: near, to: end).letters == ".BC")
    let point = try routed.store.nearestPointOnEdge(to: near)
    #expect(try #require(point).edge == 1)
    // The network is out of reach.
    #expect(try routed.store.nearestPointOnEdge(to: near, radiusMetres: 30)?.edge == 3)
  }

  @Test("a point within a metre of a node snaps to the node")
  func atNode() throws {
    let routed = try RoutedMap("A---B---C", "AB", "BC")
    let near = try routed.place("B", east: 0.8, north: 3)
    #expect(try routed.engine.findRoute(from: near, to: routed.place("C")).letters == "BC")
    let beside = try routed.place("B", east: 3, north: 3)
    #expect(try routed.engine.findRoute(from: beside, to: routed.place("C")).letters == ".C")
  }

  @Test("a point that is not on Earth snaps to nothing")
  func nowhere() throws {
    let routed = try RoutedMap("A-B", "AB")
    let end = try routed.place("A")
    for place in [
      Coordinate(latitude: .nan, longitude: 10), Coordinate(latitude: 47, longitude: 1e300),
      Coordinate(latitude: -91, longitude: .infinity),
    ] {
      #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: place, to: end) }
    }
  }
}

@Suite("Via points inside edges")
struct ViaInsideTests {
  @Test("a via point inside an edge is passed straight through and cuts the edge in two")
  func through() throws {
    let routed = try RoutedMap("A-------B", "AB")
    let route = try routed.engine.findRoute(
      from: routed.place("A"), to: routed.place("B"), via: [routed.place("A", east: 300)])
    #expect(route.letters == "A.B" && route.viaNodes == [1])
    #expect(abs(route.totalDistance - 800) < 0.5)
    #expect(route.coordinates.count == 3)
  }

  @Test("a via point at a dead end turns the route round without losing a part of it")
  func deadEnd() throws {
    let routed = try RoutedMap("A---B---C\n    |\n    D", "AB", "BC", "BD")
    let turn = try routed.engine.findRoute(
      from: routed.place("A"), to: routed.place("C"), via: [routed.place("D")])
    #expect(turn.letters == "ABDBC" && turn.viaNodes == [2])
    #expect(abs(turn.totalDistance - 1200) < 0.5)
    let inside = try routed.engine.findRoute(
      from: routed.place("A"), to: routed.place("C"), via: [routed.place("D", north: 50)])
    #expect(inside.letters == "AB.BC" && inside.viaNodes == [2])
    #expect(abs(inside.totalDistance - 1100) < 0.5)
    #expect(inside.edges.map(\.id) == [1, 3, 3, 2])
  }

  @Test("via points on the edge of start and end are passed in their order")
  func sameEdge() throws {
    let routed = try RoutedMap("A---------B", "AB")
    let places = try [100, 700, 300].map { try routed.place("A", east: $0) }
    let route = try routed.engine.findRoute(from: places[0], to: places[2], via: [places[1]])
    #expect(route.letters == "..." && abs(route.totalDistance - 1000) < 0.5)
  }
}
