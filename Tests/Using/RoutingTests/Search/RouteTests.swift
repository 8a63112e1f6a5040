// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Which way a route takes")
struct RouteTests {
  @Test("the only way is taken")
  func single() throws {
    #expect(try RoutedMap("A-B-C", "AB", "BC").nodes("A", "C") == "ABC")
    #expect(try RoutedMap("A-B-C", "AB", "BC").nodes("C", "A") == "CBA")
  }

  @Test("of two ways on the same ground and level the shorter one is taken")
  func shorter() throws {
    let drawing = """
      A---B---C
      |       |
      D---E---F
      """
    #expect(try RoutedMap(drawing, "AB", "BC", "AD", "DE", "EF", "FC").nodes("A", "C") == "ABC")
  }

  @Test("a longer way is taken where it costs less")
  func cheaper() throws {
    let map = AsciiMap(
      """
      A---B---C
      |       |
      D-------F
      """,
      ways: [
        .init("AB", tags: ["highway": "path", "surface": "mud"]),
        .init("BC", tags: ["highway": "path", "surface": "mud"]),
        .init("AD", tags: ["highway": "path", "surface": "asphalt"]),
        .init("DF", tags: ["highway": "path", "surface": "asphalt"]),
        .init("FC", tags: ["highway": "path", "surface": "asphalt"]),
      ])
    let routed = try RoutedMap(map)
    let route = try routed.route("A", "C")
    #expect(route.letters == "ADFC")
    #expect(abs(route.totalDistance - 1200) < 0.1)
    #expect(abs(route.totalCost - 1200) < 0.1)
  }

  @Test("a route leads around a summit and not over it, by the costs of its direction")
  func summit() throws {
    let map = AsciiMap(
      """
      A-B-C
      |   |
      D---E
      """, ways: [.init("AB"), .init("BC"), .init("AD"), .init("DE"), .init("EC")],
      elevations: ["A": 500, "B": 700, "C": 500, "D": 500, "E": 500])
    #expect(try RoutedMap(map).nodes("A", "C") == "ADEC")
  }

  @Test("one-way streets bind cyclists and not walkers")
  func oneway() throws {
    let street = ["highway": "residential", "oneway": "yes"]
    let map = AsciiMap(
      """
      A---B
      |   |
      D---C
      """,
      ways: [
        .init("AB", tags: street), .init("BC", tags: street), .init("CD", tags: street),
        .init("DA", tags: street),
      ])
    let routed = try RoutedMap(map)
    #expect(try routed.nodes("A", "B", mode: .cycling) == "AB")
    #expect(try routed.nodes("B", "A", mode: .cycling) == "BCDA")
    #expect(try routed.nodes("B", "A", mode: .hiking) == "BA")
  }

  @Test("a street that is one-way against its drawing leads that way")
  func onewayBackward() throws {
    let map = AsciiMap(
      "A-B\n|  |\nD--C",
      ways: [
        .init("AB", tags: ["highway": "residential", "oneway": "-1"]), .init("BC"), .init("CD"),
        .init("DA"),
      ])
    let routed = try RoutedMap(map)
    #expect(try routed.nodes("B", "A", mode: .cycling) == "BA")
    #expect(try routed.nodes("A", "B", mode: .cycling) == "ADCB")
  }

  @Test("only walkers use steps")
  func steps() throws {
    let map = AsciiMap(
      """
      A-B
      | |
      D-C
      """,
      ways: [
        .init("AB", tags: ["highway": "steps"]), .init("BC"), .init("CD"), .init("DA"),
      ])
    let routed = try RoutedMap(map)
    #expect(try routed.nodes("A", "B") == "AB")
    #expect(try routed.nodes("A", "B", mode: .cycling) == "ADCB")
  }

  @Test("a route avoids private land, via ferratas and impassable grades")
  func impassable() throws {
    for tags in [["access": "private"], ["via_ferrata_scale": "2"], ["foot": "no"]] {
      let map = AsciiMap(
        "A-B\n| |\nD-C",
        ways: [
          .init("AB", tags: tags.merging(["highway": "path"]) { $1 }), .init("BC"), .init("CD"),
          .init("DA"),
        ])
      #expect(try RoutedMap(map).nodes("A", "B") == "ADCB", "\(tags)")
    }
  }

  @Test("of parallel edges the cheaper one is taken, with its own geometry")
  func parallelEdges() throws {
    let map = AsciiMap(
      """
      A---B---C
       D-----E
      """,
      ways: [
        .init("ADEC", tags: ["highway": "path", "surface": "sand"]),
        .init("ABC", tags: ["highway": "path", "surface": "asphalt"]),
      ])
    let route = try RoutedMap(map).route("A", "C")
    #expect(route.letters == "AC")
    #expect(route.edges.map(\.id) == [2])
    #expect(route.coordinates.count == 3)
  }

  @Test("a loop is never part of a route")
  func loop() throws {
    let routed = try RoutedMap("A-B-C\n  E-D", "AB", "BDEB", "BC")
    #expect(try routed.nodes("A", "C") == "ABC")
  }

  @Test("of two ways of the same cost the same one is always taken")
  func ties() throws {
    let routed = try RoutedMap("A-B\n| |\nD-C", "AB", "BC", "AD", "DC")
    let first = try routed.route("A", "C")
    for _ in 0..<5 { #expect(try routed.route("A", "C") == first) }
  }
}

@Suite("Where a route begins and ends")
struct SnappingTests {
  private let routed: RoutedMap

  init() throws { routed = try RoutedMap("A-B-C    D-E", "AB", "BC", "DE") }

  private func beside(_ letter: Character, metresNorth: Double) throws -> Coordinate {
    var point = try routed.map.coordinate(letter)
    point.latitude += metresNorth / (earthRadiusMetres * .pi / 180)
    return point
  }

  @Test("a route begins and ends at the nodes nearest to the requested points")
  func nearest() throws {
    let route = try routed.engine.findRoute(
      from: beside("A", metresNorth: 80), to: beside("C", metresNorth: -80))
    #expect(route.letters == "ABC")
    #expect(try route.coordinates.first == routed.map.coordinate("A"))
    #expect(try route.coordinates.last == routed.map.coordinate("C"))
  }

  @Test("a point without a node within the radius is an error")
  func tooFar() throws {
    let point = try beside("A", metresNorth: 501)
    #expect(throws: RoutingError.noNearbyNode(point, radiusMetres: 500)) {
      try routed.engine.findRoute(from: point, to: routed.map.coordinate("C"))
    }
    var engine = routed.engine
    engine.nearestNodeSearchRadiusMetres = 600
    #expect(try engine.findRoute(from: point, to: routed.map.coordinate("C")).letters == "ABC")
  }

  @Test("a route does not lead from one island to another")
  func island() throws {
    do {
      _ = try routed.route("A", "E")
      Issue.record("there is no bridge from C to D")
    } catch let error as RoutingError {
      guard case .noRouteFound(let explored, let closest, _) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(explored == 3)
      #expect(abs(closest - 700) < 0.1)
      #expect(
        error.description
          == "no route: the nearest of 3 reachable nodes is 700 m from the destination"
      )
    }
  }

  @Test("a route from a node to itself is that node alone")
  func sameNode() throws {
    let route = try routed.route("B", "B")
    #expect(route.letters == "B")
    #expect(route.edges.isEmpty)
    #expect(try route.coordinates == [routed.map.coordinate("B")])
    #expect(route.totalDistance == 0 && route.totalCost == 0 && route.estimatedDuration == 0)
  }

  @Test("a route may end at the end of a one-way street that nothing leads away from")
  func endOfOneway() throws {
    let map = AsciiMap(
      "A-B-C", cellMetres: 300,
      ways: [.init("AB"), .init("BC", tags: ["highway": "path", "oneway:foot": "yes"])])
    let routed = try RoutedMap(map)
    #expect(try routed.nodes("A", "C") == "ABC")
    #expect(throws: RoutingError.self) { try routed.route("C", "A") }
  }

  @Test("a node that no passable way touches is ignored")
  func passable() throws {
    let map = AsciiMap(
      "A-B-C", ways: [.init("AB"), .init("BC", tags: ["highway": "path", "access": "private"])])
    #expect(try RoutedMap(map).nodes("A", "C") == "AB")
  }
}

@Suite("Via points")
struct ViaTests {
  private let drawing = """
    A-B-C         X-Y
      |
      D
    """

  private func routed() throws -> RoutedMap {
    try RoutedMap(drawing, "AB", "BC", "BD", "XY")
  }

  @Test("via points are passed in their order")
  func order() throws {
    #expect(try routed().nodes("A", "C", via: "D") == "ABDBC")
    #expect(try routed().nodes("A", "D", via: "CA") == "ABCBABD")
  }

  @Test("via points are kept as they were requested")
  func kept() throws {
    let routed = try routed()
    let d = try routed.map.coordinate("D")
    #expect(try routed.route("A", "C", via: "D").viaPoints == [d])
  }

  @Test("a node where two legs of a route meet appears once")
  func noDuplicates() throws {
    let route = try routed().route("A", "C", via: "BB")
    #expect(route.letters == "ABC")
    #expect(route.coordinates.count == 3)
  }

  @Test("an unreachable via point is reported by its index, counted from 0")
  func unreachable() throws {
    let routed = try routed()
    #expect(throws: RoutingError.viaPointNotReachable(index: 0)) {
      try routed.route("A", "C", via: "X")
    }
    #expect(throws: RoutingError.viaPointNotReachable(index: 1)) {
      try routed.route("A", "C", via: "DX")
    }
    #expect(
      RoutingError.viaPointNotReachable(index: 1).description == "no route through via point 2")
  }

  @Test("there is no route where the end cannot be reached from a via point")
  func endUnreachable() throws {
    let routed = try routed()
    do {
      _ = try routed.route("A", "X", via: "D")
      Issue.record("X is an island")
    } catch let error as RoutingError {
      guard case .noRouteFound = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test("a via point far from every node is reported with its coordinate")
  func farAway() throws {
    let point = Coordinate(latitude: 48, longitude: 10)
    let routed = try routed()
    #expect(throws: RoutingError.noNearbyNode(point, radiusMetres: 500)) {
      try routed.engine.findRoute(
        from: routed.map.coordinate("A"), to: routed.map.coordinate("C"), via: [point])
    }
  }
}
