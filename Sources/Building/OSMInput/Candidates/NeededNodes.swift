// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// The ids of all nodes that candidate ways use, sorted and unique; a node's place among them is
/// its rank.
///
/// Threads may set different ranks at the same time, and nobody may look before all are set.
final class NeededNodes: Sendable {
  /// How many there are.
  let count: Int
  /// The ids, and behind them one that no id exceeds.
  private nonisolated(unsafe) let ids: UnsafeMutablePointer<Int64>

  /// Makes room for ids, each of which is yet to be set.
  init(count: Int) {
    self.count = count
    ids = .allocate(capacity: count + 1)
    (ids + count).initialize(to: .max)
  }

  deinit { ids.deallocate() }

  /// The id of a rank.
  subscript(rank: Int) -> Int64 {
    precondition(rank >= 0 && rank < count)
    return ids[rank]
  }

  /// Gives a rank its id; ids must ascend with the ranks.
  func set(_ rank: Int, _ id: Int64) {
    precondition(rank >= 0 && rank < count)
    (ids + rank).initialize(to: id)
  }

  /// Finds the ranks of ids one after the other, quickly where they ascend.
  struct Cursor {
    private let ids: UnsafePointer<Int64>
    private let count: Int
    private var rank = 0
    private var candidate: Int64
    private var previous = Int64.min

    /// Starts before all ids. The nodes must outlive the cursor.
    init(_ nodes: NeededNodes) {
      ids = UnsafePointer(nodes.ids)
      count = nodes.count
      candidate = ids[0]
    }

    /// The rank of an id, or nil if it is not needed.
    @inline(__always)
    mutating func rank(of id: Int64) -> Int? {
      let ascends = id > previous
      previous = id
      if ascends, id < candidate { return nil }
      if !ascends || id > candidate { seek(id) }
      return id == candidate && rank < count ? rank : nil
    }

    /// Whether any id of a range is needed.
    mutating func hasAny(in range: ClosedRange<Int64>) -> Bool {
      _ = rank(of: range.lowerBound)
      return rank < count && candidate <= range.upperBound
    }

    /// Moves to the first needed id that is not below `id`, by doubling steps and then halving.
    @inline(never)
    private mutating func seek(_ id: Int64) {
      var low = id > candidate ? rank : 0
      var step = 1
      while low + step < count, ids[low + step] < id {
        low += step
        step *= 2
      }
      rank = (low..<min(low + step, count)).partitioningIndex { ids[$0] >= id }
      candidate = ids[rank]
    }
  }
}
