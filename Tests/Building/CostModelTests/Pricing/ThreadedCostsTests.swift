// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import CairnTravelModels
import TestSupport
import Testing
import TrailData

@testable import CostModel

@Suite("Costs on several threads")
struct ThreadedCostsTests {
  @Test("all profiles at once have the costs that each has alone, for any number of threads")
  func threads() throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 3)
    var content = GraphContent(distance: 1)
    // More than a worker takes at a time.
    let count = 40_000
    content.from = Array(repeating: 0, count: count)
    content.to = Array(repeating: 1, count: count)
    content.ways = Array(repeating: 0, count: count)
    content.distances = (0..<count).map { _ in random.nextShare() * 500 }
    content.gains = (0..<count).map { _ in random.nextShare() * 90 }
    content.losses = (0..<count).map { _ in random.nextShare() * 90 }
    content.pointOffsets = Array(repeating: 0, count: count + 1)
    let graph = try GraphFile(try content.file(in: folder), threads: 3)
    let profiles = try ["hiking", "cycling", "mountain-biking"].map { try CostProfile.named($0) }
    let alone = profiles.map { EdgeCosts(graph, $0) }
    for threads in [1, 2, 3, 8] {
      #expect(
        EdgeCosts.all(graph, profiles, on: nil, threads: threads) == alone, "\(threads) threads")
    }
    // Some edges are too steep for a bicycle, and the order of edges is kept.
    let formula = EdgeFormula(profiles[0])
    for edge in stride(from: 0, to: count, by: 997) {
      let cost = formula.cost(
        TagFactors([:], profiles[0]).forward, distance: content.distances[edge],
        up: content.gains[edge], down: content.losses[edge])
      #expect(alone[0].cost[edge] == cost)
    }
  }

  @Test(
    "a price is the cost and the seconds that the formula gives each", arguments: [false, true])
  func price(isByTime: Bool) {
    var random = SeededGenerator(seed: 5)
    for model in TimeModel.allCases {
      var profile = CostProfile(name: "x")
      profile.timeModel = model
      profile.costBase = isByTime ? .time : .equivalentDistance
      profile.maximumGradePercent = 40
      profile.timeFactor = 1.25
      profile.slowdownWeight = 0.5
      let formula = EdgeFormula(profile)
      for _ in 0..<200 {
        let (distance, up, down) = (
          random.nextShare() * 300, random.nextShare() * 60, random.nextShare() * 60
        )
        let multiplier = random.next() % 8 == 0 ? Double.infinity : 0.5 + random.nextShare() * 4
        let price = formula.price(
          multiplier, slowdown: 1.5, distance: distance, up: up, down: down)
        let cost = formula.cost(
          multiplier, slowdown: 1.5, distance: distance, up: up, down: down)
        #expect(price.cost == cost)
        let light = formula.cost(multiplier, distance: distance, up: up, down: down)
        #expect(cost == light || abs(cost / light - 1.25) < 1e-12)
        #expect(
          price.seconds
            == (cost.isFinite
              ? formula.seconds(1.5, distance: distance, up: up, down: down) : .infinity))
      }
    }
  }
}
