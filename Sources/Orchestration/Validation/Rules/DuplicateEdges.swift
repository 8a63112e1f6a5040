// SPDX-License-Identifier: Apache-2.0

/// Finds edges between the same nodes with the same points.
///
/// Lines are compared by a hash, which also divides the edges into parts to search at the same
/// time.
struct DuplicateEdges: Sendable {
  /// The number of parts.
  static let parts = 16

  /// An edge, and the first one with the same line.
  struct Pair: Sendable {
    var edge: Int
    var first: Int
  }

  /// The hash of an edge's line, the same in both directions; never 0.
  ///
  /// - Parameter points: A hash of the points that does not depend on their order.
  static func line(_ edge: EdgeRows.Edge, points: UInt64) -> UInt64 {
    let low = UInt64(UInt32(bitPattern: min(edge.from, edge.to)))
    let ends = low << 32 | UInt64(UInt32(bitPattern: max(edge.from, edge.to)))
    return max(1, mixed(ends ^ mixed(points)))
  }

  /// The edges of a part with the line of an earlier one, ascending.
  static func pairs(_ lines: [UInt64], part: Int) -> [Pair] {
    lines.withUnsafeBufferPointer { lines in
      // Twice as many slots as edges are expected in this part; there may be more.
      var table = Table(bits: max(8, Int.bitWidth - (lines.count / parts * 2).leadingZeroBitCount))
      var pairs: [Pair] = []
      for edge in lines.indices {
        let line = lines[edge]
        guard Int(truncatingIfNeeded: line >> 60) == part, line != 0 else { continue }
        if let first = table.insert(edge, lines) { pairs.append(Pair(edge: edge, first: first)) }
      }
      return pairs
    }
  }

  /// Reports the edges of all parts.
  static func report(_ pairs: [Pair], _ edges: EdgeRows, _ findings: inout Findings) {
    for pair in pairs.sorted(by: { $0.edge < $1.edge }) {
      let (edge, other) = (pair.edge, pair.first)
      let isSame =
        edges.ways[edge] == edges.ways[other] && edges.from[edge] == edges.from[other]
        && edges.to[edge] == edges.to[other]
      findings.add(
        isSame ? .duplicateEdges : .overlappingEdges,
        "edge \(edges.ids[edge]) of way \(edges.ways[edge]) has the same points as edge "
          + "\(edges.ids[other]) of way \(edges.ways[other])")
    }
  }

  /// A hash table with open addressing: indices of edges, −1 where empty.
  private struct Table {
    private var slots: [Int32]
    private var count = 0

    init(bits: Int) { slots = [Int32](repeating: -1, count: 1 << bits) }

    /// Adds an edge, unless there is one with its line, which is returned.
    @inline(__always)
    mutating func insert(_ edge: Int, _ lines: UnsafeBufferPointer<UInt64>) -> Int? {
      let line = lines[edge]
      var slot = Int(truncatingIfNeeded: line) & (slots.count - 1)
      while slots[slot] >= 0 {
        if lines[Int(slots[slot])] == line { return Int(slots[slot]) }
        slot = (slot + 1) & (slots.count - 1)
      }
      slots[slot] = Int32(truncatingIfNeeded: edge)
      count += 1
      if count * 2 > slots.count { grow(lines) }
      return nil
    }

    private mutating func grow(_ lines: UnsafeBufferPointer<UInt64>) {
      let old = slots
      slots = [Int32](repeating: -1, count: old.count * 2)
      for edge in old where edge >= 0 {
        var slot = Int(truncatingIfNeeded: lines[Int(edge)]) & (slots.count - 1)
        while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = edge
      }
    }
  }
}
