// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import Testing

@testable import CostModel

@Suite("Keys of profiles that are numbers")
struct ProfileNumberTests {
  @Test(
    "a key is read and changed",
    arguments: [
      ("time-factor", 1, 1.5), ("time-spread", 0.25, 0.2), ("speed-kmh", 5, 4.5),
      ("climb-factor", 0, 10), ("descent.from-20", 0, 0.6), ("surfaces.mud", 1.5, 3),
      ("surfaces.unknown", 1, 1.2), ("sac-scale.T3", 1.2, 2), ("slowdown-weight", 1, 0.5),
      ("slowdown.sac-scale.demanding_mountain_hiking", 1.3, 2), ("highways.track", 1.05, 1),
      ("access.destination", 2, 3), ("tracktypes.grade2", 1, 1.1),
    ])
  func reads(key: String, before: Double, after: Double) throws {
    let number = try ProfileNumber(key, option: "--parameters")
    var profile = CostProfile.trailHiking
    if !key.hasPrefix("slowdown") { #expect(number.value(in: profile) == before) }
    number.set(after, in: &profile)
    #expect(number.value(in: profile) == after)
    var other = CostProfile.trailHiking
    try ProfileSetting("\(key)=\(after)").apply(to: &other)
    #expect(other == profile)
  }

  @Test("values outside a key's range become its nearest end")
  func clamps() throws {
    let number = try ProfileNumber("time-factor", option: "--parameters")
    var profile = CostProfile.trailHiking
    number.set(1000, in: &profile)
    #expect(profile.timeFactor == 10)
    number.set(.nan, in: &profile)
    #expect(profile.timeFactor == 0.1)
  }

  @Test(
    "a key that is not one is refused with a suggestion",
    arguments: [
      ("climb-facter", "did you mean climb-factor?"), ("slowdown.sac-scale.T9", nil),
      ("surfaces.asfalt", "did you mean “asphalt”?"), ("vehicle", nil), ("", nil), (".", nil),
      ("descent.below-11", "did you mean descent.below-10?"), ("max-sac", nil),
    ])
  func refuses(key: String, hint: String?) {
    let error = #expect(throws: CairnError.self) {
      try ProfileNumber(key, option: "--parameters")
    }
    #expect(error?.exitCode == .usage)
    if let hint { #expect(error?.hint == hint) }
  }
}
