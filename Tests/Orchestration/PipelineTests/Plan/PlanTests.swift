// SPDX-License-Identifier: Apache-2.0
import Manifests
import Planning
import RunSupport
import Testing

@testable import Pipeline

@Suite("Plans")
struct PlanTests {
  @Test("a region's actions are adjacent, so that no one searches the whole plan for them")
  func adjacentActions() throws {
    let world = try World()
    for selection in [nil, ["east"]] {
      let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: selection)
      #expect(plan.actionsOfRegions.count == plan.regions.count)
      #expect(plan.actionsOfRegions.flatMap { Array($0) } == Array(plan.actions.indices))
      for (region, indices) in plan.actionsOfRegions.enumerated() {
        #expect(!indices.isEmpty)
        #expect(plan.actions[indices].allSatisfy { $0.region == region })
      }
    }
  }

  @Test("a stage that reads elevations depends on the ways, too")
  func elevations() throws {
    let world = try World()
    for hasElevation in [true, false] {
      if !hasElevation { try world.change("elevation: [{ hgt: hgt }]", to: "elevation: none") }
      let plan = try Plan(Manifest.load(world.folder.file("m.yaml")), selection: ["west"])
      let graph = try #require(plan.actions.first { $0.stage == .buildGraph })
      let stages = graph.dependencies.map { plan.actions[$0].stage }
      #expect(stages == (hasElevation ? [.decodePBF, .sampleElevation] : [.decodePBF]))
      let inputs = graph.arguments.compactMap { argument -> String? in
        guard case .product(let index, let role) = argument else { return nil }
        return "\(role) \(plan.actions[index].stage.rawValue)"
      }
      #expect(
        inputs
          == (hasElevation
            ? ["input sample-elevation", "trails decode-pbf"] : ["input decode-pbf"]))
    }
  }
}
