// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import TrailData

/// The nodes at 180° E or W that are the same place as another one.
///
/// A way that crosses the antimeridian is mapped as two ways: one ends at a node of longitude 180,
/// the other begins at a node of longitude −180. All nodes there with the same latitude are one
/// node of the graph, that with the smallest id. Barriers stay apart: each keeps its own copies.
struct AntimeridianNodes: Sendable {
  /// 180° in the units of `FixedCoordinate`.
  private static let limit: Int32 = 1_800_000_000

  /// The indices of the nodes in the trails, ascending.
  private(set) var nodes: [UInt32] = []
  /// The node that stands for each of ``nodes``.
  private var places: [UInt32] = []

  init(_ trails: TrailsFile, _ barriers: BarrierNodes) {
    var found: [UInt32] = []
    trails.longitudes.withUnsafeElements { longitudes in
      for (node, longitude) in longitudes.enumerated() where longitude.magnitude == Self.limit {
        found.append(UInt32(node))
      }
    }
    guard found.count > 1 else { return }
    let latitudes = trails.latitudes
    let apart = Set(barriers.nodes)
    let groups = Dictionary(grouping: found) { latitudes[Int($0)] }.values
      .filter { $0.count > 1 && apart.isDisjoint(with: $0) }
    let pairs = groups.flatMap { group in group.map { (node: $0, place: group[0]) } }
      .sorted { $0.node < $1.node }
    nodes = pairs.map(\.node)
    places = pairs.map(\.place)
  }

  /// The node that stands for a node: itself, unless another one is the same place.
  @inline(__always)
  func place(of node: UInt32) -> UInt32 {
    nodes.isEmpty ? node : found(node)
  }

  private func found(_ node: UInt32) -> UInt32 {
    let index = nodes.partitioningIndex { $0 >= node }
    return index < nodes.count && nodes[index] == node ? places[index] : node
  }
}
