// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase
import CostModel
import TestSupport
import Testing

@testable import CairnRouting
@testable import ProfileTrials

@Suite("Profiles tried on a database that does not have them")
struct TrialPricesTests {
  private let folder: TemporaryFolder
  /// Every kind of thing that a price depends on: surfaces, grades, a stile and a locked gate, a
  /// one-way street, a ferry with a duration, an island, and heights.
  private let map = AsciiMap(
    """
    A----B----C----D      X-Y
    |         |    |
    E----F----G    H
    """,
    ways: [
      .init("AB", tags: ["highway": "path", "surface": "mud", "sac_scale": "hiking"]),
      .init("BC", tags: ["highway": "path", "sac_scale": "alpine_hiking"]),
      .init("CD", tags: ["highway": "residential", "oneway": "yes"]),
      .init("AEFG", tags: ["highway": "track", "tracktype": "grade2"]),
      .init("GC", tags: ["highway": "steps"]),
      .init("DH", tags: ["route": "ferry", "duration": "00:20"]),
      .init("XY", tags: ["highway": "path"]),
    ],
    nodeTags: [
      "B": ["barrier": "stile"], "F": ["barrier": "gate", "access": "private"],
    ])

  init() throws { folder = try TemporaryFolder() }

  private func open(_ path: String) throws -> RoutingStore {
    let store = RoutingStore(path: path)
    try store.open()
    return store
  }

  /// Expects that a trial has what a database stores for a profile.
  private func expectSame(
    _ trial: ProfileGraph, _ stored: ProfileGraph, _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(trial.mode == stored.mode, "\(name)", sourceLocation: sourceLocation)
    var differences = 0
    for edge in stored.costs.indices {
      let same =
        near(trial.costs[edge], stored.costs[edge])
        && near(trial.reverseCosts[edge], stored.reverseCosts[edge])
        && nearOrUnknown(trial, stored, edge)
      if !same { differences += 1 }
    }
    #expect(differences == 0, "\(name)", sourceLocation: sourceLocation)
    let islands = stored.network.nodeIDs.indices.map { stored.isOnIsland(Int32($0)) }
    let tried = trial.network.nodeIDs.indices.map { trial.isOnIsland(Int32($0)) }
    #expect(islands == tried, "\(name)", sourceLocation: sourceLocation)
  }

  /// The costs of the first profile are stored with all digits, those of the others rounded up.
  private func near(_ one: Double, _ other: Double) -> Bool {
    one == other || abs(one - other) <= 2 * CostBlock.precision * other
  }

  private func nearOrUnknown(_ trial: ProfileGraph, _ stored: ProfileGraph, _ edge: Int) -> Bool {
    for isReversed in [false, true] {
      let one = trial.seconds(edge, isReversed: isReversed, mode: .hiking)
      let other = stored.seconds(edge, isReversed: isReversed, mode: .hiking)
      guard one == other else { return false }
    }
    return true
  }

  @Test("a profile tried on a database equals the same profile stored in it")
  func stored() throws {
    let names = CostProfile.builtIn.map(\.name)
    let store = try open(try map.routingDatabase(in: folder, profiles: names))
    let network = try RoadNetwork(reading: store)
    let trial = try #require(try TrialPrices(network, reading: store))
    for profile in CostProfile.builtIn {
      expectSame(
        try trial.graph(of: profile),
        try ProfileGraph(network, profile: profile.name, reading: store), profile.name)
    }
  }

  @Test("a profile that the database does not have finds the routes of a build with it")
  func other() throws {
    let file = try folder.write(
      "cairn-profile: 1\nname: mine\nmax-sac: T2\nhighways: { steps: 9 }\n", to: "mine.yaml")
    let mine = try CostProfile(file: file)
    let map = AsciiMap(
      """
      A----B----C
      |         |
      D---------E
      """,
      ways: [
        .init("AB", tags: ["highway": "path"]),
        .init("BC", tags: ["highway": "steps"]),
        .init("ADEC", tags: ["highway": "track"]),
      ])
    let plain = try open(try map.routingDatabase(in: folder, profiles: ["hiking"]))
    let built = try open(
      try map.routingDatabase(in: folder, name: "built.routing.db", profiles: ["hiking", file]))
    let trial = try #require(
      try TrialPrices(try RoadNetwork(reading: plain), reading: plain))
    let tried = RoutingEngine(graphs: [try trial.graph(of: mine)])
    let (start, end) = (try map.coordinate("A"), try map.coordinate("C"))
    let route = try tried.findRoute(from: start, to: end, profile: "mine")
    let expected = try RoutingEngine(store: built).findRoute(
      from: start, to: end, profile: "mine")
    #expect(route.coordinates == expected.coordinates)
    #expect(route.estimatedDuration == expected.estimatedDuration)
    let usual = try RoutingEngine(store: plain).findRoute(
      from: start, to: end, profile: "hiking")
    #expect(usual.coordinates != route.coordinates)
  }

  @Test("a database without tags cannot be priced anew")
  func plain() throws {
    let path = try plainDatabase(
      in: folder,
      filledBy: [
        "INSERT INTO routing_nodes VALUES (1, 47, 10, NULL), (2, 47.01, 10, NULL)",
        """
        INSERT INTO routing_edges (id, from_node, to_node, distance, cost, reverse_cost)
        VALUES (1, 1, 2, 1112, 1112, 1112)
        """,
      ])
    let store = try open(path)
    #expect(try TrialPrices(try RoadNetwork(reading: store), reading: store) == nil)
  }
}
