// SPDX-License-Identifier: Apache-2.0

/// Looks for ways around a node, in what is left of a graph while it is contracted: where there is
/// one that is not dearer, no shortcut over the node is needed.
struct WitnessSearch {
  private struct Label {
    var cost = 0.0
    var stamp: UInt32 = 0
    /// The search in which the node is one of the targets.
    var targetStamp: UInt32 = 0
  }

  /// After so many nodes a search gives up. A way that is not found costs a needless shortcut, and
  /// never a wrong route.
  private static let mostNodes = 500

  private var labels: [Label]
  private var open = NodeQueue()
  private var stamp: UInt32 = 0
  private var pending = 0

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

  /// Names a node that a way is wanted to.
  mutating func addTarget(_ node: Int32) {
    labels[Int(node)].targetStamp = stamp
    pending += 1
  }

  /// Searches from a node without passing another one, until all targets are found or all that is
  /// left is dearer than a limit.
  mutating func run(_ graph: ArcLists, from start: Int32, avoiding avoided: Int32, limit: Double) {
    reach(start, 0)
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
      for place in graph.range(node) {
        let entry = graph.entries[place]
        if entry.node != avoided { reach(entry.node, cost + entry.cost) }
      }
    }
  }

  private mutating func reach(_ node: Int32, _ cost: Double) {
    let label = labels[Int(node)]
    if label.stamp == stamp, label.cost <= cost { return }
    labels[Int(node)].cost = cost
    labels[Int(node)].stamp = stamp
    open.insert(cost, node)
  }

  /// The cost of the way that was found to a node; infinite if none was.
  func cost(_ node: Int32) -> Double {
    labels[Int(node)].stamp == stamp ? labels[Int(node)].cost : .infinity
  }
}
