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
    var (x, y) = (x, y)
    var position: UInt64 = 0
    for level in (0..<UInt32(order)).reversed() {
      let (right, below) = (x >> level & 1, y >> level & 1)
      position = position << 2 | UInt64((3 * right) ^ below)
      turn(&x, &y, right, below)
    }
    return position
  }

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
    // Where `below` is 0, swap, and before that flip where `right` is 1: without branches, which no
    // processor foresees.
    let swapping = below &- 1
    let flip = swapping & (0 &- right)
    (x, y) = (x ^ flip, y ^ flip)
    let difference = (x ^ y) & swapping
    (x, y) = (x ^ difference, y ^ difference)
  }
}
