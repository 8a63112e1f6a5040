// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The ids of all nodes that candidate ways use, in ascending order, each once. The index of a node
/// is its position among them.
///
/// Like a ``NodePool`` it keeps words of 64 neighbouring ids, so that it takes a byte or two for
/// each node of real data.
final class NeededNodes: Sendable {
  /// 64 neighbouring ids.
  fileprivate struct Word {
    /// Which of the ids are needed.
    var mask: UInt64
    /// The index of its first needed node.
    var firstIndex: UInt32
  }

  /// The number of ids.
  let count: Int
  private let wordCount: Int
  /// The upper bits of the ids of each word, ascending, followed by a sentinel above all.
  private nonisolated(unsafe) let bases: UnsafeMutablePointer<Int64>
  private nonisolated(unsafe) let words: UnsafeMutablePointer<Word>

  /// Joins sorted pools with less than 2³² ids; also returns, for each word of the pools one after
  /// the other, the index of its word here.
  static func join(_ pools: [NodePool]) -> (nodes: NeededNodes, wordIndices: [UInt32]) {
    var firstWords = [0]
    for pool in pools { firstWords.append(firstWords[firstWords.count - 1] + pool.count) }
    let total = firstWords[pools.count]
    let bases = UnsafeMutablePointer<Int64>.allocate(capacity: total + 1)
    let words = UnsafeMutablePointer<Word>.allocate(capacity: total + 1)
    var last = -1
    var count = 0
    let wordIndices = [UInt32](unsafeUninitializedCapacity: total) { indices, initialized in
      var next = [Int](repeating: 0, count: pools.count)
      while initialized < total {
        // The lowest word that is left; there are as few pools as threads.
        var lowest = NodePool.Word(base: .max, mask: 0)
        var source = 0
        for (pool, position) in next.enumerated() where position < pools[pool].count {
          let word = pools[pool].words[Int(pools[pool].order[position])]
          if word.base < lowest.base { (lowest, source) = (word, pool) }
        }
        if last < 0 || bases[last] != lowest.base {
          if last >= 0 { count += words[last].mask.nonzeroBitCount }
          last += 1
          (bases + last).initialize(to: lowest.base)
          (words + last).initialize(
            to: Word(mask: 0, firstIndex: UInt32(truncatingIfNeeded: count)))
        }
        words[last].mask |= lowest.mask
        let entry = firstWords[source] + Int(pools[source].order[next[source]])
        indices.initializeElement(at: entry, to: UInt32(truncatingIfNeeded: last))
        next[source] += 1
        initialized += 1
      }
    }
    if last >= 0 { count += words[last].mask.nonzeroBitCount }
    (bases + last + 1).initialize(to: .max)
    (words + last + 1).initialize(to: Word(mask: 0, firstIndex: UInt32(truncatingIfNeeded: count)))
    return (NeededNodes(count: count, last + 1, bases, words), wordIndices)
  }

  private init(
    count: Int, _ wordCount: Int, _ bases: UnsafeMutablePointer<Int64>,
    _ words: UnsafeMutablePointer<Word>
  ) {
    self.count = count
    self.wordCount = wordCount
    self.bases = bases
    self.words = words
  }

  deinit {
    bases.deallocate()
    words.deallocate()
  }

  /// The id at an index.
  subscript(index: Int) -> Int64 {
    var ids = Iterator(self, from: index)
    return ids.next()
  }

  /// The index of the node that a bit of a word stands for.
  @inline(__always)
  func index(word: UInt32, bit: UInt64) -> UInt32 {
    let word = words[Int(word)]
    let before = word.mask & (1 << bit &- 1)
    return word.firstIndex &+ UInt32(truncatingIfNeeded: before.nonzeroBitCount)
  }

  /// Gives the ids from an index on. The nodes must outlive it.
  struct Iterator {
    private let bases: UnsafePointer<Int64>
    private let words: UnsafePointer<Word>
    private var word: Int
    private var rest: UInt64

    /// Begins at an index below ``NeededNodes/count``.
    init(_ nodes: NeededNodes, from index: Int) {
      precondition(index >= 0 && index < nodes.count)
      bases = UnsafePointer(nodes.bases)
      words = UnsafePointer(nodes.words)
      let words = words
      word = (0..<nodes.wordCount).partitioningIndex { words[$0].firstIndex > index } - 1
      rest = words[word].mask
      for _ in Int(words[word].firstIndex)..<index { rest &= rest - 1 }
    }

    /// The next id; must be called no more often than there are ids.
    @inline(__always)
    mutating func next() -> Int64 {
      while rest == 0 {
        word &+= 1
        rest = words[word].mask
      }
      let bit = Int64(truncatingIfNeeded: rest.trailingZeroBitCount)
      rest &= rest &- 1
      return bases[word] << Int64(NodePool.bitsOfWord) | bit
    }
  }

  /// 64 neighbouring ids, as a ``Cursor`` passes them.
  struct Window {
    private let base: Int64
    private let mask: UInt64
    private let firstIndex: UInt32

    /// A window that covers no id.
    fileprivate init() { (base, mask, firstIndex) = (.min, 0, 0) }

    fileprivate init(base: Int64, _ word: Word) {
      (self.base, mask, firstIndex) = (base, word.mask, word.firstIndex)
    }

    /// Whether an id is one of the 64.
    @inline(__always)
    func covers(_ id: Int64) -> Bool { id &>> Int64(NodePool.bitsOfWord) == base }

    /// Whether an id that the window covers is needed.
    @inline(__always)
    func contains(_ id: Int64) -> Bool { mask &>> UInt64(bitPattern: id) & 1 != 0 }

    /// The index of a needed id that the window covers.
    @inline(__always)
    func index(of id: Int64) -> Int {
      let before = mask & (1 &<< UInt64(bitPattern: id) &- 1)
      return Int(firstIndex) &+ before.nonzeroBitCount
    }
  }

  /// Finds the indices of ids one after the other, quickly if they ascend.
  struct Cursor {
    private let bases: UnsafePointer<Int64>
    private let words: UnsafePointer<Word>
    private let wordCount: Int
    /// The first word that is not below the window.
    private var word = 0
    private var base = Int64.min
    /// The window around the last id.
    private(set) var window = Window()

    /// Creates a cursor before all ids. The nodes must outlive it.
    init(_ nodes: NeededNodes) {
      bases = UnsafePointer(nodes.bases)
      words = UnsafePointer(nodes.words)
      wordCount = nodes.wordCount
    }

    /// The index of an id, or nil if it is not needed.
    @inline(__always)
    mutating func index(of id: Int64) -> Int? {
      let window = window.covers(id) ? window : moveWindow(to: id)
      return window.contains(id) ? window.index(of: id) : nil
    }

    /// Whether any id of a range is needed.
    mutating func hasAny(in range: ClosedRange<Int64>) -> Bool {
      let first = range.lowerBound >> Int64(NodePool.bitsOfWord)
      let last = range.upperBound >> Int64(NodePool.bitsOfWord)
      _ = moveWindow(to: range.lowerBound)
      var found = word
      while found < wordCount, bases[found] <= last {
        var mask = words[found].mask
        if bases[found] == first { mask &= ~0 << UInt64(range.lowerBound & NodePool.bitMask) }
        if bases[found] == last { mask &= ~0 >> UInt64(63 - range.upperBound & NodePool.bitMask) }
        if mask != 0 { return true }
        found += 1
      }
      return false
    }

    /// Moves to the first word that is not below an id's, with a galloping search; returns the
    /// window around the id.
    @inline(never)
    mutating func moveWindow(to id: Int64) -> Window {
      let base = id >> Int64(NodePool.bitsOfWord)
      var low = base >= self.base ? word : 0
      var step = 1
      if bases[low] < base {
        while low + step < wordCount, bases[low + step] < base {
          low += step
          step *= 2
        }
        let bases = bases
        low = (low + 1..<min(low + step, wordCount)).partitioningIndex { bases[$0] >= base }
      }
      word = low
      self.base = base
      let isThere = bases[low] == base
      window = Window(base: base, isThere ? words[low] : Word(mask: 0, firstIndex: 0))
      return window
    }
  }
}
