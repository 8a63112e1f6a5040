// SPDX-License-Identifier: Apache-2.0

/// Some of the nodes of a file, by their indices: a bit for each node.
struct NodeSet: Sendable {
  private(set) var words: [UInt64]

  /// No node, of `count`.
  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Whether a node is in the set.
  @inline(__always)
  func contains(_ node: UInt32) -> Bool { words[Int(node >> 6)] >> UInt64(node & 63) & 1 != 0 }

  /// Adds a node.
  @inline(__always)
  mutating func insert(_ node: UInt32) { words[Int(node >> 6)] |= 1 << UInt64(node & 63) }

  /// Calls `body` with the words, the bits of 64 nodes each.
  @inline(__always)
  mutating func withWords(_ body: (UnsafeMutableBufferPointer<UInt64>) -> Void) {
    words.withUnsafeMutableBufferPointer { body($0) }
  }

  /// Adds the nodes of another set.
  mutating func formUnion(_ other: NodeSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Adds the nodes that two other sets have in common.
  mutating func formUnion(ofCommon one: NodeSet, _ other: NodeSet) {
    for index in words.indices { words[index] |= one.words[index] & other.words[index] }
  }
}

/// The positions of the nodes of a set among themselves, in ascending order.
struct NodeRanks: Sendable {
  private let nodes: NodeSet
  /// The number of nodes before each word of the set, and finally of all.
  private let counts: [UInt32]

  init(_ nodes: NodeSet) {
    self.nodes = nodes
    var counts: [UInt32] = []
    counts.reserveCapacity(nodes.words.count + 1)
    var sum: UInt32 = 0
    for word in nodes.words {
      counts.append(sum)
      sum += UInt32(word.nonzeroBitCount)
    }
    counts.append(sum)
    self.counts = counts
  }

  /// The number of nodes in the set.
  var count: Int { Int(counts.last ?? 0) }
  /// The number of words of 64 nodes.
  var wordCount: Int { nodes.words.count }

  /// The position of a node, which must be in the set.
  @inline(__always)
  func position(of node: UInt32) -> UInt32 {
    let word = Int(node >> 6)
    let before = nodes.words[word] & (1 << UInt64(node & 63) - 1)
    return counts[word] + UInt32(before.nonzeroBitCount)
  }

  /// The number of nodes before a word.
  func position(ofWord word: Int) -> Int { Int(counts[word]) }

  /// Calls `body` with the nodes of some words, ascending.
  @inline(__always)
  func forEach(inWords range: Range<Int>, _ body: (Int) -> Void) {
    for word in range {
      var bits = nodes.words[word]
      while bits != 0 {
        body(word * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
  }
}
