// SPDX-License-Identifier: Apache-2.0

/// Some of the needed nodes, by their ranks, numbered in the order of the ranks.
///
/// One bit a node, so that a small region of a large file does not cost what the file costs.
struct RankSelection {
  private var words: [UInt64]
  /// How many are selected before each word.
  private var counts: [UInt32] = []

  /// Selects none of `count` ranks.
  init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Selects a rank.
  @inline(__always)
  mutating func insert(_ rank: UInt32) { words[Int(rank >> 6)] |= 1 << UInt64(rank & 63) }

  /// Numbers what was selected; returns how many there are.
  mutating func finish() -> Int {
    var sum = 0
    counts.reserveCapacity(words.count)
    for word in words {
      counts.append(UInt32(truncatingIfNeeded: sum))
      sum += word.nonzeroBitCount
    }
    return sum
  }

  /// Whether a rank is selected.
  @inline(__always)
  func contains(_ rank: UInt32) -> Bool { words[Int(rank >> 6)] >> UInt64(rank & 63) & 1 != 0 }

  /// The number of a selected rank, valid after ``finish()``.
  @inline(__always)
  func number(of rank: UInt32) -> UInt32 {
    let word = Int(rank >> 6)
    let before = words[word] & (1 << UInt64(rank & 63) - 1)
    return counts[word] + UInt32(truncatingIfNeeded: before.nonzeroBitCount)
  }

  /// Goes through the selected ranks, ascending.
  func forEach(_ body: (Int) -> Void) {
    for (place, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(place * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}
