// SPDX-License-Identifier: Apache-2.0
import CairnTagRules
import TrailData

/// The durations of ferries.
///
///     duration = tagged duration × length of the edge ÷ length of its way
///              or length ÷ 15 km/h if none is tagged
///     cost     = max(length, duration × flat speed of the profile) × factor of `ferry`
///
/// The cost of a crossing is the distance that its time is worth on a flat good path. It is at
/// least its length: searches rely on the straight line being a lower bound of the cost of any
/// route.
package struct FerryTimes {
  /// The speed of a ferry without a duration: 8 knots, as of small ferries on lakes and fjords.
  static let defaultMetresPerSecond = 15.0 / 3.6
  /// The maximum speed of a ferry; a shorter duration is ignored.
  static let greatestMetresPerSecond = 100.0 / 3.6

  /// A ferry edge.
  struct Crossing {
    var edge: Int
    /// Metres.
    var distance: Double
    var seconds: Double
  }

  /// All ferry edges, ascending.
  private(set) var crossings: [Crossing] = []

  init(_ graph: GraphFile) {
    guard let route = graph.strings.index(of: "route"),
      let ferry = graph.strings.index(of: TagSelection.ferryRoute)
    else { return }
    let isFerry = (0..<graph.tagSets.count).map { graph.tagSets.value(of: route, on: $0) == ferry }
    guard isFerry.contains(true) else { return }
    let durationKey = graph.strings.index(of: "duration")
    var edge = 0
    while edge < graph.ways.count {
      let way = graph.ways[edge]
      var end = edge + 1
      while end < graph.ways.count, graph.ways[end] == way { end += 1 }
      let set = Int(graph.wayTagSets[Int(way)])
      if isFerry[set] {
        let tagged = durationKey.flatMap { graph.tagSets.value(of: $0, on: set) }
          .flatMap { TaggedDuration.seconds(graph.strings[Int($0)]) }
        add(graph, edge..<end, tagged)
      }
      edge = end
    }
  }

  /// The speed of a ferry.
  ///
  /// - Parameters:
  ///   - length: The metres of its way in the graph.
  ///   - seconds: Its tagged duration, see ``TaggedDuration``; nil if there is none.
  package static func metresPerSecond(length: Double, seconds: Double?) -> Double {
    guard let seconds, length > 0, length / seconds <= greatestMetresPerSecond else {
      return defaultMetresPerSecond
    }
    return length / seconds
  }

  /// Divides the time of a way among its edges in proportion to their lengths.
  private mutating func add(_ graph: GraphFile, _ edges: Range<Int>, _ tagged: Double?) {
    let length = edges.reduce(0) { $0 + graph.distances[$1] }
    let speed = Self.metresPerSecond(length: length, seconds: tagged)
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
