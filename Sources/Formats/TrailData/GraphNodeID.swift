// SPDX-License-Identifier: Apache-2.0

/// The ids of the nodes of a graph.
///
/// A node has its OpenStreetMap id, for which there is room within ±2³⁹. Where a barrier parts the
/// ways that meet at a node, each way end but the first has a copy of the node, and the n-th copy
/// has that id + n · 2⁴⁰. So the ids of copies are never those of other nodes, they only depend on
/// what meets at the node, and up to 2⁵³ they are whole numbers in every language.
package enum GraphNodeID {
  /// How far the ids of a node and its first copy lie apart.
  package static let span: Int64 = 1 << 40
  /// The greatest number of a copy.
  package static let greatestCopy: UInt32 = 8191

  /// The id of a copy, counted from 1, of a node whose id lies within ±2³⁹.
  package static func copy(_ number: UInt32, of id: Int64) -> Int64 { id + Int64(number) * span }

  /// The OpenStreetMap id of a node of a graph, a copy or not.
  package static func openStreetMapID(of id: Int64) -> Int64 {
    let rest = id & (span - 1)
    return id < span / 2 ? id : rest < span / 2 ? rest : rest - span
  }
}
