// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import TestSupport
import Testing

@Suite("Costs recomputed from a database")
struct EdgePricerTests {
  /// Ways of every kind: climbs, one-way streets, ferries, barriers, routes, seasons, grades.
  private static let map = {
    var map = AsciiMap(
      """
      A--B--C--D
      |  |  |  |
      E--F--G--H
      """,
      ways: [
        .init("AB", tags: ["highway": "path", "surface": "gravel", "sac_scale": "alpine_hiking"]),
        .init("BC", tags: ["highway": "track", "tracktype": "grade4", "mtb:scale": "2"]),
        .init("CD", tags: ["highway": "residential", "oneway": "yes"]),
        .init("EF", tags: ["route": "ferry", "foot": "yes", "duration": "00:20"]),
        .init("FG", tags: ["highway": "steps", "trail_visibility": "bad"]),
        .init("GH", tags: ["highway": "path", "foot:conditional": "no @ (Nov-Apr)"]),
        .init("AE", tags: ["highway": "path", "via_ferrata_scale": "2"]),
        .init("BF", tags: ["highway": "footway", "access": "destination"]),
        .init("CG", tags: ["highway": "cycleway", "smoothness": "bad"]),
        .init("DH", tags: ["highway": "primary", "foot:backward": "private"]),
      ],
      nodeTags: ["C": ["barrier": "gate"], "F": ["barrier": "fence"]],
      elevations: ["A": 100, "B": 160, "C": 150, "D": 90, "E": 70, "F": 71, "G": 300, "H": 10])
    map.routes = [
      .init(network: "nwn", ways: [101, 104]), .init(network: "lcn", kind: "mtb", ways: [101]),
    ]
    return map
  }()

  @Test(
    "are those that were stored, of every profile and edge in both directions",
    arguments: CostProfile.builtIn)
  func everyCost(profile: CostProfile) throws {
    let folder = try TemporaryFolder()
    let store = RoutingStore(
      path: try Self.map.routingDatabase(in: folder, profiles: [profile.name]))
    try store.open()
    let stored = try #require(try store.profiles().first)
    let pricer = EdgePricer(try CostProfile(definition: stored.definition), on: nil)
    var passable = 0
    var edgeID: Int64 = 1
    while let edge = try store.getEdge(edgeID, profile: profile.name) {
      edgeID += 1
      let terms = pricer.terms(try #require(try store.tags(ofEdge: edge.id)))
      for direction in [edge, edge.reversed()] {
        let price = pricer.price(
          terms, distance: direction.distance, up: direction.elevationGain,
          down: direction.elevationLoss, isReversed: direction.isReversed,
          ferrySeconds: direction.duration ?? .infinity)
        #expect(price.cost == direction.cost, "edge \(edge.id)")
        let seconds = direction.duration ?? .infinity
        #expect(
          price.seconds == seconds || abs(price.seconds / seconds - 1) < CostBlock.precision,
          "edge \(edge.id)")
        if price.cost.isFinite { passable += 1 }
      }
    }
    #expect(edgeID > 10 && passable > 3, "\(profile.name): \(passable)")
  }

  @Test("a season counts for the day that costs were read for")
  func season() throws {
    let pricer = { EdgePricer(.hiking, on: $0) }
    let tags = EdgeTags(way: ["highway": "path", "foot:conditional": "no @ (Nov-Apr)"])
    func cost(_ date: CalendarDate?) -> Double {
      pricer(date).price(
        pricer(date).terms(tags), distance: 100, up: 0, down: 0, isReversed: false
      ).cost
    }
    #expect(cost(CalendarDate("2026-07-01")) == 130)
    #expect(cost(CalendarDate("2026-01-01")) == .infinity)
    #expect(cost(nil) == .infinity)
  }
}
