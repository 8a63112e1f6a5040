// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import SystemIO
import TrailData

/// The contribution of a tag set to the costs of its edges for one profile.
struct TagSetTerms: Sendable {
  /// The products of its factors in both directions, see ``TagFactors/forward``.
  let forward: Double
  let backward: Double
  /// Its slowdowns in both directions.
  let forwardSlowdown: Double
  let backwardSlowdown: Double
  /// The class of access in its more welcoming direction.
  let access: AccessClass

  init(_ factors: TagFactors) {
    (forward, backward) = (factors.forward, factors.backward)
    (forwardSlowdown, backwardSlowdown) = (factors.forwardSlowdown, factors.backwardSlowdown)
    access = min(factors.access.forwardClass, factors.access.backwardClass)
  }

  /// The number of tag sets that a worker takes at a time.
  private static let chunkSize = 32

  /// The terms of all tag sets of a graph for each profile.
  static func all(
    _ graph: GraphFile, _ profiles: [CostProfile], on date: CalendarDate?, threads: Int
  ) -> [[TagSetTerms]] {
    let count = graph.tagSets.count
    let queue = WorkQueue(count: (count + chunkSize - 1) / chunkSize)
    let results = Collector<[[TagSetTerms]]>(count: queue.count)
    runWorkers(min(threads, queue.count)) { _ in
      while let chunk = queue.next() {
        let tags = (chunk * chunkSize..<min((chunk + 1) * chunkSize, count)).map {
          graph.tagList(ofTagSet: $0)
        }
        results.set(
          chunk,
          profiles.map { profile in
            tags.map { TagSetTerms(TagFactors($0, profile, on: date)) }
          })
      }
    }
    let chunks = results.values()
    return profiles.indices.map { profile in chunks.flatMap { $0[profile] } }
  }
}
