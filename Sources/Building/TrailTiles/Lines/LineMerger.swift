// SPDX-License-Identifier: Apache-2.0

/// Joins ways of equal properties that follow each other: where exactly two of them end at a node.
struct LineMerger {
  /// A way in a line, perhaps against its direction.
  struct Step {
    var way: UInt32
    var isReversed: Bool
  }

  private struct End {
    var node: UInt32
    /// Twice the position of the way among the given ones, plus 1 for its last node.
    var end: UInt32
  }

  /// The steps of all lines.
  private(set) var steps: [Step] = []
  /// The end of each line in ``steps``.
  private(set) var lineEnds: [Int] = []
  private var ends: [End] = []
  private var partners: [UInt32] = []
  private var isUsed: [Bool] = []

  init() {}

  /// Joins some ways; `firstNode` and `lastNode` give their ends.
  mutating func merge(
    _ ways: ArraySlice<TileFeatures.Line>, firstNode: (UInt32) -> UInt32,
    lastNode: (UInt32) -> UInt32
  ) {
    steps.removeAll(keepingCapacity: true)
    lineEnds.removeAll(keepingCapacity: true)
    pairEnds(ways, firstNode, lastNode)
    isUsed.removeAll(keepingCapacity: true)
    isUsed.append(contentsOf: repeatElement(false, count: ways.count))
    for end in 0..<UInt32(2 * ways.count) where partners[Int(end)] == .max {
      follow(from: end, ways)
    }
    // The rest are rings.
    for position in 0..<ways.count where !isUsed[position] {
      follow(from: UInt32(2 * position), ways)
    }
  }

  private mutating func pairEnds(
    _ ways: ArraySlice<TileFeatures.Line>, _ firstNode: (UInt32) -> UInt32,
    _ lastNode: (UInt32) -> UInt32
  ) {
    ends.removeAll(keepingCapacity: true)
    for (position, line) in ways.enumerated() {
      ends.append(End(node: firstNode(line.way), end: UInt32(2 * position)))
      ends.append(End(node: lastNode(line.way), end: UInt32(2 * position + 1)))
    }
    ends.sort { ($0.node, $0.end) < ($1.node, $1.end) }
    partners.removeAll(keepingCapacity: true)
    partners.append(contentsOf: repeatElement(.max, count: ends.count))
    var start = 0
    while start < ends.count {
      var next = start + 1
      while next < ends.count, ends[next].node == ends[start].node { next += 1 }
      // Not the two ends of a closed way.
      if next - start == 2, ends[start].end / 2 != ends[start + 1].end / 2 {
        partners[Int(ends[start].end)] = ends[start + 1].end
        partners[Int(ends[start + 1].end)] = ends[start].end
      }
      start = next
    }
  }

  /// Adds the line that begins with an end of a way.
  private mutating func follow(from start: UInt32, _ ways: ArraySlice<TileFeatures.Line>) {
    var end = start
    guard !isUsed[Int(end / 2)] else { return }
    while end != .max, !isUsed[Int(end / 2)] {
      let position = Int(end / 2)
      isUsed[position] = true
      steps.append(
        Step(way: ways[ways.startIndex + position].way, isReversed: end % 2 == 1))
      end = partners[Int(end ^ 1)]
    }
    lineEnds.append(steps.count)
  }
}
