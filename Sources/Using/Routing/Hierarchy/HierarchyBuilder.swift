// SPDX-License-Identifier: Apache-2.0

/// Makes a contraction hierarchy: contracts the nodes of a graph one after the other, the least
/// important one first, and adds shortcuts where a cheapest path would be lost.
///
/// A node is the more important the more arcs its contraction would add, counted as arcs and as the
/// edges that they stand for, and the more levels of contracted nodes lie below it.
struct HierarchyBuilder {
  private typealias Link = ContractionHierarchy.Link

  private var outgoing: ArcLists
  private var incoming: ArcLists
  private var levels: [Int]
  private var witnesses: WitnessSearch
  private var shortcuts: [ContractionHierarchy.Shortcut] = []
  /// The shortcuts that contracting the current node requires.
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
    for (index, edge) in graph.network.edges.enumerated() where edge.from != edge.to {
      add(edge.from, edge.to, graph.costs[index], Link(edge: index, isReversed: false), edges: 1)
      add(
        edge.to, edge.from, graph.reverseCosts[index], Link(edge: index, isReversed: true),
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
      for index in outgoing.range(node) {
        parts.leavingLinks.append(outgoing.entries[index].link.bits)
        neighbours.append(outgoing.entries[index].node)
      }
      for index in incoming.range(node) {
        parts.arrivingLinks.append(incoming.entries[index].link.bits)
        let other = incoming.entries[index].node
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
    for index in outgoing.range(node) { incoming.remove(outgoing.entries[index].node, to: node) }
    for index in incoming.range(node) { outgoing.remove(incoming.entries[index].node, to: node) }
    for pair in needed {
      let link = Link(shortcut: shortcuts.count)
      shortcuts.append(.init(first: pair.from.link, second: pair.to.link))
      add(
        pair.from.node, pair.to.node, pair.from.cost + pair.to.cost, link,
        edges: pair.from.edges + pair.to.edges)
    }
  }

  /// Finds the shortcuts that contracting a node requires.
  private mutating func findNeeded(_ node: Int32) {
    needed.removeAll(keepingCapacity: true)
    let targets = outgoing.range(node)
    for index in incoming.range(node) {
      let from = incoming.entries[index]
      var greatestCost = -1.0
      witnesses.begin()
      for index in targets where outgoing.entries[index].node != from.node {
        greatestCost = max(greatestCost, outgoing.entries[index].cost)
        witnesses.addTarget(outgoing.entries[index].node)
      }
      guard greatestCost >= 0 else { continue }
      witnesses.run(outgoing, from: from.node, avoiding: node, limit: from.cost + greatestCost)
      for index in targets {
        let to = outgoing.entries[index]
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
    for index in outgoing.range(node) { removedEdges += Int(outgoing.entries[index].edges) }
    for index in incoming.range(node) { removedEdges += Int(incoming.entries[index].edges) }
    let removed = 1 + outgoing.count(node) + incoming.count(node)
    return 1000 * levels[Int(node)] + 1000 * (1 + needed.count) / removed
      + 1000 * addedEdges / removedEdges
  }

  /// Drops the shortcuts that no arc of the hierarchy is made of: cheaper ones replaced them.
  private func dropUnused(_ parts: inout ContractionHierarchy.Parts) {
    var isUsed = [Bool](repeating: false, count: shortcuts.count)
    func use(_ bits: Int32) { if let index = Link(bits: bits).shortcut { isUsed[index] = true } }
    parts.leavingLinks.forEach(use)
    parts.arrivingLinks.forEach(use)
    for index in shortcuts.indices.reversed() where isUsed[index] {
      use(shortcuts[index].first.bits)
      use(shortcuts[index].second.bits)
    }
    var newIndices = [Int](repeating: 0, count: shortcuts.count)
    var count = 0
    func renumbered(_ bits: Int32) -> Int32 {
      guard let index = Link(bits: bits).shortcut else { return bits }
      return Link(shortcut: newIndices[index]).bits
    }
    for (index, shortcut) in shortcuts.enumerated() where isUsed[index] {
      newIndices[index] = count
      count += 1
      parts.shortcuts.append(renumbered(shortcut.first.bits))
      parts.shortcuts.append(renumbered(shortcut.second.bits))
    }
    parts.leavingLinks = parts.leavingLinks.map(renumbered)
    parts.arrivingLinks = parts.arrivingLinks.map(renumbered)
  }
}
