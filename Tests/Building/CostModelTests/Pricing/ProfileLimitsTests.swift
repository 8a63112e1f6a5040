// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import Testing

@testable import CostModel

@Suite("The limits of a profile")
struct ProfileLimitsTests {
  private func edge(gain: Double = 0, loss: Double = 0, metres: Double = 100) -> RoutingEdge {
    RoutingEdge(
      id: 1, fromNode: 1, toNode: 2, distance: metres, elevationGain: gain, elevationLoss: loss,
      cost: .infinity, reverseCost: .infinity)
  }

  private func tags(_ way: [String: String]) -> EdgeTags {
    EdgeTags(way: ["highway": "path"].merging(way) { $1 }, barrier: nil)
  }

  @Test("what only a limit closes has the price of the profile without it")
  func lifted() throws {
    let limits = try #require(ProfileLimits(.family, on: nil))
    var open = CostProfile.family
    open.maximumSACScale = nil
    let pricer = EdgePricer(open, on: nil)
    let steep = tags(["sac_scale": "mountain_hiking"])
    let expected = pricer.price(
      pricer.terms(steep), distance: 100, up: 10, down: 0, isReversed: false
    ).cost
    #expect(expected.isFinite && limits.cost(edge(gain: 10), steep) == expected)
    #expect(limits.cost(edge(), tags(["access": "no"])) == .infinity)
    #expect(limits.cost(edge(), tags(["highway": "via_ferrata"])) == .infinity)
    #expect(limits.cost(edge(), tags(["route": "ferry", "highway": ""])) == .infinity)
  }

  @Test("the reasons are the tags and the slope")
  func reasons() throws {
    let limits = try #require(ProfileLimits(.family, on: nil))
    #expect(limits.reasons(edge(), tags([:])) == [])
    #expect(
      limits.reasons(edge(), tags(["sac_scale": "mountain_hiking", "trail_visibility": "bad"]))
        == [
          .tag(key: "sac_scale", value: "mountain_hiking"),
          .tag(key: "trail_visibility", value: "bad"),
        ])
    #expect(limits.reasons(edge(loss: 31), tags([:])) == [.slope(percent: 30)])
    #expect(limits.reasons(edge(gain: 30), tags([:])) == [])
    // Too short to be judged.
    #expect(limits.reasons(edge(gain: 20, metres: 40), tags([:])) == [])
  }

  @Test("a profile that closes nothing has none")
  func none() {
    #expect(ProfileLimits(.hiking, on: nil) == nil)
    #expect(ProfileLimits(.trailHiking, on: nil) != nil)
  }
}
