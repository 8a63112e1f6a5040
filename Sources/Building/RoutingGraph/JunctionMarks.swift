// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Which nodes become nodes of the graph: those in two or more ways, twice in one way, the ends of
/// ways, and barriers that not everybody passes. Ways with a single node do not count.
struct JunctionMarks {
  private static let seen: UInt8 = 1
  private static let junction: UInt8 = 2
  private static let barrier: UInt8 = 4

  private var marks: [UInt8]

  /// Counts how often each node occurs. A node that directly follows itself counts once: such a
  /// segment of zero length is not a crossing.
  init(_ trails: TrailsFile, barriers: BarrierNodes) {
    var marks = [UInt8](repeating: 0, count: trails.nodeIDs.count)
    trails.refs.withUnsafeElements { refs in
      for way in trails.wayIDs.indices {
        let indices = trails.refs(ofWay: way)
        guard let first = indices.first, let last = indices.last,
          indices.contains(where: { refs[$0] != refs[first] })
        else { continue }
        marks[Int(refs[first])] |= Self.junction
        marks[Int(refs[last])] |= Self.junction
        var previous = -1
        for index in indices {
          let node = Int(refs[index])
          if node == previous { continue }
          marks[node] |= marks[node] & Self.seen != 0 ? Self.junction : Self.seen
          previous = node
        }
      }
    }
    for node in barriers.nodes { marks[Int(node)] |= Self.barrier | Self.junction }
    self.marks = marks
  }

  /// Whether ways are cut at a node.
  @inline(__always)
  func isJunction(_ node: UInt32) -> Bool { marks[Int(node)] & Self.junction != 0 }

  /// Whether a node is a barrier that not everybody passes.
  @inline(__always)
  func isBarrier(_ node: UInt32) -> Bool { marks[Int(node)] & Self.barrier != 0 }
}
