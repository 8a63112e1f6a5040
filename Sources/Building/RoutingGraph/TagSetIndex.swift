// SPDX-License-Identifier: Apache-2.0
import TrailData

/// Collects the distinct sets of tags in the order in which they first occur.
///
/// A region has a few hundred of them for tens of thousands of ways, so whatever depends on tags
/// alone is computed once per set instead of once per edge. Keys and values are compared by their
/// indices in the string table; an open hash table finds equal sets without a string or an object
/// per way.
struct TagSetIndex: Sendable {
  /// The sets so far.
  private(set) var sets = TagLists()
  /// The waymarked routes of each set, as ``RouteNetworks``.
  private(set) var networks: [UInt8] = []
  /// The areas that close or limit the ways of each set, see ``EdgeBlock/closures``.
  private(set) var areas: [[UInt32]] = []
  /// The hash table: indices of sets, `.max` where a slot is empty.
  private var slots = [UInt32](repeating: .max, count: 1024)
  private var count = 0
  // Random, so that no input can be made to collide; the indices of the sets do not depend on it.
  private let seed = UInt64.random(in: .min ... .max)

  /// The index of the set of an object's tags and routes, without the keys for which `isLeftOut`
  /// returns true.
  mutating func index(
    of object: Int, in table: TagTable, routes: RouteNetworks = .none, areas: [UInt32] = [],
    leavingOut isLeftOut: (UInt32) -> Bool
  ) -> UInt32 {
    // The set is appended first and removed again if it is already known.
    let start = sets.keys.count
    for tag in table.tags(of: object) where !isLeftOut(table.key(tag)) {
      sets.add(key: table.key(tag), value: table.value(tag))
    }
    return indexOfSet(from: start, routes.rawValue, areas)
  }

  /// The index of a set of another index.
  mutating func index(of set: Int, in other: TagSetIndex) -> UInt32 {
    let start = sets.keys.count
    for tag in other.range(set) {
      sets.add(key: other.sets.keys[tag], value: other.sets.values[tag])
    }
    return indexOfSet(from: start, other.networks[set], other.areas[set])
  }

  private mutating func indexOfSet(from start: Int, _ routes: UInt8, _ areas: [UInt32]) -> UInt32 {
    var slot = hash(from: start, routes, areas) & (slots.count - 1)
    while slots[slot] != .max {
      let known = Int(slots[slot])
      if networks[known] == routes, self.areas[known] == areas, equals(known, from: start) {
        sets.keys.removeLast(sets.keys.count - start)
        sets.values.removeLast(sets.values.count - start)
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let index = UInt32(count)
    slots[slot] = index
    sets.endObject()
    networks.append(routes)
    self.areas.append(areas)
    count += 1
    if count * 2 > slots.count { grow() }
    return index
  }

  private func hash(from start: Int, to end: Int? = nil, _ routes: UInt8, _ areas: [UInt32]) -> Int
  {
    var state: UInt64 = seed ^ UInt64(routes)
    for area in areas { state = (state ^ UInt64(area) << 8) &* 0x9E37_79B9_7F4A_7C15 }
    for tag in start..<(end ?? sets.keys.count) {
      state = (state ^ UInt64(sets.keys[tag])) &* 0x9E37_79B9_7F4A_7C15
      state = (state ^ UInt64(sets.values[tag])) &* 0x9E37_79B9_7F4A_7C15
      state ^= state >> 29
    }
    return Int(truncatingIfNeeded: state >> 16)
  }

  private func range(_ set: Int) -> Range<Int> {
    Int(sets.offsets[set])..<Int(sets.offsets[set + 1])
  }

  private func equals(_ set: Int, from start: Int) -> Bool {
    let known = range(set)
    return sets.keys[known] == sets.keys[start...] && sets.values[known] == sets.values[start...]
  }

  private mutating func grow() {
    slots = [UInt32](repeating: .max, count: slots.count * 2)
    for set in 0..<count {
      let tags = range(set)
      var slot =
        hash(from: tags.lowerBound, to: tags.upperBound, networks[set], areas[set])
        & (slots.count - 1)
      while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(set)
    }
  }
}
