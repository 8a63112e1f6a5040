// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase
import CairnTagRules
import CostModel
import TestSupport
import Testing
import TrailData

/// The costs of a map's edges.
struct Costs {
  let edges: EdgeCosts
  let graph: GraphFile
  private let folder: TemporaryFolder

  init(_ map: AsciiMap, _ profile: CostProfile = .hiking) throws {
    folder = try TemporaryFolder()
    graph = try GraphFile(try map.graphFile(in: folder))
    edges = EdgeCosts(graph, profile)
  }

  /// The costs of a way of about 100 m with these tags and heights at its ends.
  init(_ tags: [String: String], _ profile: CostProfile = .hiking, from: Float = 0, to: Float = 0)
    throws
  {
    try self.init(
      AsciiMap("AB", ways: [.init("AB", tags: tags)], elevations: ["A": from, "B": to]), profile)
  }

  var length: Double { graph.distances[0] }
  var cost: Double { edges.cost[0] }
  var reverseCost: Double { edges.reverseCost[0] }
}

@Suite("The cost of an edge")
struct FormulaTests {
  @Test(
    "a walker's flat metre costs what its surface says",
    arguments: [
      ("paved", 1.0), ("asphalt", 1.0), ("concrete", 1.0), ("compacted", 1.1),
      ("fine_gravel", 1.1), ("gravel", 1.2), ("ground", 1.3), ("dirt", 1.3), ("earth", 1.3),
      ("grass", 1.4), ("rock", 1.5), ("pebblestone", 1.5), ("sand", 1.8), ("mud", 2.0),
      ("cobblestone:flattened", 1.3),
    ])
  func surfaces(surface: String, factor: Double) throws {
    let costs = try Costs(["highway": "path", "surface": surface])
    #expect(costs.cost == costs.length * factor)
    #expect(costs.reverseCost == costs.length * factor)
  }

  @Test("a way without a surface costs what an unknown one does")
  func noSurface() throws {
    let costs = try Costs(["highway": "path"])
    #expect(costs.cost == costs.length * 1.3)
  }

  @Test(
    "a grade of the SAC scale multiplies the surface",
    arguments: [
      ("strolling", 1.0), ("hiking", 1.0), ("mountain_hiking", 1.2),
      ("demanding_mountain_hiking", 1.5), ("alpine_hiking", 2.0),
      ("demanding_alpine_hiking", 3.0), ("difficult_alpine_hiking", 5.0), ("unheard_of", 1.0),
    ])
  func grades(grade: String, factor: Double) throws {
    let costs = try Costs(["highway": "path", "surface": "gravel", "sac_scale": grade])
    #expect(costs.cost == costs.length * (1.2 * factor))
  }

  @Test("steps cost a walker what a path costs")
  func steps() throws {
    let steps = try Costs(["highway": "steps", "surface": "asphalt"])
    #expect(steps.cost == steps.length)
  }

  @Test("a metre of climb costs 7.92, and its descent by its grade on the way back")
  func climb() throws {
    let costs = try Costs(["highway": "path", "surface": "asphalt"], from: 100, to: 105)
    #expect(costs.cost == costs.length + 5 * 7.92)
    #expect(costs.reverseCost == costs.length + 5 * 7.92 * 0.5)
  }

  @Test(
    "descent counts by its grade",
    arguments: [
      (1, 0.5), (9, 0.5), (11, 0.8), (19, 0.8), (21, 1.0), (29, 1.0), (31, 1.5), (80, 1.5),
    ] as [(Float, Double)])
  func descent(metres: Float, factor: Double) throws {
    let costs = try Costs(["highway": "path", "surface": "asphalt"], from: metres, to: 0)
    #expect(costs.cost == costs.length + Double(metres) * 7.92 * factor)
    #expect(costs.reverseCost == costs.length + Double(metres) * 7.92)
  }

  @Test(
    "10 % brakes already, 20 % is as slow as climbing, and so is 30 % still",
    arguments: [
      (9.999, 0.5), (10.0, 0.8), (19.999, 0.8), (20.0, 1.0), (30.0, 1.0), (30.001, 1.5),
    ])
  func borders(percent: Double, factor: Double) {
    #expect(RoutingCostConfig.descentMultiplier(gradePercent: percent) == factor)
    #expect(CostProfile.hiking.descent(gradePercent: percent) == factor)
    #expect(CostProfile.cycling.descent(gradePercent: percent) == factor)
  }

  @Test(
    "an edge of exactly 10, 20 or 30 % lies on the upper side of the border, 30 % on the lower",
    arguments: [(10, 0.8), (20, 1.0), (30, 1.0)])
  func exactGrades(loss: Double, factor: Double) throws {
    let costs = try costs(distance: 100, gain: 0, loss: loss)
    #expect(costs.cost[0] == 100 * 1.3 + loss * 7.92 * factor)
  }

  @Test("the way back has gain and loss swapped, and the grade of its own descent")
  func reverse() throws {
    let costs = try costs(distance: 1000, gain: 250, loss: 40)
    #expect(costs.cost[0] == 1000 * 1.3 + 250 * 7.92 + 40 * 7.92 * 0.5)
    #expect(costs.reverseCost[0] == 1000 * 1.3 + 40 * 7.92 + 250 * 7.92 * 1.0)
  }

  @Test("the grade is that of the whole edge")
  func wholeEdge() throws {
    // 30 m down over the first hundred metres of four: 7.5 %, although the drop itself is 30 %.
    let map = AsciiMap(
      "AB--C", ways: [.init("ABC")], elevations: ["A": 30, "B": 0, "C": 0])
    let costs = try Costs(map)
    #expect(costs.cost == costs.length * 1.3 + 30 * 7.92 * 0.5)
  }

  @Test("an edge of no length costs a little, so that no circle is free")
  func zeroLength() throws {
    let costs = try costs(distance: 0, gain: 0, loss: 0)
    #expect(costs.cost == [EdgeFormula.leastCost])
    #expect(costs.minimumCostPerMetre == 0)
  }

  @Test("the time by equivalent distance is that of the length and the climb, at 5 km/h")
  func duration() throws {
    var profile = CostProfile.hiking
    profile.timeModel = .equivalentDistance
    let costs = try costs(distance: 5000, gain: 0, loss: 0, profile)
    #expect(abs(costs.duration[0] - 3600) < 1e-9)
    let climb = try self.costs(distance: 1000, gain: 100, loss: 50, profile)
    #expect(abs(climb.duration[0] - (1000 + 792) * 3.6 / 5) < 1e-9)
    #expect(abs(climb.reverseDuration[0] - (1000 + 396) * 3.6 / 5) < 1e-9)
  }

  @Test("the least cost of a metre is that of the cheapest edge in either direction")
  func minimum() throws {
    let map = AsciiMap(
      "A-B-C",
      ways: [
        .init("AB", tags: ["highway": "path", "surface": "gravel"]),
        .init("BC", tags: ["highway": "path", "surface": "mud"]),
      ])
    let costs = try Costs(map).edges
    #expect(abs(costs.minimumCostPerMetre - 1.2) < 1e-12)
  }

  @Test("where nothing is passable the least cost of a metre is 0")
  func nothingPassable() throws {
    #expect(try Costs(["highway": "path", "foot": "no"]).edges.minimumCostPerMetre == 0)
  }

  @Test("a cyclist's climb costs 12 a metre, and surfaces are never cheaper than a walker's")
  func cycling() throws {
    let costs = try Costs(
      ["highway": "track", "surface": "gravel"], .cycling, from: 100, to: 105)
    #expect(costs.cost == costs.length * 1.6 + 5 * 12)
    for (surface, factor) in RoutingCostConfig.hikingSurfaceMultipliers {
      #expect(RoutingCostConfig.cyclingSurfaceMultipliers[surface] ?? 0 >= factor, "\(surface)")
    }
  }

  private func costs(
    distance: Double, gain: Double, loss: Double, _ profile: CostProfile = .hiking
  ) throws -> EdgeCosts {
    let folder = try TemporaryFolder()
    let graph = GraphContent(distance: distance, gain: gain, loss: loss)
    return EdgeCosts(try GraphFile(try graph.file(in: folder)), profile)
  }
}
