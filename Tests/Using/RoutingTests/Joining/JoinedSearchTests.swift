// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Searches over several databases")
struct JoinedSearchTests {
  /// Two ways from A to H, and side paths; the border lies between D and E.
  private static let map = AsciiMap(
    """
        a       c
        |       |
    A---B---C---D---|---E---F---G---H
    |       |               |       |
    |       e               f       |
    I-----------J---|---K-----------L
    """,
    ways: [
      .init("ABCDEFGH"), .init("Ba"), .init("Dc"), .init("Ce"), .init("Ff"), .init("AIJKLH"),
    ])

  private let joined: JoinedMap

  init() throws {
    joined = try JoinedMap(Self.map, regions: ["ABCDIJace", "EFGHKLf"])
  }

  /// The engines on the whole map and on its regions, from pages and in memory.
  private var engines: [(whole: RoutingEngine, joined: RoutingEngine)] {
    [
      (joined.whole.engine.paged, joined.engine.paged),
      (joined.whole.engine.memory, joined.engine.memory),
    ]
  }

  @Test("alternatives are those of the whole: an edge that both have is no choice")
  func alternatives() throws {
    for engine in engines {
      let lists = try [engine.whole, engine.joined].map {
        try $0.findAlternatives(
          from: Self.map.coordinate("A"), to: Self.map.coordinate("H"), count: 3
        ).map(\.letters)
      }
      #expect(lists[0] == lists[1] && lists[0].count == 2, "\(lists)")
    }
  }

  @Test("an isochrone counts what both have once")
  func isochrones() throws {
    let limits = [300.0, 900, 3000]
    for letter in "DEJf" {
      for engine in engines {
        let lengths = try [engine.whole, engine.joined].map {
          try $0.isochrones(from: Self.map.coordinate(letter), limitsSeconds: limits)
            .map(\.totalDistance)
        }
        for (one, other) in zip(lengths[0], lengths[1]) {
          #expect(abs(one - other) <= 0.01 * one + 1, "\(letter) \(lengths)")
        }
      }
    }
  }

  @Test("a round trip crosses the border")
  func roundTrip() throws {
    for engine in [joined.engine.paged, joined.engine.memory] {
      let trips = try engine.roundTrips(
        from: Self.map.coordinate("D"), lengthMetres: 7000)
      #expect(trips.first.map { Set($0.route.letters).isSuperset(of: "DHA") } ?? false)
    }
  }

  @Test("a matrix has the costs of routes")
  func matrix() throws {
    let points = try "acefIL".map { try Self.map.coordinate($0) }
    let network = try RoadNetwork(reading: joined.store)
    let graph = try ProfileGraph(network, profile: "hiking", reading: joined.store)
    let matrix = try RouteMatrix(graph, to: points, measure: .cost)
    for from in points {
      for (to, cost) in zip(points, try matrix.row(from: from)) {
        let route = try joined.engine.findRoute(from: from, to: to)
        #expect(abs(try #require(cost) - route.totalCost) <= 1e-9 * route.totalCost + 1e-9)
      }
    }
  }

  @Test("a piece of an edge can be avoided")
  func avoidedEdge() throws {
    let from = try Self.map.coordinate("A")
    let to = try Self.map.coordinate("H")
    let plain = try joined.engine.findRoute(from: from, to: to, profile: "hiking")
    #expect(plain.letters == "ABCDFH")
    let middle = try #require(plain.edges.max { $0.distance < $1.distance })
    let other = try joined.engine.findRoute(
      from: from, to: to, profile: "hiking", avoidedEdges: [middle.id])
    #expect(other.edges.allSatisfy { $0.id != middle.id })
    #expect(other.totalDistance > plain.totalDistance)
  }

  @Test("the elevation profile of a route has no gap at the border")
  func elevations() throws {
    let road = try JoinedMap(JoinedRouteTests.road, regions: JoinedRouteTests.sides)
    let route = try road.route("a", "d")
    for engine in [road.engine.paged, road.engine.memory] {
      let profile = try engine.elevationProfile(of: route)
      let known = profile.points.filter {
        (210...1700).contains($0.distanceMetres) && $0.elevationMetres != nil
      }
      #expect(known.count > 30)
    }
    #expect(abs(route.elevationGain - (try road.whole.route("a", "d").elevationGain)) < 2)
  }

  @Test(
    "on another day ways are open as they are in the whole",
    arguments: ["2026-07-01", "2026-12-24"])
  func days(day: String) throws {
    let map = AsciiMap(
      """
          a       c
          |       |
      A---B---C---D---|---E---F---G
      |                       |   |
      H-----------I---|-------f---J
      """, cellMetres: 200,
      ways: [
        .init("ABCDEFG", tags: ["highway": "path", "access:conditional": "no @ (Nov-Apr)"]),
        .init("Ba"), .init("Dc"), .init("Ff"), .init("AHIfJG"),
      ])
    let joined = try JoinedMap(map, regions: ["ABCDHIac", "EFGJf"], date: "2026-07-01")
    let time = try #require(TravelDay(day))
    for ends in ["AG", "cG", "AF"] {
      let points = try ends.map { try map.coordinate($0) }
      let routes = [joined.whole.engine, joined.engine].map {
        try? $0.findRoute(from: points[0], to: points[1], on: time)
      }
      #expect(routes[0]?.letters == routes[1]?.letters, "\(ends)")
    }
    let point = try map.coordinate("F")
    for store in [joined.store, joined.reached] {
      let engine = try RoutingEngine(store: store).on(time)
      let route = try engine.findRoute(from: map.coordinate("A"), to: point)
      #expect(route.letters.contains("D") == day.hasPrefix("2026-07"))
    }
  }

  @Test(
    "a piece of an edge is closed from when its rule closes the edge",
    arguments: ["T08:00", "T11:20", "T11:50", "T12:30", "T17:30", "T18:30"])
  func departures(minute: String) throws {
    let map = AsciiMap(
      """
          a       c
          |       |
      A---B---C---D---|---E---F---G
      |                       |   |
      H-----------I---|-------f---J
      """, cellMetres: 200,
      ways: [
        .init("ABCDEFG", tags: ["highway": "path", "access:conditional": "no @ (12:00-18:00)"]),
        .init("Ba"), .init("Dc"), .init("Ff"), .init("AHIfJG"),
      ])
    let joined = try JoinedMap(map, regions: ["ABCDHIac", "EFGJf"], date: "2026-07-01")
    let time = try #require(TravelDay("2026-07-01" + minute))
    var closed = 0
    for ends in ["AG", "GA", "cG", "AF", "FA"] {
      let points = try ends.map { try map.coordinate($0) }
      func route(_ engine: RoutingEngine) throws -> ComputedRoute? {
        do throws(RoutingError) {
          return try engine.findRoute(from: points[0], to: points[1], on: time)
        } catch { return nil }
      }
      let whole = try route(joined.whole.engine.paged)
      // Without its middle, where the border is.
      if whole.map({ !$0.letters.contains("DF") && !$0.letters.contains("FD") }) ?? true {
        closed += 1
      }
      let engines = [
        joined.engine.paged, joined.engine.memory, RoutingEngine(store: joined.reached),
      ]
      for engine in engines {
        let other = try route(engine)
        #expect(whole?.letters == other?.letters, "\(ends)")
        guard let whole, let other else { continue }
        #expect(abs(whole.estimatedDuration - other.estimatedDuration) < 2, "\(ends)")
        // Each of the databases has the rule, so that its stretch ends at the border.
        let rules = try [joined.whole.engine.paged.rules(on: whole), engine.rules(on: other)]
        #expect(Set(rules[0].map(\.mayClose)) == Set(rules[1].map(\.mayClose)))
        let metres = rules.map { $0.reduce(0) { $0 + $1.toMetres - $1.fromMetres } }
        #expect(abs(metres[0] - metres[1]) < 2, "\(ends) \(metres)")
      }
    }
    #expect((closed > 0) == !["T08:00", "T18:30"].contains(minute))
  }
}
