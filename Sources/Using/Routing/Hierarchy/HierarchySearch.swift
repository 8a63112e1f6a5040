// SPDX-License-Identifier: Apache-2.0
import RoutingDatabase

/// Searches in a contraction hierarchy, with the memory that they need, which is used again by the
/// next one.
///
/// Both searches, from the starts along the edges and from the goals against them, only go up; the
/// best place where they meet is on a cheapest way. A node that is reached more cheaply from above
/// is not gone on from (stall on demand).
struct HierarchySearch {
  private typealias Hierarchy = ContractionHierarchy

  /// What is known of a place. It belongs to the search whose number its stamp is.
  private struct Label {
    var cost = 0.0
    /// The place before it; −1 at a start.
    var parent: Int32 = -1
    /// The number of the arc from there, or of the start.
    var arc: Int32 = 0
    var stamp: UInt32 = 0
  }

  /// One of the two searches.
  private struct Side {
    var labels: [Label] = []
    var open = NodeQueue()
    var stamp: UInt32 = 0

    mutating func begin(_ places: Int) {
      open.removeAll()
      if stamp == .max || labels.count != places {
        labels = Array(repeating: Label(), count: places)
        stamp = 0
      }
      stamp += 1
    }

    @inline(__always)
    func isKnown(_ place: Int32) -> Bool { labels[Int(place)].stamp == stamp }

    @inline(__always)
    func cost(_ place: Int32) -> Double { isKnown(place) ? labels[Int(place)].cost : .infinity }

    mutating func begin(_ hierarchy: Hierarchy, _ ends: [SearchSpace.End]) {
      begin(hierarchy.places.count)
      for (number, end) in ends.enumerated() where end.cost.isFinite {
        let place = hierarchy.places[Int(end.node)]
        guard end.cost < cost(place) else { continue }
        labels[Int(place)] = Label(
          cost: end.cost, parent: -1, arc: Int32(truncatingIfNeeded: number), stamp: stamp)
        open.insert(end.cost, place)
      }
    }

    /// Takes the next place out of the queue and goes on from there, unless it is reached more
    /// cheaply from above; nil if the queue is empty or gave what is known no more.
    mutating func settle(_ up: Hierarchy.Rows, _ down: Hierarchy.Rows, limit: Double)
      -> (cost: Double, place: Int32)?
    {
      guard let (cost, place) = open.popMinimum(), cost == labels[Int(place)].cost else {
        return nil
      }
      for number in down.range(place) {
        let arc = down.arcs[number]
        // Only what is cheaper by more than rounding.
        if self.cost(arc.place) + arc.cost < cost * HierarchySearch.shortfall { return nil }
      }
      for number in up.range(place) {
        let arc = up.arcs[number]
        let total = cost + arc.cost
        guard total < limit, total < self.cost(arc.place) else { continue }
        labels[Int(arc.place)] = Label(
          cost: total, parent: place, arc: Int32(truncatingIfNeeded: number), stamp: stamp)
        open.insert(total, arc.place)
      }
      return (cost, place)
    }
  }

  fileprivate static let shortfall = 1 - 1e-12

  private var forward = Side()
  private var backward = Side()
  private var links: [ContractionHierarchy.Link] = []
  private var stack: [ContractionHierarchy.Link] = []
  private var values: [Double] = []

  /// Finds a cheapest way; nil if none costs less than the limit.
  mutating func run(_ hierarchy: ContractionHierarchy, _ query: SearchSpace.Query)
    -> SearchSpace.Path?
  {
    forward.begin(hierarchy, query.starts)
    backward.begin(hierarchy, query.goals)
    var limit = query.limit
    var meeting: Int32 = -1
    while true {
      let (ahead, behind) = (forward.open.leastEstimate, backward.open.leastEstimate)
      guard min(ahead, behind) < limit else { break }
      let isForward = ahead <= behind
      let settled =
        isForward
        ? forward.settle(hierarchy.leaving, hierarchy.arriving, limit: limit)
        : backward.settle(hierarchy.arriving, hierarchy.leaving, limit: limit)
      guard let (cost, place) = settled else { continue }
      let total = cost + (isForward ? backward : forward).cost(place)
      if total < limit { (limit, meeting) = (total, place) }
    }
    guard meeting >= 0 else { return nil }
    return path(hierarchy, through: meeting, cost: limit)
  }

  /// Goes up from a stop as far as there are arcs, and calls `body` with every place that may be on
  /// a cheapest way over it, with the cost and the value of the way to there (where `isBackward`:
  /// from there).
  mutating func explore(
    _ hierarchy: ContractionHierarchy, _ weights: LinkWeights, _ ends: [LinkWeights.End],
    isBackward: Bool, _ body: (_ place: Int32, _ cost: Double, _ value: Double) -> Void
  ) {
    if values.count != hierarchy.order.count {
      values = Array(repeating: 0, count: hierarchy.order.count)
    }
    let (up, down) =
      isBackward
      ? (hierarchy.arriving, hierarchy.leaving) : (hierarchy.leaving, hierarchy.arriving)
    let arcValues = isBackward ? weights.arriving : weights.leaving
    forward.begin(hierarchy, ends.map { SearchSpace.End(node: $0.node, cost: $0.cost) })
    while forward.open.leastEstimate < .infinity {
      guard let (cost, place) = forward.settle(up, down, limit: .infinity) else { continue }
      let label = forward.labels[Int(place)]
      let value =
        label.parent >= 0
        ? values[Int(label.parent)] + arcValues[Int(label.arc)] : ends[Int(label.arc)].value
      values[Int(place)] = value
      body(place, cost, value)
    }
  }

  private mutating func path(
    _ hierarchy: ContractionHierarchy, through meeting: Int32, cost: Double
  ) -> SearchSpace.Path {
    var path = SearchSpace.Path(start: 0, goal: 0, cost: cost, steps: [])
    links.removeAll(keepingCapacity: true)
    path.start = climb(forward, hierarchy.leaving, from: meeting)
    links.reverse()
    path.goal = climb(backward, hierarchy.arriving, from: meeting)
    let edges = hierarchy.graph.network.edges
    for link in links {
      hierarchy.unpack(link, &stack) { number, isReversed in
        let edge = edges[number]
        path.steps.append(
          SearchSpace.Step(
            edge: edge.id, isReversed: isReversed, node: isReversed ? edge.from : edge.to))
      }
    }
    return path
  }

  /// Collects the arcs from a place back to where a search began; returns the number of that start.
  private mutating func climb(
    _ side: borrowing Side, _ rows: ContractionHierarchy.Rows, from place: Int32
  ) -> Int {
    var label = side.labels[Int(place)]
    while label.parent >= 0 {
      links.append(rows.arcs[Int(label.arc)].link)
      label = side.labels[Int(label.parent)]
    }
    return Int(label.arc)
  }
}
