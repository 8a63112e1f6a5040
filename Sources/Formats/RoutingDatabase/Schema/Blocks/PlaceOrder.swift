// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnGeodesy
import CairnSQLiteKit

/// The order of the nodes and edges of a network by place, so that neighbours lie together: in blocks of
/// nodes along a Hilbert curve, and edges by the block that they lead from.
package struct PlaceOrder: Sendable {
  /// The number of nodes in a block; the last one may have fewer.
  package static let nodesPerBlock = 128

  /// The number of blocks of some nodes.
  package static func blockCount(nodes: Int) -> Int { (nodes + nodesPerBlock - 1) / nodesPerBlock }

  /// The nodes, block after block, in each block as they were.
  package let nodes: [UInt32]
  /// The edges, those of each block as they were.
  package let edges: [UInt32]

  /// Orders nodes and edges, of which there are less than 2³² each.
  ///
  /// - Parameters:
  ///   - place: The position of a node by its index.
  ///   - from: The node that an edge leads from, both by their indices.
  package init(
    nodeCount: Int, edgeCount: Int, place: (Int) -> FixedCoordinate, from: (Int) -> Int
  ) {
    var nodes = KeyOrder.ascending((0..<nodeCount).map { Self.position(of: place($0)) })
    var blocks = [UInt32](repeating: 0, count: nodeCount)
    for start in stride(from: 0, to: nodeCount, by: Self.nodesPerBlock) {
      let block = start..<min(start + Self.nodesPerBlock, nodeCount)
      nodes[block].sort()
      for node in nodes[block] {
        blocks[Int(node)] = UInt32(truncatingIfNeeded: start / Self.nodesPerBlock)
      }
    }
    self.nodes = nodes
    edges = KeyOrder.ascending((0..<edgeCount).map { blocks[from($0)] })
  }

  /// The position of a point on a curve through cells of 4096 units, at most 46 m.
  private static func position(of point: FixedCoordinate) -> Int64 {
    let x = UInt32(truncatingIfNeeded: Int64(point.longitude) + 1_800_000_000)
    let y = UInt32(truncatingIfNeeded: Int64(point.latitude) + 900_000_000)
    return Int64(HilbertCurve.position(x: x >> 12, y: y >> 12, order: 20))
  }
}
