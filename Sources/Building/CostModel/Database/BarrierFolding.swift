// SPDX-License-Identifier: Apache-2.0
import Algorithms
import TrailData

/// The barrier edges of a graph that its database does without.
///
/// A copy of a barrier's node is merged with the node where that lets nobody through who is stopped
/// now: because every profile of the database passes, or because those that do not can use the ways
/// on one side only. Passing costs nothing then. A barrier that no profile passes needs no edge
/// either, but its copies stay. What remains are barriers that some of the profiles pass while
/// others can only approach them.
struct BarrierFolding {
  /// The edges that are left out, ascending. None has a length or points.
  private(set) var leftOutEdges: [UInt32] = []
  /// The copies that are merged with their nodes, ascending.
  private(set) var mergedNodes: [UInt32] = []
  /// The node of each of ``mergedNodes``.
  private var originals: [UInt32] = []

  /// Leaves out nothing.
  init() {}

  /// - Parameter costs: Those of all profiles of the database.
  init(_ graph: GraphFile, _ costs: [EdgeCosts]) {
    if graph.barrierEdges.isEmpty { return }
    var approaches = costs.map { Self.approaches(graph, $0) }
    var merged: [(copy: UInt32, node: UInt32)] = []
    for edge in graph.barrierEdges {
      guard let ends = Self.ends(graph, Int(edge)) else { continue }
      let (node, copy) = (Int(ends.node), Int(ends.copy))
      let passes = costs.map { $0.isPassable(Int(edge)) }
      let partsNobody = costs.indices.allSatisfy {
        passes[$0] || !approaches[$0][node] || !approaches[$0][copy]
      }
      if partsNobody {
        merged.append((ends.copy, ends.node))
        for profile in costs.indices where approaches[profile][copy] {
          approaches[profile][node] = true
        }
      }
      if partsNobody || !passes.contains(true) { leftOutEdges.append(edge) }
    }
    merged.sort { $0 < $1 }
    mergedNodes = merged.map(\.copy)
    originals = merged.map(\.node)
  }

  /// Whether a profile can reach or leave each node by an edge that is not a barrier.
  private static func approaches(_ graph: GraphFile, _ costs: EdgeCosts) -> [Bool] {
    var approaches = [Bool](repeating: false, count: graph.nodeIDs.count)
    var barrier = 0
    for edge in costs.cost.indices {
      if barrier < graph.barrierEdges.count, Int(graph.barrierEdges[barrier]) == edge {
        barrier += 1
      } else if costs.isPassable(edge) {
        approaches[Int(graph.from[edge])] = true
        approaches[Int(graph.to[edge])] = true
      }
    }
    return approaches
  }

  /// The node and the copy that a barrier's edge joins; nil if it is another edge, which only a file
  /// that Cairn did not write calls a barrier.
  private static func ends(_ graph: GraphFile, _ edge: Int) -> (node: UInt32, copy: UInt32)? {
    // Ids ascend, and those of copies are the greater ones.
    let node = min(graph.from[edge], graph.to[edge])
    let copy = max(graph.from[edge], graph.to[edge])
    let id = GraphNodeID.openStreetMapID(of: graph.nodeIDs[Int(copy)])
    guard node != copy, graph.nodeIDs[Int(node)] == id, graph.distances[edge] == 0,
      graph.points(ofEdge: edge).isEmpty
    else { return nil }
    return (node, copy)
  }

  /// The node that stands for a node of the graph in the database: itself unless it is merged.
  @inline(__always)
  func node(_ node: UInt32) -> UInt32 {
    // Copies come last, so most nodes need no search.
    guard let first = mergedNodes.first, node >= first else { return node }
    return mergedNodes.binarySearch(node).map { originals[$0] } ?? node
  }
}
