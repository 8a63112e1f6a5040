// SPDX-License-Identifier: Apache-2.0
import CairnGeodesy
import CairnRoutingDatabase

/// The nodes that a ``PagedGraph`` has met.
struct PagedNodes {
  /// The place of a node's arcs.
  struct ArcList {
    var page: Int32 = -1
    var start: Int32 = 0
    var count: Int32 = 0
  }

  private(set) var ids: [Int64] = []
  private(set) var positions: [SpherePoint] = []
  /// Metres above sea level, NaN if unknown.
  private(set) var elevations: [Double] = []
  var lists: [ArcList] = []
  /// Indices of nodes by their ids: a hash table with open addressing, −1 in an empty slot.
  private var slots = [Int32](repeating: -1, count: 1 << 13)

  /// Begins with none.
  init() {
    // Growing would copy them several times in each search.
    ids.reserveCapacity(PagedGraph.keptNodes)
    positions.reserveCapacity(PagedGraph.keptNodes)
    elevations.reserveCapacity(PagedGraph.keptNodes)
    lists.reserveCapacity(PagedGraph.keptNodes)
  }

  /// The index of a node; nil if it has none.
  func index(ofNode id: Int64) -> Int32? { lookUp(id).index }

  /// The index of a node, new if it had none; nil if there are too many.
  mutating func index(
    ofNode id: Int64, at coordinate: @autoclosure () -> Coordinate, elevation: Double?
  ) -> Int32? {
    let (known, slot) = lookUp(id)
    if let known { return known }
    guard let index = Int32(exactly: ids.count) else { return nil }
    ids.append(id)
    positions.append(SpherePoint(coordinate()))
    elevations.append(elevation ?? .nan)
    lists.append(ArcList())
    slots[slot] = index
    if ids.count * 2 > slots.count { growSlots() }
    return index
  }

  /// The index of a node, and the slot that holds it or would hold it.
  private func lookUp(_ id: Int64) -> (index: Int32?, slot: Int) {
    // Fibonacci hashing: the golden ratio spreads ids that lie close together.
    let mixed = UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: mixed >> 32) & mask
    while slots[slot] >= 0 {
      if ids[Int(slots[slot])] == id { return (slots[slot], slot) }
      slot = (slot + 1) & mask
    }
    return (nil, slot)
  }

  private mutating func growSlots() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (index, id) in ids.enumerated() { slots[lookUp(id).slot] = Int32(index) }
  }
}
