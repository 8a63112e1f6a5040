// SPDX-License-Identifier: Apache-2.0

/// Gives each distinct text an index, in the order of first use.
///
/// A hash table with open addressing over one buffer of bytes, without an object or String for each
/// text. The hash is seeded at random, so that no input can force collisions; the indexes do not
/// depend on the seed.
package struct TextPool: Sendable {
  private static let emptySlot = UInt32.max

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  private var slots = [UInt32](repeating: emptySlot, count: 1024)
  private let seed = UInt64.random(in: .min ... .max)

  /// Makes an empty pool.
  package init() {}

  /// The number of texts.
  package var count: Int { ends.count }

  /// The bytes of a text.
  package func text(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// The first eight bytes of a text, with zeros behind its end, as a number that is ordered as
  /// they are.
  package func start(of index: Int) -> UInt64 {
    let start = index == 0 ? 0 : ends[index - 1]
    return bytes[start..<min(start + 8, ends[index])].enumerated().reduce(0) { number, next in
      number | UInt64(next.element) << UInt64(56 - 8 * next.offset)
    }
  }

  /// Whether a text has an index.
  package func isText(_ index: Int, _ text: UnsafeRawBufferPointer) -> Bool {
    let start = index == 0 ? 0 : ends[index - 1]
    guard ends[index] - start == text.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      for offset in 0..<text.count where bytes[start + offset] != text[offset] { return false }
      return true
    }
  }

  /// The index of a text, a new one on first use.
  package mutating func index(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = hash(text)
    let slot = slot(of: text, hash)
    if slots[slot] != Self.emptySlot { return slots[slot] }
    let index = UInt32(truncatingIfNeeded: ends.count)
    slots[slot] = index
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    hashes.append(hash)
    if ends.count * 2 > slots.count { grow() }
    return index
  }

  /// The index of a text, or nil if it was not seen.
  package func find(_ text: UnsafeRawBufferPointer) -> UInt32? {
    let slot = slot(of: text, hash(text))
    return slots[slot] == Self.emptySlot ? nil : slots[slot]
  }

  /// Adds the texts of another pool; returns their indexes here.
  package mutating func merge(_ other: TextPool) -> [UInt32] {
    (0..<other.count).map { index in
      other.text(index).withUnsafeBytes { self.index(of: $0) }
    }
  }

  /// The slot of a text, or the free one for it.
  @inline(__always)
  private func slot(of text: UnsafeRawBufferPointer, _ hash: UInt32) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != Self.emptySlot {
      let index = Int(slots[slot])
      if hashes[index] == hash, self.text(index).elementsEqual(text) { return slot }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.emptySlot, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != Self.emptySlot { slot = (slot + 1) & mask }
      slots[slot] = UInt32(truncatingIfNeeded: index)
    }
  }

  /// Folded multiplication, eight bytes a step, as in wyhash.
  private func hash(_ text: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(text.count)
    var offset = 0
    while text.count - offset >= 8 {
      state = Self.fold(state ^ text.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var tail: UInt64 = 0
    while offset < text.count {
      tail = tail << 8 | UInt64(text[offset])
      offset += 1
    }
    state = Self.fold(state ^ tail)
    return UInt32(truncatingIfNeeded: state ^ (state >> 32))
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}
