// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import CairnDiagnostics
import TrailData

extension CairnError.Code {
  /// The id of a barrier node is too large for its copies to get ids.
  static let barrierNodeID: Self = "barrier-node-id"
  /// More edges meet at a barrier than its node can have copies.
  static let crowdedBarrier: Self = "crowded-barrier"
}

/// The copies of barrier nodes, in the order of their ids.
struct BarrierCopies: Sendable {
  private struct Copy: Comparable {
    /// Counts the copies of a barrier from 1.
    var ordinal: UInt32
    /// The index of the barrier in ``BarrierNodes/nodes``.
    var barrier: Int

    static func < (left: Copy, right: Copy) -> Bool {
      (left.ordinal, left.barrier) < (right.ordinal, right.barrier)
    }
  }

  /// The index of the node in the trails that each copy was made of, and the id of the copy.
  private(set) var all: [(node: Int, id: Int64)] = []
  private var copies: [Copy] = []

  /// Makes the copies for the edges that end at each barrier; throws 65 if there are no ids left
  /// for them.
  init(_ trails: TrailsFile, _ barriers: BarrierNodes, _ endCounts: [UInt32]) throws(CairnError) {
    for (barrier, count) in endCounts.enumerated() where count > 1 {
      guard count - 1 <= GraphNodeID.maximumCopy else {
        throw CairnError(
          .crowdedBarrier, .dataError,
          "\(count) edges meet at node \(trails.nodeIDs[Int(barriers.nodes[barrier])]), a barrier: "
            + "at most \(GraphNodeID.maximumCopy + 1) can be parted",
          at: Location(file: trails.container.path))
      }
      for ordinal in 1..<count { copies.append(Copy(ordinal: ordinal, barrier: barrier)) }
    }
    guard !copies.isEmpty else { return }
    // Ids ascend, so the first and the last one are the extremes.
    for id in [trails.nodeIDs.first, trails.nodeIDs.last] {
      guard let id, id.magnitude >= GraphNodeID.span / 2 else { continue }
      throw CairnError(
        .barrierNodeID, .dataError,
        "node \(id) has an id beyond ±\(GraphNodeID.span / 2), where ids of copied nodes lie",
        at: Location(file: trails.container.path),
        hint: "renumber the extract, for example with osmium renumber")
    }
    copies.sort()
    for copy in copies {
      let node = Int(barriers.nodes[copy.barrier])
      all.append((node, GraphNodeID.copy(copy.ordinal, of: trails.nodeIDs[node])))
    }
  }

  /// The index in ``all`` of a copy, which must exist.
  func index(ofCopy ordinal: UInt32, ofBarrier barrier: Int) -> Int {
    let target = Copy(ordinal: ordinal, barrier: barrier)
    return copies.partitioningIndex { $0 >= target }
  }
}
