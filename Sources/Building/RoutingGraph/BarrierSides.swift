// SPDX-License-Identifier: Apache-2.0

/// Numbers the sides of each barrier: every end there is a side of its own, except that the outline of
/// an area to walk on is a single one.
struct BarrierSides {
  /// The number of sides of each barrier so far.
  private(set) var counts: [UInt32]
  /// How many parts of rings end at each barrier.
  private var parts: [UInt32]
  /// The ring that was last met at each barrier, and its side.
  private var rings: [(way: Int, side: UInt32)]
  /// The side of the parts of rings at each barrier; `.max` if it has none yet.
  private var sideOfParts: [UInt32]

  /// A ring goes on from one of its parts to the next one. Two areas may have a third part in common.
  /// Where more parts end, nothing says which belong together, so the barrier closes all of them.
  private static let joinedParts: ClosedRange<UInt32> = 2...3

  init(_ barriers: BarrierNodes, _ blocks: [EdgeBlock]) {
    counts = Array(repeating: 0, count: barriers.nodes.count)
    parts = counts
    rings = Array(repeating: (-1, 0), count: counts.count)
    sideOfParts = Array(repeating: .max, count: counts.count)
    for block in blocks {
      for end in block.barrierEnds where end.outline == .parts { parts[end.barrier] += 1 }
    }
  }

  /// Gives an end its copy: a new one, or that of the outline that goes on there. The ends of a way
  /// come one after the other.
  mutating func assign(_ end: inout EdgeBlock.BarrierEnd) {
    let barrier = end.barrier
    switch end.outline {
    case .ring(let way) where rings[barrier].way == way:
      (end.copy, end.sharesCopy) = (rings[barrier].side, true)
      return
    case .ring(let way): rings[barrier] = (way, counts[barrier])
    case .parts where Self.joinedParts.contains(parts[barrier]):
      if sideOfParts[barrier] != .max {
        (end.copy, end.sharesCopy) = (sideOfParts[barrier], true)
        return
      }
      sideOfParts[barrier] = counts[barrier]
    case .parts, .none: break
    }
    end.copy = counts[barrier]
    counts[barrier] += 1
  }
}
