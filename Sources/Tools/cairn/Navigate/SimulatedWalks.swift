// SPDX-License-Identifier: Apache-2.0

import CairnGuidance
import CairnLocationProviders
import Presentation
import SystemIO

extension SimulatedWalkSheet {
  /// Walks each route at each noise. Throws 65 if a route cannot be walked.
  init(
    _ routes: [PlannedRoute], noises: [Double], walks: Int, _ choice: SimulationChoice,
    _ config: RouteGuidanceConfig, threads: Int
  ) throws {
    let queue = WorkQueue(count: noises.count * routes.count * walks)
    let results = Collector<GuidanceEvaluation>(count: queue.count)
    try withWorkers(min(threads, queue.count)) { _ in
      do {
        while let index = queue.next() {
          let (level, walk) = index.quotientAndRemainder(dividingBy: routes.count * walks)
          var choice = choice
          choice.settings.noiseMetres = noises[level]
          let route = routes[walk / walks]
          // Walks with different noise take the same wrong turns.
          let fixes = try choice.walk(along: route, number: walk)
          results.set(index, EvaluatedWalk(fixes, along: route, config: config).evaluation)
        }
      } catch {
        queue.cancel()
        throw error
      }
    }
    let all = results.values()
    let levels = noises.indices.map { level -> Level in
      var sum = GuidanceEvaluation()
      let count = routes.count * walks
      for evaluation in all[level * count..<(level + 1) * count] { sum.add(evaluation) }
      return (noises[level], sum)
    }
    self.init(levels)
  }
}
