// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics

extension OpenDatabase {
  /// The same without descriptions, read from pages; nil if SQLite has to read them.
  func searchEdgesOfPages(from node: Int64, _ source: CostSource) throws(CairnError)
    -> [SearchEdge]?
  {
    guard let pages else { return nil }
    var edges: [SearchEdge] = []
    var ids: [Int64] = []
    for isReversed in [false, true] {
      guard pages.findEdges(at: node, isReversed: isReversed, into: &ids) else { return nil }
      for id in ids {
        guard let ends = pages.ends(ofEdge: id) else { return nil }
        let costs = try passage(source, ofEdge: id, ends.costs)
        let cost = isReversed ? costs.back : costs.ahead
        guard cost.isFinite else { continue }
        let highway = ends.highway
        let type = highway.baseAddress == nil ? nil : String(decoding: highway, as: UTF8.self)
        let far = isReversed ? ends.from : ends.to
        guard let end = pages.node(far) else { return nil }
        edges.append(
          SearchEdge(
            id: id, node: far, coordinate: end.coordinate, elevation: end.elevation, cost: cost,
            isReversed: isReversed, highwayType: type, description: nil))
      }
    }
    return edges
  }

  /// The costs of an edge in both directions, infinite where a search must not use it.
  @inline(__always)
  private func passage(_ source: CostSource, ofEdge id: Int64, _ core: GraphPages.CoreCosts)
    throws(CairnError) -> (ahead: Double, back: Double)
  {
    guard let costs = try costs(source, ofEdge: id, core) else { return (.infinity, .infinity) }
    return (costs.ahead, costs.isOneway ? .infinity : costs.back)
  }

  /// Puts the passable edges that lead away from a node, read from pages, into a list; false, with
  /// some of them, if SQLite has to read.
  fileprivate func find(
    _ found: inout SearchArcs, from node: Int64, _ source: CostSource, _ pages: GraphPages,
    mark: (UnsafeRawBufferPointer) -> Bool
  ) throws(CairnError) -> Bool {
    found.arcs.removeAll(keepingCapacity: true)
    for isReversed in [false, true] {
      guard pages.findEdges(at: node, isReversed: isReversed, into: &found.ids) else {
        return false
      }
      for id in found.ids {
        let slot = Int(truncatingIfNeeded: id) & (SearchArcs.keptEdges - 1)
        var edge = found.edges[slot]
        if edge.id != id {
          guard let ends = pages.ends(ofEdge: id) else { return false }
          let costs = try passage(source, ofEdge: id, ends.costs)
          edge = SearchArcs.Edge(
            id: id, from: ends.from, to: ends.to, ahead: costs.ahead, back: costs.back,
            isMarked: mark(ends.highway))
          found.edges[slot] = edge
        }
        let cost = isReversed ? edge.back : edge.ahead
        guard cost.isFinite else { continue }
        found.arcs.append(
          SearchArc(
            id: id, node: isReversed ? edge.from : edge.to, cost: cost, isReversed: isReversed,
            isMarked: edge.isMarked))
      }
    }
    return true
  }
}

/// An edge leading away from a node with only the values for a search.
package struct SearchArc: Sendable {
  /// The id of the edge.
  package let id: Int64
  /// The node that it leads to.
  package let node: Int64
  /// Its cost in that direction, finite.
  package let cost: Double
  /// Whether that is the direction against the row.
  package let isReversed: Bool
  /// The caller's mark for its `highway_type`.
  package let isMarked: Bool
}

/// The edges leading away from a node, and edges read before: a search meets most edges from both
/// ends, one soon after the other. Only for one profile of one opening of a store.
package struct SearchArcs: Sendable {
  fileprivate struct Edge {
    var id: Int64
    var from: Int64 = 0
    var to: Int64 = 0
    var ahead = 0.0
    var back = 0.0
    var isMarked = false
  }

  /// A power of two.
  fileprivate static let keptEdges = 1 << 10

  /// The edges leading away from the node.
  package fileprivate(set) var arcs: [SearchArc] = []
  fileprivate var ids: [Int64] = []
  /// The place of the costs; nil until the first request.
  fileprivate var source: OpenDatabase.CostSource?
  /// The edge in each slot, the last one with an id of these lowest bits.
  fileprivate var edges: [Edge]

  /// Begins with none.
  package init() {
    // An empty slot has an id that belongs into another one.
    edges = Array(repeating: Edge(id: 0), count: Self.keptEdges)
    edges[0].id = 1
  }
}

extension RoutingStore {
  /// Puts the edges of ``searchEdges(from:at:profile:withDescription:)`` into a list and calls `body`
  /// with it, and with a way to read nodes, if they can be read quickly; nil, perhaps for a node
  /// alone, if they cannot. Returns false if it was not called or does.
  ///
  /// - Parameters:
  ///   - mark: Whether to mark an edge with the bytes of this `highway_type`, empty if there is
  ///     none.
  ///   - body: It must not use the store.
  package func readArcs(
    from node: Int64, profile: String?, into found: inout SearchArcs,
    mark: (UnsafeRawBufferPointer) -> Bool,
    _ body: (_ arcs: [SearchArc], _ node: (Int64) -> RoutingNode?) -> Bool
  ) throws(RoutingError) -> Bool {
    guard joined == nil else { return false }
    var isRead = false
    try scan { database throws(RoutingError) in
      guard let pages = database.pages else { return }
      do throws(CairnError) {
        let source =
          if let known = found.source { known } else { try database.source(ofProfile: profile) }
        found.source = source
        isRead = try database.find(&found, from: node, source, pages, mark: mark)
      } catch { throw reading(error, database, profile: profile) }
      guard isRead else { return }
      isRead = body(found.arcs) { pages.node($0) }
    }
    return isRead
  }
}
