// SPDX-License-Identifier: Apache-2.0
import Algorithms
import Diagnostics
import TrailData

extension CairnError.Code {
  /// A node of a barrier has an id that leaves no room for copies of it.
  static let barrierNodeID: Self = "barrier-node-id"
  /// More ways meet at a barrier than it can part.
  static let crowdedBarrier: Self = "crowded-barrier"
}

/// The copies of barrier nodes, in the order of their ids.
struct BarrierCopies {
  private struct Copy: Comparable {
    var number: UInt32
    var barrier: Int

    static func < (left: Copy, right: Copy) -> Bool {
      (left.number, left.barrier) < (right.number, right.barrier)
    }
  }

  /// The node of the trails that each copy is one of, and its id.
  private(set) var all: [(node: Int, id: Int64)] = []
  private var copies: [Copy] = []

  /// Makes the copies that so many ends at each barrier need; throws 65 if there are no ids left
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
      for number in 1..<count { copies.append(Copy(number: number, barrier: barrier)) }
    }
    guard !copies.isEmpty else { return }
    // Ids ascend, so that the first and the last one are the extremes.
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
      all.append((node, GraphNodeID.copy(copy.number, of: trails.nodeIDs[node])))
    }
  }

  /// The place in ``all`` of a copy that there is.
  func place(of number: UInt32, ofBarrier barrier: Int) -> Int {
    let target = Copy(number: number, barrier: barrier)
    return copies.partitioningIndex { $0 >= target }
  }
}
