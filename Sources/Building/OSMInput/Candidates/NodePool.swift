// SPDX-License-Identifier: Apache-2.0

/// Gives each node id that ways use a code of 32 bits.
///
/// Ids that are used together lie together, so they are kept as bits of words: a word stands for 64
/// neighbouring ids. A code is the index of a word, in the order of first sight, and a bit in it.
/// A worker has pools of its own; ``NeededNodes`` joins all of them.
struct NodePool: Sendable {
  /// The number of bits of an id, and of a code, that select a bit of a word.
  static let bitsOfWord = 6
  static let bitMask: Int64 = 1 << bitsOfWord - 1
  /// The most words for which all codes fit into 32 bits.
  static let maximumWords = 1 << (32 - bitsOfWord)

  /// 64 neighbouring ids.
  struct Word: Sendable {
    /// Their upper bits.
    var base: Int64
    /// Which of them are used.
    var mask: UInt64
  }

  /// Ids of one word that follow each other in a list.
  private struct Run: Sendable {
    var word: Word
    var end: Int
    /// The index of the word, or a guess.
    var index: UInt32
  }

  private static let emptySlot = UInt32.max
  /// The number of neighbouring words with neighbouring slots, which share a cache line.
  private static let slotsOfLine = 16
  /// The number of runs looked up together.
  private static let runsAtOnce = 512

  /// All words, in the order of first sight.
  private(set) var words: [Word] = []
  /// The order in which the bases of the words ascend, after ``sort()``.
  private(set) var order: [UInt32] = []
  /// A hash table of the words with open addressing.
  private var slots = [UInt32](repeating: emptySlot, count: 1024)
  /// Chosen at random, so that no input can be made to collide; the codes do not depend on it.
  private let seed = UInt64.random(in: .min ... .max)
  private var runs: [Run] = []

  init() {}

  /// The number of words.
  var count: Int { words.count }

  /// The id of a code.
  func id(of code: UInt32) -> Int64 {
    words[Int(code) >> Self.bitsOfWord].base << Int64(Self.bitsOfWord) | Int64(code) & Self.bitMask
  }

  /// The codes of ids, new ones for ids that were not seen before. There must be less than
  /// ``maximumWords`` words, even if each id needs one.
  mutating func codes(of ids: UnsafeBufferPointer<Int64>) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: ids.count) { codes, initialized in
      var next = 0
      while next < ids.count {
        next = findRuns(ids, from: next)
        findWords()
        for run in runs {
          let index = UInt32(truncatingIfNeeded: run.index &<< UInt32(Self.bitsOfWord))
          while initialized < run.end {
            let bit = UInt32(truncatingIfNeeded: ids[initialized] & Self.bitMask)
            codes.initializeElement(at: initialized, to: index | bit)
            initialized += 1
          }
        }
      }
    }
  }

  /// Finds the next runs of a list of ids; returns their end.
  private mutating func findRuns(_ ids: UnsafeBufferPointer<Int64>, from start: Int) -> Int {
    runs.removeAll(keepingCapacity: true)
    var next = start
    while next < ids.count, runs.count < Self.runsAtOnce {
      let base = ids[next] >> Int64(Self.bitsOfWord)
      var mask: UInt64 = 0
      while next < ids.count, ids[next] >> Int64(Self.bitsOfWord) == base {
        mask |= 1 &<< UInt64(bitPattern: ids[next])
        next += 1
      }
      runs.append(Run(word: Word(base: base, mask: mask), end: next, index: 0))
    }
    return next
  }

  /// Finds the words of the current runs, and adds those that are new.
  ///
  /// The table is larger than a processor's cache. So all slots are read before any of them is
  /// needed: then the processor waits for many of them at once.
  private mutating func findWords() {
    for index in runs.indices { runs[index].index = slots[firstSlot(of: runs[index].word.base)] }
    for index in runs.indices {
      let (guess, word) = (Int(runs[index].index), runs[index].word)
      if guess < words.count, words[guess].base == word.base {
        words[guess].mask |= word.mask
      } else {
        runs[index].index = add(word)
      }
    }
  }

  /// The index of a word, to which bits are added.
  private mutating func add(_ word: Word) -> UInt32 {
    let slot = slot(of: word.base)
    if slots[slot] != Self.emptySlot {
      words[Int(slots[slot])].mask |= word.mask
      return slots[slot]
    }
    let index = UInt32(truncatingIfNeeded: words.count)
    slots[slot] = index
    words.append(word)
    // Few enough that the first slot is nearly always the right one.
    if words.count * 4 > slots.count { grow() }
    return index
  }

  /// The slot of a word, or the free one that it would get.
  private func slot(of base: Int64) -> Int {
    var slot = firstSlot(of: base)
    while slots[slot] != Self.emptySlot, words[Int(slots[slot])].base != base {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// The first slot in the search for a word.
  @inline(__always)
  private func firstSlot(of base: Int64) -> Int {
    let line = UInt64(bitPattern: base) / UInt64(Self.slotsOfLine) ^ seed
    let product = line.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    let hash = Int(truncatingIfNeeded: product.high ^ product.low)
    return (hash &* Self.slotsOfLine | Int(base) & (Self.slotsOfLine - 1)) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.emptySlot, count: slots.count * 2)
    for (index, word) in words.enumerated() {
      slots[slot(of: word.base)] = UInt32(truncatingIfNeeded: index)
    }
  }

  /// Computes ``order`` and drops what is only needed to add ids, of which none can follow.
  mutating func sort() {
    (slots, runs) = ([], [])
    order = ascendingOrder(words.map(\.base))
  }
}

/// Pools of one worker: a further one is begun before the codes of one exceed 32 bits.
struct NodePools: Sendable {
  private let maximumWords: Int
  /// The pools so far.
  private(set) var pools = [NodePool()]

  /// Pools of up to `maximumWords` words each.
  init(maximumWords: Int = NodePool.maximumWords) { self.maximumWords = maximumWords }

  /// Refs as codes of these pools.
  mutating func pieces(of refs: [Int64]) -> [ResolvedRefs.Piece] {
    let length = maximumWords / 2
    return refs.withUnsafeBufferPointer { refs in
      stride(from: 0, to: refs.count, by: length).map { start in
        let end = min(refs.count, start + length)
        // Each ref may need a word of its own.
        if pools[pools.count - 1].count > maximumWords - (end - start) {
          pools.append(NodePool())
        }
        let codes = pools[pools.count - 1].codes(
          of: UnsafeBufferPointer(rebasing: refs[start..<end]))
        return ResolvedRefs.Piece(codes: codes, pool: pools.count - 1)
      }
    }
  }

  /// Sorts all pools; no refs can be added afterwards.
  mutating func sort() { for pool in pools.indices { pools[pool].sort() } }
}
