// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("What barriers cost")
struct BarrierCostTests {
  private func graph(_ barrier: [String: String], way: [String: String] = ["highway": "track"])
    throws -> GraphFile
  {
    let folder = try TemporaryFolder()
    let map = AsciiMap("A-B-C", ways: [.init("ABC", tags: way)], nodeTags: ["B": barrier])
    let graph = try GraphFile(try map.graphFile(in: folder))
    #expect(Array(graph.barrierEdges) == [1])
    return graph
  }

  private func costs(_ barrier: [String: String], way: [String: String] = ["highway": "track"])
    throws -> (foot: EdgeCosts, bicycle: EdgeCosts)
  {
    let graph = try graph(barrier, way: way)
    return (EdgeCosts(graph, .hiking), EdgeCosts(graph, .cycling))
  }

  @Test("infinity for whom they stop")
  func closed() throws {
    let (foot, bicycle) = try costs(["barrier": "wall"])
    for costs in [foot, bicycle] {
      #expect(costs.cost[1] == .infinity && costs.reverseCost[1] == .infinity)
      #expect(costs.duration[1] == .infinity && costs.reverseDuration[1] == .infinity)
      #expect(!costs.isOneway[1])
      #expect(costs.cost[0] < .infinity && costs.cost[2] < .infinity)
    }
  }

  @Test("next to nothing, but not nothing, for who passes")
  func passed() throws {
    let (foot, bicycle) = try costs(["barrier": "kissing_gate"])
    #expect(foot.cost[1] == EdgeFormula.leastCost && foot.reverseCost[1] == EdgeFormula.leastCost)
    #expect(foot.duration[1] == 0)
    #expect(bicycle.cost[1] == .infinity)
  }

  @Test(
    "follow what the profile makes of their class of access",
    arguments: [
      ("restricted", ["barrier": "gate", "access": "private"], false),
      ("restricted", ["barrier": "gate", "access": "private", "locked": "yes"], true),
      ("restricted", ["barrier": "fence"], true),
      ("sidepath", ["barrier": "gate", "access": "private"], true),
    ])
  func opened(access: String, barrier: [String: String], isClosed: Bool) throws {
    var profile = CostProfile(name: "keeper")
    profile.access = [access: 1.5]
    let graph = try graph(barrier)
    #expect(EdgeCosts(graph, profile).cost[1].isInfinite == isClosed)
    #expect(EdgeCosts(graph, .hiking).cost[1].isInfinite)
    let terms = EdgePricer(profile, on: nil).terms(.init(way: [:], barrier: barrier))
    #expect(terms.isBlocked == isClosed)
  }

  @Test(
    "that are open to most close where a profile says so",
    arguments: [("permissive", "permissive"), ("destination", "customers")])
  func closed(access: String, value: String) throws {
    var profile = CostProfile(name: "public")
    profile.access = [access: CostProfile.impassable]
    let graph = try graph(["barrier": "gate", "access": value])
    #expect(EdgeCosts(graph, profile).cost[1] == .infinity)
    #expect(EdgeCosts(graph, .hiking).cost[1] == EdgeFormula.leastCost)
  }

  @Test("do not lower the least cost of a metre")
  func minimum() throws {
    #expect(try costs(["barrier": "kissing_gate"]).foot.minimumCostPerMetre >= 1)
  }

  @Test("their edge leads where its way leads")
  func oneway() throws {
    let (foot, bicycle) = try costs(
      ["barrier": "gate", "foot": "no", "bicycle": "yes"],
      way: ["highway": "residential", "oneway": "yes"])
    #expect(foot.cost[1] == .infinity)
    #expect(bicycle.cost[1] < .infinity && bicycle.reverseCost[1] == .infinity)
    #expect(bicycle.isOneway[1])
  }
}
