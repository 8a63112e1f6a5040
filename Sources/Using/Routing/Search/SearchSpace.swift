// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A* search, and Dijkstra's algorithm; consecutive searches share their memory.
///
/// Of several cheapest paths the result is always the same, however the graph is stored: where two
/// of them meet, the one by the edge with the lower id wins. This works because the estimate is
/// slightly below its bound, so that all paths to a node are known before it is settled.
struct SearchSpace {
  /// A node at which a search begins or ends, and the cost between the stop and that node.
  struct End {
    var node: Int32
    var cost: Double
    /// Seconds since the departure at which the search reaches a start, if time counts.
    var seconds = 0.0
    /// The edge between a goal's node and its stop, with its direction, if time counts.
    var passage: (edge: Int64, isReversed: Bool)?
  }

  /// The starts, the goals and the limit of a search.
  struct Query {
    var starts: [End]
    var goals: [End]
    /// The destination that the goals lead to.
    var target: SpherePoint
    /// Paths that cost this much or more are not searched for.
    var limit = Double.infinity
    var bound: CostBound
  }

  /// A lower bound of the cost from a node to the target. It obeys the triangle inequality: the
  /// estimates of two nodes differ by less than the cost of any arc between them.
  struct Estimate {
    private let target: SpherePoint
    private let perRadius: Double
    private let needsElevations: Bool
    private let up: Double
    private let down: Double
    private var targetElevation = 0.0
    /// Subtracted so that the estimate does not exceed the true cost of the last piece, inside an
    /// edge.
    private var reduction = 0.0

    init<Graph: SearchGraph>(_ graph: Graph, _ query: Query) {
      target = query.target
      perRadius = query.bound.metre * SearchSpace.shortfall * earthRadiusMetres
      needsElevations = query.bound.needsElevations && !query.goals.isEmpty
      up = query.bound.metreUp * SearchSpace.shortfall
      down = query.bound.metreDown * SearchSpace.shortfall
      if needsElevations { targetElevation = graph.elevation(query.goals[0].node) }
      var excess = 0.0
      for goal in query.goals {
        excess = max(excess, of(goal.node, graph) - goal.cost * SearchSpace.shortfall)
      }
      reduction = excess
    }

    @inline(__always)
    func of<Graph: SearchGraph>(_ node: Int32, _ graph: Graph) -> Double {
      var estimate = perRadius * graph.position(node).squaredChord(to: target).squareRoot()
      if needsElevations {
        let rise = targetElevation - graph.elevation(node)
        estimate += rise > 0 ? up * rise : -down * rise
      }
      return max(0, estimate - reduction)
    }
  }

  /// An edge in the direction of travel and the node that it leads to.
  struct Step {
    var edge: Int64
    var isReversed: Bool
    var node: Int32
  }

  /// A path from one of the starts, by its index, to one of the goals.
  struct Path {
    var start: Int
    var goal: Int
    var cost: Double
    var steps: [Step]
    /// Seconds since the departure at which it reaches its last node, if time counts.
    var seconds = 0.0
  }

  /// A cheapest path to a node, by its last step.
  struct Arrival {
    var node: Int32
    var cost: Double
    /// The node before; −1 at a start.
    var parent: Int32
    /// The edge from there, or the index of the start.
    var edge: Int64
    var isReversed: Bool
  }

  /// How a search ended.
  enum Outcome {
    case path(Path)
    /// No path below the limit.
    case nothing(exploredNodes: Int, closestApproachMetres: Double)
  }

  /// The best known path to a node. Valid only in the search with the same stamp.
  private struct Label {
    var cost = 0.0
    /// The id of the edge by which it is reached, or the index of a start.
    var edge: Int64 = 0
    /// The previous node; none at a start.
    var parent: Int32 = -1
    /// Which search it belongs to; in the lowest bits whether the edge is reversed and the node
    /// settled.
    var stamp: UInt32 = 0
  }

  private static let settledBit: UInt32 = 1
  private static let reversedBit: UInt32 = 2
  private static let firstStamp: UInt32 = 4
  /// Keeps estimates below the bound: by more than rounding errors, but by a negligible amount.
  fileprivate static let shortfall = 1 - 1e-6

  /// More labels than this, 24 bytes each, are freed unless the next search needs them.
  private static let keptLabels = 1 << 16

  private var labels: [Label] = []
  private var open = NodeQueue()
  private var stamp: UInt32 = 0

  /// Finds a cheapest path.
  mutating func run<Graph: SearchGraph>(_ graph: Graph, _ query: Query, _ rules: SearchRules)
    throws(RoutingError) -> Outcome
  {
    begin(graph.nodeCount)
    let estimate = Estimate(graph, query)
    let target = query.target
    let isPlain = rules.isPlain
    enter(query.starts) { estimate.of($0, graph) }
    var best: (goal: Int, cost: Double)?
    var limit = query.limit
    var explored = 0
    var closest = Double.infinity
    while let (least, node) = open.popMinimum(), least < limit {
      let label = labels[Int(node)]
      guard label.stamp & Self.settledBit == 0 else { continue }
      labels[Int(node)].stamp |= Self.settledBit
      try Cancellation.check(settled: explored)
      explored += 1
      closest = min(closest, graph.position(node).squaredChord(to: target))
      for (index, goal) in query.goals.enumerated() where goal.node == node {
        let cost = label.cost + goal.cost
        guard cost < limit else { continue }
        best = (index, cost)
        limit = cost
      }
      for index in try graph.arcs(from: node) {
        let arc = graph.arc(index)
        var cost = label.cost + arc.cost
        if !isPlain {
          if rules.avoidedEdges.contains(arc.edge) { continue }
          cost = label.cost + arc.cost * rules.factor(arc.traits, edge: arc.edge)
          guard cost.isFinite else { continue }
        }
        if improve(arc, from: node, cost, graph) {
          open.insert(cost + estimate.of(arc.node, graph), arc.node)
        }
      }
    }
    guard let best else {
      return .nothing(
        exploredNodes: explored, closestApproachMetres: SpherePoint.metres(squaredChord: closest))
    }
    return .path(path(to: best.goal, query, cost: best.cost))
  }

  /// Finds cheapest paths to all nodes, the cheapest first, until `body` returns false: Dijkstra's
  /// algorithm, with the same paths as ``run(_:_:_:)``.
  mutating func explore<Graph: SearchGraph>(
    _ graph: Graph, from starts: [End], _ body: (Arrival) -> Bool
  ) throws(RoutingError) {
    begin(graph.nodeCount)
    enter(starts) { _ in 0 }
    var explored = 0
    while let (_, node) = open.popMinimum() {
      let label = labels[Int(node)]
      guard label.stamp & Self.settledBit == 0 else { continue }
      labels[Int(node)].stamp |= Self.settledBit
      try Cancellation.check(settled: explored)
      explored += 1
      let arrival = Arrival(
        node: node, cost: label.cost, parent: label.parent, edge: label.edge,
        isReversed: label.stamp & Self.reversedBit != 0)
      guard body(arrival) else { return }
      for index in try graph.arcs(from: node) {
        let arc = graph.arc(index)
        let cost = label.cost + arc.cost
        if improve(arc, from: node, cost, graph) { open.insert(cost, arc.node) }
      }
    }
  }

  /// Takes in that an arc leads to its node at a cost; returns whether this is cheaper than before.
  @inline(__always)
  private mutating func improve<Graph: SearchGraph>(
    _ arc: Arc, from node: Int32, _ cost: Double, _ graph: Graph
  ) -> Bool {
    if Int(arc.node) >= labels.count { grow(to: graph.nodeCount) }
    let known = labels[Int(arc.node)]
    let flag = arc.isReversed ? Self.reversedBit : 0
    var isCheaper = true
    if known.stamp >= stamp {
      guard known.stamp & Self.settledBit == 0, cost <= known.cost else { return false }
      isCheaper = cost < known.cost
      let isFirst =
        known.parent >= 0 && (arc.edge, flag) < (known.edge, known.stamp & Self.reversedBit)
      guard isCheaper || isFirst else { return false }
    }
    labels[Int(arc.node)] = Label(cost: cost, edge: arc.edge, parent: node, stamp: stamp | flag)
    return isCheaper
  }

  private mutating func enter(_ starts: [End], _ estimate: (Int32) -> Double) {
    for (index, start) in starts.enumerated() where start.cost.isFinite {
      if isKnown(start.node), labels[Int(start.node)].cost <= start.cost { continue }
      labels[Int(start.node)] = Label(
        cost: start.cost, edge: Int64(index), parent: -1, stamp: stamp)
      open.insert(start.cost + estimate(start.node), start.node)
    }
  }

  private mutating func begin(_ nodeCount: Int) {
    open.removeAll()
    if stamp > UInt32.max - 2 * Self.firstStamp {
      labels.removeAll(keepingCapacity: true)
      stamp = 0
    }
    // The memory of an unusually large search is not kept forever.
    if labels.count > Self.keptLabels, labels.count > 2 * nodeCount { labels = [] }
    stamp += Self.firstStamp
    grow(to: nodeCount)
  }

  private mutating func grow(to count: Int) {
    guard count > labels.count else { return }
    // In steps, since the nodes of a graph become known one by one.
    let more = (count - labels.count + 1023) & ~1023
    labels.append(contentsOf: repeatElement(Label(), count: more))
  }

  /// Whether the last search came to a node.
  func isReached(_ node: Int32) -> Bool { Int(node) < labels.count && isKnown(node) }

  private func isKnown(_ node: Int32) -> Bool { labels[Int(node)].stamp >= stamp }

  private func path(to goal: Int, _ query: Query, cost: Double) -> Path {
    var path = Path(start: 0, goal: goal, cost: cost, steps: [])
    var node = query.goals[goal].node
    while true {
      let label = labels[Int(node)]
      guard label.parent >= 0 else {
        path.start = Int(label.edge)
        break
      }
      path.steps.append(
        Step(edge: label.edge, isReversed: label.stamp & Self.reversedBit != 0, node: node))
      node = label.parent
    }
    path.steps.reverse()
    return path
  }
}

/// A priority queue that returns the node with the least estimate first: a 4-ary heap, which is
/// flatter than a binary one.
struct NodeQueue {
  private struct Entry {
    var estimate: Double
    var node: Int32
  }

  private var entries: [Entry] = []

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  mutating func insert(_ estimate: Double, _ node: Int32) {
    let entry = Entry(estimate: estimate, node: node)
    entries.append(entry)
    entries.withUnsafeMutableBufferPointer { entries in
      var index = entries.count - 1
      while index > 0 {
        let parent = (index - 1) / 4
        guard estimate < entries[parent].estimate else { break }
        entries[index] = entries[parent]
        index = parent
      }
      entries[index] = entry
    }
  }

  mutating func popMinimum() -> (estimate: Double, node: Int32)? {
    guard let least = entries.first, let last = entries.popLast() else { return nil }
    entries.withUnsafeMutableBufferPointer { entries in
      let count = entries.count
      guard count > 0 else { return }
      var index = 0
      while true {
        let first = 4 * index + 1
        guard first < count else { break }
        var child = first
        var estimate = entries[first].estimate
        var other = first + 1
        while other < min(first + 4, count) {
          let candidate = entries[other].estimate
          if candidate < estimate { (child, estimate) = (other, candidate) }
          other += 1
        }
        guard estimate < last.estimate else { break }
        entries[index] = entries[child]
        index = child
      }
      entries[index] = last
    }
    return (least.estimate, least.node)
  }
}
