// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A* for edges whose cost depends on the time of arrival.
///
/// A node may have several labels: a dearer path counts if it is sooner by ``leastGain`` than all
/// cheaper ones, since it may reach a gate before it closes. The search never waits for one to
/// open.
struct TimedSearch {
  private struct Label {
    var cost: Double
    /// Seconds since the departure.
    var seconds: Double
    var node: Int32
    /// The id of the edge by which it is reached, or the index of a start.
    var edge: Int64
    var isReversed: Bool
    /// The previous label; −1 at a start.
    var parent: Int32
    var isSettled = false
  }

  /// The settings of a search.
  private struct Setting {
    var rules: SearchRules
    var timed: TimedPrices
    var mode: RoutingMode
    var estimate: SearchSpace.Estimate
  }

  /// The least gain in time, in seconds, of a dearer path: rules are about minutes.
  private static let leastGain = 60.0
  /// The greatest number of labels of a node.
  private static let mostLabels = 16

  private var labels: [Label] = []
  private var ofNodes: [[Int32]] = []
  private var open = NodeQueue()
  /// The edges that were closed when the last search came to them.
  private(set) var refused: Set<Int64> = []

  /// Whether the last search came to a node.
  func isReached(_ node: Int32) -> Bool {
    Int(node) < ofNodes.count && !ofNodes[Int(node)].isEmpty
  }

  /// Finds a path, the cheapest of those open on arrival, as far as the labels of each node show.
  mutating func run<View: RoutingView>(
    _ view: View, _ query: SearchSpace.Query, _ rules: SearchRules, _ timed: TimedPrices,
    mode: RoutingMode
  ) throws(RoutingError) -> SearchSpace.Outcome {
    (labels, ofNodes) = ([], Array(repeating: [], count: view.nodeCount))
    open.removeAll()
    refused = []
    let estimate = SearchSpace.Estimate(view, query)
    let setting = Setting(rules: rules, timed: timed, mode: mode, estimate: estimate)
    for (index, start) in query.starts.enumerated() where start.cost.isFinite {
      add(
        Label(
          cost: start.cost, seconds: start.seconds, node: start.node, edge: Int64(index),
          isReversed: false, parent: -1), estimate.of(start.node, view), view.nodeCount)
    }
    var best: (goal: Int, label: Int, cost: Double)?
    var explored = 0
    var closest = Double.infinity
    while let (least, index) = open.popMinimum(), least < best?.cost ?? query.limit {
      guard isWorthwhile(index) else { continue }
      labels[Int(index)].isSettled = true
      let label = labels[Int(index)]
      try Cancellation.check(settled: explored)
      explored += 1
      closest = min(closest, view.position(label.node).squaredChord(to: query.target))
      for (number, goal) in query.goals.enumerated() where goal.node == label.node {
        let factor = goal.passage.map {
          timed.factors(ofEdge: $0.edge, isReversed: $0.isReversed, at: label.seconds).cost
        }
        let cost = label.cost + goal.cost * (factor ?? 1)
        if cost < best?.cost ?? query.limit { best = (number, Int(index), cost) }
      }
      try expand(label, index, view, setting)
    }
    guard let best else {
      return .nothing(
        exploredNodes: explored, closestApproachMetres: SpherePoint.metres(squaredChord: closest))
    }
    return .path(path(to: best.goal, by: best.label, cost: best.cost))
  }

  private mutating func expand<View: RoutingView>(
    _ label: Label, _ index: Int32, _ view: View, _ setting: Setting
  ) throws(RoutingError) {
    let rules = setting.rules
    for number in try view.arcs(from: label.node) {
      let arc = view.arc(number)
      if rules.avoidedEdges.contains(arc.edge) { continue }
      let factors = setting.timed.factors(
        ofEdge: arc.edge, isReversed: arc.isReversed, at: label.seconds)
      if factors.cost.isInfinite { refused.insert(arc.edge) }
      let cost = label.cost + arc.cost * factors.cost * rules.factor(arc.traits, edge: arc.edge)
      guard cost.isFinite else { continue }
      let times = try view.travelTimes(ofEdge: arc.edge, mode: setting.mode)
      let seconds = label.seconds + factors.time * (arc.isReversed ? times.back : times.ahead)
      add(
        Label(
          cost: cost, seconds: seconds, node: arc.node, edge: arc.edge,
          isReversed: arc.isReversed, parent: index),
        setting.estimate.of(arc.node, view), view.nodeCount)
    }
  }

  private mutating func add(_ label: Label, _ rest: Double, _ nodeCount: Int) {
    while ofNodes.count < nodeCount { ofNodes.append([]) }
    let node = Int(label.node)
    for other in ofNodes[node] {
      let known = labels[Int(other)]
      guard known.cost <= label.cost, label.seconds > known.seconds - Self.leastGain else {
        continue
      }
      // Of equal paths, the one by the edge with the lower id, whatever the order of the search.
      if known.cost == label.cost, known.seconds == label.seconds, !known.isSettled,
        known.parent >= 0, label.parent >= 0,
        (label.edge, label.isReversed ? 1 : 0) < (known.edge, known.isReversed ? 1 : 0)
      {
        labels[Int(other)] = label
      }
      return
    }
    ofNodes[node].removeAll {
      let known = labels[Int($0)]
      return !known.isSettled && label.cost <= known.cost
        && known.seconds > label.seconds - Self.leastGain
    }
    // Only a label dearer than all others is superfluous.
    let isDearest = ofNodes[node].allSatisfy { labels[Int($0)].cost <= label.cost }
    guard !isDearest || ofNodes[node].count < Self.mostLabels,
      let index = Int32(exactly: labels.count)
    else { return }
    labels.append(label)
    ofNodes[node].append(index)
    open.insert(label.cost + rest, index)
  }

  /// Whether no label of the same node settled before makes this one useless.
  private func isWorthwhile(_ index: Int32) -> Bool {
    let label = labels[Int(index)]
    return ofNodes[Int(label.node)].allSatisfy {
      let other = labels[Int($0)]
      return !other.isSettled || label.seconds <= other.seconds - Self.leastGain
    }
  }

  private func path(to goal: Int, by label: Int, cost: Double) -> SearchSpace.Path {
    var path = SearchSpace.Path(start: 0, goal: goal, cost: cost, steps: [])
    path.seconds = labels[label].seconds
    var index = label
    while labels[index].parent >= 0 {
      let label = labels[index]
      path.steps.append(
        SearchSpace.Step(edge: label.edge, isReversed: label.isReversed, node: label.node))
      index = Int(label.parent)
    }
    path.start = Int(labels[index].edge)
    path.steps.reverse()
    return path
  }
}
