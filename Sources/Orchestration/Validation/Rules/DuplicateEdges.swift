// SPDX-License-Identifier: Apache-2.0

/// Finds edges between the same nodes with the same points.
struct DuplicateEdges {
  private var hashes: [UInt64] = []
  private var known: [Known] = []
  private struct Known {
    var id: Int64
    var way: Int64
    var from: Int32
    var to: Int32
  }

  /// A hash table with open addressing: indices into ``known``, −1 where empty.
  private var slots = [Int32](repeating: -1, count: 1024)

  /// Adds an edge and reports an earlier one that is the same.
  ///
  /// - Parameter fingerprint: A hash of the points that does not depend on their order.
  mutating func add(
    _ edge: EdgeRows.Edge, _ fingerprint: UInt64, _ findings: inout Findings
  ) {
    let low = UInt64(UInt32(bitPattern: min(edge.from, edge.to)))
    let ends = low << 32 | UInt64(UInt32(bitPattern: max(edge.from, edge.to)))
    let hash = mixed(ends ^ mixed(fingerprint))
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if hashes[index] == hash { return report(edge, known[index], &findings) }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(truncatingIfNeeded: hashes.count)
    hashes.append(hash)
    known.append(Known(id: edge.id, way: edge.way, from: edge.from, to: edge.to))
    if hashes.count * 2 > slots.count { grow() }
  }

  private func report(_ edge: EdgeRows.Edge, _ other: Known, _ findings: inout Findings) {
    let isSame = edge.way == other.way && edge.from == other.from && edge.to == other.to
    findings.add(
      isSame ? .duplicateEdges : .overlappingEdges,
      "edge \(edge.id) of way \(edge.way) has the same points as edge \(other.id) of way "
        + "\(other.way)")
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: index)
    }
  }
}
