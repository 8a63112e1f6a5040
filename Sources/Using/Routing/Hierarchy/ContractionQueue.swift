// SPDX-License-Identifier: Apache-2.0

/// The nodes still to be contracted: a heap with changeable importance that returns the least
/// important node first, then the one with the lowest index.
struct ContractionQueue {
  /// A 4-ary heap of the nodes in the lower 32 bits and their importance above.
  private var heap: [Int64]
  /// The index of each node in the heap; −1 after removal.
  private var heapIndices: [Int32]

  /// Takes in all nodes.
  init(_ importances: [Int]) {
    heap = importances.enumerated().map { Self.key(Int32($0), $1) }
    heapIndices = importances.indices.map { Int32($0) }
    for heapIndex in heap.indices.reversed() { sink(heap[heapIndex], heapIndex) }
  }

  /// - Parameter importance: More than the greatest number of 32 bits counts as that.
  private static func key(_ node: Int32, _ importance: Int) -> Int64 {
    Int64(Int32(clamping: importance)) << 32 | Int64(node)
  }

  private static func node(_ key: Int64) -> Int32 { Int32(truncatingIfNeeded: key) }

  private mutating func put(_ key: Int64, _ heapIndex: Int) {
    heap[heapIndex] = key
    heapIndices[Int(Self.node(key))] = Int32(truncatingIfNeeded: heapIndex)
  }

  /// Puts a key at an index or where it belongs above.
  private mutating func rise(_ key: Int64, _ start: Int) {
    var heapIndex = start
    while heapIndex > 0, key < heap[(heapIndex - 1) / 4] {
      put(heap[(heapIndex - 1) / 4], heapIndex)
      heapIndex = (heapIndex - 1) / 4
    }
    put(key, heapIndex)
  }

  /// Puts a key at an index or where it belongs below.
  private mutating func sink(_ key: Int64, _ start: Int) {
    var heapIndex = start
    while 4 * heapIndex + 1 < heap.count {
      let first = 4 * heapIndex + 1
      var child = first
      for other in first..<min(first + 4, heap.count) where heap[other] < heap[child] {
        child = other
      }
      guard heap[child] < key else { break }
      put(heap[child], heapIndex)
      heapIndex = child
    }
    put(key, heapIndex)
  }

  /// Takes out the least important node; nil when all are out.
  mutating func pop() -> Int32? {
    guard let least = heap.first, let last = heap.popLast() else { return nil }
    heapIndices[Int(Self.node(least))] = -1
    if !heap.isEmpty { sink(last, 0) }
    return Self.node(least)
  }

  /// Changes the importance of a node, unless it is out.
  mutating func update(_ node: Int32, _ importance: Int) {
    let heapIndex = Int(heapIndices[Int(node)])
    guard heapIndex >= 0 else { return }
    let key = Self.key(node, importance)
    if key < heap[heapIndex] { rise(key, heapIndex) } else { sink(key, heapIndex) }
  }

  /// Adds to the importance of a node, unless it is out.
  mutating func raise(_ node: Int32, by difference: Int) {
    let heapIndex = Int(heapIndices[Int(node)])
    guard heapIndex >= 0 else { return }
    sink(Self.key(node, Int(heap[heapIndex] >> 32) + difference), heapIndex)
  }

  /// Puts a node that is out back in.
  mutating func insert(_ node: Int32, _ importance: Int) {
    let key = Self.key(node, importance)
    heap.append(key)
    rise(key, heap.count - 1)
  }

  /// Whether a node that is out would be the next one with this importance.
  func wouldPop(_ node: Int32, _ importance: Int) -> Bool {
    guard let least = heap.first else { return true }
    return Self.key(node, importance) < least
  }
}
