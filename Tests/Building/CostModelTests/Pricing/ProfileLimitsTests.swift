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
  func lifted() {
    let limits = ProfileLimits(.family, on: nil)
    var open = CostProfile.family
    open.maximumSACScale = nil
    let pricer = EdgePricer(open, on: nil)
    let steep = tags(["sac_scale": "mountain_hiking"])
    let expected = pricer.price(
      pricer.terms(steep), distance: 100, up: 10, down: 0, isReversed: false
    ).cost
    #expect(expected.isFinite && limits.cost(edge(gain: 10), steep) == expected)
    #expect(limits.cost(edge(metres: 101), tags(["access": "no"])) == .infinity)
    #expect(limits.cost(edge(), tags(["highway": "via_ferrata"])) == .infinity)
    #expect(limits.cost(edge(), tags(["route": "ferry", "highway": ""])) == .infinity)
  }

  @Test("the reasons are the tags and the slope")
  func reasons() {
    let limits = ProfileLimits(.family, on: nil)
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

  @Test(
    "a few metres without access could be passed, and the tag is named",
    arguments: [
      (["access": "no"], "access", "no"), (["access": "private", "foot": "no"], "foot", "no"),
      (["foot": "private", "access": "yes"], "foot", "private"),
      (
        ["access:conditional": "no @ winter", "access": "yes"], "access:conditional", "no @ winter"
      ),
      (["highway": "motorway"], "highway", "motorway"),
    ])
  func access(_ way: [String: String], _ key: String, _ value: String) {
    for profile in [CostProfile.hiking, .trailHiking] {
      let limits = ProfileLimits(profile, on: nil)
      #expect(limits.cost(edge(metres: 100), tags(way)) == 500)
      #expect(limits.reasons(edge(), tags(way)) == [.access(key: key, value: value)])
      #expect(limits.cost(edge(), tags(["highway": "ladder", "access": "no"])) == .infinity)
    }
  }

  @Test("a barrier is named by its tag of access, otherwise by its kind; a direction as one")
  func barriers() {
    let limits = ProfileLimits(.hiking, on: nil)
    for (barrier, expected) in [
      (["barrier": "wall"], ProfileLimits.Reason.access(key: "barrier", value: "wall")),
      (["barrier": "gate", "access": "no"], .access(key: "access", value: "no")),
    ] {
      let tags = EdgeTags(way: ["highway": "path"], barrier: barrier)
      #expect(limits.cost(edge(metres: 0), tags) == 5)
      #expect(limits.reasons(edge(metres: 0), tags) == [expected])
    }
    let oneway = ["highway": "residential", "oneway": "yes"]
    let back = ProfileLimits(.cycling, on: nil).reasons(
      edge().reversed(), EdgeTags(way: oneway, barrier: nil))
    #expect(back == [.access(key: "oneway", value: "yes")])
  }
}
