// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("DIN 33466 on the totals of each leg")
struct LegTimeTests {
  /// A drawing in kilometres, with a profile by DIN 33466.
  private func routed(
    _ drawing: String, _ ways: [AsciiMap.Way], _ elevations: [Character: Float],
    profile: String = ""
  ) throws -> RoutedMap {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "cairn-profile: 1\nname: din\nbased-on: none\ntime-model: din-33466\n\(profile)",
      to: "din.yaml")
    let map = AsciiMap(drawing, cellMetres: 1000, ways: ways, elevations: elevations)
    return try RoutedMap(map, profiles: ["hiking", file])
  }

  private func tour(_ profile: String = "") throws -> RoutedMap {
    try routed(
      "A--B-C--D", [.init("AB"), .init("BC"), .init("CD")],
      ["A": 1000, "B": 1000, "C": 1900, "D": 1600], profile: profile)
  }

  private func route(_ routed: RoutedMap, _ from: Character, _ to: Character, via: String = "")
    throws -> ComputedRoute
  {
    try routed.engine.findRoute(
      from: routed.map.coordinate(from), to: routed.map.coordinate(to),
      via: via.map { try routed.map.coordinate($0) }, profile: "din")
  }

  private func hours(_ routed: RoutedMap, _ from: Character, _ to: Character, via: String = "")
    throws -> Double
  {
    try route(routed, from, to, via: via).estimatedDuration / 3600
  }

  @Test("8 km with 900 m up and 300 m down take 4.60 h, however the route is cut into edges")
  func short() throws {
    #expect(abs(try hours(tour(), "A", "D") - 4.6) < 0.005)
  }

  @Test("20 km with 1,500 m up and 500 m down take 8.50 h")
  func long() throws {
    let routed = try routed(
      "A----B---------C----D", [.init("AB"), .init("BC"), .init("CD")],
      ["A": 500, "B": 2000, "C": 2000, "D": 1500])
    #expect(abs(try hours(routed, "A", "D") - 8.5) < 0.005)
  }

  @Test("the time of a route is the sum of the times of its edges and of its legs")
  func sums() throws {
    let routed = try tour()
    let route = try route(routed, "A", "D", via: "B")
    let edges = route.edges.reduce(0) { $0 + ($1.duration ?? 0) }
    #expect(abs(edges - route.estimatedDuration) < 1e-6)
    // 3 km on the flat, and 5 km with 900 m up and 300 m down.
    #expect(abs(route.estimatedDuration / 3600 - 0.75 - (3.6 + 1.25 / 2)) < 0.005)
    let legs = try hours(routed, "A", "B") + hours(routed, "B", "D")
    #expect(abs(route.estimatedDuration / 3600 - legs) < 1e-9)
  }

  @Test("what else slows a profile down stays in the time of a leg")
  func factor() throws {
    #expect(abs(try hours(tour("time-factor: 1.5\n"), "A", "D") - 4.6 * 1.5) < 0.008)
  }

  @Test("a leg that begins and ends inside edges is timed by its own totals")
  func parts() throws {
    let routed = try tour()
    // 1.5 km on the flat, 2 km up and 1.5 km down by 150 m.
    let route = try routed.engine.findRoute(
      from: routed.point("A", east: 1500), to: routed.point("C", east: 1500), profile: "din")
    let rise = 3 + 150.0 / 500
    #expect(abs(route.estimatedDuration / 3600 - (rise + 1.25 / 2)) < 0.01)
  }

  @Test("alternatives and round trips are timed by totals, too; a matrix sums up edges")
  func others() throws {
    let routed = try tour()
    let (from, to) = (try routed.map.coordinate("A"), try routed.map.coordinate("D"))
    let best = try #require(
      try routed.engine.agreed {
        try $0.findAlternatives(from: from, to: to, count: 2, profile: "din").first
      })
    #expect(abs(best.estimatedDuration / 3600 - 4.6) < 0.005)
    let trip = try #require(
      try routed.engine.agreed {
        try $0.roundTrips(from: from, lengthMetres: 16_000, profile: "din").first
      })
    let (up, down) = (trip.route.elevationGain, trip.route.elevationLoss)
    let (flat, climb) = (trip.route.totalDistance / 4000, up / 300 + down / 500)
    let hours = max(flat, climb) + min(flat, climb) / 2
    #expect(abs(trip.route.estimatedDuration / 3600 - hours) < 0.01)
    let network = try RoadNetwork(reading: routed.store)
    let graph = try ProfileGraph(network, profile: "din", reading: routed.store)
    let cell = try #require(
      try RouteMatrix(graph, to: [to], measure: .seconds).row(from: from).first ?? nil)
    #expect(abs(cell / 3600 - (0.75 + 3.25 + 1.05)) < 0.01)
  }
}
