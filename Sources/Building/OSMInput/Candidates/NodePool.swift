// SPDX-License-Identifier: Apache-2.0

/// Gives each node id that ways use a key of 32 bits.
///
/// Ids that are used together lie together, so they are kept as bits of words: a word stands for 64
/// neighbouring ids. A key is the number of a word, in the order of first sight, and a bit in it.
/// A worker has a pool of its own; ``NeededNodes`` joins all of them.
struct NodePool: Sendable {
  /// The most words for which all keys fit into 32 bits.
  static let maximumWords = 1 << (32 - bitsOfWord)
  /// How many bits of an id, and of a key, select a bit of a word.
  static let bitsOfWord = 6
  static let bitMask: Int64 = 1 << bitsOfWord - 1

  private static let emptySlot = UInt32.max
  /// The upper bits of no id.
  private static let noBase = Int64.min

  /// The upper bits of the ids of each word.
  private(set) var bases: [Int64] = []
  /// Which ids of each word are used.
  private(set) var masks: [UInt64] = []
  /// A hash table of the words with open addressing.
  private var slots = [UInt32](repeating: emptySlot, count: 1024)
  /// Chosen at random, so that no input can be made to collide; the keys do not depend on it.
  private let seed = UInt64.random(in: .min ... .max)
  private var lastBase = noBase
  private var lastWord = 0

  init() {}

  /// The number of words.
  var count: Int { bases.count }

  /// The key of an id, a new one if it was not seen before. There must be less than
  /// ``maximumWords`` words.
  @inline(__always)
  mutating func key(of id: Int64) -> UInt32 {
    let base = id >> Int64(Self.bitsOfWord)
    if base != lastBase { seek(base) }
    let bit = UInt64(bitPattern: id & Self.bitMask)
    masks[lastWord] |= 1 << bit
    return UInt32(truncatingIfNeeded: UInt64(lastWord) << UInt64(Self.bitsOfWord) | bit)
  }

  /// The id of a key.
  func id(of key: UInt32) -> Int64 {
    bases[Int(key) >> Self.bitsOfWord] << Int64(Self.bitsOfWord) | Int64(key) & Self.bitMask
  }

  /// Makes the word with the upper bits `base` the last one used.
  @inline(never)
  private mutating func seek(_ base: Int64) {
    lastBase = base
    let slot = slot(of: base)
    if slots[slot] != Self.emptySlot {
      lastWord = Int(slots[slot])
      return
    }
    lastWord = bases.count
    slots[slot] = UInt32(truncatingIfNeeded: lastWord)
    bases.append(base)
    masks.append(0)
    if bases.count * 2 > slots.count { grow() }
  }

  /// The slot of a word, or the free one that it would get.
  @inline(__always)
  private func slot(of base: Int64) -> Int {
    let product = (UInt64(bitPattern: base) ^ seed).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: product.high ^ product.low) & mask
    while slots[slot] != Self.emptySlot, bases[Int(slots[slot])] != base {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.emptySlot, count: slots.count * 4)
    for (word, base) in bases.enumerated() {
      slots[slot(of: base)] = UInt32(truncatingIfNeeded: word)
    }
  }
}
