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
}
