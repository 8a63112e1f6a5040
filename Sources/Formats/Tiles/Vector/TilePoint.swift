// SPDX-License-Identifier: Apache-2.0

/// A point in the grid of a tile: from its corner in the northwest, 4096 units to the east and to the
/// south. What lies in the buffer around the tile has coordinates below 0 or above 4096.
package struct TilePoint: Hashable, Sendable, BitwiseCopyable {
  /// Units of a side of a tile.
  package static let extent: Int32 = 4096

  /// Units east.
  package var x: Int16
  /// Units south.
  package var y: Int16

  /// Makes a point.
  @inline(__always)
  package init(x: Int16, y: Int16) { (self.x, self.y) = (x, y) }
}
