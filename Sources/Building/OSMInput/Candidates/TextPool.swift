// SPDX-License-Identifier: Apache-2.0

/// Gives each distinct text a number, in the order of first sight.
///
/// The numbers serve within one run only: ``TrailsAssembler`` replaces them by the places of the
/// sorted texts. The hash is seeded at random, so that no input can be made to collide.
struct TextPool: Sendable {
  private static let emptySlot = UInt32.max

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  private var slots = [UInt32](repeating: emptySlot, count: 1024)
  private let seed = UInt64.random(in: .min ... .max)

  /// How many texts there are.
  var count: Int { ends.count }

  /// The bytes of a text.
  func text(_ number: Int) -> ArraySlice<UInt8> {
    bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]]
  }

  /// The number of a text, a new one if it was not seen before.
  mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = hash(text)
    let mask = slots.count - 1
    var place = Int(hash) & mask
    while slots[place] != Self.emptySlot {
      let number = slots[place]
      if hashes[Int(number)] == hash, self.text(Int(number)).elementsEqual(text) { return number }
      place = (place + 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: ends.count)
    slots[place] = number
    bytes.append(contentsOf: text)
    ends.append(bytes.count)
    hashes.append(hash)
    if ends.count * 2 > slots.count { grow() }
    return number
  }

  /// Adds the texts of another pool; returns their numbers here.
  mutating func merge(_ other: TextPool) -> [UInt32] {
    (0..<other.count).map { number in
      other.text(number).withUnsafeBytes { self.number(of: $0) }
    }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: Self.emptySlot, count: slots.count * 2)
    let mask = slots.count - 1
    for (number, hash) in hashes.enumerated() {
      var place = Int(hash) & mask
      while slots[place] != Self.emptySlot { place = (place + 1) & mask }
      slots[place] = UInt32(truncatingIfNeeded: number)
    }
  }

  /// Folded multiplication, eight bytes a step, as in wyhash.
  private func hash(_ text: UnsafeRawBufferPointer) -> UInt32 {
    var state = seed ^ UInt64(text.count)
    var place = 0
    while text.count - place >= 8 {
      state = Self.fold(state ^ text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    var tail: UInt64 = 0
    while place < text.count {
      tail = tail << 8 | UInt64(text[place])
      place += 1
    }
    state = Self.fold(state ^ tail)
    return UInt32(truncatingIfNeeded: state ^ (state >> 32))
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }
}
