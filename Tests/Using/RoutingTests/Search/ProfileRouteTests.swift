// SPDX-License-Identifier: Apache-2.0
import CairnRouting
import CairnRoutingDatabase
import TestSupport
import Testing

@Suite("Routes by a profile")
struct ProfileRouteTests {
  /// From A to B straight over a T3 path, or around by D and E on a way that a route follows.
  private static let map = {
    var map = AsciiMap(
      """
      A---B
      |   |
      D---E
      """,
      ways: [
        .init("AB", tags: ["highway": "path", "sac_scale": "demanding_mountain_hiking"]),
        .init("ADEB", tags: ["highway": "path"]),
      ], elevations: ["A": 100, "B": 100, "D": 100, "E": 100])
    map.routes = [.init(network: "rwn", ways: [101])]
    return map
  }()

  private func route(_ profile: String, avoiding: Set<Int64> = []) throws -> ComputedRoute {
    let map = try RoutedMap(Self.map, profiles: ["hiking", "family", "shortest"])
    return try map.engine.findRoute(
      from: Self.map.coordinate("A"), to: Self.map.coordinate("B"), profile: profile,
      avoidedEdges: avoiding)
  }

  @Test("each profile finds its own route")
  func profiles() throws {
    #expect(try route("hiking").letters == "AB")
    #expect(try route("shortest").letters == "AB")
    #expect(try route("family").totalDistance > 1.5 * route("shortest").totalDistance, "by D, E")
  }

  @Test("costs and durations are those of the profile, not those of routing_edges")
  func costs() throws {
    let hiking = try route("hiking")
    let shortest = try route("shortest")
    // Costs are rounded up to single precision.
    let rest = shortest.totalCost / shortest.totalDistance - 1
    #expect(rest >= 0 && rest < CostBlock.precision)
    #expect(hiking.totalCost == hiking.totalDistance * (1.3 * 1.5))
    // A flat kilometre takes 14.271 min, on a path of grade T3 1.4 times as long.
    let seconds = shortest.totalDistance * 14.271 * 0.06 * 1.4
    #expect(abs(shortest.estimatedDuration / seconds - 1) < CostBlock.precision)
  }

  @Test("a route does not use avoided edges, and where nothing is left there is no route")
  func avoided() throws {
    let direct = try route("shortest").edges[0].id
    let around = try route("shortest", avoiding: [direct])
    #expect(around.edges.map(\.id) == (try route("family").edges.map(\.id)))
    #expect(throws: RoutingError.self) {
      try route("shortest", avoiding: Set([direct] + around.edges.map(\.id)))
    }
  }

  @Test("a profile that the database does not have is refused, with the available ones")
  func unknown() {
    #expect(
      throws: RoutingError.profileNotAvailable(
        "famly", available: ["hiking", "family", "shortest"])
    ) { try route("famly") }
  }

  @Test("the store has profiles with their definitions, and the tags that costs were computed from")
  func definitions() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(
      path: try Self.map.routingDatabase(in: folder, profiles: ["family", "hiking"]))
    try store.open()
    defer { store.close() }
    let profiles = try store.profiles()
    #expect(profiles.map(\.name) == ["family", "hiking"])
    #expect(profiles[0].definition.hasPrefix("{") && profiles[0].fingerprint.count == 64)
    #expect(try profiles[0].minimumCostPerMetre == store.minimumCostPerMetre(profile: "family"))
    #expect(
      try store.tags(ofEdge: 1)?.way
        == ["highway": "path", "sac_scale": "demanding_mountain_hiking"])
    #expect(try store.tags(ofEdge: 2)?.way == ["highway": "path", "route:foot": "rwn"])
    #expect(try store.tags(ofEdge: 2)?.barrier == nil)
    #expect(try store.tags(ofEdge: 99) == nil)
  }

  @Test("a database with only the core tables has neither")
  func plain() throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(path: try plainDatabase(in: folder, filledBy: []))
    try store.open()
    #expect(try store.profiles().isEmpty)
    #expect(try store.tags(ofEdge: 1) == nil)
  }
}
