// SPDX-License-Identifier: Apache-2.0

/// Makes a contraction hierarchy: takes the nodes out of a graph one after the other, the least
/// important one first, and puts shortcuts where a cheapest way would be lost.
///
/// A node is the more important the more arcs taking it out would add, counted as arcs and as the
/// edges that they stand for, and the higher it stands above what was taken out beside it.
struct HierarchyBuilder {
  private typealias Link = ContractionHierarchy.Link

  private var outgoing: ArcLists
  private var incoming: ArcLists
  private var levels: [Int]
  private var witnesses: WitnessSearch
  private var shortcuts: [ContractionHierarchy.Shortcut] = []
  /// The shortcuts that taking out the node at hand needs.
  private var needed: [Needed] = []

  private struct Needed {
    var from: ArcLists.Entry
    var to: ArcLists.Entry
  }

  init(_ graph: ProfileGraph) {
    let nodes = graph.network.nodeIDs.count
    outgoing = ArcLists(nodes: nodes)
    incoming = ArcLists(nodes: nodes)
    levels = Array(repeating: 0, count: nodes)
    witnesses = WitnessSearch(nodes: nodes)
    for (number, edge) in graph.network.edges.enumerated() where edge.from != edge.to {
      add(edge.from, edge.to, graph.costs[number], Link(edge: number, isReversed: false), edges: 1)
      add(
        edge.to, edge.from, graph.reverseCosts[number], Link(edge: number, isReversed: true),
        edges: 1)
    }
  }

  private mutating func add(
    _ from: Int32, _ to: Int32, _ cost: Double, _ link: Link, edges: Int32
  ) {
    guard cost.isFinite else { return }
    let forward = ArcLists.Entry(cost: cost, node: to, link: link, edges: edges)
    guard outgoing.improve(from, forward) else { return }
    _ = incoming.improve(to, ArcLists.Entry(cost: cost, node: from, link: link, edges: edges))
  }

  /// Contracts the whole graph.
  mutating func run() -> ContractionHierarchy.Parts {
    var parts = ContractionHierarchy.Parts()
    var importances: [Int] = []
    for node in levels.indices { importances.append(importance(Int32(node))) }
    var queue = ContractionQueue(importances)
    var neighbours: [Int32] = []
    while let node = queue.pop() {
      parts.order.append(node)
      neighbours.removeAll(keepingCapacity: true)
      for place in outgoing.range(node) {
        parts.leavingLinks.append(outgoing.entries[place].link.bits)
        neighbours.append(outgoing.entries[place].node)
      }
      for place in incoming.range(node) {
        parts.arrivingLinks.append(incoming.entries[place].link.bits)
        let other = incoming.entries[place].node
        if !neighbours.contains(other) { neighbours.append(other) }
      }
      parts.leavingStarts.append(Int32(truncatingIfNeeded: parts.leavingLinks.count))
      parts.arrivingStarts.append(Int32(truncatingIfNeeded: parts.arrivingLinks.count))
      contract(node)
      for other in neighbours {
        levels[Int(other)] = max(levels[Int(other)], levels[Int(node)] + 1)
        queue.update(other, importance(other))
      }
    }
    dropUnused(&parts)
    return parts
  }

  private mutating func contract(_ node: Int32) {
    findNeeded(node)
    for place in outgoing.range(node) { incoming.remove(outgoing.entries[place].node, to: node) }
    for place in incoming.range(node) { outgoing.remove(incoming.entries[place].node, to: node) }
    for pair in needed {
      let link = Link(shortcut: shortcuts.count)
      shortcuts.append(.init(first: pair.from.link, second: pair.to.link))
      add(
        pair.from.node, pair.to.node, pair.from.cost + pair.to.cost, link,
        edges: pair.from.edges + pair.to.edges)
    }
  }

  /// Finds the shortcuts that taking out a node needs.
  private mutating func findNeeded(_ node: Int32) {
    needed.removeAll(keepingCapacity: true)
    let targets = outgoing.range(node)
    for place in incoming.range(node) {
      let from = incoming.entries[place]
      var dearest = -1.0
      witnesses.begin()
      for place in targets where outgoing.entries[place].node != from.node {
        dearest = max(dearest, outgoing.entries[place].cost)
        witnesses.addTarget(outgoing.entries[place].node)
      }
      guard dearest >= 0 else { continue }
      witnesses.run(outgoing, from: from.node, avoiding: node, limit: from.cost + dearest)
      for place in targets {
        let to = outgoing.entries[place]
        guard to.node != from.node, witnesses.cost(to.node) > from.cost + to.cost else { continue }
        needed.append(Needed(from: from, to: to))
      }
    }
  }

  /// How important a node is, in thousandths.
  private mutating func importance(_ node: Int32) -> Int {
    findNeeded(node)
    var (addedEdges, removedEdges) = (1, 1)
    for pair in needed { addedEdges += Int(pair.from.edges) + Int(pair.to.edges) }
    for place in outgoing.range(node) { removedEdges += Int(outgoing.entries[place].edges) }
    for place in incoming.range(node) { removedEdges += Int(incoming.entries[place].edges) }
    let removed = 1 + outgoing.count(node) + incoming.count(node)
    return 1000 * levels[Int(node)] + 1000 * (1 + needed.count) / removed
      + 1000 * addedEdges / removedEdges
  }

  /// Keeps the shortcuts that an arc of the hierarchy is made of: others were replaced by cheaper
  /// ones.
  private func dropUnused(_ parts: inout ContractionHierarchy.Parts) {
    var isUsed = [Bool](repeating: false, count: shortcuts.count)
    func use(_ bits: Int32) { if let number = Link(bits: bits).shortcut { isUsed[number] = true } }
    parts.leavingLinks.forEach(use)
    parts.arrivingLinks.forEach(use)
    for number in shortcuts.indices.reversed() where isUsed[number] {
      use(shortcuts[number].first.bits)
      use(shortcuts[number].second.bits)
    }
    var numbers = [Int](repeating: 0, count: shortcuts.count)
    var count = 0
    func renumbered(_ bits: Int32) -> Int32 {
      guard let number = Link(bits: bits).shortcut else { return bits }
      return Link(shortcut: numbers[number]).bits
    }
    for (number, shortcut) in shortcuts.enumerated() where isUsed[number] {
      numbers[number] = count
      count += 1
      parts.shortcuts.append(renumbered(shortcut.first.bits))
      parts.shortcuts.append(renumbered(shortcut.second.bits))
    }
    parts.leavingLinks = parts.leavingLinks.map(renumbered)
    parts.arrivingLinks = parts.arrivingLinks.map(renumbered)
  }
}
