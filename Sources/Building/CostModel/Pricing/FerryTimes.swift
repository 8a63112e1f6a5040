// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The durations of ferries.
///
///     duration = tagged duration × length of the edge ÷ length of its way
///              or length ÷ 15 km/h if none is tagged that can be true
///     cost     = max(length, duration × flat speed of the profile) × factor of `ferry`
///
/// The cost of a crossing is the distance that its time is worth on a flat good path. It is at
/// least its length: searches rely on the straight line being a lower bound of the cost of any
/// route.
package struct FerryTimes {
  /// A ferry edge.
  struct Crossing {
    var edge: Int
    /// Metres.
    var distance: Double
    var seconds: Double
  }

  /// All ferry edges, ascending.
  private(set) var crossings: [Crossing] = []
  /// The first edges of ways with a duration that cannot be read or true.
  private(set) var unbelievable: [Int] = []

  init(_ graph: GraphFile) {
    guard let route = graph.strings.index(of: "route"),
      let ferry = graph.strings.index(of: TagSelection.ferryRoute)
    else { return }
    let isFerry = (0..<graph.tagSets.count).map { graph.tagSets.value(of: route, on: $0) == ferry }
    guard isFerry.contains(true) else { return }
    let durationKey = graph.strings.index(of: "duration")
    var edge = 0
    while edge < graph.ways.count {
      let way = Int(graph.ways[edge])
      let set = Int(graph.wayTagSets[way])
      var end = edge + 1
      // The pieces of a way with missing nodes share its time.
      while end < graph.ways.count, graph.wayIDs[Int(graph.ways[end])] == graph.wayIDs[way],
        graph.wayTagSets[Int(graph.ways[end])] == graph.wayTagSets[way]
      { end += 1 }
      if isFerry[set] {
        let duration = durationKey.flatMap { graph.tagSets.value(of: $0, on: set) }
        add(graph, edge..<end, duration.map { graph.strings[Int($0)] })
      }
      edge = end
    }
  }

  /// Divides the time of a way among its edges in proportion to their lengths.
  private mutating func add(_ graph: GraphFile, _ edges: Range<Int>, _ duration: String?) {
    let length = edges.reduce(0) { $0 + graph.distances[$1] }
    let tagged = duration.flatMap(TaggedDuration.seconds)
    let isBelievable = tagged.map { FerrySpeed.isBelievable(length: length, seconds: $0) } ?? false
    if duration != nil, !isBelievable { unbelievable.append(edges.lowerBound) }
    let speed = FerrySpeed.metresPerSecond(length: length, seconds: tagged)
    for edge in edges {
      let distance = graph.distances[edge]
      crossings.append(Crossing(edge: edge, distance: distance, seconds: distance / speed))
    }
  }
}

extension EdgeCosts {
  /// Sets the costs of ferries from their times.
  mutating func applyFerries(
    _ graph: GraphFile, _ ferries: FerryTimes, _ formula: EdgeFormula, _ terms: [TagSetTerms]
  ) {
    for crossing in ferries.crossings {
      let set = Int(graph.wayTagSets[Int(graph.ways[crossing.edge])])
      let costs = [terms[set].forward, terms[set].backward].map {
        formula.ferryCost($0, distance: crossing.distance, seconds: crossing.seconds)
      }
      self.set(
        crossing.edge, cost: costs[0], reverseCost: costs[1], seconds: crossing.seconds)
    }
  }
}
