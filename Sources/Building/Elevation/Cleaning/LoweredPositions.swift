// SPDX-License-Identifier: Apache-2.0

/// Positions of ``NetworkSteps`` with the elevations to which they were lowered, in the order in
/// which they were first lowered.
struct LoweredPositions: Sendable {
  /// The positions, all different.
  private(set) var positions: [Int] = []
  /// The elevation of each.
  private(set) var metres: [Double] = []
  /// The index of a position, and 1; 0 is free. Positions that follow each other are in slots that
  /// do, and a position that finds its slot taken is in the next free one.
  private var slots = [UInt32](repeating: 0, count: 1 << 10)

  private static let neighbours = 16

  /// The slot of a position, or the free one where it belongs.
  private func slot(of position: Int) -> Int {
    let block = UInt64(truncatingIfNeeded: position / Self.neighbours) &* 0x9E37_79B9_7F4A_7C15
    var slot =
      Int(truncatingIfNeeded: block >> 20) * Self.neighbours + position % Self.neighbours
    while true {
      slot &= slots.count - 1
      let index = slots[slot]
      if index == 0 || positions[Int(index) - 1] == position { return slot }
      slot += 1
    }
  }

  /// The elevation of a position; nil if it was not lowered.
  subscript(position: Int) -> Double? {
    let index = slots[slot(of: position)]
    return index == 0 ? nil : metres[Int(index) - 1]
  }

  /// Lowers a position.
  mutating func lower(_ position: Int, to elevation: Double) {
    let slot = slot(of: position)
    if slots[slot] > 0 {
      metres[Int(slots[slot]) - 1] = elevation
      return
    }
    positions.append(position)
    metres.append(elevation)
    slots[slot] = UInt32(positions.count)
    if 2 * positions.count > slots.count { grow() }
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: 4 * slots.count)
    for (index, position) in positions.enumerated() {
      slots[slot(of: position)] = UInt32(index + 1)
    }
  }
}
