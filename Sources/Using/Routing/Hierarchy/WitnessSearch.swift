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

  /// The number of nodes after which a search gives up. A missed path costs a needless shortcut,
  /// never a wrong route.
  private static let mostNodes = 500

  private var labels: [Label]
  private var open = NodeQueue()
  private var stamp: UInt32 = 0
  private var pending = 0
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
    pending = 0
    open.removeAll()
  }

  /// Adds a node to look for.
  mutating func addTarget(_ node: Int32) {
    labels[Int(node)].targetStamp = stamp
    pending += 1
    work += 1
  }

  /// Searches from a node without passing the avoided one, until all targets are found or every
  /// other path costs more than the limit; the arcs of its last nodes are looked at, too.
  mutating func run(_ graph: ArcLists, from start: Int32, avoiding avoided: Int32, limit: Double) {
    reach(start, 0, limit)
    var settled = 0
    while pending > 0, settled < Self.mostNodes, let (cost, node) = open.popMinimum(),
      cost <= limit
    {
      guard cost == labels[Int(node)].cost else { continue }
      settled += 1
      if labels[Int(node)].targetStamp == stamp {
        labels[Int(node)].targetStamp = 0
        pending -= 1
      }
      let arcs = graph.range(node)
      work += arcs.count
      for index in arcs {
        let entry = graph.entries[index]
        if entry.node != avoided { reach(entry.node, cost + entry.cost, limit) }
      }
    }
  }

  @inline(__always)
  private mutating func reach(_ node: Int32, _ cost: Double, _ limit: Double) {
    let label = labels[Int(node)]
    if label.stamp == stamp, label.cost <= cost { return }
    labels[Int(node)].cost = cost
    labels[Int(node)].stamp = stamp
    if cost <= limit { open.insert(cost, node) }
  }

  /// The cost of the path found to a node; infinite if there was none.
  func cost(_ node: Int32) -> Double {
    labels[Int(node)].stamp == stamp ? labels[Int(node)].cost : .infinity
  }
}
