// SPDX-License-Identifier: Apache-2.0

/// The nodes that are still to be contracted: a heap that gives the one of least importance first,
/// of several the one of the lowest number, and in which importance may change.
struct ContractionQueue {
  private var importances: [Int]
  private var heap: [Int32]
  /// Where a node is in the heap; −1 once it is out.
  private var slots: [Int32]

  /// Takes in all nodes.
  init(_ importances: [Int]) {
    self.importances = importances
    heap = importances.indices.map { Int32($0) }
    slots = heap
    for slot in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(slot) }
  }

  private func isLess(_ one: Int32, _ other: Int32) -> Bool {
    (importances[Int(one)], one) < (importances[Int(other)], other)
  }

  private mutating func put(_ node: Int32, _ slot: Int) {
    heap[slot] = node
    slots[Int(node)] = Int32(slot)
  }

  private mutating func rise(_ start: Int) {
    let node = heap[start]
    var slot = start
    while slot > 0, isLess(node, heap[(slot - 1) / 2]) {
      put(heap[(slot - 1) / 2], slot)
      slot = (slot - 1) / 2
    }
    put(node, slot)
  }

  private mutating func sink(_ start: Int) {
    let node = heap[start]
    var slot = start
    while 2 * slot + 1 < heap.count {
      var child = 2 * slot + 1
      if child + 1 < heap.count, isLess(heap[child + 1], heap[child]) { child += 1 }
      guard isLess(heap[child], node) else { break }
      put(heap[child], slot)
      slot = child
    }
    put(node, slot)
  }

  /// Takes out the least important node; nil when all are out.
  mutating func pop() -> Int32? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    slots[Int(least)] = -1
    if !heap.isEmpty {
      heap[0] = last
      sink(0)
    }
    return least
  }

  /// Changes the importance of a node that is not out yet.
  mutating func update(_ node: Int32, _ importance: Int) {
    let slot = Int(slots[Int(node)])
    guard slot >= 0 else { return }
    importances[Int(node)] = importance
    rise(slot)
    sink(Int(slots[Int(node)]))
  }
}
