// SPDX-License-Identifier: Apache-2.0

/// The nodes still to be contracted: a heap with changeable importance that returns the least
/// important node first, then the one with the lowest index.
struct ContractionQueue {
  private var importances: [Int]
  private var heap: [Int32]
  /// The index of each node in the heap; −1 after removal.
  private var heapIndices: [Int32]

  /// Takes in all nodes.
  init(_ importances: [Int]) {
    self.importances = importances
    heap = importances.indices.map { Int32($0) }
    heapIndices = heap
    for heapIndex in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(heapIndex) }
  }

  private func isLess(_ one: Int32, _ other: Int32) -> Bool {
    (importances[Int(one)], one) < (importances[Int(other)], other)
  }

  private mutating func put(_ node: Int32, _ heapIndex: Int) {
    heap[heapIndex] = node
    heapIndices[Int(node)] = Int32(heapIndex)
  }

  private mutating func rise(_ start: Int) {
    let node = heap[start]
    var heapIndex = start
    while heapIndex > 0, isLess(node, heap[(heapIndex - 1) / 2]) {
      put(heap[(heapIndex - 1) / 2], heapIndex)
      heapIndex = (heapIndex - 1) / 2
    }
    put(node, heapIndex)
  }

  private mutating func sink(_ start: Int) {
    let node = heap[start]
    var heapIndex = start
    while 2 * heapIndex + 1 < heap.count {
      var child = 2 * heapIndex + 1
      if child + 1 < heap.count, isLess(heap[child + 1], heap[child]) { child += 1 }
      guard isLess(heap[child], node) else { break }
      put(heap[child], heapIndex)
      heapIndex = child
    }
    put(node, heapIndex)
  }

  /// Takes out the least important node; nil when all are out.
  mutating func pop() -> Int32? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    heapIndices[Int(least)] = -1
    if !heap.isEmpty {
      heap[0] = last
      sink(0)
    }
    return least
  }

  /// Changes the importance of a node, unless it is out.
  mutating func update(_ node: Int32, _ importance: Int) {
    let heapIndex = Int(heapIndices[Int(node)])
    guard heapIndex >= 0 else { return }
    importances[Int(node)] = importance
    rise(heapIndex)
    sink(Int(heapIndices[Int(node)]))
  }

  /// Adds to the importance of a node, unless it is out.
  mutating func raise(_ node: Int32, by difference: Int) {
    let heapIndex = Int(heapIndices[Int(node)])
    guard heapIndex >= 0 else { return }
    importances[Int(node)] += difference
    sink(heapIndex)
  }

  /// Puts a node that is out back in.
  mutating func insert(_ node: Int32, _ importance: Int) {
    importances[Int(node)] = importance
    heap.append(node)
    rise(heap.count - 1)
  }

  /// Whether a node that is out would be the next one with this importance.
  func wouldPop(_ node: Int32, _ importance: Int) -> Bool {
    guard let least = heap.first else { return true }
    return (importance, node) < (importances[Int(least)], least)
  }
}
