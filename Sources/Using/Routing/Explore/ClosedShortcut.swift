// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// A way between the ends of a route that is much shorter, and over edges that the route's profile
/// closes: what its limits cost.
package struct ClosedShortcut: Sendable {
  /// What is looked for.
  package struct Limits: Sendable {
    /// How many times as long the route must be.
    package var leastRatio: Double
    /// How long a closed edge may be.
    package var mostClosedMetres: Double
    /// How many nodes are looked at for a leg, so that no route waits for it.
    package var mostNodes: Int

    package init(
      leastRatio: Double = 1.5, mostClosedMetres: Double = .infinity, mostNodes: Int = 3000
    ) {
      self.leastRatio = leastRatio
      self.mostClosedMetres = mostClosedMetres
      self.mostNodes = mostNodes
    }
  }

  /// Its length.
  package var metres: Double
  /// The edges on it that the profile closes, in the direction of travel; at least one.
  package var closed: [RoutingEdge]
}

extension ComputedRoute {
  /// Whether a ``ClosedShortcut`` may be told of it: whether it is that much longer than the straight line
  /// through its stops.
  package func mayHaveClosedShortcut(_ limits: ClosedShortcut.Limits = .init()) -> Bool {
    straightMetres < totalDistance / limits.leastRatio
  }
}

extension RoutingEngine {
  /// The way that a route would rather take if some of the edges that its profile closes were open: one
  /// that costs less and is that much shorter. Nil where there is none, and where it is too far to look
  /// for.
  ///
  /// It has the ends and the via points of the route, and is not looked for where they are too far apart
  /// for it.
  ///
  /// - Parameters:
  ///   - route: A route of this engine.
  ///   - profile: The profile that it was found for.
  ///   - mode: Its mode.
  ///   - limits: What is looked for.
  ///   - price: What a closed edge would cost in its direction; infinite if it stays closed.
  package func closedShortcut(
    of route: ComputedRoute, profile: String?, mode: RoutingMode,
    limits: ClosedShortcut.Limits = .init(),
    price: @escaping (RoutingEdge) throws(RoutingError) -> Double
  ) throws(RoutingError) -> ClosedShortcut? {
    guard route.mayHaveClosedShortcut(limits) else { return nil }
    let search = ShortcutSearch(route: route, limits: limits, price: price)
    return try perform(search, profile: profile, mode: mode)
  }
}

/// Looks for a shortcut leg by leg.
private struct ShortcutSearch: SearchTask {
  let route: ComputedRoute
  let limits: ClosedShortcut.Limits
  let price: (RoutingEdge) throws(RoutingError) -> Double
  var needsTraits: Bool { false }

  /// A node at which a leg begins or ends, and what lies between it and the stop.
  fileprivate struct End {
    var node: Int64
    var metres: Double
    var cost: Double
  }

  private struct Leg {
    var metres: Double
    var closed: [RoutingEdge] = []
  }

  /// What a shortcut must be shorter than.
  private var mostMetres: Double { route.totalDistance / limits.leastRatio }

  func run<View: RoutingView>(_ view: View) throws(RoutingError) -> ClosedShortcut? {
    try view.begin()
    var found = ClosedShortcut(metres: 0, closed: [])
    for leg in route.legs {
      let own = route.edges[leg].reduce(0) { $0 + $1.distance }
      let leg = try self.leg(view, leg, atMost: min(own, mostMetres)) ?? Leg(metres: own)
      found.metres += leg.metres
      found.closed += leg.closed
      if found.metres >= mostMetres { return nil }
    }
    return found.closed.isEmpty ? nil : found
  }

  /// The ends of a leg at a stop.
  private func ends<View: RoutingView>(_ view: View, of stop: Int, isStart: Bool)
    throws(RoutingError) -> [End]
  {
    try view.ends(of: route, at: stop, isStart: isStart).compactMap { end in
      guard let passage = end.passage else { return End(node: end.node, metres: 0, cost: 0) }
      let cost = passage.isReversed ? passage.row.reverseCost : passage.row.cost
      guard cost.isFinite, !passage.isReversed || !passage.row.isOneway else { return nil }
      return End(
        node: end.node, metres: passage.share * passage.row.distance, cost: passage.share * cost)
    }
  }

  /// A closed edge with all that its price depends on.
  private func row<View: RoutingView>(_ view: View, of edge: NodeEdge) throws(RoutingError)
    -> RoutingEdge
  {
    var row = try view.edge(edge.id)
    if edge.isReversed { row = row.reversed() }
    row.cost = edge.cost
    return row
  }

  /// The cheapest leg with closed edges that is cheaper than the route's own, and shorter than a length.
  private func leg<View: RoutingView>(
    _ view: View, _ leg: Range<Int>, atMost mostMetres: Double
  ) throws(RoutingError) -> Leg? {
    let goals = try ends(view, of: leg.upperBound, isStart: false)
    let own = route.edges[leg].reduce(0) { $0 + $1.cost }
    var reached = ReachedNodes(
      view, goal: SpherePoint(route.nodes[leg.upperBound].coordinate), mostCost: own,
      mostMetres: mostMetres)
    for start in try ends(view, of: leg.lowerBound, isStart: true) { try reached.add(start) }
    var best: (index: Int32, metres: Double)?
    var settled = 0
    while let (node, label, index) = reached.next() {
      guard settled < limits.mostNodes else { return nil }
      try Cancellation.check(settled: settled)
      settled += 1
      for end in goals where end.node == node && label.cost + end.cost < reached.mostCost {
        guard label.metres + end.metres < mostMetres else { continue }
        reached.mostCost = label.cost + end.cost
        best = (index, label.metres + end.metres)
      }
      for edge in try view.nodeEdges(at: node) {
        var closed: RoutingEdge?
        if edge.cost.isInfinite {
          guard edge.distance <= limits.mostClosedMetres else { continue }
          closed = try row(view, of: edge)
        }
        let cost = try closed.map { edge throws(RoutingError) in try price(edge) } ?? edge.cost
        guard cost.isFinite else { continue }
        let end = End(
          node: edge.toNode, metres: label.metres + edge.distance, cost: label.cost + cost)
        try reached.add(end, from: index, over: closed)
      }
    }
    guard let best else { return nil }
    let leg = Leg(metres: best.metres, closed: reached.closed(to: best.index))
    // Without a closed edge it is the route itself, but for rounding.
    return leg.closed.isEmpty ? nil : leg
  }
}

/// The nodes that a search for a shortcut has come to.
private struct ReachedNodes<View: RoutingView> {
  /// The best path to a node that is known so far.
  struct Label {
    var cost = Double.infinity
    var metres = 0.0
    var parent: Int32 = -1
    var closed: RoutingEdge?
    var isSettled = false
    /// Metres to the goal as the crow flies.
    var straight: Double
  }

  /// What a path must cost less than.
  var mostCost: Double
  private let mostMetres: Double
  private let view: View
  private let goal: SpherePoint
  private var ids: [Int64] = []
  private var labels: [Label] = []
  private var indices: [Int64: Int32] = [:]
  private var open = NodeQueue()

  init(_ view: View, goal: SpherePoint, mostCost: Double, mostMetres: Double) {
    (self.view, self.goal, self.mostCost, self.mostMetres) = (view, goal, mostCost, mostMetres)
  }

  /// Adds a path to a node where it is the best one, and cheap and short enough.
  mutating func add(
    _ end: ShortcutSearch.End, from parent: Int32 = -1, over closed: RoutingEdge? = nil
  ) throws(RoutingError) {
    let index = indices[end.node] ?? Int32(ids.count)
    if Int(index) == ids.count {
      indices[end.node] = index
      ids.append(end.node)
      let place = view.position(try view.index(ofNode: end.node))
      labels.append(Label(straight: place.chordMetres(to: goal)))
    }
    let straight = labels[Int(index)].straight
    let estimate = end.cost + view.bound.metre * straight
    guard end.cost < labels[Int(index)].cost, estimate < mostCost,
      end.metres + straight < mostMetres
    else { return }
    labels[Int(index)] = Label(
      cost: end.cost, metres: end.metres, parent: parent, closed: closed, straight: straight)
    open.insert(estimate, index)
  }

  /// The node to go on from; nil where none can be on a path that is cheap enough.
  mutating func next() -> (node: Int64, label: Label, index: Int32)? {
    while let (estimate, index) = open.popMinimum(), estimate < mostCost {
      let label = labels[Int(index)]
      if label.isSettled { continue }
      labels[Int(index)].isSettled = true
      return (ids[Int(index)], label, index)
    }
    return nil
  }

  /// The closed edges on the path to a node.
  func closed(to index: Int32) -> [RoutingEdge] {
    var edges: [RoutingEdge] = []
    var next = index
    while next >= 0 {
      if let edge = labels[Int(next)].closed { edges.append(edge) }
      next = labels[Int(next)].parent
    }
    return edges.reversed()
  }
}
