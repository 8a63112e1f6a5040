// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnTravelModels
import CostModel
import StrictYAML
import TestSupport
import Testing

@Suite("Profile files")
struct ProfileFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> CostProfile {
    try CostProfile(file: try folder.write(text, to: "profile.yaml"))
  }

  /// The lines of the error that a file gives, without the name of the file.
  private func problems(_ text: String, sourceLocation: SourceLocation = #_sourceLocation)
    -> [String]
  {
    let error = expectError(
      .invalidConfiguration, .configuration, sourceLocation: sourceLocation
    ) { try read(text) }
    let lines = error?.description.split(separator: "\n") ?? []
    return lines.map { String($0.replacing(folder.file("profile.yaml:"), with: "")) }
  }

  private let head = "cairn-profile: 1\nname: mine\n"

  @Test("a file that says nothing else is the hiking profile under another name")
  func empty() throws {
    var expected = CostProfile.hiking
    (expected.name, expected.summary) = ("mine", "")
    #expect(try read(head) == expected)
  }

  @Test("a file begins where its base ends")
  func basedOn() throws {
    var expected = CostProfile.cycling
    (expected.name, expected.summary) = ("mine", "")
    #expect(try read(head + "based-on: cycling") == expected)
  }

  @Test("the keys of a file replace those of its base, and the rest stays")
  func overrides() throws {
    let profile = try read(
      head + """
        climb-factor: 10
        speed-kmh: 4.5
        vehicle: bicycle
        descent: { below-10: 0.4, above-30: 2 }
        surfaces: { mud: 3, lava: 1.7, unknown: 1.4 }
        sac-scale: { alpine_hiking: impassable, hiking: 1.1 }
        highways: { steps: 2, via_ferrata: 6 }
        description: "my own: slow"
        cost-base: time
        time-model: tobler-off-path
        time-factor: 1.5
        tracktypes: { grade5: 2 }
        trail-visibility: { no: impassable }
        smoothness: { bad: 1.2 }
        mtb-scale: { 3: 4 }
        routes: { rwn: 0.8, any: 0.9, none: 1.2 }
        unknown-surfaces: { path: 1.6 }
        tunnels: { road: 5 }
        slowdown:
          highways: { steps: 2 }
          sac-scale: { mountain_hiking: 1.3 }
          access: { dismount: 3 }
        max-sac: alpine_hiking
        max-mtb-scale: 3
        max-grade-percent: 40
        """)
    var expected = CostProfile.hiking
    (expected.name, expected.summary) = ("mine", "my own: slow")
    (expected.costBase, expected.timeModel, expected.timeFactor) = (.time, .toblerOffPath, 1.5)
    expected.tracktypes = ["grade5": 2]
    expected.trailVisibility = ["no": .infinity]
    expected.smoothness = ["bad": 1.2]
    expected.mtbScale = ["3": 4]
    expected.routes = ["rwn": 0.8, "any": 0.9, "none": 1.2]
    expected.unknownSurfaces = ["path": 1.6]
    expected.tunnels = ["road": 5]
    expected.slowdown.highways["steps"] = 2
    expected.slowdown.sacScale["mountain_hiking"] = 1.3
    expected.slowdown.access = ["dismount": 3]
    expected.maximumSACScale = .alpineHiking
    expected.maximumMTBScale = 3
    expected.maximumGradePercent = 40
    expected.climbFactor = 10
    expected.speedKilometresPerHour = 4.5
    expected.vehicle = .bicycle
    expected.descent.below10 = 0.4
    expected.descent.above30 = 2
    expected.surfaces["mud"] = 3
    expected.surfaces["lava"] = 1.7
    expected.unknownSurface = 1.4
    expected.sacScale["alpine_hiking"] = .infinity
    expected.sacScale["hiking"] = 1.1
    expected.highways["steps"] = 2
    expected.highways["via_ferrata"] = 6
    #expect(profile == expected)
  }

  @Test("a slowdown is a number from 1 to 20 in a table that is known")
  func slowdown() throws {
    #expect(
      problems(head + "slowdown: { surface: { mud: 2 } }")
        == ["3:13: unknown key “surface” (did you mean “surfaces”?)"])
    #expect(
      problems(head + "slowdown: { sac-scale: { hikng: 2 } }")
        == ["3:26: unknown key “hikng” (did you mean “hiking”?)"])
    for value in ["0.9", "21", "impassable"] {
      #expect(problems(head + "slowdown: { surfaces: { mud: \(value) } }").count == 1, "\(value)")
    }
  }

  @Test("JSON is read as well")
  func json() throws {
    let profile = try read(#"{"cairn-profile": 1, "name": "mine", "climb-factor": 9}"#)
    #expect(profile.climbFactor == 9)
  }

  @Test("an impassable grade closes its ways")
  func impassable() throws {
    let profile = try read(head + "sac-scale: { alpine_hiking: impassable }")
    #expect(
      try Costs(["highway": "path", "sac_scale": "alpine_hiking"], profile).cost == .infinity)
    #expect(try Costs(["highway": "path", "sac_scale": "hiking"], profile).cost.isFinite)
  }

  @Test("an unknown key is refused with the one that was meant")
  func unknownKey() {
    #expect(
      problems(head + "climb-facter: 10")
        == ["3:1: unknown key “climb-facter” (did you mean “climb-factor”?)"])
    #expect(
      problems(head + "descent: { below-01: 1 }")
        == ["3:12: unknown key “below-01” (did you mean “below-10”?)"])
    #expect(
      problems(head + "sac-scale: { alpine_hikng: impassable }")
        == ["3:14: unknown key “alpine_hikng” (did you mean “alpine_hiking”?)"])
  }

  @Test(
    "a table of which all values are known takes no other",
    arguments: [
      ("tracktypes", "grad5", "grade5"), ("highways", "stesp", "steps"),
      ("trail-visibility", "excelent", "excellent"), ("smoothness", "verybad", "very_bad"),
      ("routes", "iwm", "iwn"), ("tunnels", "raod", "road"), ("unknown-surfaces", "pth", "path"),
    ])
  func unknownValue(key: String, typed: String, meant: String) {
    #expect(
      problems(head + "\(key): { \(typed): 2 }")
        == ["3:\(key.count + 5): unknown key “\(typed)” (did you mean “\(meant)”?)"])
  }

  @Test("limits are words and numbers of their scale, or none, which lifts that of the base")
  func limits() throws {
    #expect(
      problems(
        head + """
          max-sac: T8
          max-mtb-scale: 7
          max-grade-percent: 0
          time-model: toblr
          time-factor: 0
          cost-base: money
          """) == [
          "3:10: “max-sac” must be one of strolling, hiking, mountain_hiking, "
            + "demanding_mountain_hiking, alpine_hiking, demanding_alpine_hiking, "
            + "difficult_alpine_hiking, none, not “T8”",
          "4:16: “max-mtb-scale” must be from 0 to 6, not 7",
          "5:20: “max-grade-percent” must be from 1 to 1000, not 0",
          "6:13: “time-model” must be one of "
            + TimeModel.allCases.map(\.rawValue).joined(separator: ", ")
            + ", not “toblr” (did you mean tobler?)",
          "7:14: “time-factor” must be from 0.1 to 10, not 0",
          "8:12: “cost-base” must be one of equivalent-distance, time, not “money”",
        ])
    let lifted = try read(
      head + "based-on: family\nmax-sac: none\nmax-grade-percent: none\nmax-mtb-scale: none")
    #expect(lifted.maximumSACScale == nil)
    #expect(lifted.maximumGradePercent == nil)
    #expect(lifted.maximumMTBScale == nil)
  }

  @Test("based on nothing, an edge costs its length")
  func basedOnNothing() throws {
    #expect(try read(head + "based-on: none") == CostProfile(name: "mine"))
    let costs = try Costs(
      ["highway": "path", "surface": "mud"], try read(head + "based-on: none"), from: 0, to: 30)
    #expect(costs.cost == costs.length)
  }

  @Test("every problem of a file is named at once, in the order of the file")
  func several() {
    let text = """
      cairn-profile: 2
      name: My Profile
      based-on: hikin
      climb-factor: -1
      surfaces: { mud: none }
      """
    #expect(
      problems(text) == [
        "1:16: “cairn-profile” must be 1, the version that this build reads, not 2",
        "2:7: “name” must be up to 64 lower-case letters, digits and hyphens",
        "3:11: “based-on” must be one of "
          + CostProfile.builtIn.map(\.name).joined(separator: ", ")
          + ", none, not “hikin” (did you mean hiking?)",
        "4:15: “climb-factor” must be from 0 to 100, not -1",
        "5:18: “mud” must be a number or the word impassable, not “none”",
      ])
  }

  @Test("factors that would make a way free or a number overflow are refused")
  func ranges() {
    #expect(
      problems(head + "surfaces: { mud: 0, sand: 1e9, rock: nan, grass: inf }") == [
        "3:18: “mud” must be from 0.01 to 1000, not 0",
        "3:27: “sand” must be from 0.01 to 1000, not 1000000000",
        "3:38: “rock” must be a number, not “nan”",
        "3:50: “grass” must be a number, not “inf”",
      ])
    #expect(problems(head + "speed-kmh: 0") == ["3:12: “speed-kmh” must be from 0.5 to 60, not 0"])
  }

  @Test("name and version must be there")
  func missing() {
    #expect(
      problems("climb-factor: 8") == [
        "1:1: “cairn-profile” is missing in the profile", "1:1: “name” is missing in the profile",
      ])
  }

  @Test("a file may not take the name of a built-in profile", arguments: ["hiking", "cycling"])
  func builtInName(name: String) {
    #expect(
      problems("cairn-profile: 1\nname: \(name)\nclimb-factor: 9") == [
        "2:7: “name” must not be the name of a built-in profile, such as \(name) "
          + "(choose another name, and use based-on: \(name))"
      ])
  }

  @Test("a missing file gives exit code 66")
  func noFile() {
    expectError("cannot-read", .noInput) { try CostProfile.named("absent.yaml") }
  }

  @Test("a name that is neither built in nor a path is refused with the nearest one")
  func unknownName() {
    let error = expectError(.unknownProfile, .configuration) { try CostProfile.named("hikng") }
    #expect(error?.description == "no profile is called “hikng” (did you mean hiking?)")
  }

  @Test("built-in profiles go by their names")
  func named() throws {
    #expect(try CostProfile.named("hiking") == .hiking)
    #expect(try CostProfile.named("cycling") == .cycling)
    #expect(try CostProfile.named("mountain-hiking") == .mountainHiking)
  }
}

@Suite("A profile's fingerprint")
struct FingerprintTests {
  private func fingerprint(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    return try CostProfile(file: try folder.write(text, to: "p.yaml")).fingerprint()
  }

  private let text = """
    cairn-profile: 1
    name: mine
    surfaces: { mud: 3, sand: 2 }
    climb-factor: 9
    """

  @Test("comments, order and spelling of numbers do not change it")
  func sameMeaning() throws {
    let other = """
      # My own profile.
      climb-factor: 9.0
      name: "mine"
      surfaces:
        sand: 2.0   # dunes
        mud: 3
      cairn-profile: 1
      """
    #expect(try fingerprint(text) == fingerprint(other))
  }

  @Test("what is said as the base has it does not change it")
  func redundant() throws {
    #expect(try fingerprint(text) == fingerprint(text + "\nspeed-kmh: 5\nbased-on: hiking"))
  }

  @Test(
    "any changed number or word does",
    arguments: [
      "\nspeed-kmh: 5.1", "\nvehicle: bicycle", "\ndescent: { from-20: 1.01 }",
      "\nsac-scale: { hiking: impassable }", "\nhighways: { steps: 1.5 }", "\nbased-on: cycling",
      "\ncost-base: time", "\ntime-model: tobler", "\ntime-factor: 1.1", "\ntime-spread: 0.3",
      "\nmax-sac: hiking",
      "\nslowdown-weight: 0.5", "\ncontradicted-grades: judged",
      "\nmax-mtb-scale: 0", "\nmax-grade-percent: 9", "\ntracktypes: { grade1: 1 }",
      "\ntrail-visibility: { no: 1 }", "\nsmoothness: { bad: 1 }", "\nmtb-scale: { 0: 1 }",
      "\nroutes: { any: 1 }", "\ndescription: other", "\nroutes: { none: 1 }",
      "\ntunnels: { road: 1 }", "\nunknown-surfaces: { path: 1 }",
      "\nslowdown: { smoothness: { bad: 1 } }",
    ])
  func changed(line: String) throws {
    #expect(try fingerprint(text) != fingerprint(text + line))
  }

  @Test("it is the SHA-256 of a text that says all of the profile in one line of JSON")
  func canonicalText() throws {
    var profile = CostProfile.hiking
    profile.surfaces = ["mud": 2]
    profile.sacScale = ["hiking": 1]
    profile.highways = ["ladder": CostProfile.impassable]
    profile.summary = ""
    profile.timeModel = .equivalentDistance
    profile.slowdown = Slowdown()
    #expect(
      try profile.canonicalText()
        == #"{"based-on":"none","cairn-profile":1,"climb-factor":7.92,"#
        + #""descent":{"above-30":1.5,"below-10":0.5,"from-10":0.8,"from-20":1},"#
        + #""highways":{"ladder":"impassable"},"name":"hiking","#
        + #""sac-scale":{"hiking":1},"speed-kmh":5,"surfaces":{"mud":2,"unknown":1.3},"#
        + #""vehicle":"foot"}"#)
    #expect(try profile.fingerprint().count == 64)
  }

  @Test("the canonical text of a profile is itself a profile file of the same meaning")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    var profile = CostProfile.cycling
    profile.name = "copy"
    profile.unknownSurface = CostProfile.impassable
    let path = try folder.write(try profile.canonicalText(), to: "copy.json")
    #expect(try CostProfile(file: path) == profile)
  }
}
