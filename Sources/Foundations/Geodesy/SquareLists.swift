// SPDX-License-Identifier: Apache-2.0

/// Lists of things by the squares of a ``DistanceGrid`` that they lie in, and by a group: only things
/// of one group are near each other.
///
/// For each point up to nine squares are looked up, and most are empty: that is faster in a hash table
/// with open addressing than in a dictionary of lists. The hash is seeded at random, so that no input
/// can force collisions; the lists do not depend on the seed.
package struct SquareLists: Sendable {
  private struct Entry: Sendable {
    var group: UInt64
    var square: Int64
    var thing: UInt32
    /// The next entry of the list, or ``SquareLists/none``.
    var next = SquareLists.none
    /// Of the first entry of a list the last one.
    var last: UInt32
  }

  private static let none = UInt32.max

  private var entries: [Entry] = []
  /// The first entry of each list, or ``none``.
  private var slots = [UInt32](repeating: none, count: 64)
  private let seed = UInt64.random(in: .min ... .max)
  private var listCount = 0

  /// Begins without things.
  package init() {}

  /// Adds a thing, an index of up to 32 bits, to the end of a list.
  package mutating func add(_ thing: Int, to square: Int64, of group: UInt64 = 0) {
    let slot = slot(square, group)
    let entry = UInt32(truncatingIfNeeded: entries.count)
    entries.append(
      Entry(
        group: group, square: square, thing: UInt32(truncatingIfNeeded: thing), last: entry))
    guard slots[slot] == Self.none else {
      let first = Int(slots[slot])
      entries[Int(entries[first].last)].next = entry
      entries[first].last = entry
      return
    }
    slots[slot] = entry
    listCount += 1
    if listCount * 2 > slots.count { grow() }
  }

  /// Calls `body` with the things of a group in some squares, those of a square in the order in which
  /// they were added.
  package func forEach(
    in squares: ClosedRange<Int64>, of group: UInt64 = 0, _ body: (Int) -> Void
  ) {
    for square in squares {
      var entry = slots[slot(square, group)]
      while entry != Self.none {
        body(Int(entries[Int(entry)].thing))
        entry = entries[Int(entry)].next
      }
    }
  }

  /// The slot of a list, or the free one for it.
  @inline(__always)
  private func slot(_ square: Int64, _ group: UInt64) -> Int {
    let mask = slots.count - 1
    // Folded multiplication, as in wyhash.
    var product = (seed ^ UInt64(bitPattern: square)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    product = (product.high ^ product.low ^ group).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    var slot = Int(truncatingIfNeeded: (product.high ^ product.low) & UInt64(mask))
    while slots[slot] != Self.none {
      let first = entries[Int(slots[slot])]
      if first.square == square, first.group == group { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    let firsts = slots.filter { $0 != Self.none }
    slots = [UInt32](repeating: Self.none, count: slots.count * 2)
    for first in firsts {
      let entry = entries[Int(first)]
      slots[slot(entry.square, entry.group)] = first
    }
  }
}
