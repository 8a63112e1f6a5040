// SPDX-License-Identifier: Apache-2.0
import CairnAlgorithms

/// The vocabulary of the names of all places: the distinct words, and how many names have each.
struct PlaceWords: Sendable {
  private let pool: TextPool
  /// The words in the order of their bytes, as indices into the pool.
  private let order: [UInt32]
  private let counts: [Int]

  /// Counts the words of the names that fold to some texts.
  init(_ places: [IndexedPlace], _ folded: TextPool) {
    var namesOfTexts = [Int](repeating: 0, count: folded.count)
    for index in places.indices {
      for name in places[index].names { namesOfTexts[Int(name.folding)] += 1 }
    }
    var pool = TextPool()
    var counts: [Int] = []
    var words: [UInt32] = []
    for (text, names) in namesOfTexts.enumerated() where names > 0 {
      words.removeAll(keepingCapacity: true)
      for bytes in folded.text(text).split(separator: 0x20) {
        let word = bytes.withUnsafeBytes { pool.index(of: $0) }
        // A name that has a word twice counts once.
        if words.contains(word) { continue }
        words.append(word)
        if Int(word) == counts.count { counts.append(0) }
        counts[Int(word)] += names
      }
    }
    order = (0..<UInt32(pool.count)).sorted { [pool] in
      pool.text(Int($0)).lexicographicallyPrecedes(pool.text(Int($1)))
    }
    self.pool = pool
    self.counts = counts
  }

  /// The number of words.
  var count: Int { order.count }

  /// A word by its position in the order of words.
  func text(_ position: Int) -> ArraySlice<UInt8> { pool.text(Int(order[position])) }

  /// The number of names with the word.
  func names(_ position: Int) -> Int { counts[Int(order[position])] }
}
