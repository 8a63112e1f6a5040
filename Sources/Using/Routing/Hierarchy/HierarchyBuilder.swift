// SPDX-License-Identifier: Apache-2.0

/// Makes a contraction hierarchy: contracts the nodes of a graph one after another, least important
/// first, and adds shortcuts where a cheapest path would be lost.
///
/// A shortcut costs exactly as much as the path that it replaces, so no contraction changes the
/// distance between two remaining nodes; a missed witness adds a needless shortcut, never a wrong
/// cost. Replacing the lowest inner node of a cheapest path by the shortcut over it, again and again,
/// yields a path of the same cost that only ascends and then only descends, perhaps through the core
/// between; the searches from both ends find it.
///
/// A node is the more important the more arcs its contraction would add, counted as arcs and as
/// their edges, and the more levels of contracted nodes lie below it.
///
/// Nodes with more arcs than ``Limits/arcs`` join the core, which is not contracted; so do all
/// remaining nodes once the work or the shortcuts exceed their limits. So work and memory grow in
/// proportion to the graph, whatever its structure.
struct HierarchyBuilder {
  private typealias Link = ContractionHierarchy.Link

  /// The limits of contraction.
  struct Limits {
    /// A node with more outgoing or incoming arcs joins the core.
    var arcs = 64
    /// The number of arcs that witness searches may examine, for each node and edge of the graph.
    var workPerElement = 3_000
    /// The number of shortcuts that may be added, for each node and edge of the graph.
    var shortcutsPerElement = 10
  }

  private var outgoing: ArcLists
  private var incoming: ArcLists
  private var levels: [Int]
  private var witnesses: WitnessSearch
  private var shortcuts: [ContractionHierarchy.Shortcut] = []
  /// The number of edges that each shortcut represents.
  private var shortcutEdges: [Int32] = []
  /// The shortcuts that contracting the current node requires.
  private var needed: [Needed] = []
  /// For each target of the current node the cost of the cheapest arc from elsewhere.
  private var lastCosts: [Double] = []
  /// How much one level more adds to the importance of a node.
  private static let levelImportance = 10
  private let mostArcs: Int
  private let mostWork: Int
  private let mostShortcuts: Int
  /// Nodes of the core. They have no lists; an arc between one of them and another node is in the
  /// list of that node alone.
  private var isCore: [Bool]
  private var isContracted: [Bool]
  /// Nodes whose importance is a guess: at first, and once a neighbour was contracted. Unless they
  /// may have become less important, it is found only once the node is the next.
  private var isOutdated: [Bool]
  /// For each node what is known of the paths over it. It holds until one of a path's two arcs
  /// changes: contraction keeps all distances, so what is cheaper by more than rounding stays so.
  private var pairs: [ArcPairs]
  private var coreArcs: [CoreArc] = []

  /// An arc between two nodes of the core. There may be several from one node to the other.
  private struct CoreArc {
    var from: Int32
    var to: Int32
    var cost: Double
    var link: Link
  }

  private struct Needed {
    var from: ArcLists.Entry
    var to: ArcLists.Entry
  }

  init(_ graph: CostGraph, _ limits: Limits = Limits()) {
    let nodes = graph.nodes
    let elements = nodes + graph.edges
    mostArcs = limits.arcs
    mostWork = elements * limits.workPerElement
    mostShortcuts = elements * limits.shortcutsPerElement
    isCore = Array(repeating: false, count: nodes)
    isContracted = isCore
    isOutdated = Array(repeating: true, count: nodes)
    pairs = Array(repeating: ArcPairs(), count: nodes)
    outgoing = ArcLists(nodes: nodes)
    incoming = ArcLists(nodes: nodes)
    levels = Array(repeating: 0, count: nodes)
    witnesses = WitnessSearch(nodes: nodes)
    for (index, edge) in graph.ends.enumerated() where edge.from != edge.to {
      add(edge.from, edge.to, graph.costs[index], Link(edge: index, isReversed: false))
      add(edge.to, edge.from, graph.reverseCosts[index], Link(edge: index, isReversed: true))
    }
  }

  private mutating func add(_ from: Int32, _ to: Int32, _ cost: Double, _ link: Link) {
    guard cost.isFinite else { return }
    let (fromCore, toCore) = (isCore[Int(from)], isCore[Int(to)])
    if fromCore, toCore {
      coreArcs.append(CoreArc(from: from, to: to, cost: cost, link: link))
      return
    }
    if !fromCore {
      let forward = ArcLists.Entry(cost: cost, node: to, link: link)
      guard let index = outgoing.improve(from, forward) else { return }
      pairs[Int(from)].forget(outgoing: index)
    }
    if !toCore {
      let backward = ArcLists.Entry(cost: cost, node: from, link: link)
      guard let index = incoming.improve(to, backward) else { return }
      pairs[Int(to)].forget(incoming: index)
    }
    if outgoing.count(from) > mostArcs { moveToCore(from) }
    if incoming.count(to) > mostArcs { moveToCore(to) }
  }

  private mutating func moveToCore(_ node: Int32) {
    isCore[Int(node)] = true
    for index in outgoing.range(node) {
      let entry = outgoing.entries[index]
      guard isCore[Int(entry.node)] else { continue }
      coreArcs.append(CoreArc(from: node, to: entry.node, cost: entry.cost, link: entry.link))
    }
    for index in incoming.range(node) {
      let entry = incoming.entries[index]
      guard isCore[Int(entry.node)] else { continue }
      coreArcs.append(CoreArc(from: entry.node, to: node, cost: entry.cost, link: entry.link))
    }
    outgoing.removeAll(node)
    incoming.removeAll(node)
  }

  /// The number of arcs and targets examined by witness searches so far.
  var work: Int { witnesses.work }

  /// Whether work or shortcuts exceed their limits.
  private var isExhausted: Bool {
    witnesses.work > mostWork || shortcuts.count > mostShortcuts
  }

  /// Contracts the graph, except for its core.
  mutating func run() -> ContractionHierarchy.Parts {
    var parts = ContractionHierarchy.Parts()
    var queue = ContractionQueue(levels.indices.map { guessedImportance(Int32($0)) })
    var neighbours: [Int32] = []
    while !isExhausted, let node = queue.pop() {
      guard !isCore[Int(node)] else { continue }
      if isOutdated[Int(node)] {
        let current = importance(node)
        isOutdated[Int(node)] = false
        guard queue.wouldPop(node, current) else {
          queue.insert(node, current)
          continue
        }
      } else {
        findNeeded(node)
      }
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
      isContracted[Int(node)] = true
      let degrees = neighbours.map(degree)
      contract(node)
      let level = levels[Int(node)] + 1
      for (other, before) in zip(neighbours, degrees) where !isCore[Int(other)] {
        let raised = max(level, levels[Int(other)])
        if degree(other) < before {
          // It may have become less important.
          levels[Int(other)] = raised
          queue.update(other, importance(other))
          isOutdated[Int(other)] = false
        } else {
          queue.raise(other, by: Self.levelImportance * (raised - levels[Int(other)]))
          levels[Int(other)] = raised
          isOutdated[Int(other)] = true
        }
      }
    }
    addCore(&parts)
    dropUnused(&parts)
    return parts
  }

  /// Adds the core, by index, with the cheapest arc from each of its nodes to each other.
  private mutating func addCore(_ parts: inout ContractionHierarchy.Parts) {
    for node in isCore.indices where !isContracted[node] {
      if !isCore[node] { moveToCore(Int32(node)) }
      parts.core += 1
      parts.order.append(Int32(node))
    }
    // A shortcut of the same cost comes after an edge.
    coreArcs.sort {
      ($0.from, $0.to, $0.cost, ~$0.link.bits) < ($1.from, $1.to, $1.cost, ~$1.link.bits)
    }
    var kept: [CoreArc] = []
    for arc in coreArcs {
      if let last = kept.last, last.from == arc.from, last.to == arc.to { continue }
      kept.append(arc)
    }
    func add(
      _ arcs: [CoreArc], by end: KeyPath<CoreArc, Int32>, _ starts: inout [Int32],
      _ links: inout [Int32]
    ) {
      var next = 0
      for node in parts.order.suffix(parts.core) {
        while next < arcs.count, arcs[next][keyPath: end] == node {
          links.append(arcs[next].link.bits)
          next += 1
        }
        starts.append(Int32(truncatingIfNeeded: links.count))
      }
    }
    add(kept, by: \.from, &parts.leavingStarts, &parts.leavingLinks)
    kept.sort { ($0.to, $0.from) < ($1.to, $1.from) }
    add(kept, by: \.to, &parts.arrivingStarts, &parts.arrivingLinks)
  }

  /// Replaces the arcs of a node by the ``needed`` shortcuts.
  private mutating func contract(_ node: Int32) {
    for index in outgoing.range(node) {
      let other = outgoing.entries[index].node
      if let (index, last) = incoming.remove(other, to: node) {
        pairs[Int(other)].replace(incoming: index, byLast: last)
      }
    }
    for index in incoming.range(node) {
      let other = incoming.entries[index].node
      if let (index, last) = outgoing.remove(other, to: node) {
        pairs[Int(other)].replace(outgoing: index, byLast: last)
      }
    }
    for pair in needed {
      // A path that passes a node twice is not a cheapest one.
      let edges = edges(pair.from.link) + edges(pair.to.link)
      guard edges < levels.count else { continue }
      let link = Link(shortcut: shortcuts.count)
      shortcuts.append(.init(first: pair.from.link, second: pair.to.link))
      shortcutEdges.append(Int32(edges))
      add(pair.from.node, pair.to.node, pair.from.cost + pair.to.cost, link)
    }
  }

  /// The number of edges that a link represents.
  private func edges(_ link: Link) -> Int { link.shortcut.map { Int(shortcutEdges[$0]) } ?? 1 }

  /// Finds the shortcuts that contracting a node requires.
  private mutating func findNeeded(_ node: Int32) {
    needed.removeAll(keepingCapacity: true)
    lastCosts.removeAll(keepingCapacity: true)
    var known = pairs[Int(node)]
    let targets = outgoing.range(node)
    for (row, source) in incoming.range(node).enumerated() {
      let from = incoming.entries[source]
      search(from, node, row, known)
      for (column, target) in targets.enumerated() {
        let to = outgoing.entries[target]
        guard to.node != from.node else { continue }
        var isNeeded = known[row, column] ?? false
        if known[row, column] == nil {
          let (cost, other) = (from.cost + to.cost, witnesses.cost(to.node))
          isNeeded = other > cost
          // Of two paths that cost the same, each may be why the other needs no shortcut, and it is
          // not known yet which one goes first.
          if isNeeded || other * WitnessSearch.rounding < cost { known[row, column] = isNeeded }
        }
        if isNeeded { needed.append(Needed(from: from, to: to)) }
      }
    }
    pairs[Int(node)] = known
  }

  /// Searches for other paths from the start of a node's incoming arc to the ends of those outgoing
  /// arcs with which it makes an unknown pair.
  private mutating func search(
    _ from: ArcLists.Entry, _ node: Int32, _ row: Int, _ known: ArcPairs
  ) {
    witnesses.begin()
    let targets = outgoing.range(node)
    for (column, target) in targets.enumerated() {
      let to = outgoing.entries[target]
      guard to.node != from.node, known[row, column] == nil else { continue }
      if lastCosts.isEmpty {
        for index in targets {
          lastCosts.append(leastCost(into: outgoing.entries[index].node, node))
        }
      }
      witnesses.addTarget(to.node, cost: from.cost + to.cost, lastCost: lastCosts[column])
    }
    if witnesses.work <= mostWork {
      witnesses.run(outgoing, from: from.node, avoiding: node)
    }
  }

  private func degree(_ node: Int32) -> Int { outgoing.count(node) + incoming.count(node) }

  /// The cost of the cheapest arc to a node that does not come from the avoided one; 0 for the core,
  /// whose nodes have no lists.
  private func leastCost(into node: Int32, _ avoided: Int32) -> Double {
    if isCore[Int(node)] { return 0 }
    var least = Double.infinity
    for index in incoming.range(node) where incoming.entries[index].node != avoided {
      least = min(least, incoming.entries[index].cost)
    }
    return least
  }

  /// How important a node is before any search: as if three of four paths over it needed a shortcut.
  private func guessedImportance(_ node: Int32) -> Int {
    guard !isCore[Int(node)] else { return .max }
    var paths = 0
    for source in incoming.range(node) {
      let from = incoming.entries[source].node
      for target in outgoing.range(node) where outgoing.entries[target].node != from { paths += 1 }
    }
    let guess = 3 * paths / 4
    return importance(node, shortcuts: guess, edges: 2 * guess)
  }

  /// How important a node is; finds the shortcuts that it needs.
  private mutating func importance(_ node: Int32) -> Int {
    guard !isCore[Int(node)], !isExhausted else { return .max }
    findNeeded(node)
    let added = needed.reduce(0) { $0 + edges($1.from.link) + edges($1.to.link) }
    return importance(node, shortcuts: needed.count, edges: added)
  }

  /// How important a node is, in tenths. Coarse on purpose: of nodes that are equal the one with the
  /// lowest index comes first, and such neighbours in memory are often neighbours in the graph.
  ///
  /// - Parameters:
  ///   - shortcuts: How many its contraction would add.
  ///   - added: The number of edges that these would represent.
  private func importance(_ node: Int32, shortcuts: Int, edges added: Int) -> Int {
    var removed = 1
    for index in outgoing.range(node) { removed += edges(outgoing.entries[index].link) }
    for index in incoming.range(node) { removed += edges(incoming.entries[index].link) }
    return Self.levelImportance * levels[Int(node)]
      + 10 * (1 + shortcuts) / (1 + degree(node)) + 10 * (1 + added) / removed
  }

  /// Drops the shortcuts without an arc of the hierarchy, which were replaced by cheaper ones.
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
