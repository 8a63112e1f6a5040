// SPDX-License-Identifier: Apache-2.0
import CairnRoutingDatabase

/// A contraction hierarchy of the graph of one profile: an order of its nodes by importance and
/// shortcuts over the less important ones, so that the searches from both ends only lead upward.
///
/// After R. Geisberger, P. Sanders, D. Schultes, D. Delling, “Contraction Hierarchies: Faster and
/// Simpler Hierarchical Routing in Road Networks”, WEA 2008. Costs are the sums of the edges'
/// costs, so they equal those of any other search except for rounding.
///
/// Immutable: any number of threads may search it.
public final class ContractionHierarchy: Sendable {
  /// The graph that the hierarchy was made from.
  public let graph: ProfileGraph
  /// The number of nodes with the highest ranks that are not contracted. The arcs between two of
  /// them lead up and down.
  let core: Int
  /// The nodes of the graph by rank, least important first.
  let order: [Int32]
  /// The rank of each node.
  let ranks: [Int32]
  /// For each rank the arcs that lead up from its node, or to another node of the core.
  let leaving: Rows
  /// For each rank, the arcs that come down to its node, or from another node of the core.
  let arriving: Rows
  let shortcuts: [Shortcut]

  /// The number of shortcuts.
  public var shortcutCount: Int { shortcuts.count }

  /// The number of nodes that are not contracted: hubs, and those whose contraction would take too
  /// much work. Searches among them are plain, so a hierarchy with a large core is slower.
  public var coreCount: Int { core }

  /// An arc between a node and one of higher rank, or between two of the core.
  struct UpArc {
    var cost: Double
    /// The higher rank; in the core, that of the other node.
    var rank: Int32
    var link: Link
  }

  /// Lists of arcs, one for each rank, in one array.
  struct Rows {
    var starts: [Int32]
    var arcs: [UpArc]

    @inline(__always)
    func range(_ rank: Int32) -> Range<Int> {
      Int(starts[Int(rank)])..<Int(starts[Int(rank) + 1])
    }
  }

  /// The target of an arc: an edge in one direction, or a shortcut.
  struct Link: Hashable {
    /// Twice the index of the edge, plus 1 against its row; or −1 minus the index of the shortcut.
    var bits: Int32

    init(bits: Int32) { self.bits = bits }
    init(edge: Int, isReversed: Bool) {
      bits = Int32(truncatingIfNeeded: edge << 1 | (isReversed ? 1 : 0))
    }
    init(shortcut: Int) { bits = ~Int32(truncatingIfNeeded: shortcut) }

    /// The index of the shortcut; nil for an edge.
    var shortcut: Int? { bits < 0 ? Int(~bits) : nil }
    /// The index of the edge, if it is one.
    var edge: Int { Int(bits >> 1) }
    var isReversed: Bool { bits & 1 != 0 }
  }

  /// Two consecutive arcs, in the direction of travel.
  struct Shortcut: Hashable {
    var first: Link
    var second: Link
  }

  /// The content of a hierarchy in a file; the rest follows from the graph.
  struct Parts: Equatable {
    var order: [Int32] = []
    /// The number of nodes at the end of the order that are not contracted.
    var core = 0
    var leavingStarts: [Int32] = [0]
    var leavingLinks: [Int32] = []
    var arrivingStarts: [Int32] = [0]
    var arrivingLinks: [Int32] = []
    /// The links of the shortcuts, two each. A shortcut is made of edges and of earlier shortcuts.
    var shortcuts: [Int32] = []
  }

  /// A problem in the parts of a hierarchy.
  struct BadParts: Error, Equatable {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Contracts a graph, which takes a few seconds for a hundred thousand nodes. The same graph
  /// always gives the same hierarchy.
  ///
  /// Throws `RoutingError.databaseUnusable(_:)` for a graph of 2³⁰ edges or more.
  public static func contracting(_ graph: ProfileGraph) throws(RoutingError)
    -> ContractionHierarchy
  {
    try contracting(graph, HierarchyBuilder.Limits())
  }

  static func contracting(_ graph: ProfileGraph, _ limits: HierarchyBuilder.Limits)
    throws(RoutingError) -> ContractionHierarchy
  {
    let parts = try Parts(contracting: CostGraph(graph), limits)
    do throws(BadParts) { return try ContractionHierarchy(graph, parts) } catch {
      throw .databaseUnusable("no hierarchy can be made of it: \(error.reason)")
    }
  }

  /// A hierarchy in which every node belongs to the core: it takes no time to prepare, and searches
  /// are those of Dijkstra's algorithm. For a few routes this is faster than contracting.
  ///
  /// Throws `RoutingError.databaseUnusable(_:)` for a graph of 2³⁰ edges or more.
  public static func uncontracted(_ graph: ProfileGraph) throws(RoutingError)
    -> ContractionHierarchy
  {
    try contracting(graph, .init(arcs: 0, workPerElement: 0, shortcutsPerElement: 0))
  }

  /// A link has 31 bits for an edge and its direction.
  static let mostEdges = 1 << 30

  /// Assembles a hierarchy from untrusted parts. Costs, and the nodes that an arc joins, come from
  /// the graph. Whether the parts lead to cheapest routes is not checked: that would take as long
  /// as making them.
  init(_ graph: ProfileGraph, _ parts: Parts) throws(BadParts) {
    self.graph = graph
    guard (0...parts.order.count).contains(parts.core) else {
      throw BadParts("its core has more nodes than the graph")
    }
    order = parts.order
    core = parts.core
    ranks = try Self.ranks(parts.order, nodes: graph.network.nodeIDs.count)
    let (shortcuts, joined) = try Self.shortcuts(parts.shortcuts, graph)
    self.shortcuts = shortcuts
    let reader = RowReader(graph: graph, joined: joined, order: order, ranks: ranks, core: core)
    leaving = try reader.rows(parts.leavingStarts, parts.leavingLinks, isLeaving: true)
    arriving = try reader.rows(parts.arrivingStarts, parts.arrivingLinks, isLeaving: false)
  }

  /// The parts from which this hierarchy can be rebuilt.
  var parts: Parts {
    Parts(
      order: order, core: core, leavingStarts: leaving.starts,
      leavingLinks: leaving.arcs.map(\.link.bits),
      arrivingStarts: arriving.starts, arrivingLinks: arriving.arcs.map(\.link.bits),
      shortcuts: shortcuts.flatMap { [$0.first.bits, $0.second.bits] })
  }

  private static func ranks(_ order: [Int32], nodes: Int) throws(BadParts) -> [Int32] {
    guard order.count == nodes else { throw BadParts("its number of nodes differs") }
    var ranks = [Int32](repeating: -1, count: nodes)
    for (rank, node) in order.enumerated() {
      guard node >= 0, Int(node) < nodes, ranks[Int(node)] < 0 else {
        throw BadParts("its order has a node twice or one that does not exist")
      }
      ranks[Int(node)] = Int32(rank)
    }
    return ranks
  }

  /// The nodes joined by a link, its cost and its number of edges.
  private struct Joined {
    var from: Int32
    var to: Int32
    var cost: Double
    var edges: Int

    /// Looks up an edge or one of the shortcuts so far; nil if it does not exist or is closed.
    init?(_ link: Link, _ graph: ProfileGraph, _ shortcuts: [Joined]) {
      if let shortcut = link.shortcut {
        guard shortcut < shortcuts.count else { return nil }
        self = shortcuts[shortcut]
        return
      }
      guard link.edge < graph.costs.count else { return nil }
      let edge = graph.network.edges[link.edge]
      cost = link.isReversed ? graph.reverseCosts[link.edge] : graph.costs[link.edge]
      guard cost.isFinite else { return nil }
      (from, to) = link.isReversed ? (edge.to, edge.from) : (edge.from, edge.to)
      edges = 1
    }

    /// Two consecutive links; nil if the second one does not begin where the first one ends.
    init?(_ first: Joined, _ second: Joined) {
      guard first.to == second.from else { return nil }
      (from, to) = (first.from, second.to)
      cost = first.cost + second.cost
      edges = first.edges + second.edges
    }
  }

  private static func shortcuts(_ links: [Int32], _ graph: ProfileGraph) throws(BadParts)
    -> ([Shortcut], [Joined])
  {
    guard links.count % 2 == 0 else { throw BadParts("it has half a shortcut") }
    var shortcuts: [Shortcut] = []
    var joined: [Joined] = []
    shortcuts.reserveCapacity(links.count / 2)
    joined.reserveCapacity(links.count / 2)
    for index in stride(from: 0, to: links.count, by: 2) {
      let (first, second) = (Link(bits: links[index]), Link(bits: links[index + 1]))
      guard let one = Joined(first, graph, joined), let other = Joined(second, graph, joined),
        let both = Joined(one, other),
        // No cheapest path passes a node twice, so unpacking always ends soon.
        both.edges < graph.network.nodeIDs.count
      else { throw BadParts("shortcut \(index / 2) is not a path of this graph") }
      shortcuts.append(Shortcut(first: first, second: second))
      joined.append(both)
    }
    return (shortcuts, joined)
  }

  /// Reads the arcs that lead up from all nodes.
  private struct RowReader {
    let graph: ProfileGraph
    /// The nodes joined by each shortcut.
    let joined: [Joined]
    let order: [Int32]
    let ranks: [Int32]
    let core: Int

    func rows(_ starts: [Int32], _ links: [Int32], isLeaving: Bool) throws(BadParts) -> Rows {
      guard starts.count == order.count + 1, starts.first == 0,
        starts.last.map({ Int($0) }) == links.count,
        zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })
      else { throw BadParts("its lists of arcs are not in order") }
      var arcs: [UpArc] = []
      arcs.reserveCapacity(links.count)
      for (rank, node) in order.enumerated() {
        for index in Int(starts[rank])..<Int(starts[rank + 1]) {
          let link = Link(bits: links[index])
          guard let ends = Joined(link, graph, joined), (isLeaving ? ends.from : ends.to) == node
          else { throw BadParts("arc \(index) is not a path of this graph") }
          let other = ranks[Int(isLeaving ? ends.to : ends.from)]
          let firstOfCore = order.count - core
          guard other > rank || rank >= firstOfCore && other >= firstOfCore && other != rank
          else { throw BadParts("arc \(index) does not lead up") }
          arcs.append(UpArc(cost: ends.cost, rank: other, link: link))
        }
      }
      return Rows(starts: starts, arcs: arcs)
    }
  }

  /// Calls `body` with the edges of a link, in the order of travel.
  ///
  /// - Parameter stack: Working memory, empty before and after.
  func unpack(
    _ link: Link, _ stack: inout [Link], _ body: (_ edge: Int, _ isReversed: Bool) -> Void
  ) {
    stack.append(link)
    while let next = stack.popLast() {
      if let shortcut = next.shortcut {
        stack.append(shortcuts[shortcut].second)
        stack.append(shortcuts[shortcut].first)
      } else {
        body(next.edge, next.isReversed)
      }
    }
  }
}

extension ContractionHierarchy.Parts {
  /// Contracts a graph. Throws `RoutingError.databaseUnusable(_:)` for one of 2³⁰ edges or more.
  init(contracting graph: CostGraph, _ limits: HierarchyBuilder.Limits = .init())
    throws(RoutingError)
  {
    guard graph.edges < ContractionHierarchy.mostEdges else {
      throw .databaseUnusable("it has too many edges for a hierarchy")
    }
    var builder = HierarchyBuilder(graph, limits)
    self = builder.run()
  }
}
