// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import TestSupport
import Testing

@testable import CairnRouting

@Suite("Where the nearest way cannot be reached")
struct CutOffTests {
  private static let wall: [Character: [String: String]] = ["W": ["barrier": "wall"]]

  /// Two paths joined by a wall: 1 km from A to the wall, and 500 m from there to D.
  private func walled() throws -> RoutedMap {
    try RoutedMap(
      AsciiMap(
        "A---B-----W----D", cellMetres: 100, ways: [.init("ABW"), .init("WD")],
        nodeTags: Self.wall))
  }

  private func error(_ find: () throws -> ComputedRoute) throws -> RoutingError {
    do {
      let route = try find()
      throw TestFailure("a route of \(route.totalDistance) m")
    } catch let error as RoutingError { return error }
  }

  private func obstacles(_ error: RoutingError) throws -> [RouteObstacle] {
    switch error {
    case .noRouteFound(_, _, let obstacles), .viaPointNotReachable(_, let obstacles): obstacles
    default: throw TestFailure("\(error)")
    }
  }

  @Test("a destination behind a wall has no route, and the error says what stands between")
  func wall() throws {
    let routed = try walled()
    let node = try #require(AsciiMap.nodeID("W"))
    for (from, to) in [("A", "D"), ("D", "A")] as [(Character, Character)] {
      let error = try error { try routed.route(from, to) }
      #expect(try obstacles(error) == [.barrier(kind: "wall", node: node)])
      #expect(error.description.hasSuffix("; in between: a wall, node \(node)"), "\(error)")
      #expect(error.failureReason?.hasSuffix("In between: a wall, node \(node).") == true)
    }
  }

  @Test(
    "a route ends on another way at most 100 m from the destination, and says so",
    arguments: [1.0, 60, 99])
  func near(metres: Double) throws {
    let routed = try walled()
    let place = try routed.point("W", east: metres)
    let start = try routed.map.coordinate("A")
    for isBack in [false, true] {
      let route = try routed.engine.findRoute(
        from: isBack ? place : start, to: isBack ? start : place)
      #expect(abs(route.totalDistance - 1000) < 0.5 && route.letters.contains("W"))
      guard metres > EdgePoint.nodeRadiusMetres else { continue }
      let stop = try #require(route.cutOffStops.first)
      #expect(route.cutOffStops.count == 1 && stop.index == (isBack ? 0 : 1))
      #expect(abs(stop.distanceMetres - metres) < 0.5)
    }
  }

  @Test("further away, or beyond the radius, there is none")
  func far() throws {
    var routed = try walled()
    let start = try routed.map.coordinate("A")
    let far = try routed.point("W", east: 101)
    #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: start, to: far) }
    #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: far, to: start) }
    routed.engine.nearestNodeSearchRadiusMetres = 50
    let near = try routed.point("W", east: 60)
    #expect(throws: RoutingError.self) { try routed.engine.findRoute(from: start, to: near) }
  }

  @Test("a point far from every way ends on the nearest one, as before")
  func offNetwork() throws {
    let routed = try walled()
    let place = try routed.point("B", north: 480)
    let route = try routed.engine.findRoute(from: routed.map.coordinate("A"), to: place)
    #expect(abs(route.totalDistance - 400) < 0.5 && route.cutOffStops.isEmpty)
  }

  @Test("ways that are closed, and those of the other direction, are named in their order")
  func closedWays() throws {
    let map = AsciiMap(
      "A---B---C---D---E", cellMetres: 100,
      ways: [
        .init("AB"), .init("BC", id: 71, tags: ["highway": "track", "access": "no"]), .init("CD"),
        .init("ED", id: 72, tags: ["highway": "residential", "oneway": "yes"]),
      ])
    let routed = try RoutedMap(map)
    let closed = RouteObstacle.closedWay(71, .hiking)
    for (from, to) in [("A", "E"), ("E", "A")] as [(Character, Character)] {
      let error = try error { try routed.route(from, to) }
      #expect(try obstacles(error) == [closed])
      #expect(error.description.contains("way 71 is closed to walkers"))
    }
    let riding = try error { try routed.route("A", "E", mode: .cycling) }
    #expect(
      try obstacles(riding) == [.closedWay(71, .cycling), .otherDirection(72, .cycling)])
    #expect(
      riding.description.hasSuffix(
        "way 71 is closed to cyclists; way 72 is open to cyclists in the other direction only"))
  }

  @Test("what encloses the start is known however far away the destination is")
  func enclosedStart() throws {
    // A and B are one island, C another one; behind the wall there are more junctions than the search
    // from the destination looks at.
    var map = AsciiMap(
      "A---B---C---W---D", cellMetres: 30,
      ways: [
        .init("AB"), .init("BC", id: 71, tags: ["highway": "track", "access": "no"]), .init("CW"),
        .init("WD"),
      ], nodeTags: Self.wall)
    map.lattice = .init(at: "D", side: 46)
    let routed = try RoutedMap(map, profiles: ["hiking"])
    let start = try routed.map.coordinate("A")
    let wall = RouteObstacle.barrier(kind: "wall", node: try #require(AsciiMap.nodeID("W")))
    for cells in [1.0, 45] {
      let goal = try routed.point("D", east: cells * 30, north: cells * -30)
      let there = try error { try routed.engine.findRoute(from: start, to: goal) }
      #expect(try obstacles(there) == [.closedWay(71, .hiking), wall])
      let via = try error { try routed.engine.findRoute(from: start, to: start, via: [goal]) }
      #expect(try obstacles(via) == [.closedWay(71, .hiking), wall])
      // On the way back the search from the destination comes to the start's network.
      let back = try error { try routed.engine.findRoute(from: goal, to: start) }
      #expect(try obstacles(back) == [wall, .closedWay(71, .hiking)])
    }
  }

  @Test("a via point behind a wall is named with what stands before it")
  func via() throws {
    let routed = try walled()
    let error = try error { try routed.route("A", "B", via: "D") }
    guard case .viaPointNotReachable(0, let obstacles) = error else {
      throw TestFailure("\(error)")
    }
    #expect(obstacles.map(\.description) == ["a wall, node \(AsciiMap.nodeID("W") ?? 0)"])
  }

  @Test("a via point beside the wall is passed in front of it")
  func passedVia() throws {
    let routed = try walled()
    let (start, end) = (try routed.map.coordinate("A"), try routed.map.coordinate("B"))
    let route = try routed.engine.findRoute(
      from: start, to: end, via: [routed.point("W", east: 80)])
    #expect(route.cutOffStops.map(\.index) == [1] && abs(route.totalDistance - 1600) < 1)
  }

  @Test("what stands between is not known across a gap, and for what a strict request forbids")
  func unknown() throws {
    let gap = try RoutedMap("A---B      C---D", "AB", "CD")
    #expect(try obstacles(error { try gap.route("A", "D") }).isEmpty)
    var preferences = RoutingPreferences()
    preferences.avoidsSteps = true
    preferences.isStrict = true
    let steps = try RoutedMap(
      AsciiMap(
        "A---B---C---D", cellMetres: 100,
        ways: [.init("AB"), .init("BC", tags: ["highway": "steps"]), .init("CD")]))
    let strict = try error { try steps.route("A", "D", preferences: preferences) }
    #expect(try obstacles(strict).isEmpty)
  }

  @Test("each cell of a matrix is as long as the route, and each row says how far off it begins")
  func matrix() throws {
    let routed = try walled()
    let points = try [-900.0, -180, -70, 0, 60, 95, 130, 480].map {
      try routed.point("W", east: $0)
    }
    let graph = try ProfileGraph(
      RoadNetwork(reading: routed.store), profile: "hiking", reading: routed.store)
    let matrix = try RouteMatrix(graph, to: points, measure: .metres)
    for start in points {
      let row = try matrix.cells(from: start)
      var off = 0.0
      for (end, cell) in zip(points, row.values) {
        guard let route = try? routed.engine.findRoute(from: start, to: end) else {
          #expect(cell == nil, "\(start) \(end)")
          continue
        }
        #expect(abs((cell ?? .nan) - route.totalDistance) < 0.5, "\(start) \(end)")
        off = max(off, haversineDistance(start, try #require(route.nodes.first).coordinate))
      }
      #expect(abs((row.offNetworkMetres ?? .nan) - off) < 0.5, "\(start)")
    }
    let sea = Coordinate(latitude: 0, longitude: 0)
    #expect(try matrix.cells(from: sea).offNetworkMetres == nil)
  }

  @Test("an isochrone and a round trip begin at most 100 m from the way that is cut off")
  func onePoint() throws {
    // A ring, and 60 m below it a path that is cut off.
    let map = AsciiMap(
      """
      A-----B
      |     |
      |     |
      |     |
      C-----D

      E-F
      """, cellMetres: 30, ways: [.init("ABDCA"), .init("EF")])
    let routed = try RoutedMap(map)
    let expected = [(25.0, 35.0, true), (-5, 5, false), (-38, 98, true), (-42, 42, false)]
    for (north, metres, isCutOff) in expected {
      let start = try routed.point("E", north: north)
      for engine in [routed.engine.paged, routed.engine.memory] {
        let reached = try engine.isochrones(from: start, limitsSeconds: [60])[0]
        #expect(abs(haversineDistance(start, reached.start) - metres) < 0.5)
        #expect(reached.startIsCutOff == isCutOff)
        let trip = try #require(try engine.roundTrips(from: start, lengthMetres: 600).first)
        #expect(trip.route.cutOffStops.map(\.index) == (isCutOff ? [0] : []))
      }
    }
  }

  @Test("alternatives, and routes that avoid edges, say so, too")
  func otherRoutes() throws {
    let map = AsciiMap(
      """
      A-----B-----W--D
      |     |
      C-----E
      """, cellMetres: 100, ways: [.init("ABW"), .init("ACEB"), .init("WD")],
      nodeTags: Self.wall)
    let routed = try RoutedMap(map)
    let (start, place) = (try routed.map.coordinate("A"), try routed.point("W", east: 70))
    for engine in [routed.engine.paged, routed.engine.memory] {
      let routes = try engine.findAlternatives(from: start, to: place, count: 2)
      #expect(routes.allSatisfy { $0.cutOffStops.map(\.index) == [1] })
    }
    let edge = try #require(try routed.route("A", "B").edges.first)
    let around = try routed.engine.findRoute(
      from: start, to: place, profile: "hiking", avoidedEdges: [edge.id])
    #expect(around.cutOffStops.map(\.index) == [1] && abs(around.totalDistance - 1600) < 1)
  }

  @Test("kinds of barriers come back from their text, and what is no plain word does not")
  func kinds() {
    var kinds = BarrierKinds()
    kinds[101] = "wall"
    kinds[3 << 40 | 7] = "lift_gate"
    kinds[9] = "a;b=\"\n"
    kinds[8] = ""
    #expect(kinds.text == "lift_gate=7;wall=101")
    #expect(BarrierKinds(kinds.text) == kinds && BarrierKinds("x;=1;gate=;Wall=2;=") == .init())
    #expect(kinds[1 << 40 | 101] == "wall" && kinds[9] == nil)
    #expect(RouteObstacle.barrier(kind: "lift_gate", node: 7).description == "a lift gate, node 7")
    #expect(RouteObstacle.barrier(kind: "entrance", node: 7).description == "an entrance, node 7")
    #expect(RouteObstacle.barrier(kind: nil, node: 7).description == "a barrier, node 7")
  }
}
