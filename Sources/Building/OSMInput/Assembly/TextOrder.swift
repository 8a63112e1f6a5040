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
  private var sorted: [(key: UInt32, index: Int, value: UInt32)] = []

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
    let texts = used.map { (poolIndex: $0, text: Array(pool.text($0))) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    for (index, entry) in texts.enumerated() {
      sortedIndices[entry.poolIndex] = UInt32(truncatingIfNeeded: index)
    }
    return texts.map(\.text)
  }

  /// Adds the tags of an object, sorted by key; if a key appears twice, the last value counts.
  mutating func add(_ tags: ArraySlice<PooledTag>, to lists: inout TagLists) {
    sorted.removeAll(keepingCapacity: true)
    for (index, tag) in tags.enumerated() {
      sorted.append((sortedIndices[Int(tag.key)], index, sortedIndices[Int(tag.value)]))
    }
    sorted.sort { ($0.key, $0.index) < ($1.key, $1.index) }
    for (index, tag) in sorted.enumerated() {
      let isLast = index + 1 == sorted.count || sorted[index + 1].key != tag.key
      if isLast { lists.add(key: tag.key, value: tag.value) }
    }
    lists.endObject()
  }
}
