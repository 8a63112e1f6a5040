// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// A subset of the needed nodes, with indices of its own in the same order.
///
/// It takes one bit per node, so that a small region of a large file takes little memory.
struct NodeSelection {
  private var words: [UInt64]
  /// The number of selected nodes before each word.
  private var counts: [UInt32] = []

  /// Creates an empty selection of `count` nodes.
  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Selects a node.
  @inline(__always)
  mutating func insert(_ node: UInt32) { words[Int(node >> 6)] |= 1 << UInt64(node & 63) }

  /// Assigns the indices of the selected nodes; returns the number of nodes.
  mutating func finish() -> Int {
    var sum = 0
    counts.reserveCapacity(words.count)
    for word in words {
      counts.append(UInt32(truncatingIfNeeded: sum))
      sum += word.nonzeroBitCount
    }
    return sum
  }

  /// Whether a node is selected.
  @inline(__always)
  func contains(_ node: UInt32) -> Bool { words[Int(node >> 6)] >> UInt64(node & 63) & 1 != 0 }

  /// The index of a selected node among those selected, valid after ``finish()``.
  @inline(__always)
  func index(of node: UInt32) -> UInt32 {
    let word = Int(node >> 6)
    let before = words[word] & (1 << UInt64(node & 63) - 1)
    return counts[word] + UInt32(truncatingIfNeeded: before.nonzeroBitCount)
  }

  /// Selects the nodes of another selection, too.
  mutating func formUnion(_ other: NodeSelection) {
    for word in words.indices { words[word] |= other.words[word] }
  }

  /// The node that has an index among those selected, valid after ``finish()``.
  func node(_ index: Int) -> Int {
    let word = counts.partitioningIndex { $0 > index } - 1
    var remaining = words[word]
    for _ in Int(counts[word])..<index { remaining &= remaining - 1 }
    return word * 64 + remaining.trailingZeroBitCount
  }

  /// Calls `body` with each index of a range and the node that has it, ascending; valid after
  /// ``finish()``.
  @inline(__always)
  func forEach(in range: Range<Int>, _ body: (_ index: Int, _ node: Int) -> Void) {
    if range.isEmpty { return }
    let first = node(range.lowerBound)
    var word = first / 64
    var index = range.lowerBound
    words.withUnsafeBufferPointer { words in
      var remaining = words[word] & ~0 << UInt64(first & 63)
      while true {
        while remaining != 0 {
          body(index, word * 64 + remaining.trailingZeroBitCount)
          remaining &= remaining &- 1
          index += 1
          if index == range.upperBound { return }
        }
        word += 1
        remaining = words[word]
      }
    }
  }
}
