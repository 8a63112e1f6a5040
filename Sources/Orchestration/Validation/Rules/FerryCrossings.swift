// SPDX-License-Identifier: Apache-2.0
import CostModel
import TagRules

/// The seconds of the edges of ferries.
struct FerryCrossings {
  private var seconds: [Int: Double] = [:]

  /// Shares out the time of each ferry among its edges, which stand together.
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
      for place in edge..<end { seconds[place] = edges.distances[place] / speed }
      edge = end
    }
  }

  /// The seconds of an edge, nil if it is no ferry.
  subscript(_ edge: Int) -> Double? { seconds[edge] }
}
