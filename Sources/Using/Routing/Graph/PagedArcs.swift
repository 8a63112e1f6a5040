// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The nodes that a ``PagedGraph`` has met, and the arcs from some of them.
///
/// Arcs are kept in two pages: each request finds its arcs in the newer page or moves them there, and
/// when that is full the older page is dropped, so the least recently used arcs go first.
struct PagedArcs {
  /// The number of arcs of a page, 24 bytes each.
  static let arcsPerPage = 1 << 15

  var nodes = PagedNodes()
  /// The arcs of the newer page.
  private(set) var arcs: [Arc] = []
  private var oldArcs: [Arc] = []
  private var page: Int32 = 0
  /// The arcs being read, and edges that were read; nil until the first ones, and while they are in use.
  private var read: SearchArcs?

  /// Begins with none.
  init() {
    // Growing would copy it several times in each search.
    arcs.reserveCapacity(Self.arcsPerPage)
  }

  /// Forgets all nodes and arcs.
  mutating func removeAll() {
    nodes = PagedNodes()
    arcs.removeAll(keepingCapacity: true)
    oldArcs = []
    page = 0
    read = nil
  }

  /// The indices of a node's arcs, read from the database if they are not known, without the traits that
  /// preferences need; nil if they cannot be read quickly.
  ///
  /// - Parameter withElevations: Whether nodes without an elevation must not be read.
  mutating func findOrRead(
    _ node: Int32, _ store: RoutingStore, profile: String?, withElevations: Bool
  ) throws(RoutingError) -> Range<Int>? {
    if let known = find(node) { return known }
    var found = read.take() ?? SearchArcs()
    defer { read = found }
    var range: Range<Int>?
    _ = try store.readArcs(
      from: nodes.ids[Int(node)], profile: profile, into: &found,
      mark: EdgeTraits.isSteps(highway:)
    ) { found, read in
      range = add(found, to: node) { id in
        read(id).flatMap { withElevations && $0.elevation == nil ? nil : $0 }
      }
      return range != nil
    }
    return range
  }

  /// The indices of a node's arcs; nil if they are not known.
  mutating func find(_ node: Int32) -> Range<Int>? {
    let list = nodes.lists[Int(node)]
    let range = Int(list.start)..<Int(list.start) + Int(list.count)
    if list.page == page, list.start >= 0 { return range }
    // Beginning a new page would drop the arcs that are about to be copied.
    guard list.page == page - 1, list.page >= 0, arcs.count + range.count <= Self.arcsPerPage else {
      return nil
    }
    let start = arcs.count
    arcs += oldArcs[range]
    return keep(node, from: start)
  }

  /// Adds the arcs of a node; nil if there are too many nodes.
  mutating func add(_ edges: [SearchEdge], to node: Int32, _ traits: (SearchEdge) -> EdgeTraits)
    -> Range<Int>?
  {
    turnPage(for: edges.count)
    let start = arcs.count
    for edge in edges {
      let end = nodes.index(ofNode: edge.node, at: edge.coordinate, elevation: edge.elevation)
      guard let end else { return nil }
      arcs.append(
        Arc(
          cost: edge.cost, edge: edge.id, node: end, isReversed: edge.isReversed,
          traits: traits(edge)))
    }
    return keep(node, from: start)
  }

  /// The same with arcs that only say whether they are steps. Nil, without them, if `read` does not know
  /// a node or if there are too many nodes.
  private mutating func add(_ found: [SearchArc], to node: Int32, read: (Int64) -> RoutingNode?)
    -> Range<Int>?
  {
    turnPage(for: found.count)
    let start = arcs.count
    for arc in found {
      var end = nodes.index(ofNode: arc.node)
      if end == nil, let node = read(arc.node) {
        end = nodes.index(ofNode: node.id, at: node.coordinate, elevation: node.elevation)
      }
      guard let end else {
        arcs.removeLast(arcs.count - start)
        return nil
      }
      var traits = EdgeTraits()
      if arc.isMarked { traits.isSteps = true }
      arcs.append(
        Arc(
          cost: arc.cost, edge: arc.id, node: end, isReversed: arc.isReversed, traits: traits))
    }
    return keep(node, from: start)
  }

  /// Begins a new page of arcs if the current one has too little room.
  private mutating func turnPage(for count: Int) {
    guard arcs.count + count > Self.arcsPerPage, !arcs.isEmpty else { return }
    swap(&arcs, &oldArcs)
    arcs.removeAll(keepingCapacity: true)
    page += 1
  }

  private mutating func keep(_ node: Int32, from start: Int) -> Range<Int> {
    nodes.lists[Int(node)] = PagedNodes.ArcList(
      page: page, start: Int32(start), count: Int32(arcs.count - start))
    return start..<arcs.count
  }
}
