// SPDX-License-Identifier: Apache-2.0
import CostModel
import TagRules

/// The seconds of the edges of ferries.
struct FerryCrossings {
  private var seconds: [Int: Double] = [:]

  /// Distributes the time of each ferry over its edges, which are consecutive.
  init(_ edges: EdgeRows, _ tags: TagSets) {
    let isFerry = tags.sets.map { WayKind($0).contains(.ferry) }
    guard isFerry.contains(true) else { return }
    var edge = 0
    while edge < edges.ids.count {
      let set = tags.ofEdges[edge]
      guard set >= 0, isFerry[Int(set)] else {
        edge += 1
        continue
      }
      var end = edge + 1
      while end < edges.ids.count, edges.ways[end] == edges.ways[edge], tags.ofEdges[end] == set {
        end += 1
      }
      let length = edges.distances[edge..<end].reduce(0, +)
      let tagged = tags.sets[Int(set)]["duration"].flatMap(TaggedDuration.seconds)
      let speed = FerryTimes.metresPerSecond(length: length, seconds: tagged)
      for index in edge..<end { seconds[index] = edges.distances[index] / speed }
      edge = end
    }
  }

  /// The seconds of an edge; nil if it is not a ferry.
  subscript(_ edge: Int) -> Double? { seconds[edge] }
}
