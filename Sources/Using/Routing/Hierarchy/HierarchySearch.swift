// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// Searches a contraction hierarchy; the next search reuses its memory.
///
/// Two searches, one from the starts along the arcs and one from the goals against them, lead to
/// higher ranks only, and within the core everywhere; a cheapest path passes the best node at which
/// they meet. A node that is reached more cheaply from above is not expanded (stall on demand).
struct HierarchySearch {
  private typealias Hierarchy = ContractionHierarchy

  /// The best known path to a node. Valid only in the search with the same stamp.
  private struct Label {
    var cost = 0.0
    /// The rank of the previous node; −1 at a start.
    var parent: Int32 = -1
    /// The index of the arc from there, or of the start.
    var arc: Int32 = 0
    var stamp: UInt32 = 0
  }

  /// One of the two searches.
  private struct Side {
    var labels: [Label] = []
    var open = NodeQueue()
    var stamp: UInt32 = 0

    mutating func begin(_ ranks: Int) {
      open.removeAll()
      if stamp == .max || labels.count != ranks {
        labels = Array(repeating: Label(), count: ranks)
        stamp = 0
      }
      stamp += 1
    }

    @inline(__always)
    func isKnown(_ rank: Int32) -> Bool { labels[Int(rank)].stamp == stamp }

    @inline(__always)
    func cost(_ rank: Int32) -> Double { isKnown(rank) ? labels[Int(rank)].cost : .infinity }

    mutating func begin(_ hierarchy: Hierarchy, _ ends: [SearchSpace.End]) {
      begin(hierarchy.ranks.count)
      for (index, end) in ends.enumerated() where end.cost.isFinite {
        let rank = hierarchy.ranks[Int(end.node)]
        guard end.cost < cost(rank) else { continue }
        labels[Int(rank)] = Label(
          cost: end.cost, parent: -1, arc: Int32(truncatingIfNeeded: index), stamp: stamp)
        open.insert(end.cost, rank)
      }
    }

    /// Takes the next node out of the queue and relaxes its arcs, unless it is reached more cheaply
    /// from above; nil if the queue is empty or its entry is out of date.
    ///
    /// - Parameter firstOfCore: The first rank of the core.
    /// - Parameter entersCore: Whether the arcs of core nodes are relaxed.
    mutating func settle(
      _ up: Hierarchy.Rows, _ down: Hierarchy.Rows, firstOfCore: Int, entersCore: Bool = true,
      limit: Double
    ) -> (cost: Double, rank: Int32)? {
      guard let (cost, rank) = open.popMinimum(), cost == labels[Int(rank)].cost else {
        return nil
      }
      if Int(rank) < firstOfCore {
        for index in down.range(rank) {
          let arc = down.arcs[index]
          // Only if it is cheaper by more than a rounding error.
          if self.cost(arc.rank) + arc.cost < cost * HierarchySearch.shortfall { return nil }
        }
      } else if !entersCore {
        return (cost, rank)
      }
      for index in up.range(rank) {
        let arc = up.arcs[index]
        let total = cost + arc.cost
        guard total < limit, total < self.cost(arc.rank) else { continue }
        labels[Int(arc.rank)] = Label(
          cost: total, parent: rank, arc: Int32(truncatingIfNeeded: index), stamp: stamp)
        open.insert(total, arc.rank)
      }
      return (cost, rank)
    }
  }

  fileprivate static let shortfall = 1 - 1e-12

  private var forward = Side()
  private var backward = Side()
  private var links: [ContractionHierarchy.Link] = []
  private var stack: [ContractionHierarchy.Link] = []
  private var values: [Double] = []
  /// The index of the end that a path to each rank begins at.
  private var origins: [Int32] = []

  /// Finds a cheapest path; nil if none costs less than the limit.
  mutating func run(_ hierarchy: ContractionHierarchy, _ query: SearchSpace.Query)
    -> SearchSpace.Path?
  {
    forward.begin(hierarchy, query.starts)
    backward.begin(hierarchy, query.goals)
    var limit = query.limit
    var meeting: Int32 = -1
    let firstOfCore = hierarchy.order.count - hierarchy.core
    while true {
      let (ahead, behind) = (forward.open.leastEstimate, backward.open.leastEstimate)
      guard min(ahead, behind) < limit else { break }
      let isForward = ahead <= behind
      let settled =
        isForward
        ? forward.settle(
          hierarchy.leaving, hierarchy.arriving, firstOfCore: firstOfCore, limit: limit)
        : backward.settle(
          hierarchy.arriving, hierarchy.leaving, firstOfCore: firstOfCore, limit: limit)
      guard let (cost, rank) = settled else { continue }
      let total = cost + (isForward ? backward : forward).cost(rank)
      if total < limit { (limit, meeting) = (total, rank) }
    }
    guard meeting >= 0 else { return nil }
    return path(hierarchy, through: meeting, cost: limit)
  }

  /// Searches upward from a stop without a goal, and calls `body` with every node that a cheapest
  /// path may pass as its highest one: its rank, and the cost, the value and the end of the path to
  /// it (if `isBackward`: from it). A forward search passes through the whole core, a backward one
  /// ends at the nodes by which it enters it, so that a path through the core is found exactly
  /// once.
  mutating func explore(
    _ hierarchy: ContractionHierarchy, _ weights: LinkWeights, _ ends: [LinkWeights.End],
    isBackward: Bool,
    _ body: (_ rank: Int32, _ cost: Double, _ value: Double, _ end: Int32) -> Void
  ) {
    if values.count != hierarchy.order.count {
      values = Array(repeating: 0, count: hierarchy.order.count)
      origins = Array(repeating: 0, count: hierarchy.order.count)
    }
    let (up, down) =
      isBackward
      ? (hierarchy.arriving, hierarchy.leaving) : (hierarchy.leaving, hierarchy.arriving)
    let arcValues = isBackward ? weights.arriving : weights.leaving
    forward.begin(hierarchy, ends.map { SearchSpace.End(node: $0.node, cost: $0.cost) })
    while forward.open.leastEstimate < .infinity {
      let settled = forward.settle(
        up, down, firstOfCore: hierarchy.order.count - hierarchy.core, entersCore: !isBackward,
        limit: .infinity)
      guard let (cost, rank) = settled else { continue }
      let label = forward.labels[Int(rank)]
      let value =
        label.parent >= 0
        ? values[Int(label.parent)] + arcValues[Int(label.arc)] : ends[Int(label.arc)].value
      let end = label.parent >= 0 ? origins[Int(label.parent)] : label.arc
      values[Int(rank)] = value
      origins[Int(rank)] = end
      body(rank, cost, value, end)
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
      hierarchy.unpack(link, &stack) { index, isReversed in
        let edge = edges[index]
        path.steps.append(
          SearchSpace.Step(
            edge: edge.id, isReversed: isReversed, node: isReversed ? edge.from : edge.to))
      }
    }
    return path
  }

  /// Collects the arcs from a node back to the beginning of a search; returns the index of that
  /// start.
  private mutating func climb(
    _ side: borrowing Side, _ rows: ContractionHierarchy.Rows, from rank: Int32
  ) -> Int {
    var label = side.labels[Int(rank)]
    while label.parent >= 0 {
      links.append(rows.arcs[Int(label.arc)].link)
      label = side.labels[Int(label.parent)]
    }
    return Int(label.arc)
  }
}
