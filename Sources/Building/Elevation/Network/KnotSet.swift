// SPDX-License-Identifier: Apache-2.0

/// The knots of a network among all nodes: one bit for each node, and how many knots come before
/// each word of bits, so that knots can be numbered without a table of all nodes.
struct KnotSet: Sendable {
  private let words: Numbers<UInt64>
  private let ranks: Numbers<UInt32>
  /// The number of knots.
  let count: Int

  /// Takes the bits of all nodes, the lowest bit of the first word first.
  init(_ words: Numbers<UInt64>) {
    self.words = words
    ranks = Numbers(count: words.count)
    var total: UInt32 = 0
    for (index, word) in words.elements.enumerated() {
      ranks.elements[index] = total
      total += UInt32(word.nonzeroBitCount)
    }
    count = Int(total)
  }

  /// The number of words for the bits of so many nodes.
  static func wordCount(ofNodes nodes: Int) -> Int { (nodes + 63) / 64 }

  /// Whether a node is a knot.
  @inline(__always)
  func contains(_ node: UInt32) -> Bool {
    words.elements[Int(node >> 6)] & 1 << UInt64(node & 63) != 0
  }

  /// The index of a knot among all knots, in the order of nodes.
  @inline(__always)
  func index(of node: UInt32) -> UInt32 {
    let before = words.elements[Int(node >> 6)] & (1 << UInt64(node & 63) - 1)
    return ranks.elements[Int(node >> 6)] + UInt32(truncatingIfNeeded: before.nonzeroBitCount)
  }

  /// The node of each knot.
  func nodes() -> Numbers<UInt32> {
    let nodes = Numbers<UInt32>(count: count)
    var next = 0
    for (index, word) in words.elements.enumerated() where word != 0 {
      var rest = word
      while rest != 0 {
        nodes.elements[next] = UInt32(index << 6 + rest.trailingZeroBitCount)
        next += 1
        rest &= rest - 1
      }
    }
    return nodes
  }
}
