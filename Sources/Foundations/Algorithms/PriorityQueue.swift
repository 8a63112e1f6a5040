// SPDX-License-Identifier: Apache-2.0

/// A binary heap of numbers by priority: the least priority first, then the lesser number.
///
/// The order is total, so results do not depend on the state of the heap.
package struct PriorityQueue: Sendable {
  private var entries: [(priority: Double, item: Int)] = []

  /// Makes an empty queue.
  package init() {}

  /// Adds an item, which may be in the queue already with another priority.
  package mutating func push(_ item: Int, priority: Double) {
    var child = entries.count
    let entry = (priority, item)
    entries.append(entry)
    while child > 0, entry < entries[(child - 1) / 2] {
      entries[child] = entries[(child - 1) / 2]
      child = (child - 1) / 2
    }
    entries[child] = entry
  }

  /// Removes the item of the least priority; nil if there is none.
  package mutating func pop() -> (item: Int, priority: Double)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return (first.item, first.priority) }
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < last else { break }
      entries[parent] = entries[child]
      parent = child
    }
    entries[parent] = last
    return (first.item, first.priority)
  }
}
