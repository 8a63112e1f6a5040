// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRouting
import CairnRoutingDatabase
import CairnTagRules
import TestSupport
import Testing

@testable import CostModel

/// A database of ways between two nodes, one for each tag set.
private struct ParallelWays {
  private let folder: TemporaryFolder
  private let store: RoutingStore
  private let network: RoadNetwork

  init(_ tags: [[String: String]]) throws {
    folder = try TemporaryFolder()
    let map = AsciiMap("A-B", ways: tags.map { .init("AB", tags: $0) })
    store = RoutingStore(path: try map.routingDatabase(in: folder))
    try store.open()
    network = try RoadNetwork(reading: store)
  }

  /// The traits of each way, which must be the same from the database and in memory.
  func traits() throws -> [EdgeTraits] {
    try network.edges.map { edge in
      let traits = try store.traits(ofEdge: edge.id)
      #expect(edge.traits == traits)
      return traits
    }
  }
}

/// The factor of changed preferences.
private func factor(_ traits: EdgeTraits, _ change: (inout RoutingPreferences) -> Void) -> Double {
  var preferences = RoutingPreferences()
  change(&preferences)
  return preferences.factor(traits)
}

@Suite("Preferences and costs read tags alike")
struct TagPreferenceTests {
  @Test("every grade that costs know counts in every spelling")
  func grades() throws {
    let names = Set(CostProfile.builtIn.flatMap(\.sacScale.keys)).union(ProfileKeys.sacScale)
    var ways: [(text: String, grade: SACScale)] = []
    for name in names.sorted() {
      let grade = try #require(SACScale(hardestOf: name), "\(name)")
      for text in [name, name.uppercased(), " \(name) ", "strolling;\(name)", "\(name); strolling"]
      {
        ways.append((text, grade))
      }
      if grade > .strolling { ways += [("T\(grade.number)", grade), ("t\(grade.number)", grade)] }
    }
    let traits = try ParallelWays(
      ways.map { ["highway": "path", "sac_scale": $0.text] }
    ).traits()
    try #require(traits.count == ways.count)
    for (way, traits) in zip(ways, traits) {
      for maximum in SACScale.allCases {
        var expected = 1.0
        for _ in 0..<max(0, way.grade.number - maximum.number) {
          expected *= RoutingPreferences.gradeFactor
        }
        #expect(
          factor(traits) { $0.maximumSACGrade = maximum } == expected, "\(way.text), \(maximum)")
        // Costs close ways above the limit of a profile, and no others.
        var profile = CostProfile(name: "test")
        profile.maximumSACScale = maximum
        let cost = TagFactors(["highway": "path", "sac_scale": way.text], profile).forward
        #expect((cost == .infinity) == (expected > 1), "\(way.text), \(maximum)")
      }
    }
  }

  @Test("every surface that costs know is paved if it costs nothing extra, and only then")
  func surfaces() throws {
    let known = Set(CostProfile.builtIn.flatMap(\.surfaces.keys)).union(Paving.surfaces)
    let surfaces = known.sorted()
    let traits = try ParallelWays(
      surfaces.map { ["highway": "path", "surface": $0] }
    ).traits()
    try #require(traits.count == surfaces.count)
    for (surface, traits) in zip(surfaces, traits) {
      #expect(traits.isPaved == Paving.surfaces.contains(surface), "\(surface)")
      for table in [
        RoutingCostConfig.hikingSurfaceMultipliers, RoutingCostConfig.cyclingSurfaceMultipliers,
      ] {
        if let multiplier = table[surface] {
          #expect(traits.isPaved == (multiplier == 1), "\(surface)")
        }
      }
      #expect(
        factor(traits) { $0.prefersPaved = true }
          == (traits.isPaved ? 1 : RoutingPreferences.unpavedFactor), "\(surface)")
    }
  }

  @Test("every highway that costs know is paved or not, and only steps are steps")
  func highways() throws {
    let highways = ProfileKeys.highways.intersection(TagSelection.routableHighways).sorted()
    let traits = try ParallelWays(highways.map { ["highway": $0] }).traits()
    try #require(traits.count == highways.count)
    for (highway, traits) in zip(highways, traits) {
      #expect(traits.isSteps == (highway == "steps"), "\(highway)")
      #expect(traits.isPaved == Paving.highways.contains(highway), "\(highway)")
      #expect(
        factor(traits) { $0.avoidsSteps = true }
          == (highway == "steps" ? RoutingPreferences.stepsFactor : 1), "\(highway)")
    }
  }

  @Test(
    "a way above the limit is avoided however its grade is written, from pages and in memory",
    arguments: [
      ("T4", SACScale.t2), ("t4", .t2), ("hiking;alpine_hiking", .t2), ("ALPINE_HIKING", .t2),
      (" Mountain_Hiking ", .t1), ("T2", .t1),
    ])
  func routes(value: String, maximum: SACScale) throws {
    let map = AsciiMap(
      """
      A----B----C
      |         |
      D---------E
      """,
      ways: ["AB", "BC"].map { .init($0, tags: ["highway": "path", "sac_scale": value]) }
        + [.init("AD"), .init("DE"), .init("EC")])
    let routed = try RoutedMap(map, profiles: ["shortest"])
    func nodes(_ maximum: SACScale?) throws -> String {
      var preferences = RoutingPreferences()
      preferences.maximumSACGrade = maximum
      return try routed.engine.findRoute(
        from: map.coordinate("A"), to: map.coordinate("C"), profile: "shortest",
        preferences: preferences
      ).letters
    }
    #expect(try nodes(nil) == "ABC")
    #expect(try nodes(maximum) == "ADEC")
    #expect(try nodes(SACScale(hardestOf: value)) == "ABC")
  }
}
