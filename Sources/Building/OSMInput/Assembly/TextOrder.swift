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
    if areInOrder(tags) {
      for tag in tags {
        lists.add(key: sortedIndices[Int(tag.key)], value: sortedIndices[Int(tag.value)])
      }
      return lists.endObject()
    }
    sorted.removeAll(keepingCapacity: true)
    for (index, tag) in tags.enumerated() {
      sorted.append(UInt64(sortedIndices[Int(tag.key)]) << 32 | UInt64(truncatingIfNeeded: index))
    }
    sorted.sort()
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

  /// Whether the keys of tags ascend, which nearly all do.
  private func areInOrder(_ tags: ArraySlice<PooledTag>) -> Bool {
    var end: UInt32 = 0
    for tag in tags {
      let key = sortedIndices[Int(tag.key)]
      if key < end { return false }
      end = key + 1
    }
    return true
  }
}
