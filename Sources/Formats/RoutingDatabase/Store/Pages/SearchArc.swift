// SPDX-License-Identifier: Apache-2.0
import CairnDiagnostics
import CairnGeodesy

extension OpenDatabase {
  /// The same without descriptions, read from pages; nil if SQLite has to read them.
  func searchEdgesOfPages(from node: Int64, _ source: CostSource) throws(CairnError)
    -> [SearchEdge]?
  {
    guard let pages else { return nil }
    var arcs: [SearchArc] = []
    var highways: [String?] = []
    let isRead = try addArcs(from: node, source, pages, to: &arcs) { highway in
      highways.append(
        highway.baseAddress == nil ? nil : String(decoding: highway, as: UTF8.self))
      return false
    }
    guard isRead else { return nil }
    var edges: [SearchEdge] = []
    for (arc, highway) in zip(arcs, highways) {
      guard let place = pages.coordinate(ofNode: arc.node) else { return nil }
      edges.append(
        SearchEdge(
          id: arc.id, node: arc.node, coordinate: place, cost: arc.cost,
          isReversed: arc.isReversed, highwayType: highway, description: nil))
    }
    return edges
  }

  /// Adds the passable edges that lead away from a node, read from pages; false, with some of them,
  /// if SQLite has to read.
  fileprivate func addArcs(
    from node: Int64, _ source: CostSource, _ pages: GraphPages, to arcs: inout [SearchArc],
    mark: (UnsafeRawBufferPointer) -> Bool
  ) throws(CairnError) -> Bool {
    var failure: CairnError?
    for isReversed in [false, true] {
      let isRead = pages.forEachArc(at: node, isReversed: isReversed) { id, far, core, highway in
        do throws(CairnError) {
          guard let costs = try costs(source, ofEdge: id, core), !isReversed || !costs.isOneway
          else { return true }
          let cost = isReversed ? costs.back : costs.ahead
          guard cost.isFinite else { return true }
          arcs.append(
            SearchArc(
              id: id, node: far, cost: cost, isReversed: isReversed, isMarked: mark(highway)))
          return true
        } catch {
          failure = error
          return false
        }
      }
      if let failure { throw failure }
      guard isRead else { return false }
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

extension RoutingStore {
  /// Puts the edges of ``searchEdges(from:at:profile:withDescription:)`` into a list and calls `body`
  /// with it, and with the positions of nodes, if they can be read quickly; nil, perhaps for a node
  /// alone, if they cannot. Returns false if it was not called or does.
  ///
  /// - Parameters:
  ///   - mark: Whether to mark an edge with the bytes of this `highway_type`, empty if there is
  ///     none.
  ///   - body: It must not use the store.
  package func readArcs(
    from node: Int64, profile: String?, into arcs: inout [SearchArc],
    mark: (UnsafeRawBufferPointer) -> Bool,
    _ body: (_ arcs: [SearchArc], _ place: (Int64) -> Coordinate?) -> Bool
  ) throws(RoutingError) -> Bool {
    guard joined == nil else { return false }
    arcs.removeAll(keepingCapacity: true)
    var isRead = false
    try scan { database throws(RoutingError) in
      guard let pages = database.pages else { return }
      do throws(CairnError) {
        isRead = try database.addArcs(
          from: node, try database.source(ofProfile: profile), pages, to: &arcs, mark: mark)
      } catch { throw reading(error, database) }
      guard isRead else { return }
      isRead = body(arcs) { pages.coordinate(ofNode: $0) }
    }
    return isRead
  }
}
