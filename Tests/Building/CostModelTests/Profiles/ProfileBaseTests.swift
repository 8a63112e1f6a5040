// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import StrictYAML
import TestSupport
import Testing

@testable import CostModel

@Suite("What profile files are based on")
struct ProfileBaseTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ rest: String) throws -> String {
    try folder.write("cairn-profile: 1\nname: \(name)\n" + rest, to: name + ".yaml")
  }

  @Test("a file may be based on another one, which lies beside it")
  func file() throws {
    _ = try write("slow", "based-on: family\nclimb-factor: 11\nsurfaces: { mud: 3 }")
    let profile = try CostProfile(
      file: try write("slower", "based-on: slow.yaml\nsurfaces: { sand: 4 }"))
    var expected = try #require(CostProfile.builtIn.first { $0.name == "family" })
    (expected.name, expected.summary) = ("slower", "")
    expected.climbFactor = 11
    expected.surfaces["mud"] = 3
    expected.surfaces["sand"] = 4
    #expect(profile == expected)
  }

  @Test("the fingerprint is that of all values, wherever they stand")
  func fingerprint() throws {
    _ = try write("base", "climb-factor: 11")
    let split = try CostProfile(file: try write("mine", "based-on: base.yaml\nspeed-kmh: 4"))
    let whole = try CostProfile(file: try write("mine", "climb-factor: 11\nspeed-kmh: 4"))
    #expect(try split.fingerprint() == whole.fingerprint())
  }

  @Test("a circle of files is refused where it closes")
  func circle() throws {
    let one = try write("one", "based-on: two.yaml")
    _ = try write("two", "based-on: one.yaml")
    let error = expectError(.invalidConfiguration, .configuration) { try CostProfile(file: one) }
    #expect(error?.description.contains("two.yaml:3:11: “based-on” is circular") == true)
  }

  @Test("a chain of files has an end")
  func longChain() throws {
    for index in 0..<40 { _ = try write("p\(index)", "based-on: p\(index + 1).yaml") }
    let error = expectError(.invalidConfiguration, .configuration) {
      try CostProfile(file: folder.file("p0.yaml"))
    }
    #expect(error?.description.contains("16 files that are based on each other") == true)
  }

  @Test("a file that does not exist is named, with the line that names it")
  func missing() throws {
    let path = try write("mine", "based-on: nowhere/base.yaml")
    let error = expectError(.invalidConfiguration, .configuration) { try CostProfile(file: path) }
    #expect(error?.description.contains("mine.yaml:3:11: “based-on” names a file") == true)
  }

  @Test("what is wrong in the base is reported with the name of the base")
  func brokenBase() throws {
    _ = try write("base", "climb-factr: 11")
    let path = try write("mine", "based-on: base.yaml")
    let error = expectError(.invalidConfiguration, .configuration) { try CostProfile(file: path) }
    #expect(error?.location?.file == folder.file("base.yaml"))
    #expect(error?.hint == "did you mean “climb-factor”?")
  }

  @Test("a definition in a database names no files")
  func definition() throws {
    let base = try write("base", "climb-factor: 11")
    expectError(.invalidConfiguration, .configuration) {
      try CostProfile(
        definition: #"{"cairn-profile":1,"name":"mine","based-on":"\#(base)"}"#)
    }
  }

  @Test("T3 stands for its grade wherever one is expected")
  func grades() throws {
    let profile = try CostProfile(
      file: try write(
        "mine", "max-sac: T4\nsac-scale: { T2: 1.5, t3: 2 }\nslowdown: { sac-scale: { T5: 3 } }"))
    #expect(profile.maximumSACScale?.rawValue == "alpine_hiking")
    #expect(profile.sacScale["mountain_hiking"] == 1.5)
    #expect(profile.sacScale["demanding_mountain_hiking"] == 2)
    #expect(profile.slowdown.sacScale["demanding_alpine_hiking"] == 3)
    #expect(profile.sacScale["T2"] == nil)
  }

  @Test("a grade under two names is refused")
  func gradeTwice() throws {
    let path = try write("mine", "sac-scale: { T2: 1.5, mountain_hiking: 2 }")
    let error = expectError(.invalidConfiguration, .configuration) { try CostProfile(file: path) }
    #expect(error?.message == "“mountain_hiking” and “T2” are the same grade")
  }

  @Test("a misspelt surface is refused, one that is like no other is not")
  func surfaces() throws {
    let wrong = try write("wrong", "surfaces: { gravle: 2 }")
    let error = expectError(.invalidConfiguration, .configuration) { try CostProfile(file: wrong) }
    #expect(error?.description.hasSuffix("(did you mean “gravel”?)") == true)
    let right = try CostProfile(file: try write("right", "surfaces: { volcanic_ash: 2 }"))
    #expect(right.surfaces["volcanic_ash"] == 2)
    for profile in CostProfile.builtIn {
      _ = try CostProfile(file: try folder.write(try profile.yamlText(), to: "known.yaml"))
    }
  }

  @Test("the printed file of every profile has every key and means the same")
  func printed() throws {
    for profile in CostProfile.builtIn {
      let text = try profile.yamlText()
      let path = try folder.write(text, to: "p.yaml")
      #expect(try CostProfile(file: path) == profile)
      for key in ProfileForm.profile.keys.map(\.name) where key != "cairn-profile" {
        #expect(text.contains("\n\(key):"), "\(profile.name): \(key)")
      }
    }
  }
}

@Suite("Settings of profiles on a command line")
struct ProfileSettingTests {
  private func changed(_ settings: String...) throws -> CostProfile {
    var profile = CostProfile.hiking
    for setting in settings { try ProfileSetting(setting).apply(to: &profile) }
    return profile
  }

  @Test("a setting changes one value and nothing else")
  func values() throws {
    var expected = CostProfile.hiking
    expected.climbFactor = 10
    #expect(try changed("climb-factor=10") == expected)
    expected.surfaces["mud"] = 3.5
    expected.descent.below10 = 0
    #expect(try changed("climb-factor=10", "surfaces.mud=3.5", "descent.below-10=0") == expected)
  }

  @Test("words, grades and tables in tables are values, too")
  func words() throws {
    let profile = try changed(
      "time-model=tobler", "max-sac=T2", "slowdown.sac-scale.T3=2", "highways.steps=impassable",
      "max-grade-percent=none", "mtb-scale.0=2")
    #expect(profile.timeModel == .tobler)
    #expect(profile.maximumSACScale?.number == 2)
    #expect(profile.slowdown.sacScale["demanding_mountain_hiking"] == 2)
    #expect(profile.highways["steps"] == .infinity)
    #expect(profile.mtbScale["0"] == 2)
  }

  @Test(
    "what is no setting of a profile is refused with the setting itself",
    arguments: [
      ("climb-factor", "--set takes KEY=VALUE"), ("=3", "--set takes KEY=VALUE"),
      ("", "--set takes KEY=VALUE"), ("a.b.c.d=1", "--set takes KEY=VALUE"),
      ("climb-factr=3", "did you mean “climb-factor”?"),
      ("climb-factor=", "must be a number"), ("climb-factor=nan", "must be a number"),
      ("climb-factor=1e400", "must be a number"), ("climb-factor=101", "must be from 0 to 100"),
      ("surfaces=3", "must be a mapping"), ("surfaces.gravle=3", "did you mean “gravel”?"),
      ("name=x", "unknown key “name”"), ("based-on=hiking", "unknown key “based-on”"),
      ("climb-factor=[1]", "must be a number"), ("max-sac=T9", "must be one of"),
    ])
  func refused(setting: String, part: String) {
    let error = expectError(.usage, .usage) { try ProfileSetting(setting) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
  }
}
