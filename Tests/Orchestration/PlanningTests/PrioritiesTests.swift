// SPDX-License-Identifier: Apache-2.0
import Manifests
import TestSupport
import Testing

@testable import Planning

@Suite("The order of stages")
struct PrioritiesTests {
  private let folder: TemporaryFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    plan = try Plan(ofTwoRegionsFrom: folder.write("", to: "some.osm.pbf"), in: folder)
  }

  /// The stages of a region in the order of a run with one processor.
  private func order(_ history: RunHistory, region: Int) -> [Stage] {
    let priorities = plan.priorities(history)
    return plan.batches.indices.sorted { priorities[$0] < priorities[$1] }
      .flatMap { plan.batches[$0] }.map { plan.actions[$0] }
      .filter { $0.region == region }.map(\.stage)
  }

  @Test(
    "in a new region, search comes before waypoints, and both databases before their validation")
  func new() {
    let order = order(RunHistory(folder.file("history.json")), region: 0)
    #expect(
      order == [
        .decodePBF, .buildGraph, .computeCosts, .indexPlaces, .validate, .collectPlaces,
        .validateWaypoints, .validatePlaces, .publish,
      ])
  }

  private func weight(_ stage: Stage, region: Int, _ history: RunHistory) -> Double? {
    let weights = plan.weights(history)
    return plan.batches.indices.first { batch in
      plan.batches[batch].contains {
        plan.actions[$0].stage == stage && plan.actions[$0].region == region
      }
    }.map { weights[$0] }
  }

  @Test("in a new region, the validation of the network outlasts those of places and waypoints")
  func weights() throws {
    let history = RunHistory(folder.file("history.json"))
    let others = [Stage.validateWaypoints, .validatePlaces].compactMap {
      weight($0, region: 0, history)
    }
    #expect(try #require(weight(.validate, region: 0, history)) > others.reduce(0, +))
    #expect(others.count == 2 && weight(.publish, region: 0, history) == 0)
  }

  @Test("a region that was built goes by the times of its stages, and the longer region goes first")
  func known() {
    let history = RunHistory(folder.file("history.json"))
    for region in ["a", "b"] {
      for stage in plan.actions.map(\.stage) where stage.isProcess {
        // Waypoints of region b take longest.
        history.add(
          .init(
            wallSeconds: region == "b" && stage == .collectPlaces ? 9 : 1, peakBytes: 1,
            inputBytes: 1, outputBytes: 1),
          region: region, stage: stage.rawValue)
      }
    }
    #expect(order(history, region: 1).prefix(2) == [.decodePBF, .collectPlaces])
    #expect(order(history, region: 0).prefix(2) == [.decodePBF, .buildGraph])
    #expect(weight(.collectPlaces, region: 1, history) == 9)
    #expect(weight(.collectPlaces, region: 0, history) == 1)
    let priorities = plan.priorities(history)
    let first = plan.batches.indices.min { priorities[$0] < priorities[$1] }
    #expect(first.map { plan.batches[$0].contains { plan.actions[$0].region == 1 } } == true)
  }
}
