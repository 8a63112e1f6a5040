// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import TrailData

/// The barrier edges of a graph that its database omits.
///
/// A copy of a barrier's node is merged with the node if that lets nothing through that is stopped
/// now: because every profile of the database passes, or because those that do not can use the ways
/// on one side only. Passing costs nothing then. A barrier that no profile passes needs no edge
/// either, but its copies stay. The remaining barriers are passed by some of the profiles, while
/// others can only approach them.
///
/// If access depends on times, a profile passes a barrier if it always does, does not if it never
/// does, and approaches it if it ever can: the edges of a database do not depend on the day of the
/// build.
struct BarrierFolding {
  /// The edges that are left out, ascending. None has a length or points.
  private(set) var leftOutEdges: [UInt32] = []
  /// The copies that are merged with their nodes, ascending.
  private(set) var mergedNodes: [UInt32] = []
  /// The node of each of ``mergedNodes``.
  private var originals: [UInt32] = []

  /// Leaves out nothing.
  init() {}

  /// - Parameters:
  ///   - costs: The costs of all profiles of the database.
  ///   - prices: Their time-dependent parts.
  init(_ graph: GraphFile, _ costs: [EdgeCosts], _ prices: RulePrices) {
    if graph.barrierEdges.isEmpty { return }
    var approaches = costs.indices.map { Self.approaches(graph, costs[$0], prices, $0) }
    var merged: [(copy: UInt32, node: UInt32)] = []
    for (index, edge) in graph.barrierEdges.enumerated() {
      guard let ends = Self.ends(graph, Int(edge)) else { continue }
      let (node, copy) = (Int(ends.node), Int(ends.copy))
      let passages = costs.indices.map { Passage(graph, index, costs[$0], prices, $0) }
      let partsNobody = costs.indices.allSatisfy {
        passages[$0].isCertain || !approaches[$0][node] || !approaches[$0][copy]
      }
      if partsNobody {
        merged.append((ends.copy, ends.node))
        for profile in costs.indices where approaches[profile][copy] {
          approaches[profile][node] = true
        }
      }
      let isNeverPassed = passages.allSatisfy { !$0.isPossible }
      if partsNobody || isNeverPassed { leftOutEdges.append(edge) }
    }
    merged.sort { $0 < $1 }
    mergedNodes = merged.map(\.copy)
    originals = merged.map(\.node)
  }

  /// Whether a profile passes a barrier's edge: always, and ever.
  private struct Passage {
    var isCertain: Bool
    var isPossible: Bool

    init(
      _ graph: GraphFile, _ barrier: Int, _ costs: EdgeCosts, _ prices: RulePrices, _ profile: Int
    ) {
      let edge = Int(graph.barrierEdges[barrier])
      let rules = [
        prices.rule(ofSet: Int(graph.barrierTagSets[barrier]), isBarrier: true),
        prices.rule(
          ofSet: Int(graph.wayTagSets[Int(graph.ways[edge])]), isBarrier: false),
      ].compactMap { $0?.profiles[profile] }
      (isCertain, isPossible) = (costs.isPassable(edge), costs.isPassable(edge))
      guard !rules.isEmpty else { return }
      // What has no rule is as on the day of the build; a barrier and its way with one rule between
      // them are taken to be open by the other one's tags.
      isCertain = rules.allSatisfy(\.alwaysPass) && isCertain
      isPossible = rules.allSatisfy(\.everPass)
    }
  }

  /// Whether a profile can ever reach or leave each node by an edge that is not a barrier.
  private static func approaches(
    _ graph: GraphFile, _ costs: EdgeCosts, _ prices: RulePrices, _ profile: Int
  ) -> [Bool] {
    var approaches = [Bool](repeating: false, count: graph.nodeIDs.count)
    var barrier = 0
    for edge in costs.cost.indices {
      if barrier < graph.barrierEdges.count, Int(graph.barrierEdges[barrier]) == edge {
        barrier += 1
        continue
      }
      let set = Int(graph.wayTagSets[Int(graph.ways[edge])])
      let rule = prices.rule(ofSet: set, isBarrier: false)?.profiles[profile]
      if rule?.everPass ?? costs.isPassable(edge) {
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
