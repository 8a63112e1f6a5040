// SPDX-License-Identifier: Apache-2.0
import Algorithms
import TrailData

/// Brings the used texts of a pool into the order of their bytes.
struct TextOrder {
  private static let unused = UInt32.max

  private let pool: TextPool
  private var numbers: [UInt32]
  private var used: [Int] = []
  private var sorted: [(key: UInt32, place: Int, value: UInt32)] = []

  init(_ pool: TextPool) {
    self.pool = pool
    numbers = [UInt32](repeating: Self.unused, count: pool.count)
  }

  /// Notes that a tag is used.
  mutating func use(_ tag: PooledTag) {
    use(Int(tag.key))
    use(Int(tag.value))
  }

  /// Notes that some tags are used.
  mutating func use(_ tags: ArraySlice<PooledTag>) { for tag in tags { use(tag) } }

  private mutating func use(_ text: Int) {
    guard numbers[text] == Self.unused else { return }
    numbers[text] = 0
    used.append(text)
  }

  /// Numbers the used texts; returns them.
  mutating func sort() -> [[UInt8]] {
    let texts = used.map { (number: $0, text: Array(pool.text($0))) }
      .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    for (place, entry) in texts.enumerated() {
      numbers[entry.number] = UInt32(truncatingIfNeeded: place)
    }
    return texts.map(\.text)
  }

  /// Adds the tags of an object, sorted by key; of a key that stands there twice the last value.
  mutating func add(_ tags: ArraySlice<PooledTag>, to lists: inout TagLists) {
    sorted.removeAll(keepingCapacity: true)
    for (place, tag) in tags.enumerated() {
      sorted.append((numbers[Int(tag.key)], place, numbers[Int(tag.value)]))
    }
    sorted.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    for (place, tag) in sorted.enumerated() {
      let isLast = place + 1 == sorted.count || sorted[place + 1].key != tag.key
      if isLast { lists.add(key: tag.key, value: tag.value) }
    }
    lists.endObject()
  }
}
