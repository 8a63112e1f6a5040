// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TestSupport
import Testing

@testable import CostModel

@Suite("Times of the built-in profiles")
struct SlowdownTests {
  /// The seconds of a way of about 100 m there and back.
  private func seconds(_ tags: [String: String], _ profile: CostProfile, to metres: Float = 0)
    throws -> (up: Double, down: Double, length: Double)
  {
    let costs = try Costs(tags.merging(["highway": "path"]) { own, _ in own }, profile, to: metres)
    return (costs.edges.duration[0], costs.edges.reverseDuration[0], costs.length)
  }

  private static let walkers = CostProfile.builtIn.filter { $0.vehicle == .foot }
  private static let riders = CostProfile.builtIn.filter { $0.vehicle == .bicycle }

  @Test(
    "a hiker walks 4.2 to 4.5 km/h on a flat and good path", arguments: ["hiking", "trail-hiking"])
  func flat(name: String) throws {
    let profile = try CostProfile.named(name)
    for tags in [["surface": "gravel"], ["highway": "track"], ["highway": "footway"]] {
      let time = try seconds(tags, profile)
      #expect((4.2...4.5).contains(time.length / time.up * 3.6), "\(tags)")
    }
  }

  @Test("going down a steep path takes a walker longer than a flat one", arguments: walkers)
  func descent(profile: CostProfile) throws {
    let flat = try seconds([:], profile).up
    let steep = try seconds([:], profile, to: 25)
    #expect(steep.down > 1.3 * flat && steep.down < steep.up)
  }

  @Test("the slowdown is the greatest that the tags have, and steps, grades and ground have one")
  func greatest() throws {
    func ratio(_ tags: [String: String]) throws -> Double {
      try seconds(tags, .trailHiking, to: 10).up
        / seconds(["highway": "track"], .trailHiking, to: 10).up
    }
    func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-9 }
    #expect(isNear(try ratio(["sac_scale": "mountain_hiking"]), 1.2))
    #expect(isNear(try ratio(["sac_scale": "T3", "surface": "rock"]), 1.4))
    #expect(isNear(try ratio(["sac_scale": "hiking", "surface": "mud"]), 1.4))
    #expect(isNear(try ratio(["highway": "steps"]), 1.5))
    #expect(isNear(try ratio(["trail_visibility": "no", "sac_scale": "T2"]), 1.65))
    #expect(isNear(try ratio(["sac_scale": "hiking"]), 1.1), "a path of unknown surface")
    #expect(isNear(try ratio(["surface": "asphalt"]), 1))
  }

  @Test("a touring cyclist never climbs more than 600 m an hour", arguments: riders)
  func climbing(profile: CostProfile) throws {
    for metres: Float in [2, 5, 10, 15, 30] {
      let time = try seconds(["highway": "residential", "surface": "asphalt"], profile, to: metres)
      #expect(Double(metres) / time.up * 3600 < 600, "\(profile.name), \(metres) %")
    }
    let hill = try seconds(["highway": "residential", "surface": "asphalt"], profile, to: 10)
    #expect(10 / hill.up * 3600 > 500, "but more than 500 at 10 %")
  }

  @Test("a bicycle rolls down at most twice as fast as on the flat, and slower on bad ground")
  func rolling() throws {
    let asphalt = ["highway": "residential", "surface": "asphalt"]
    let flat = try seconds(asphalt, .bikeTouring)
    #expect(abs(flat.length / flat.up * 3.6 - 15) < 1e-9)
    for metres: Float in [3, 8, 20] {
      let speed = flat.length / (try seconds(asphalt, .bikeTouring, to: metres)).down * 3.6
      #expect(speed > 20 && speed < 30.001, "\(metres) %: \(speed)")
    }
    let gravel = try seconds(["highway": "track", "surface": "gravel"], .bikeTouring, to: 8)
    #expect(gravel.down > 1.25 * (try seconds(asphalt, .bikeTouring, to: 8)).down)
  }

  @Test("a bicycle is pushed at a walk")
  func pushing() throws {
    let time = try seconds(["highway": "footway", "surface": "asphalt"], .bikeTouring)
    #expect((4...5).contains(time.length / time.up * 3.6))
  }

  @Test("slowdown and time model have no part in costs that are distances")
  func costs() throws {
    for profile in [CostProfile.hiking, .cycling, .bikeTouring, .family] {
      var plain = profile
      plain.slowdown = Slowdown()
      plain.timeModel = .equivalentDistance
      for tags in [
        ["highway": "track", "surface": "gravel"], ["highway": "secondary"],
        ["route": "ferry", "foot": "yes", "bicycle": "yes", "duration": "0:30"],
      ] {
        let (slow, fast) = (try Costs(tags, profile, to: 12), try Costs(tags, plain, to: 12))
        #expect(slow.cost == fast.cost && slow.reverseCost == fast.reverseCost, "\(profile.name)")
      }
    }
  }

  @Test("slowdown has no part in costs that are times")
  func timeCosts() throws {
    for profile in [CostProfile.mountainHiking, .hikingFast] {
      var plain = profile
      plain.slowdown = Slowdown()
      let tags = ["highway": "path", "sac_scale": "mountain_hiking"]
      let (slow, fast) = (try Costs(tags, profile, to: 12), try Costs(tags, plain, to: 12))
      #expect(slow.cost == fast.cost)
      #expect(abs(slow.edges.duration[0] / fast.edges.duration[0] - 1.2) < 1e-9)
    }
  }
}
