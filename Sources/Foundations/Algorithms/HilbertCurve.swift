// SPDX-License-Identifier: Apache-2.0

/// The curve of D. Hilbert (1891) through all cells of a square grid, on which neighbours are close.
package enum HilbertCurve {
  /// The position of a cell on the curve, from 0.
  ///
  /// - Parameters:
  ///   - x: The column, below 2 to the power of `order`.
  ///   - y: The row, the same.
  ///   - order: 0…31: the grid has 4 to the power of this many cells.
  package static func position(x: UInt32, y: UInt32, order: Int) -> UInt64 {
    let steps = steps
    var position: UInt64 = 0
    var turns: UInt32 = 0
    // Shifts that need no check take half of the instructions.
    var level = UInt32(order)
    while level > 0 {
      level &-= 1
      let quarter = (x &>> level & 1) &<< 1 | y &>> level & 1
      let shift = (turns &<< 2 | quarter) &<< 1
      position = position &<< 2 | UInt64(steps.quarters &>> shift & 3)
      turns = steps.turns &>> shift & 3
    }
    return position
  }

  /// For each of four ways in which a quarter may be turned, and each of the four within it: which one it
  /// is on the curve, and how it is turned. Two bits each.
  private static let steps: (quarters: UInt32, turns: UInt32) = {
    var (quarters, turns): (UInt32, UInt32) = (0, 0)
    for index in 0..<16 as Range<UInt32> {
      let (flips, swaps) = (index >> 3, index >> 2 & 1)
      var (right, below) = (index >> 1 & 1 ^ flips, index & 1 ^ flips)
      if swaps == 1 { swap(&right, &below) }
      quarters |= ((3 * right) ^ below) << (2 * index)
      let next = below == 0 ? (flips ^ right) << 1 | (swaps ^ 1) : index >> 2
      turns |= next << (2 * index)
    }
    return (quarters, turns)
  }()

  /// The cell at a position, a number below 4 to the power of `order`.
  package static func cell(at position: UInt64, order: Int) -> (x: UInt32, y: UInt32) {
    var (x, y): (UInt32, UInt32) = (0, 0)
    for level in 0..<UInt32(order) {
      let quarter = UInt32(truncatingIfNeeded: position >> UInt64(2 * level) & 3)
      let right = quarter >> 1
      let below = (quarter ^ right) & 1
      // Only the digits below are there.
      let mask: UInt32 = 1 << level - 1
      turn(&x, &y, right, below)
      (x, y) = (x & mask | right << level, y & mask | below << level)
    }
    return (x, y)
  }

  /// Turns a quarter so that its curve begins where the one before ends.
  @inline(__always)
  private static func turn(_ x: inout UInt32, _ y: inout UInt32, _ right: UInt32, _ below: UInt32) {
    guard below == 0 else { return }
    if right == 1 { (x, y) = (~x, ~y) }
    swap(&x, &y)
  }
}
