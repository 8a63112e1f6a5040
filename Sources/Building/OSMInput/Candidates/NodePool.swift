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

  /// 64 neighbouring ids.
  struct Word: Sendable {
    /// Their upper bits.
    var base: Int64
    /// Which of them are used.
    var mask: UInt64 = 0
  }

  private static let emptySlot = UInt32.max
  /// The upper bits of no id.
  private static let noBase = Int64.min
  /// How many neighbouring words have neighbouring slots, so that they share a line of the
  /// processor's cache.
  private static let slotsOfLine = 16

  /// All words, in the order of first sight.
  private(set) var words: [Word] = []
  /// A hash table of the words with open addressing.
  private var slots = [UInt32](repeating: emptySlot, count: 1024)
  /// A word that was used lately.
  private struct Recent: Sendable {
    var base: Int64
    var index: Int
  }

  private static let recentCount = 256
  /// The word that was used last of those whose bases have the same lowest bits: ways use few words
  /// again and again, and these fit into the processor's smallest cache.
  private var recent = [Recent](
    repeating: Recent(base: noBase, index: 0), count: recentCount)
  private var added: [UInt32] = []
  /// Chosen at random, so that no input can be made to collide; the keys do not depend on it.
  private let seed = UInt64.random(in: .min ... .max)

  init() {}

  /// The number of words.
  var count: Int { words.count }

  /// Adds the keys of ids to a list, new ones for ids that were not seen before. There must be less
  /// than ``maximumWords`` words, even if each id needs one.
  mutating func addKeys(of ids: some Sequence<Int64>, to keys: inout [UInt32]) {
    added.removeAll(keepingCapacity: true)
    var last = Word(base: Self.noBase)
    var index = 0
    for id in ids {
      let base = id >> Int64(Self.bitsOfWord)
      if base != last.base {
        if last.base != Self.noBase { words[index].mask = last.mask }
        let place = Int(truncatingIfNeeded: base) & (Self.recentCount - 1)
        if recent[place].base != base {
          recent[place] = Recent(base: base, index: self.index(of: base))
        }
        index = recent[place].index
        last = words[index]
      }
      let bit = UInt64(bitPattern: id & Self.bitMask)
      last.mask |= 1 &<< bit
      added.append(
        UInt32(truncatingIfNeeded: index &<< Self.bitsOfWord | Int(truncatingIfNeeded: bit)))
    }
    if last.base != Self.noBase { words[index].mask = last.mask }
    keys += added
  }

  /// The id of a key.
  func id(of key: UInt32) -> Int64 {
    words[Int(key) >> Self.bitsOfWord].base << Int64(Self.bitsOfWord) | Int64(key) & Self.bitMask
  }

  /// The index of the word with the upper bits `base`.
  @inline(__always)
  private mutating func index(of base: Int64) -> Int {
    let slot = slot(of: base)
    if slots[slot] != Self.emptySlot { return Int(slots[slot]) }
    slots[slot] = UInt32(truncatingIfNeeded: words.count)
    words.append(Word(base: base))
    if words.count * 2 > slots.count { grow() }
    return words.count - 1
  }

  /// The slot of a word, or the free one that it would get.
  @inline(__always)
  private func slot(of base: Int64) -> Int {
    let mask = slots.count - 1
    let line = UInt64(bitPattern: base) / UInt64(Self.slotsOfLine) ^ seed
    let product = line.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    var slot =
      (Int(truncatingIfNeeded: product.high ^ product.low) &* Self.slotsOfLine
        | Int(base) & (Self.slotsOfLine - 1)) & mask
    while slots[slot] != Self.emptySlot, words[Int(slots[slot])].base != base {
      slot = (slot + 1) & mask
    }
    return slot
  }

  @inline(never)
  private mutating func grow() {
    slots = [UInt32](repeating: Self.emptySlot, count: slots.count * 2)
    for (index, word) in words.enumerated() {
      slots[slot(of: word.base)] = UInt32(truncatingIfNeeded: index)
    }
  }
}
