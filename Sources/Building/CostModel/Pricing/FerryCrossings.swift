// SPDX-License-Identifier: Apache-2.0
import CairnTagRules

/// The seconds of the edges of ferries in a database; ``FerryTimes`` computes the same for a graph.
package struct FerryCrossings: Sendable {
  private var seconds: [Int: Double] = [:]

  /// Distributes the time of each ferry over its consecutive edges.
  ///
  /// - Parameters:
  ///   - distances: The metres of each edge.
  ///   - tagSets: The index of each edge's tag set; negative if unknown.
  ///   - sets: The tag sets.
  ///   - way: The way of an edge, equal for two edges of one way.
  package init(
    distances: [Double], tagSets: [Int32], sets: [TagList], way: (_ edge: Int) -> Int64
  ) {
    let isFerry = sets.map { WayKind($0).contains(.ferry) }
    guard isFerry.contains(true) else { return }
    var edge = 0
    while edge < distances.count {
      let set = tagSets[edge]
      guard set >= 0, isFerry[Int(set)] else {
        edge += 1
        continue
      }
      var end = edge + 1
      while end < distances.count, way(end) == way(edge), tagSets[end] == set { end += 1 }
      let length = distances[edge..<end].reduce(0, +)
      let tagged = sets[Int(set)]["duration"].flatMap(TaggedDuration.seconds)
      let speed = FerrySpeed.metresPerSecond(length: length, seconds: tagged)
      for index in edge..<end { seconds[index] = distances[index] / speed }
      edge = end
    }
  }

  /// The seconds of an edge; nil if it is not a ferry.
  package subscript(_ edge: Int) -> Double? { seconds[edge] }
}
