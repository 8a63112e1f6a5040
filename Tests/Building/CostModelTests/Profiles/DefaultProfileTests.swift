// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TestSupport
import Testing

@testable import CostModel

@Suite("The default profiles")
struct DefaultProfileTests {
  private func factor(_ tags: [String: String], _ profile: CostProfile) -> Double {
    TagFactors(tags, profile).forward
  }

  private func walking(_ tags: [String: String]) -> Double { factor(tags, .trailHiking) }
  private func riding(_ tags: [String: String]) -> Double { factor(tags, .bikeTouring) }

  @Test("never cost less than the length, whatever the tags", arguments: CostProfile.defaults)
  func atLeastTheLength(profile: CostProfile) {
    let tables = [
      profile.surfaces, profile.tracktypes, profile.unknownSurfaces, profile.sacScale,
      profile.highways, profile.tunnels, profile.trailVisibility, profile.smoothness,
      profile.mtbScale, profile.routes, profile.access,
    ]
    for table in tables { for (key, factor) in table { #expect(factor >= 1, "\(key)") } }
    #expect(profile.unknownSurface >= 1)
    // By time, gentle descents take less than the flat; every way has a factor of its route.
    let least = profile.routes.values.min() ?? 1
    #expect(profile.routes["any"] != nil && profile.routes["none"] != nil)
    let formula = EdgeFormula(profile)
    for permille in -500...500 {
      let climb = Double(permille)
      let cost = formula.cost(least, distance: 1000, up: max(climb, 0), down: max(-climb, 0))
      #expect(cost >= 1000, "\(profile.name) at \(permille) ‰")
    }
  }

  @Test("a walker pays what a way takes longer, by its grade, its visibility and its climb")
  func costsKnowTimes() {
    let formula = EdgeFormula(.trailHiking)
    let good = TagFactors(["highway": "path", "surface": "gravel"], .trailHiking)
    for tags in [
      ["sac_scale": "mountain_hiking"], ["sac_scale": "demanding_mountain_hiking"],
      ["sac_scale": "alpine_hiking"], ["trail_visibility": "bad"], ["trail_visibility": "no"],
      ["surface": "rock"],
    ] {
      let rough = TagFactors(
        ["highway": "path", "surface": "gravel"].merging(tags) { $1 }, .trailHiking)
      for (up, down) in [(0.0, 0.0), (300, 0), (0, 400)] {
        func cost(_ factors: TagFactors) -> Double {
          formula.cost(
            factors.forward, slowdown: factors.forwardSlowdown, distance: 1000, up: up, down: down)
        }
        func seconds(_ factors: TagFactors) -> Double {
          formula.seconds(factors.forwardSlowdown, distance: 1000, up: up, down: down)
        }
        #expect(
          cost(rough) / cost(good) >= seconds(rough) / seconds(good) * (1 - 1e-12), "\(tags)")
      }
    }
  }

  @Test(
    "a track with the grade of a climb is T3 to those who judge grades"
  )
  func contradictedGrade() {
    // Way 33184252.
    let tags = [
      "highway": "track", "mtb:scale": "2", "sac_scale": "demanding_alpine_hiking",
      "tracktype": "grade5", "mtb:scale:uphill": "2",
    ]
    let judged = TagFactors(tags, .trailHiking)
    var easier = tags
    easier["sac_scale"] = "demanding_mountain_hiking"
    #expect(judged.forward == walking(easier) && judged.forward.isFinite)
    #expect(
      judged.forwardSlowdown
        == CostProfile.trailHiking.slowdown.sacScale["demanding_mountain_hiking"])
    #expect(
      judged.factors.contains(
        CostFactor(key: "sac_scale", value: "demanding_alpine_hiking", factor: 1.2)))
    let tagged = TagFactors(tags, .hiking)
    #expect(tagged.factors.contains { $0.key == "sac_scale" && $0.factor == 3 })
    #expect(tagged.forwardSlowdown == 2.5)
    // On a path the grade holds.
    #expect(walking(tags.merging(["highway": "path"]) { $1 }) == .infinity)
  }

  @Test("a good path on a waymarked route costs a walker its length on the best slope")
  func waymarkedPath() {
    for network in ["iwn", "nwn", "rwn", "lwn"] {
      #expect(walking(["highway": "path", "sac_scale": "hiking", "route:foot": network]) == 1.08)
    }
    #expect(walking(["highway": "path"]) > walking(["highway": "path", "route:foot": "any"]))
  }

  @Test("a walker pays more for more traffic, and most in tunnels")
  func traffic() {
    let roads = ["path", "track", "service", "residential", "tertiary", "secondary", "primary"]
    let factors = roads.map { walking(["highway": $0]) }
    #expect(factors == factors.sorted() && Set(factors).count == factors.count, "\(factors)")
    let primary = walking(["highway": "primary", "sidewalk": "both"])
    #expect(walking(["highway": "primary"]) > primary, "without a sidewalk")
    #expect(walking(["highway": "primary", "sidewalk": "both", "tunnel": "yes"]) == 4 * primary)
    // A subway for pedestrians is the way under a road, and a passage through a house is none.
    let footway = walking(["highway": "footway"])
    #expect(walking(["highway": "footway", "tunnel": "yes"]) == footway)
    #expect(
      walking(["highway": "residential", "tunnel": "building_passage"])
        == walking(["highway": "residential"]))
  }

  @Test(
    "steps, grades and paths that are hard to see are priced, and what must be climbed is closed")
  func difficulty() {
    let path = walking(["highway": "path"])
    func price(_ tags: [String: String]) -> Double {
      let factors = TagFactors(tags, .trailHiking)
      return factors.forward * factors.forwardSlowdown
    }
    var last = price(["highway": "path"])
    for grade in ["mountain_hiking", "demanding_mountain_hiking", "alpine_hiking"] {
      let factor = price(["highway": "path", "sac_scale": grade])
      #expect(factor > last, "\(grade)")
      last = factor
    }
    #expect(walking(["highway": "path", "sac_scale": "demanding_alpine_hiking"]) == .infinity)
    #expect(walking(["highway": "path", "sac_scale": "T6"]) == .infinity)
    for equipment in ["via_ferrata", "ladder"] {
      #expect(walking(["highway": equipment]) == .infinity)
    }
    #expect(walking(["highway": "steps"]) > walking(["highway": "footway"]))
    #expect(walking(["highway": "path", "trail_visibility": "bad"]) > path)
    #expect(
      walking(["highway": "path", "trail_visibility": "no"])
        > walking(["highway": "path", "trail_visibility": "bad"]))
  }

  @Test("a way only for customers, deliveries or residents' visitors is dearer for a walker")
  func destination() {
    let track = walking(["highway": "track"])
    for value in ["customers", "delivery", "destination"] {
      #expect(walking(["highway": "track", "access": value]) == 2 * track, "\(value)")
    }
    let sidepath = walking(["highway": "track", "foot": "use_sidepath"])
    #expect(sidepath > 2 * track && sidepath.isFinite)
  }

  @Test("a touring cyclist takes a road rather than a footpath in the mountains or a tunnel")
  func touring() {
    let primary = riding(["highway": "primary"])
    let footpath = riding(["highway": "path", "sac_scale": "mountain_hiking"])
    #expect(footpath > 5 * primary && footpath.isFinite)
    let tunnel = riding(["highway": "trunk", "tunnel": "yes"])
    #expect(tunnel > 2 * riding(["highway": "trunk"]))
    #expect(riding(["highway": "steps"]) == .infinity)
    let footway = riding(["highway": "footway"])
    #expect(footway > 4 * riding(["highway": "footway", "bicycle": "yes"]) && footway.isFinite)
  }

  @Test("a touring cyclist likes cycle routes, quiet roads and good surfaces")
  func comfort() {
    let route = ["highway": "unclassified", "surface": "asphalt", "route:bicycle": "rcn"]
    #expect(riding(route) < 1.1)
    #expect(riding(["highway": "unclassified", "surface": "asphalt"]) > riding(route))
    let surfaces = ["asphalt", "fine_gravel", "gravel", "ground", "grass", "sand"]
    let factors = surfaces.map { riding(["highway": "track", "surface": $0]) }
    #expect(factors == factors.sorted() && Set(factors).count == factors.count, "\(factors)")
    // A road without a surface is paved, a track is not.
    #expect(
      riding(["highway": "residential"])
        == riding(["highway": "residential", "surface": "asphalt"]))
    #expect(
      riding(["highway": "track"]) > riding(["highway": "track", "surface": "fine_gravel"]))
  }

  @Test("a ferry costs at least its length")
  func ferries() {
    for profile in CostProfile.defaults {
      let tags = ["route": "ferry", "foot": "yes", "bicycle": "yes"]
      let cost = EdgeFormula(profile).ferryCost(factor(tags, profile), distance: 900, seconds: 60)
      #expect(cost >= 900 && cost.isFinite)
    }
  }
}
