// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnRoutingDatabase
import CairnTagRules
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("The tag duration")
struct TaggedDurationTests {
  @Test(
    "is read in all its forms",
    arguments: [
      ("00:45", 2700), ("1:30", 5400), ("0:05:30", 330), ("26:00", 93_600), ("20", 1200),
      ("7.5", 450), ("PT1H30M", 5400), ("PT45M", 2700), ("PT90S", 90), ("P1DT2H", 93_600),
      ("P1W", 604_800), ("PT0.5H", 1800),
    ] as [(String, Double)])
  func forms(text: String, seconds: Double) {
    #expect(TaggedDuration.seconds(text) == seconds)
  }

  @Test(
    "is nothing where it makes no sense, or is longer than a week",
    arguments: [
      "", "soon", "0", "00:00", "-5", "1:60", "1:5", "1:00:00:00", ":30", "1:", "1e3", "inf", "nan",
      "0x10", "P", "PT", "P1D T2H", "P1M", "P1Y", "PT5", "PTM", "PT1M1H", "PT1H1H", "P1H",
      "200:00", "P2W", "99999999999999999999999999999999999", "٣", "1..5",
    ])
  func nonsense(text: String) {
    #expect(TaggedDuration.seconds(text) == nil)
  }
}

extension TaggedDurationTests {
  @Test(
    "is written in decimal minutes that can be read again",
    arguments: [
      (1800, "30"), (90, "1.5"), (0.06, "0.001"), (1e-9, "0.000001"), (604_800, "10080"),
      (3600.0 / 7, "8.571429"),
    ] as [(Double, String)])
  func written(seconds: Double, text: String) {
    #expect(TaggedDuration.text(seconds: seconds) == text)
    #expect(TaggedDuration.seconds(text).map { abs($0 - seconds) < 1e-3 } == true)
  }
}

@Suite("What ferries cost")
struct FerryCostTests {
  private static let ferry = ["route": "ferry", "foot": "yes", "bicycle": "yes"]

  private func costs(_ tags: [String: String], _ profile: CostProfile = .hiking) throws
    -> (graph: GraphFile, costs: EdgeCosts)
  {
    let folder = try TemporaryFolder()
    // 4 km, cut after the first.
    let map = AsciiMap(
      "A-B-----C\n  D", cellMetres: 500,
      ways: [.init("ABC", tags: Self.ferry.merging(tags) { $1 }), .init("DB")])
    let graph = try GraphFile(try map.graphFile(in: folder))
    return (graph, EdgeCosts(graph, profile))
  }

  private func isNear(_ value: Double, _ expected: Double) -> Bool {
    abs(value - expected) <= expected * 0.001
  }

  @Test("edges share the time of their way by their lengths")
  func duration() throws {
    let costs = try costs(["duration": "01:20"]).costs
    #expect(isNear(costs.duration[0], 1200) && isNear(costs.duration[1], 3600))
    #expect(isNear(costs.reverseDuration[0], 1200) && isNear(costs.reverseDuration[1], 3600))
    // What one walks on a flat good path in that time, at 5 km/h.
    #expect(isNear(costs.cost[0], 1200 * 5 / 3.6) && isNear(costs.reverseCost[1], 5000))
  }

  @Test("a cyclist's time is worth more metres")
  func cyclist() throws {
    #expect(isNear(try costs(["duration": "PT1H20M"], .cycling).costs.cost[0], 5000))
  }

  @Test("a fast ferry costs its length, so that the straight line stays a bound")
  func fast() throws {
    let (graph, costs) = try costs(["duration": "10"])
    #expect(isNear(costs.duration[0], 150))
    #expect(costs.cost[0] == graph.distances[0])
    #expect(costs.minimumCostPerMetre == 1)
  }

  @Test("without a duration, or with one that cannot be, it goes 15 km/h")
  func withoutDuration() throws {
    for tags in [[:], ["duration": "soon"], ["duration": "1"]] as [[String: String]] {
      #expect(isNear(try costs(tags).costs.duration[0], 240), "\(tags)")
    }
  }

  @Test("a duration that cannot be is named")
  func unbelievable() throws {
    for (text, isNamed) in [
      ("soon", true), ("1", true), ("00:00", true), ("1000000000:00", true), ("-5", true),
      ("01:20", false),
    ] {
      let graph = try costs(["duration": text]).graph
      #expect(FerryTimes(graph).unbelievable == (isNamed ? [0] : []))
      let warnings = ComputeCostsCommand.unbelievableDurations(graph)
      #expect(warnings.total == (isNamed ? 1 : 0))
      #expect(
        warnings.entries.allSatisfy { $0.examples.first?.hasSuffix("duration=\(text)") == true })
    }
  }

  @Test("access holds for ferries, too")
  func access() throws {
    #expect(try costs(["foot": "no"]).costs.cost[0] == .infinity)
    #expect(try costs(["oneway": "yes"]).costs.reverseCost[0] == .infinity)
    #expect(try costs(["oneway": "yes"]).costs.cost[0] < .infinity)
  }

  @Test("a profile may weigh ferries, or avoid them altogether")
  func factor() throws {
    var profile = CostProfile.hiking
    profile.highways["ferry"] = 2
    #expect(isNear(try costs(["duration": "01:20"], profile).costs.cost[1], 10_000))
    #expect(isNear(try costs(["duration": "01:20"], profile).costs.duration[1], 3600))
    profile.highways["ferry"] = CostProfile.impassable
    let costs = try costs(["duration": "01:20"], profile).costs
    #expect(costs.cost[1] == .infinity && costs.duration[1] == .infinity)
  }

  @Test("the database calls them ferries")
  func highwayType() throws {
    let folder = try TemporaryFolder()
    let map = AsciiMap("A-B-C", ways: [.init("AB", tags: Self.ferry), .init("BC")])
    let path = try map.routingDatabase(in: folder)
    #expect(
      try rows(of: path, "SELECT highway_type FROM routing_edges") == [["ferry"], ["path"]])
  }
}
