// SPDX-License-Identifier: Apache-2.0
import Algorithms

/// The ids of all nodes that candidate ways use, sorted and unique.
///
/// Threads may set different elements concurrently; elements must not be read before all are set.
final class NeededNodes: Sendable {
  /// The number of ids.
  let count: Int
  /// The ids, followed by a sentinel that no id exceeds.
  private nonisolated(unsafe) let ids: UnsafeMutablePointer<Int64>

  /// Allocates memory for ids, each of which must then be set.
  init(count: Int) {
    self.count = count
    ids = .allocate(capacity: count + 1)
    (ids + count).initialize(to: .max)
  }

  deinit { ids.deallocate() }

  /// The id at an index.
  subscript(index: Int) -> Int64 {
    precondition(index >= 0 && index < count)
    return ids[index]
  }

  /// Sets the id at an index; ids must ascend.
  func set(_ index: Int, _ id: Int64) {
    precondition(index >= 0 && index < count)
    (ids + index).initialize(to: id)
  }

  /// Finds the indices of ids one after the other, quickly if they ascend.
  struct Cursor {
    private let ids: UnsafePointer<Int64>
    private let count: Int
    private var index = 0
    private var candidate: Int64
    private var previous = Int64.min

    /// Creates a cursor before all ids. The nodes must outlive it.
    init(_ nodes: NeededNodes) {
      ids = UnsafePointer(nodes.ids)
      count = nodes.count
      candidate = ids[0]
    }

    /// The index of an id, or nil if it is not needed.
    @inline(__always)
    mutating func index(of id: Int64) -> Int? {
      let ascends = id > previous
      previous = id
      if ascends, id < candidate { return nil }
      if !ascends || id > candidate { seek(id) }
      return id == candidate && index < count ? index : nil
    }

    /// Whether any id of a range is needed.
    mutating func hasAny(in range: ClosedRange<Int64>) -> Bool {
      _ = index(of: range.lowerBound)
      return index < count && candidate <= range.upperBound
    }

    /// Moves to the first needed id that is not below `id`, with a galloping search.
    @inline(never)
    private mutating func seek(_ id: Int64) {
      var low = id > candidate ? index : 0
      var step = 1
      while low + step < count, ids[low + step] < id {
        low += step
        step *= 2
      }
      index = (low..<min(low + step, count)).partitioningIndex { ids[$0] >= id }
      candidate = ids[index]
    }
  }
}
