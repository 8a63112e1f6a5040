// SPDX-License-Identifier: Apache-2.0

/// Searches for paths around a node in the rest of a graph during contraction: if one costs no
/// more, no shortcut over the node is needed.
struct WitnessSearch {
  private struct Label {
    var cost = 0.0
    var stamp: UInt32 = 0
    /// The search for which the node is a target.
    var targetStamp: UInt32 = 0
  }

  /// A node to look for.
  private struct Target {
    var node: Int32
    /// The cost of the path over the avoided node.
    var cost: Double
    /// The cost beyond which no node lies on a path that is no more expensive.
    var limit: Double
  }

  /// The greatest factor by which the costs of two sums of the same edges may differ.
  static let rounding = 1 + 1e-9

  /// The number of nodes after which a search gives up. A missed path costs a needless shortcut,
  /// never a wrong route.
  private static let mostNodes = 500

  private var labels: [Label]
  private var open = NodeQueue()
  private var stamp: UInt32 = 0
  /// The targets to which no path was found that is no more expensive.
  private var targets: [Target] = []
  /// The number of arcs and targets examined by all searches so far.
  private(set) var work = 0

  init(nodes: Int) { labels = Array(repeating: Label(), count: nodes) }

  /// Begins a search.
  mutating func begin() {
    if stamp == .max {
      labels = Array(repeating: Label(), count: labels.count)
      stamp = 0
    }
    stamp += 1
    targets.removeAll(keepingCapacity: true)
    open.removeAll()
  }

  /// Adds a node to look for.
  ///
  /// - Parameters:
  ///   - cost: The cost of the path over the avoided node.
  ///   - lastCost: The cost of the cheapest arc to the node from elsewhere.
  mutating func addTarget(_ node: Int32, cost: Double, lastCost: Double) {
    // Another path comes by another arc, so only nodes that lie nearer by the cheapest of these
    // matter. What rounding hides is looked for, too.
    targets.append(Target(node: node, cost: cost, limit: cost * Self.rounding - lastCost))
    labels[Int(node)].targetStamp = stamp
    work += 1
  }

  /// Searches from a node without passing the avoided one, until each target is found at no more
  /// than its cost or all paths left are too expensive for it.
  mutating func run(_ graph: ArcLists, from start: Int32, avoiding avoided: Int32) {
    var limit = greatestLimit
    guard limit >= 0 else { return }
    reach(start, 0, &limit)
    var settled = 0
    while settled < Self.mostNodes, let (cost, node) = open.popMinimum(), cost <= limit {
      guard cost == labels[Int(node)].cost else { continue }
      settled += 1
      let arcs = graph.range(node)
      work += arcs.count
      for index in arcs {
        let entry = graph.entries[index]
        if entry.node != avoided { reach(entry.node, cost + entry.cost, &limit) }
      }
    }
  }

  private var greatestLimit: Double { targets.reduce(-.infinity) { max($0, $1.limit) } }

  @inline(__always)
  private mutating func reach(_ node: Int32, _ cost: Double, _ limit: inout Double) {
    let label = labels[Int(node)]
    if label.stamp == stamp, label.cost <= cost { return }
    labels[Int(node)].cost = cost
    labels[Int(node)].stamp = stamp
    if cost <= limit { open.insert(cost, node) }
    if label.targetStamp == stamp { find(node, cost, &limit) }
  }

  /// Strikes a target off unless a path to it is too expensive.
  private mutating func find(_ node: Int32, _ cost: Double, _ limit: inout Double) {
    targets.removeAll { $0.node == node && cost <= $0.cost }
    limit = greatestLimit
  }

  /// The cost of the path found to a node; infinite if there was none.
  func cost(_ node: Int32) -> Double {
    labels[Int(node)].stamp == stamp ? labels[Int(node)].cost : .infinity
  }
}
