// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms
import TrailData

/// Sorts the used texts of a pool by their bytes, and translates indices into the pool.
struct TextOrder {
  private static let unused = UInt32.max

  private let pool: TextPool
  /// The index of each text of the pool among the sorted texts.
  private var sortedIndices: [UInt32]
  private var used: [Int] = []
  /// The key and the position of each tag of an object.
  private var sorted: [UInt64] = []

  init(_ pool: TextPool) {
    self.pool = pool
    sortedIndices = [UInt32](repeating: Self.unused, count: pool.count)
  }

  /// Marks a tag as used.
  mutating func use(_ tag: PooledTag) {
    use(Int(tag.key))
    use(Int(tag.value))
  }

  /// Marks tags as used.
  mutating func use(_ tags: ArraySlice<PooledTag>) { for tag in tags { use(tag) } }

  private mutating func use(_ text: Int) {
    guard sortedIndices[text] == Self.unused else { return }
    sortedIndices[text] = 0
    used.append(text)
  }

  /// Sorts the used texts and returns them.
  mutating func sort() -> [[UInt8]] {
    let pool = pool
    // Nearly always the first bytes decide.
    var texts = used.map { (start: pool.start(of: $0), index: $0) }
    texts.sort {
      $0.start == $1.start
        ? pool.text($0.index).lexicographicallyPrecedes(pool.text($1.index)) : $0.start < $1.start
    }
    for (index, text) in texts.enumerated() {
      sortedIndices[text.index] = UInt32(truncatingIfNeeded: index)
    }
    return texts.map { Array(pool.text($0.index)) }
  }

  /// Adds the tags of an object, sorted by key; if a key appears twice, the last value counts.
  mutating func add(_ tags: ArraySlice<PooledTag>, to lists: inout TagLists) {
    sorted.removeAll(keepingCapacity: true)
    var (previous, isSorted): (UInt64, Bool) = (0, true)
    for index in tags.indices {
      let entry =
        UInt64(sortedIndices[Int(tags[index].key)]) << 32
        | UInt64(truncatingIfNeeded: index - tags.startIndex)
      isSorted = isSorted && previous <= entry
      previous = entry
      sorted.append(entry)
    }
    if !isSorted { sorted.sort() }
    for index in sorted.indices {
      let entry = sorted[index]
      let isLast = index + 1 == sorted.count || sorted[index + 1] >> 32 != entry >> 32
      if isLast {
        let tag = tags[tags.startIndex + Int(entry & 0xffff_ffff)]
        lists.add(
          key: UInt32(truncatingIfNeeded: entry >> 32), value: sortedIndices[Int(tag.value)])
      }
    }
    lists.endObject()
  }
}
