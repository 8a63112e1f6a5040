// SPDX-License-Identifier: Apache-2.0

extension Strokes {
  /// Strokes dealt into rounds.
  struct Rounds: Sendable {
    /// The start of each round's strokes in ``strokes``, and finally the count.
    var offsets: [Int]
    /// The strokes of the rounds, ascending in each.
    var strokes: [UInt32]

    /// Some strokes of a round.
    struct Batch: Sendable {
      /// Their range in ``Rounds/strokes``.
      let strokes: Range<Int>
      /// The start of the round: the number of strokes that must be cleaned before.
      let start: Int
    }

    /// The rounds in batches that keep some threads busy.
    func batches(threads: Int) -> [Batch] {
      zip(offsets, offsets.dropFirst()).flatMap { start, end in
        let size = min(Self.largestBatch, max(1, (end - start) / (4 * threads)))
        return stride(from: start, to: end, by: size).map {
          Batch(strokes: $0..<min($0 + size, end), start: start)
        }
      }
    }

    private static let largestBatch = 128
  }

  /// The strokes in rounds: those of a round share no node, and those that share one are in the
  /// order of ``order()``. So the strokes of a round can be cleaned at the same time.
  func rounds() -> Rounds {
    var nextRounds = [UInt32](repeating: 0, count: junctionCount)
    var roundOfStroke = [UInt32](repeating: 0, count: count)
    var counts: [Int] = []
    for stroke in order() {
      let passages = passages(ofStroke: Int(stroke))
      var round: UInt32 = 0
      for passage in passages { round = max(round, nextRounds[Int(passage.junction)]) }
      for passage in passages { nextRounds[Int(passage.junction)] = round + 1 }
      roundOfStroke[Int(stroke)] = round
      if Int(round) == counts.count { counts.append(0) }
      counts[Int(round)] += 1
    }
    var total = 0
    var rounds = Rounds(offsets: [], strokes: [UInt32](repeating: 0, count: count))
    for count in counts {
      rounds.offsets.append(total)
      total += count
    }
    var next = rounds.offsets
    rounds.offsets.append(total)
    for (stroke, round) in roundOfStroke.enumerated() {
      rounds.strokes[next[Int(round)]] = UInt32(stroke)
      next[Int(round)] += 1
    }
    return rounds
  }

  /// The strokes in the order in which their elevations are fixed: long ones first, and strokes
  /// that pass through a node before strokes that end there.
  func order() -> [UInt32] {
    let ranks = ranksByLength()
    let through = longestThroughStrokes(ranks.ranks)
    var isSeen = [Bool](repeating: false, count: count)
    var order: [UInt32] = []
    order.reserveCapacity(count)
    var pending: [(stroke: UInt32, isExpanded: Bool)] = []
    for first in ranks.sorted where !isSeen[Int(first)] {
      pending.append((first, false))
      while let (stroke, isExpanded) = pending.popLast() {
        if isExpanded {
          order.append(stroke)
          continue
        }
        // In a cycle of strokes that end on each other, the first one visited comes last.
        guard !isSeen[Int(stroke)] else { continue }
        isSeen[Int(stroke)] = true
        pending.append((stroke, true))
        let passages = passages(ofStroke: Int(stroke))
        for index in [passages.count - 1, 0] {
          let other = through[Int(passages[index].junction)]
          if other != .max, !isSeen[Int(other)] { pending.append((other, false)) }
        }
      }
    }
    return order
  }
}

extension Strokes {
  /// The strokes from the longest to the shortest, and the position of each in that order.
  private func ranksByLength() -> (sorted: [UInt32], ranks: [UInt32]) {
    // Sorted by the lengths as Float first; a length is not negative, so its bits have its order.
    let sorted = sortedByUpperHalf(
      lengths.elements.enumerated().map { stroke, metres in
        UInt64(~Float(metres).bitPattern) << 32 | UInt64(stroke)
      })
    var strokes = sorted.map { UInt32(truncatingIfNeeded: $0) }
    var first = 0
    for index in sorted.indices {
      let isLast = index + 1 == sorted.count || sorted[index + 1] >> 32 != sorted[index] >> 32
      guard isLast else { continue }
      if index > first { strokes[first...index].sort { isLonger(Int($0), Int($1)) } }
      first = index + 1
    }
    var ranks = [UInt32](repeating: 0, count: count)
    for (rank, stroke) in strokes.enumerated() { ranks[Int(stroke)] = UInt32(rank) }
    return (strokes, ranks)
  }

  /// Whether a stroke precedes another: the longer one, or of equal ones the one that begins with
  /// the first segment.
  private func isLonger(_ left: Int, _ right: Int) -> Bool {
    (-lengths.elements[left], isRing(left) ? 1 : 0, keys.elements[left])
      < (-lengths.elements[right], isRing(right) ? 1 : 0, keys.elements[right])
  }

  /// The longest stroke that passes through each junction without ending there; `UInt32.max` if
  /// there is none.
  private func longestThroughStrokes(_ ranks: [UInt32]) -> [UInt32] {
    var through = [UInt32](repeating: .max, count: junctionCount)
    for stroke in 0..<count {
      let passages = passages(ofStroke: stroke)
      for passage in passages[1..<passages.count - 1] {
        let other = through[Int(passage.junction)]
        if other == .max || ranks[stroke] < ranks[Int(other)] {
          through[Int(passage.junction)] = UInt32(stroke)
        }
      }
    }
    return through
  }
}

/// Numbers in the order of their upper 32 bits; those with equal ones stay in theirs. A radix sort
/// in three passes of 11 bits.
func sortedByUpperHalf(_ numbers: [UInt64]) -> [UInt64] {
  var source = numbers
  var target = [UInt64](repeating: 0, count: numbers.count)
  for shift in [UInt64(32), 43, 54] {
    var starts = [Int](repeating: 0, count: 1 << 11)
    for number in source { starts[Int(number >> shift & 0x7FF)] += 1 }
    var total = 0
    for digit in starts.indices { (starts[digit], total) = (total, total + starts[digit]) }
    for number in source {
      let digit = Int(number >> shift & 0x7FF)
      target[starts[digit]] = number
      starts[digit] += 1
    }
    swap(&source, &target)
  }
  return source
}
