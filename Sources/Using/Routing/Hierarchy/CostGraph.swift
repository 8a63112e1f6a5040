// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnRoutingDatabase

/// The ends and the costs of all edges by a profile: all that a hierarchy is made from.
package struct CostGraph: Sendable {
  /// The nodes that an edge joins by their indices, in the direction of its row.
  struct Ends: Sendable {
    var from: Int32
    var to: Int32
  }

  /// The name of the profile; nil for the core columns.
  package let profile: String?
  /// The number of nodes.
  package let nodes: Int
  /// The number of edges.
  package var edges: Int { ends.count }
  /// The number of directions of edges that are passable.
  package var arcs: Int { costs.count { $0.isFinite } + reverseCosts.count { $0.isFinite } }
  /// The ends of each edge by its index.
  let ends: [Ends]
  /// The cost of each edge; infinite if it is impassable.
  let costs: [Double]
  /// The costs in the other direction.
  let reverseCosts: [Double]

  /// The part of a profile's graph that a hierarchy is made from.
  init(_ graph: ProfileGraph) {
    profile = graph.profile
    nodes = graph.network.nodeIDs.count
    ends = graph.network.edges.map { Ends(from: $0.from, to: $0.to) }
    (costs, reverseCosts) = (graph.costs, graph.reverseCosts)
  }

  private init(profile: String?, nodes: Int, ends: [Ends], _ columns: ProfileGraph.CostColumns) {
    (self.profile, self.nodes, self.ends) = (profile, nodes, ends)
    (costs, reverseCosts) = (columns.costs, columns.reverseCosts)
  }

  /// Reads the graphs of some profiles (nil: the core columns), with the same indices of nodes and
  /// edges as in a ``RoadNetwork``.
  ///
  /// Throws `RoutingError.databaseCorrupted(_:)` if an edge leads to a missing node, and the errors
  /// of the store.
  package static func reading(_ store: RoutingStore, profiles: [String?]) throws(RoutingError)
    -> [CostGraph]
  {
    var nodes: [Int64] = []
    try store.forEachNodeID { nodes.append($0) }
    guard nodes.count < Int(Int32.max) else { throw .databaseUnusable("it has too many nodes") }
    var ids: [Int64] = []
    var ends: [Ends] = []
    var core = ProfileGraph.CostColumns(costs: [], reverseCosts: [])
    var isOneway: [Bool] = []
    try store.forEachEdgePrices { edge throws(RoutingError) in
      guard let from = nodes.binarySearch(edge.fromNode), let to = nodes.binarySearch(edge.toNode)
      else { throw .databaseCorrupted("edge \(edge.id) leads to a node that is missing") }
      ids.append(edge.id)
      ends.append(Ends(from: Int32(from), to: Int32(to)))
      core.costs.append(edge.cost)
      core.reverseCosts.append(edge.reverseCost)
      isOneway.append(edge.isOneway)
    }
    var graphs: [CostGraph] = []
    for profile in profiles {
      let columns = try ProfileGraph.CostColumns(
        reading: store, profile: profile, core: core, isOneway: { isOneway[$0] },
        indexOfEdge: { id in
          // Ids count from 1, in databases of Cairn without gaps.
          if id > 0, id <= ids.count, ids[Int(id) - 1] == id { return Int(id) - 1 }
          return ids.binarySearch(id)
        })
      graphs.append(CostGraph(profile: profile, nodes: nodes.count, ends: ends, columns))
    }
    return graphs
  }

  /// A digest of all but the name.
  var digest: UInt64 {
    var digest = WordDigest()
    digest.add(UInt64(nodes))
    for (index, edge) in ends.enumerated() {
      digest.add(UInt64(UInt32(bitPattern: edge.from)) << 32 | UInt64(UInt32(bitPattern: edge.to)))
      digest.add(costs[index].bitPattern)
      digest.add(reverseCosts[index].bitPattern)
    }
    return digest.value
  }
}
