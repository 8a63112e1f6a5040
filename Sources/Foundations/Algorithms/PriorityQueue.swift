// SPDX-License-Identifier: Apache-2.0

/// Numbers by their priority, the least first and of equal ones the lesser number: a binary heap.
///
/// Since no two orders are possible, results do not depend on how the heap is kept.
package struct PriorityQueue: Sendable {
  private var entries: [(priority: Double, item: Int)] = []

  /// Makes an empty queue.
  package init() {}

  /// Adds an item; it may be in the queue already, with another priority.
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

  /// Takes out the item of the least priority; nil if there is none.
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
