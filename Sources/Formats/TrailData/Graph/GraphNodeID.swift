// SPDX-License-Identifier: Apache-2.0

/// The ids of the nodes of a graph.
///
/// A node has its OpenStreetMap id, which must be within ±2³⁹. If a barrier separates the ways that
/// meet at a node, each way end except the first gets a copy of the node; the nth copy has that id
/// + n · 2⁴⁰. So the id of a copy differs from that of any other node, depends only on what meets
/// at the node, and up to 2⁵³ is an exact integer in every language.
package enum GraphNodeID {
  /// The difference between the ids of a node and its first copy.
  package static let span: Int64 = 1 << 40
  /// The largest `n` of a copy.
  package static let maximumCopy: UInt32 = 8191

  /// The id of the nth copy, counted from 1, of a node whose id is within ±2³⁹.
  package static func copy(_ n: UInt32, of id: Int64) -> Int64 { id + Int64(n) * span }

  /// The OpenStreetMap id of a node of the graph, copy or not.
  package static func openStreetMapID(of id: Int64) -> Int64 {
    let remainder = id & (span - 1)
    return id < span / 2 ? id : remainder < span / 2 ? remainder : remainder - span
  }
}
