// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CairnTravelModels
import Foundation
import OSMInput
import TestSupport
import Testing

@testable import CostModel

extension CostProfile: CustomTestStringConvertible {
  /// The name, which is all that a list of tests needs.
  public var testDescription: String { name }
}

@Suite("Built-in profiles")
struct BuiltInProfileTests {
  /// The fingerprints as they were released: a changed number changes every database, and must be
  /// meant.
  private static let fingerprints = [
    "trail-hiking": "5cd6d80edcb8703d8c6b0446b6b38514dc72edcf15a7647e85bfb1145ed46423",
    "bike-touring": "643b6039e06963177ccbba74d81cd687d17e3c95fc30b4e95ee267913ca30de5",
    "hiking": "909214c581f45008ac2483f826007a79a8c8eb03243aaa88a1f2559a37afca60",
    "shortest": "b273eac02ed17b3aeb39c342ef72a95fa097f9ceca569bc843747139c38eca64",
    "hiking-fast": "f4233bdff510180c3c3f6472c2181972b69332f1b71a19eda574bdc9552cdac2",
    "mountain-hiking": "0f02be031e6add463c6e9439c2dc8bb245b7f815d5975acd18f76a3942c1b203",
    "family": "d21b0d4db83e4eb0a783d368589ae54a273d396e89a7ad04224a082b0570227a",
    "cycling": "2e765ebe15ea59ffe28c8c8f9472084820e4da71cb1a7ed91e21c20d5dcf2b4a",
    "mountain-biking": "451c8836ddf1efd3a86815405c447b7ea9943218ccecc40104ce687d4fa6497d",
  ]

  @Test("keep their fingerprints", arguments: CostProfile.builtIn)
  func fingerprint(profile: CostProfile) throws {
    #expect(try profile.fingerprint() == Self.fingerprints[profile.name], "\(profile.name)")
  }

  @Test("are all named and described in a line", arguments: CostProfile.builtIn)
  func described(profile: CostProfile) {
    #expect(!profile.summary.isEmpty && profile.summary.count <= 80)
    #expect(Self.fingerprints[profile.name] != nil)
  }

  @Test("shown as a file and read again, they are the same", arguments: CostProfile.builtIn)
  func roundTrip(profile: CostProfile) throws {
    let folder = try TemporaryFolder()
    let text = try profile.yamlText()
    let again = try CostProfile(file: try folder.write(text, to: "shown.yaml"))
    #expect(again == profile)
    #expect(try again.fingerprint() == profile.fingerprint())
    #expect(try CostProfile(definition: profile.canonicalText()) == profile)
    let width = text.split(separator: "\n").map(\.count).max() ?? 0
    #expect(width <= 110, "lines that fit on a screen")
  }

  @Test("a profile with every key and odd words survives being shown")
  func oddWords() throws {
    var profile = CostProfile(name: "odd")
    profile.summary = "says: \"no\" # really"
    profile.surfaces = ["cobblestone:flattened": 1.5, "no": 2, "12": 3, "a b": 4, "ü": 5]
    profile.unknownSurface = CostProfile.impassable
    profile.smoothness = ["bad": 0.7]
    profile.mtbScale = ["0": 1.1, "6": CostProfile.impassable]
    profile.maximumGradePercent = 33.5
    profile.maximumMTBScale = 5
    let folder = try TemporaryFolder()
    let path = try folder.write(try profile.yamlText(), to: "odd.yaml")
    #expect(try CostProfile(file: path) == profile)
  }

  @Test("every key, every time model and every built-in profile is in docs/profiles.md")
  func documented() throws {
    var profile = CostProfile.bikeTouring
    (profile.costBase, profile.timeFactor, profile.maximumGradePercent) = (.time, 2, 30)
    profile.maximumMTBScale = 3
    for table in Slowdown.tables { profile.slowdown[keyPath: table.path] = ["any": 2] }
    let lines = try profile.yamlText().split(separator: "\n").filter { $0.contains(":") }
    let keys = lines.filter { $0.first?.isLetter == true }.map { $0.prefix { $0 != ":" } }
    #expect(keys.count > 20)
    let page = try String(contentsOfFile: "\(packageRoot)/docs/profiles.md", encoding: .utf8)
    for key in keys { #expect(page.contains("| `\(key)` |"), "\(key)") }
    for table in Slowdown.tables { #expect(page.contains("`\(table.key)`"), "\(table.key)") }
    for model in TimeModel.allCases { #expect(page.contains("| `\(model.rawValue)` |")) }
    for name in CostProfile.builtIn.map(\.name) { #expect(page.contains(" \(name) |"), "\(name)") }
  }

  @Test("a definition in a database may have any name and any values")
  func definition() throws {
    var profile = CostProfile.hiking
    profile.climbFactor = 8
    #expect(try CostProfile(definition: profile.canonicalText()) == profile)
    expectError("malformed-yaml", .configuration) { try CostProfile(definition: "{") }
    expectError("invalid-configuration", .configuration) {
      try CostProfile(definition: #"{"cairn-profile":1,"name":"x","warp-factor":9}"#)
    }
  }

  @Test("hiking and cycling have exactly the values of the cost model")
  func seeds() {
    let hiking = CostProfile.hiking
    #expect(hiking.surfaces == RoutingCostConfig.hikingSurfaceMultipliers)
    #expect(hiking.sacScale == RoutingCostConfig.sacScaleMultipliers)
    #expect(hiking.highways == ["via_ferrata": .infinity, "ladder": .infinity, "steps": 1])
    #expect(hiking.smoothness.isEmpty)
    #expect(CostProfile.cycling.smoothness == ["impassable": .infinity], "no wheel rolls there")
    for profile in [hiking, .cycling] {
      #expect(profile.costBase == .equivalentDistance)
      #expect(profile.timeFactor == 1)
      for table in [
        profile.tracktypes, profile.trailVisibility, profile.mtbScale, profile.routes,
        profile.unknownSurfaces, profile.tunnels, profile.access,
      ] { #expect(table.isEmpty) }
      #expect(profile.maximumSACScale == nil && profile.maximumGradePercent == nil)
    }
  }

  @Test("no profile leads a walker or a cyclist onto a via ferrata", arguments: CostProfile.builtIn)
  func viaFerrata(profile: CostProfile) {
    for tags in [["highway": "via_ferrata"], ["highway": "path", "via_ferrata_scale": "1"]] {
      #expect(TagFactors(tags, profile).forward == .infinity, "\(profile.name)")
    }
  }

  @Test("no wheel rolls where smoothness says impassable, and a walker does not care")
  func wheels() {
    for profile in CostProfile.builtIn {
      let factors = TagFactors(["highway": "path", "smoothness": "impassable"], profile)
      #expect(factors.forward.isInfinite == (profile.vehicle == .bicycle), "\(profile.name)")
    }
  }

  @Test("shortest costs the length of an edge, whatever it is like")
  func shortest() throws {
    let tags = ["highway": "path", "surface": "mud", "sac_scale": "alpine_hiking"]
    let costs = try Costs(tags, .shortest, from: 0, to: 80)
    #expect(costs.cost == costs.length && costs.reverseCost == costs.length)
    #expect(costs.edges.duration[0] > costs.edges.reverseDuration[0])
    #expect(try Costs(["highway": "path", "foot": "no"], .shortest).cost == .infinity)
  }

  @Test("family stays below T2 and 30 %, on paths that can be seen")
  func family() throws {
    func cost(_ tags: [String: String], to metres: Float = 0) throws -> Double {
      try Costs(tags.merging(["highway": "path"]) { $1 }, .family, from: 0, to: metres).cost
    }
    #expect(try cost(["sac_scale": "hiking"]).isFinite)
    #expect(try cost(["sac_scale": "mountain_hiking"]) == .infinity)
    #expect(try cost(["trail_visibility": "bad"]) == .infinity)
    #expect(try cost([:], to: 29).isFinite)
    #expect(try cost([:], to: 31) == .infinity)
  }

  @Test("tables name only values of highway that a graph can have")
  func knownHighways() {
    #expect(TagSelection.routableHighways.isSubset(of: ProfileKeys.highways))
    #expect(
      ProfileKeys.highways.subtracting(TagSelection.routableHighways)
        == ["assisted_trail", "ferry", "lock_gate", "pier"])
  }
}
